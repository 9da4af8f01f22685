// SPDX-License-Identifier: BSD-2-Clause
#include "agent/health.h"
#include "agent/clock.h"
#include "agent/last_error.h"
#include "agent/notify.h"
#include "agent/notify_time.h"
#include "agent/serve.h"

static const struct mib_view *describe_view(void *arg, uint32_t from)
{
	static const enum mib_view_state states[] = {[SMA_UNKNOWN] = MIB_VIEW_UNKNOWN,
	                                             [SMA_ANSWERING] = MIB_VIEW_ANSWERING,
	                                             [SMA_SILENT] = MIB_VIEW_SILENT};
	static struct mib_view view;
	const struct serving *serving = arg;

	if (from > 1)
		return NULL;
	view = (struct mib_view){.id = 1, .context = "", .alias = "", .path = "", .description = ""};
	view.device = serving->ports->device ? serving->ports->device->name : "";
	view.port = sma_node_port(serving->node);
	view.notices = sources_state(serving->sources);
	sma_node_condition(serving->node, &view.sma);
	sma_node_counters(serving->node, &view.smps);
	view.state = states[view.sma.state];
	view.last = view.sma.last;
	return &view;
}

static void fill_last_error(struct mib_daemon *daemon)
{
	static struct last_error error;

	last_error_get(&error);
	daemon->error = error.text;
	notify_time_date(daemon->error_date, error.wall_ms);
}

static void fill_notifications(const struct serving *serving, struct mib_daemon *daemon)
{
	struct notify_counters counters;

	notify_count(serving->notify, &counters);
	daemon->sent = counters.sent;
	daemon->held_back = counters.held_back;
	daemon->dropped = counters.dropped;
	daemon->queued = counters.queued;
}

void health_fill(void *arg, struct mib_daemon *daemon)
{
	const struct serving *serving = arg;

	daemon->now = clock_ms();
	daemon->started = serving->started;
	daemon->version = IBSMAD_VERSION;
	daemon->view = describe_view;
	daemon->view_arg = arg;
	daemon->view_count = 1;
	fill_last_error(daemon);
	fill_notifications(serving, daemon);
	sma_node_counters(serving->node, &daemon->smps);
	mib_count(serving->mib, &daemon->values);
	sources_count(serving->sources, &daemon->notices);
}
