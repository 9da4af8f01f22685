// SPDX-License-Identifier: BSD-2-Clause
/* ibsmad: the start and the end, in order. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/netsnmp_close_fds.h>

#include "agent/agent.h"
#include "agent/agentx/agentx.h"
#include "agent/config.h"
#include "agent/console.h"
#include "agent/daemon.h"
#include "agent/doctor/doctor.h"
#include "agent/loop.h"
#include "agent/options.h"
#include "agent/privilege.h"
#include "agent/serve.h"
#include "agent/snmplog.h"
#include "agent/status.h"
#include "agent/supervisor.h"
#include "sma/log.h"

static struct agent_config config;
static struct agent_config at_start;
static struct options options;
static struct serving serving;

static int fail(const char *what, const char *why)
{
	sma_log(SMA_LOG_ERROR, "agent", "%s: %s", what, why);
	return EXIT_FAILURE;
}

static void tell_status(void)
{
	status_log(&serving);
}

static int read_again(void)
{
	int rc = config_read_again(options.config);

	if (rc < 0)
		return rc;
	options_apply(&options, &config);
	return serve_configure(&serving, &config);
}

static void reload(void)
{
	const char *kept;
	int rc;

	supervisor_notify("RELOADING=1");
	snmplog_reopen();
	rc = read_again();
	kept = config_kept(&at_start, &config);
	if (rc < 0)
		sma_log(SMA_LOG_ERROR, "agent", "the configuration stays as it was: %s%s%s",
		        rc == -EINVAL || !options.config ? "" : options.config,
		        rc == -EINVAL || !options.config ? "" : ": ",
		        rc == -EINVAL ? "correct the lines named above" : strerror(-rc));
	else
		sma_log(SMA_LOG_NOTICE, "agent", "the configuration was read again%s%s",
		        *kept ? "; only a restart changes " : "", kept);
	supervisor_notify("READY=1");
}

static int take_signals(void)
{
	int rc = loop_on_signal(SIGHUP, reload);

	return rc < 0 ? rc : loop_on_signal(SIGUSR1, tell_status);
}

/* What needs rights is open. */
static int start(void)
{
	char error[256];
	int rc = serve_start(&serving, &config);

	if (rc < 0)
		return fail("cannot serve ibSmaMIB", strerror(-rc));
	if (privilege_drop(config.user, config.group, error, sizeof(error)) < 0)
		return fail("rights", error);
	rc = loop_add(-1, supervisor_process, NULL);
	return rc < 0 ? fail("service manager", strerror(-rc)) : EXIT_SUCCESS;
}

static int leave_terminal(int ready)
{
	int rc = snmplog_detach(options.logging);

	if (rc < 0)
		return fail("syslog", strerror(-rc));
	daemon_ready(ready);
	return EXIT_SUCCESS;
}

/* Go on until a signal ends the daemon. */
static int run(int ready)
{
	int rc;

	if (start() != EXIT_SUCCESS)
		return EXIT_FAILURE;
	session_start();
	supervisor_notify("READY=1");
	if (!options.foreground && leave_terminal(ready) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	rc = loop_run();
	if (rc == 0)
		sma_log(SMA_LOG_NOTICE, "agent", "the end");
	supervisor_notify("STOPPING=1");
	serve_stop(&serving);
	session_stop();
	serve_free(&serving);
	return rc < 0 ? fail("the end", strerror(-rc)) : EXIT_SUCCESS;
}

static int choose_devices(struct sma_devices *devices)
{
	char error[1024];

	if (sma_device_choose(config.ca[0] ? config.ca : NULL, config.port, devices, error, sizeof(error)) ==
	    0)
		return EXIT_SUCCESS;
	return fail("no device", error);
}

/* An XDR adapter shows a port by two devices. */
static void tell_device(const struct sma_device *device)
{
	const struct sma_gsi *gsi = &device->gsi[0];
	bool is_apart = strcmp(gsi->name, device->name) != 0;

	sma_log(SMA_LOG_INFO, "agent", "the SMA of %s port %u is served%s%s", device->name, device->port,
	        is_apart ? ", QP1 is that of " : "", is_apart ? gsi->name : "");
}

static int serve_device(const struct sma_devices *devices, int ready)
{
	char error[1024];
	int status;

	if (sma_node_open(devices, &config.sma, &serving.node, &serving.device, error, sizeof(error)) < 0)
		return fail("no SMA", error);
	tell_device(serving.device);
	status = run(ready);
	sma_node_close(serving.node);
	return status;
}

static int run_on_device(int ready)
{
	struct sma_devices devices;
	int status = choose_devices(&devices);

	if (status == EXIT_SUCCESS)
		status = serve_device(&devices, ready);
	sma_devices_free(&devices);
	return status;
}

static int open_qp0(struct sma_soft *soft)
{
	struct sma_devices devices;
	char error[1024];
	int status = choose_devices(&devices);

	if (status == EXIT_SUCCESS && sma_soft_serve_qp0(soft, &devices, error, sizeof(error)) < 0)
		status = fail("--wire", error);
	sma_devices_free(&devices);
	return status;
}

static int open_wire(struct sma_soft *soft)
{
	char error[1024];

	if (!options.wire)
		return EXIT_SUCCESS;
	if (strcmp(options.wire, "qp0") == 0)
		return open_qp0(soft);
	return sma_soft_serve_sim(soft, options.wire, error, sizeof(error)) < 0 ? fail("--wire", error)
	                                                                        : EXIT_SUCCESS;
}

static int run_soft(struct sma_soft *soft, int ready)
{
	int status;
	int rc;

	if (open_wire(soft) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	serving.soft = soft;
	rc = serve_soft(soft, &config, &serving.node);
	if (rc == 0 && options.console)
		rc = console_start(soft);
	if (rc < 0)
		return fail("software SMA", strerror(-rc));
	sma_log(SMA_LOG_INFO, "agent", "the node of %s is served", options.software);
	status = run(ready);
	sma_node_close(serving.node);
	return status;
}

static int run_on_file(int ready)
{
	struct sma_soft *soft;
	char error[1024];
	int status;

	if (sma_soft_open(options.software, &soft, error, sizeof(error)) < 0)
		return fail("software SMA", error);
	status = run_soft(soft, ready);
	sma_soft_close(soft);
	return status;
}

static int load_config(void)
{
	int rc = config_read(options.config);

	if (rc == -EINVAL)
		return fail("configuration", "correct the lines named above");
	if (rc < 0)
		return fail(options.config ? options.config : "configuration", strerror(-rc));
	options_apply(&options, &config);
	at_start = config;
	if (config.agentx[0])
		agentlib_set_address(config.agentx);
	return EXIT_SUCCESS;
}

/* The child goes on; the parent, when it is ready, with EXIT_SUCCESS and without `*goes_on`. */
static int go_into_background(int *ready, bool *goes_on)
{
	int rc = daemon_fork(ready);

	*goes_on = rc == 0;
	if (rc == -ECHILD) /* it has said why */
		return EXIT_FAILURE;
	return rc < 0 ? fail("cannot go into the background", strerror(-rc)) : EXIT_SUCCESS;
}

/* No thread may have more rights than another. */
static int start_log(void)
{
	int rc = privilege_forbid_new();

	if (rc == 0)
		rc = snmplog_start();
	return rc < 0 ? fail("log", strerror(-rc)) : EXIT_SUCCESS;
}

static int serve_node(int ready)
{
	int rc = loop_init();

	if (rc == 0)
		rc = take_signals();
	if (rc < 0)
		return fail("signals", strerror(-rc));
	return options.software ? run_on_file(ready) : run_on_device(ready);
}

/* Before any thread or descriptor of umad. */
static int run_in_background(void)
{
	bool goes_on;
	int ready;
	int status = go_into_background(&ready, &goes_on);

	if (!goes_on)
		return status;
	return start_log() == EXIT_SUCCESS ? serve_node(ready) : EXIT_FAILURE;
}

static int run_as_told(void)
{
	/* as early as can be: a terminal that was stopped does not hold up the start either */
	if (options.foreground && !options.check && start_log() != EXIT_SUCCESS)
		return EXIT_FAILURE;
	config_init(&config);
	agentlib_init();
	supervisor_init();
	if (load_config() != EXIT_SUCCESS)
		return EXIT_FAILURE;
	if (options.check)
		return doctor_run(&config, options.software) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
	return options.foreground ? serve_node(-1) : run_in_background();
}

int main(int argc, char **argv)
{
	int status;
	int rc;

	if (daemon_init() < 0) /* nor is there a place for a message */
		return EXIT_FAILURE;
	netsnmp_close_fds(STDERR_FILENO); /* whatever was left open for us to inherit */
	if (options_parse(argc, argv, &options) < 0)
		return EXIT_FAILURE;
	if (options.done)
		return EXIT_SUCCESS;
	rc = snmplog_init(options.logging);
	if (rc < 0)
		return fail("log", strerror(-rc));
	status = run_as_told();
	console_finish();
	snmplog_finish();
	return status;
}
