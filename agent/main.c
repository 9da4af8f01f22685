// SPDX-License-Identifier: BSD-2-Clause
/* ibsmad: the start and the end, in order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/netsnmp_close_fds.h>

#include "agent/agent.h"
#include "agent/clock.h"
#include "agent/config.h"
#include "agent/daemon.h"
#include "agent/loop.h"
#include "agent/options.h"
#include "agent/session.h"
#include "agent/snmplog.h"

static int fail(const char *what, const char *why)
{
	sma_log(SMA_LOG_ERROR, "agent", "%s: %s", what, why);
	return EXIT_FAILURE;
}

static int serve(struct sma_node *node, const struct agent_config *config, const struct options *options,
                 int ready)
{
	const struct mib_config view = {.context = "",
	                                .expose_keys = config->expose_keys,
	                                .window = config->sma.window,
	                                .clock = clock_ms};
	struct mib *mib;
	int rc = mib_open(node, &view, &mib);

	if (rc < 0)
		return fail("cannot register ibSmaMIB", strerror(-rc));
	session_start();
	if (!options->foreground) {
		snmplog_detach(options->logging);
		daemon_ready(ready);
	}
	rc = loop_run(node, mib);
	mib_close(mib);
	session_stop();
	return rc < 0 ? fail("waiting for events", strerror(-rc)) : EXIT_SUCCESS;
}

static int open_and_serve(const struct agent_config *config, const struct options *options, int ready)
{
	const char *ca = config->ca[0] ? config->ca : NULL;
	struct sma_device device;
	struct sma_node *node;
	char error[1024];
	int status;

	if (sma_device_choose(ca, config->port, &device, error, sizeof(error)) < 0)
		return fail("no device", error);
	if (sma_node_open(&device, &config->sma, &node, error, sizeof(error)) < 0)
		return fail("no SMA", error);
	sma_log(SMA_LOG_INFO, "agent", "the SMA of %s port %u is served", device.name, device.port);
	status = serve(node, config, options, ready);
	sma_node_close(node);
	return status;
}

static int load_config(const struct options *options)
{
	int rc = config_read(options->config);

	if (rc == -EINVAL)
		return fail("configuration", "mend the lines named above");
	return rc < 0 ? fail(options->config, strerror(-rc)) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct options options;
	struct agent_config config;
	int ready = -1;
	int rc;

	netsnmp_close_fds(STDERR_FILENO); /* whatever was left open for us to inherit */
	if (options_parse(argc, argv, &options) < 0)
		return EXIT_FAILURE;
	if (options.done)
		return EXIT_SUCCESS;
	snmplog_init(options.logging);
	config_init(&config);
	session_init();
	if (load_config(&options) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	options_apply(&options, &config);
	if (options.agentx)
		session_set_address(options.agentx);
	/* before any thread or descriptor of umad */
	rc = options.foreground ? 0 : daemon_fork(&ready);
	if (rc != 0)
		return rc > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
	rc = loop_init();
	if (rc < 0)
		return fail("signals", strerror(-rc));
	return open_and_serve(&config, &options, ready);
}
