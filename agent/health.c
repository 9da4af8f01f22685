// SPDX-License-Identifier: BSD-2-Clause
#include "agent/health.h"
#include "agent/clock.h"
#include "agent/last_error.h"
#include "agent/notify.h"
#include "agent/notify_time.h"
#include "agent/serve.h"

static void fill_sweeps(const struct serving *serving, struct mib_daemon *daemon)
{
	struct fabric_progress progress;

	views_progress(serving->views, &progress);
	daemon->sweep = (struct mib_sweep){.count = progress.sweeps,
	                                   .running = progress.running,
	                                   .completed = progress.completed,
	                                   .nodes = progress.nodes,
	                                   .links = progress.links,
	                                   .smps = progress.smps};
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
	daemon->view = views_describe;
	daemon->view_arg = serving->views;
	daemon->view_count = views_count(serving->views);
	fill_sweeps(serving, daemon);
	fill_last_error(daemon);
	fill_notifications(serving, daemon);
	views_count_smps(serving->views, &daemon->smps);
	mib_count(serving->mib, &daemon->values);
	views_count_notices(serving->views, &daemon->notices);
}
