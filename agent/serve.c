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

static uint64_t process_node(void *arg, uint64_t now)
{
	uint64_t due = sma_node_process(arg, now);

	end_if_lost(sma_node_lost(arg));
	return due;
}

static uint64_t process_sources(void *arg, uint64_t now)
{
	return sources_process(arg, now);
}

static uint64_t process_soft(void *arg, uint64_t now)
{
	uint64_t due = sma_soft_process(arg, now);

	end_if_lost(sma_soft_lost(arg));
	return due;
}

/* The session serves the default context, and no node is shown under another. */
static int serve_subtree(const char *context, const unsigned long *oid, size_t length)
{
	(void)context;
	return session_serve(oid, length);
}

static int open_all(struct serving *serving, const struct agent_config *config)
{
	const struct mib_config view = {.expose_keys = config->expose_keys,
	                                .window = config->sma.window,
	                                .clock = clock_ms,
	                                .daemon = health_fill,
	                                .daemon_arg = serving};
	int rc = mib_open(&view, &serving->mib);

	serving->started = clock_ms();
	if (rc == 0)
		rc = mib_show(serving->mib, serving->node, "", NULL);
	if (rc == 0)
		rc = mib_subtrees(serving->mib, serve_subtree);
	if (rc < 0)
		return rc;
	serving->notify = notify_new(&config->notify);
	if (!serving->notify)
		return -ENOMEM;
	notify_expose_keys(serving->notify, config->expose_keys);
	rc = sources_open(serving->node, serving->device, &config->sources, notify_take, serving->notify,
	                  &serving->sources);
	if (rc == 0 && serving->soft)
		sma_soft_on_notice(serving->soft, sources_take_own, serving->sources);
	return rc;
}

int serve_start(struct serving *serving, const struct agent_config *config)
{
	int rc = open_all(serving, config);

	agentlib_set_times(config->agentx_ping, config->agentx_timeout);
	session_permit_peer(config->agentx_peer);
	/* what has come is taken before any answer's time is up; the watch sends for what that needs then */
	if (rc == 0)
		rc = loop_add(sma_node_fd(serving->node), process_node, serving->node);
	if (rc == 0)
		rc = loop_add(-1, run_mib, serving->mib);
	if (rc == 0)
		rc = loop_add(sources_fd(serving->sources), process_sources, serving->sources);
	if (rc == 0)
		rc = loop_add(-1, session_process, NULL);
	if (rc == 0)
		rc = loop_add(-1, notify_process, serving->notify);
	return rc;
}

static bool is_idle(const void *arg)
{
	return notify_is_idle(arg);
}

void serve_stop(struct serving *serving)
{
	if (!serving->notify)
		return;
	/* reports that are due later are made now */
	sources_configure(serving->sources, &(struct sources_config){.off = true});
	notify_finish(serving->notify);
	loop_wait(is_idle, serving->notify, FLUSH_MS);
	notify_end(serving->notify);
}

void serve_free(struct serving *serving)
{
	if (serving->soft)
		sma_soft_on_notice(serving->soft, NULL, NULL);
	sources_close(serving->sources);
	notify_free(serving->notify);
	mib_close(serving->mib);
}

int serve_configure(struct serving *serving, const struct agent_config *config)
{
	agentlib_set_times(config->agentx_ping, config->agentx_timeout);
	session_permit_peer(config->agentx_peer);
	if (serving->soft)
		sma_soft_permit_user(serving->soft, config->wire_user);
	sma_node_configure(serving->node, &config->sma);
	mib_expose_keys(serving->mib, config->expose_keys);
	notify_expose_keys(serving->notify, config->expose_keys);
	if (notify_configure(serving->notify, &config->notify) < 0)
		return -ENOMEM;
	return sources_configure(serving->sources, &config->sources);
}

static void expire(void *arg, unsigned attrs)
{
	sma_node_expire(arg, attrs);
}

/* Let `node` read the SMAs of all end ports. */
static int attach_soft(struct sma_soft *soft, struct sma_node *node)
{
	struct sma_qp0 *qp0;
	int rc = 0;

	for (unsigned port = 0; port <= SMA_MAX_PORTS; port++) {
		rc = sma_soft_open_qp0(soft, port, sma_node_mailbox(node), &qp0);
		if (rc == -ENOMEM)
			return rc;
		if (rc == 0)
			sma_node_attach(node, port, qp0);
	}
	sma_soft_on_change(soft, expire, node);
	return 0;
}

int serve_soft(struct sma_soft *soft, const struct agent_config *config, struct sma_node **node_out)
{
	int rc = sma_node_new(&config->sma, sma_soft_port(soft), node_out);

	sma_soft_permit_user(soft, config->wire_user);
	if (rc == 0)
		rc = attach_soft(soft, *node_out);
	return rc < 0 ? rc : loop_add(sma_soft_fd(soft), process_soft, soft);
}
