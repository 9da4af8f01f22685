// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "agent/agentx/agentx.h"
#include "agent/clock.h"
#include "agent/health.h"
#include "agent/loop.h"
#include "agent/notify.h"
#include "agent/serve.h"
#include "sma/log.h"

enum { FLUSH_MS = 1000 }; /* how long waiting notifications may take at the shutdown */

static uint64_t run_mib(void *arg, uint64_t now)
{
	return mib_run(arg, now);
}

/* The descriptors of a lost device stay dead when it comes back. */
static void end_if_lost(int lost)
{
	if (!lost)
		return;
	sma_log(SMA_LOG_ERROR, "agent",
	        "QP0 is lost: %s; ibsmad exits, to be started again when the device is back", strerror(lost));
	loop_fail(-lost);
}

static uint64_t receive(void *arg, uint64_t now)
{
	struct views *views = arg;
	uint64_t due = views_receive(views, now);

	end_if_lost(views_lost(views));
	return due;
}

static uint64_t process_soft(void *arg, uint64_t now)
{
	uint64_t due = sma_soft_process(arg, now);

	end_if_lost(sma_soft_lost(arg));
	return due;
}

/* ---- start ---- */

/* A subtree that cannot be kept for the session is served in the contexts that can. */
static void serve_subtree(void *arg, const char *context, const unsigned long *oid, size_t length, bool on)
{
	int rc = 0;

	(void)arg;
	if (on)
		rc = session_serve(context, oid, length);
	else
		session_withdraw(context, oid, length);
	if (rc < 0)
		sma_log(SMA_LOG_ERROR, "agent", "context \"%s\" is not served: %s", context, strerror(-rc));
}

static void expire(void *arg, unsigned attrs)
{
	const struct views *views = arg;
	struct sma_node *node = views_chosen_node(views);

	if (node)
		sma_node_expire(node, attrs);
}

static void take_own(void *arg, uint64_t now, const uint8_t notice[SMA_BLOCK_SIZE])
{
	const struct views *views = arg;
	struct sources *sources = views_chosen_sources(views);

	if (sources)
		sources_take_own(sources, now, notice);
}

static int open_views(struct serving *serving, const struct agent_config *config)
{
	struct mad_ports *ports = serving->ports;
	const bool has_device = ports->device;
	int rc = views_open(config, serving->mib, serving->notify, &serving->views);

	if (rc < 0)
		return rc;
	serving->ports = NULL;
	rc = views_add_chosen(serving->views, ports);
	if (rc < 0)
		return rc;
	if (has_device)
		views_follow_host(serving->views);
	if (!serving->soft)
		return 0;
	sma_soft_on_change(serving->soft, expire, serving->views);
	sma_soft_on_notice(serving->soft, take_own, serving->views);
	return 0;
}

static int open_all(struct serving *serving, const struct agent_config *config)
{
	const struct mib_config mib = {.expose_keys = config->expose_keys,
	                               .window = config->sma.window,
	                               .clock = clock_ms,
	                               .daemon = health_fill,
	                               .daemon_arg = serving,
	                               .registered = serve_subtree};
	int rc = mib_open(&mib, &serving->mib);

	serving->started = clock_ms();
	if (rc < 0)
		return rc;
	serving->notify = notify_new(&config->notify, &session_sender);
	if (!serving->notify)
		return -ENOMEM;
	notify_expose_keys(serving->notify, config->expose_keys);
	return open_views(serving, config);
}

int serve_start(struct serving *serving, const struct agent_config *config)
{
	int rc = open_all(serving, config);

	agentlib_set_times(config->agentx_ping, config->agentx_timeout);
	session_permit_peer(config->agentx_peer);
	if (rc == 0 && serving->soft)
		rc = loop_add(sma_soft_fd(serving->soft), process_soft, serving->soft);
	/* what has come is taken before any answer's time is up, and what is due is sent in the same round */
	if (rc == 0)
		rc = loop_add(views_fd(serving->views), receive, serving->views);
	if (rc == 0)
		rc = loop_add(-1, run_mib, serving->mib);
	if (rc == 0)
		rc = loop_add(-1, views_work, serving->views);
	if (rc == 0)
		rc = loop_add(-1, views_begin, serving->views);
	if (rc == 0)
		rc = loop_add(-1, session_process, NULL);
	if (rc == 0)
		rc = loop_add(-1, notify_process, serving->notify);
	return rc;
}

/* ---- end ---- */

static bool is_idle(const void *arg)
{
	return notify_is_idle(arg);
}

void serve_stop(struct serving *serving)
{
	if (!serving->views)
		return;
	views_end_notices(serving->views); /* reports that are due later are made now */
	notify_finish(serving->notify);
	loop_wait(is_idle, serving->notify, FLUSH_MS);
	notify_end(serving->notify);
}

void serve_free(struct serving *serving)
{
	if (serving->soft) {
		sma_soft_on_notice(serving->soft, NULL, NULL);
		sma_soft_on_change(serving->soft, NULL, NULL);
	}
	views_close(serving->views);
	notify_free(serving->notify);
	mib_close(serving->mib);
}

int serve_configure(struct serving *serving, const struct agent_config *config)
{
	int rc;

	agentlib_set_times(config->agentx_ping, config->agentx_timeout);
	session_permit_peer(config->agentx_peer);
	if (serving->soft)
		sma_soft_permit_user(serving->soft, config->wire_user);
	mib_expose_keys(serving->mib, config->expose_keys);
	notify_expose_keys(serving->notify, config->expose_keys);
	rc = notify_configure(serving->notify, &config->notify);
	return rc < 0 ? rc : views_configure(serving->views);
}
