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

/* The node is that of the management port: it goes on without the others, and does not without that one. */
static uint64_t process_ports(void *arg, uint64_t now)
{
	struct mad_ports *ports = arg;
	uint64_t due = mad_ports_process(ports, now);

	end_if_lost(engine_lost(ports->list[0].engine));
	return due;
}

/* What the sources ask for is sent in the same round. */
static uint64_t begin_requests(void *arg, uint64_t now)
{
	(void)now;
	return mad_ports_begin(arg);
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
static void serve_subtree(void *arg, const char *context, const unsigned long *oid, size_t length, bool on)
{
	(void)arg;
	if (on)
		session_serve(context, oid, length);
	else
		session_withdraw(context, oid, length);
}

static int open_all(struct serving *serving, const struct agent_config *config)
{
	const struct mib_config view = {.expose_keys = config->expose_keys,
	                                .window = config->sma.window,
	                                .clock = clock_ms,
	                                .daemon = health_fill,
	                                .daemon_arg = serving,
	                                .registered = serve_subtree};
	struct mib_shown *shown;
	int rc = mib_open(&view, &serving->mib);

	serving->started = clock_ms();
	if (rc == 0)
		rc = mib_show(serving->mib, serving->node, true, &shown);
	if (rc == 0)
		rc = mib_name(shown, "");
	if (rc < 0)
		return rc;
	serving->notify = notify_new(&config->notify, &session_sender);
	if (!serving->notify)
		return -ENOMEM;
	notify_expose_keys(serving->notify, config->expose_keys);
	rc = sources_open(serving->node, serving->ports, &config->sources, notify_take, serving->notify,
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
	/* what has come is taken before any answer's time is up */
	if (rc == 0)
		rc = loop_add(serving->ports->fd, process_ports, serving->ports);
	if (rc == 0)
		rc = loop_add(-1, run_mib, serving->mib);
	if (rc == 0)
		rc = loop_add(sources_fd(serving->sources), process_sources, serving->sources);
	if (rc == 0)
		rc = loop_add(-1, begin_requests, serving->ports);
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
	const struct engine_config engine = sma_config_engine(&config->sma);

	agentlib_set_times(config->agentx_ping, config->agentx_timeout);
	session_permit_peer(config->agentx_peer);
	if (serving->soft)
		sma_soft_permit_user(serving->soft, config->wire_user);
	mad_ports_configure(serving->ports, &engine);
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

int serve_node(struct mad_ports *ports, struct sma_soft *soft, const struct agent_config *config,
               struct sma_node **node)
{
	int rc = sma_node_new(&config->sma, ports->list[0].number, node);

	for (unsigned i = 0; rc == 0 && i < ports->count; i++) {
		const struct mad_port *port = &ports->list[i];

		rc = sma_node_attach(*node, port->number, port->engine, port->trusted);
	}
	if (rc < 0 || !soft)
		return rc;
	sma_soft_permit_user(soft, config->wire_user);
	sma_soft_on_change(soft, expire, *node);
	return loop_add(sma_soft_fd(soft), process_soft, soft);
}
