// SPDX-License-Identifier: BSD-2-Clause
/* ibsmad: start, run and shutdown, in order. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/netsnmp_close_fds.h>

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
#include "agent/target.h"
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

/* ---- signals ---- */

static void log_status(void)
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
	if (rc == 0)
		sma_log(SMA_LOG_NOTICE, "agent", "the configuration was read again%s%s",
		        *kept ? "; only a restart changes " : "", kept);
	else if (rc == -EINVAL)
		fail("the configuration stays as it was", "correct the lines named above");
	else
		sma_log(SMA_LOG_ERROR, "agent", "the configuration stays as it was: %s%s%s",
		        options.config ? options.config : "", options.config ? ": " : "", strerror(-rc));
	supervisor_notify("READY=1");
}

static int take_signals(void)
{
	int rc = loop_init();

	if (rc == 0)
		rc = loop_on_signal(SIGHUP, reload);
	if (rc == 0)
		rc = loop_on_signal(SIGUSR1, log_status);
	return rc < 0 ? fail("signals", strerror(-rc)) : EXIT_SUCCESS;
}

/* ---- serving ---- */

/* What takes privileges is open by now. */
static int start(void)
{
	char error[256];
	int rc = serve_start(&serving, &config);

	if (rc < 0)
		return fail("cannot serve ibSmaMIB", strerror(-rc));
	if (privilege_drop(config.user, config.group, error, sizeof(error)) < 0)
		return fail("rights", error);
	rc = loop_add(-1, supervisor_process, NULL);
	if (rc < 0)
		return fail("service manager", strerror(-rc));
	session_start();
	return EXIT_SUCCESS;
}

/* `ready`: of daemon_fork; -1: in the foreground. */
static int leave_terminal(int ready)
{
	int rc = ready >= 0 ? snmplog_detach(options.logging) : 0;

	if (rc < 0)
		return fail("syslog", strerror(-rc));
	if (ready >= 0)
		daemon_ready(ready);
	return EXIT_SUCCESS;
}

/* Run until a signal ends the daemon. */
static int run(int ready)
{
	int rc;

	if (start() != EXIT_SUCCESS)
		return EXIT_FAILURE;
	supervisor_notify("READY=1");
	if (leave_terminal(ready) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	rc = loop_run();
	if (rc == 0)
		sma_log(SMA_LOG_NOTICE, "agent", "shutting down");
	supervisor_notify("STOPPING=1");
	serve_stop(&serving);
	session_stop();
	serve_free(&serving);
	return rc < 0 ? fail("shutting down", strerror(-rc)) : EXIT_SUCCESS;
}

static int serve(int ready)
{
	int status = take_signals();

	if (status == EXIT_SUCCESS && target_open(&options, &config, &serving) < 0)
		status = EXIT_FAILURE;
	if (status == EXIT_SUCCESS)
		status = run(ready);
	target_close(&serving);
	return status;
}

/* ---- starting ---- */

static int load_config(void)
{
	int rc;

	rc = config_init(&config);
	if (rc == 0)
		rc = config_read(options.config);
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

/* After this there are threads, none of which may have more rights than another. */
static int start_log(void)
{
	int rc = privilege_forbid_new();

	if (rc == 0)
		rc = snmplog_start();
	return rc < 0 ? fail("log", strerror(-rc)) : EXIT_SUCCESS;
}

/* Before there is any thread, or a descriptor of umad. */
static int run_in_background(void)
{
	int ready;
	int rc = daemon_fork(&ready);

	if (rc == 1) /* the parent of a child that is ready */
		return EXIT_SUCCESS;
	if (rc == -ECHILD) /* which has said why */
		return EXIT_FAILURE;
	if (rc < 0)
		return fail("cannot go into the background", strerror(-rc));
	return start_log() == EXIT_SUCCESS ? serve(ready) : EXIT_FAILURE;
}

static int run_as_asked(void)
{
	/* as early as possible: a terminal that is stopped does not block the start either */
	if (options.foreground && !options.check && start_log() != EXIT_SUCCESS)
		return EXIT_FAILURE;
	agentlib_init();
	supervisor_init();
	if (load_config() != EXIT_SUCCESS)
		return EXIT_FAILURE;
	if (options.check)
		return doctor_run(&config, options.software) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
	return options.foreground ? serve(-1) : run_in_background();
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
	status = run_as_asked();
	config_free();
	console_finish();
	snmplog_finish();
	return status;
}
