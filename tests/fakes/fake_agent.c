// SPDX-License-Identifier: BSD-2-Clause
/*
 * The daemon's agent on an SMA in memory, for tests with a real snmpd: everything but umad is the daemon's.
 *
 *     fake_agent -x ADDRESS [OPTION]... FILE.blocks...
 *
 *     -x ADDRESS       AgentX address of snmpd
 *     -d ATTR=MS       answer an attribute so much later; ATTR is a name as IBA spells it, or all, or for -d
 *                      and -n some of its blocks: NAME:FIRST-LAST, their modifiers in hexadecimal
 *     -n ATTR          never answer it
 *     -R ATTR=STATUS   refuse it with a status, hexadecimal
 *     -o "TOKEN VALUE" a line of ibsmad.conf
 *     -a MS            begin with -d, -n and -R so much after the start
 *
 * On SIGUSR1 and at the end it prints how many SMPs came: a line "ATTR COUNT" for each attribute, and
 * "all COUNT" as the last.
 */
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agent.h"
#include "agent/agentx/agentx.h"
#include "agent/clock.h"
#include "agent/config.h"
#include "agent/daemon.h"
#include "agent/loop.h"
#include "agent/serve.h"
#include "agent/snmplog.h"
#include "tests/fakes/fake_qp0.h"

enum { MAX_FAULTS = 64, TICK_NS = 1000000 };

struct fault {
	uint16_t attribute;
	char kind; /* the option */
	unsigned number;
	bool blocks; /* only these, of the management port's SMA */
	unsigned first;
	unsigned last;
};

static struct {
	struct fake_qp0 *fake;
	struct agent_config config;
	const char *address;
	struct fault faults[MAX_FAULTS];
	unsigned fault_count;
	unsigned faults_after_ms;
	pthread_t ticker;
	atomic_bool stop;
} self;

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "fake_agent: %s: %s\n", what, why);
	return EXIT_FAILURE;
}

/* ---- the SMA's side ---- */

static void print_counts(void)
{
	for (enum sma_attr attr = 0; attr < SMA_ATTR_COUNT; attr++)
		printf("%s %u\n", sma_attr_name(attr), fake_qp0_count(self.fake, sma_attr_id(attr)));
	printf("all %u\n", fake_qp0_count(self.fake, FAKE_ANY));
	fflush(stdout);
}

static void apply_to_blocks(const struct fault *f)
{
	unsigned port = fake_qp0_port(self.fake);

	for (unsigned modifier = f->first; modifier <= f->last; modifier++) {
		if (f->kind == 'd')
			fake_qp0_delay_block(self.fake, port, f->attribute, modifier, f->number);
		else
			fake_qp0_fault_block(self.fake, port, f->attribute, modifier, FAKE_SILENT,
			                     FAKE_FOREVER);
	}
}

static void apply_faults(void)
{
	for (unsigned i = 0; i < self.fault_count; i++) {
		const struct fault *f = &self.faults[i];

		if (f->blocks)
			apply_to_blocks(f);
		else if (f->kind == 'd')
			fake_qp0_delay(self.fake, f->attribute, f->number);
		else if (f->kind == 'n')
			fake_qp0_fault(self.fake, f->attribute, FAKE_SILENT, FAKE_FOREVER);
		else
			fake_qp0_refuse(self.fake, f->attribute, (uint16_t)f->number);
	}
}

/* Delivers what is due each millisecond, and takes SIGUSR1, which all threads have blocked. */
static void *tick(void *arg)
{
	const struct timespec pause = {.tv_nsec = TICK_NS};
	uint64_t faults_at = self.faults_after_ms ? clock_ms() + self.faults_after_ms : UINT64_MAX;
	const sigset_t *usr1 = arg;

	while (!atomic_load(&self.stop)) {
		if (sigtimedwait(usr1, NULL, &pause) == SIGUSR1)
			print_counts();
		if (clock_ms() >= faults_at) {
			apply_faults();
			faults_at = UINT64_MAX;
		}
		fake_qp0_deliver(self.fake, clock_ms());
	}
	return NULL;
}

static int start_ticker(void)
{
	static sigset_t usr1;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	if (sigprocmask(SIG_BLOCK, &usr1, NULL) < 0)
		return -errno;
	fake_qp0_set_clock(self.fake, clock_ms);
	return -pthread_create(&self.ticker, NULL, tick, &usr1);
}

static void stop_ticker(void)
{
	atomic_store(&self.stop, true);
	pthread_join(self.ticker, NULL);
}

/* ---- the agent's side ---- */

static int serve(struct mad_ports *ports)
{
	struct serving serving = {.ports = ports};
	int rc;

	self.config.sources.off = true;
	rc = serve_start(&serving, &self.config);
	if (rc < 0)
		return fail("serve_start", strerror(-rc));
	session_start();
	rc = loop_run();
	serve_stop(&serving);
	session_stop();
	serve_free(&serving);
	print_counts();
	return rc < 0 ? fail("loop_run", strerror(-rc)) : EXIT_SUCCESS;
}

static int run(void)
{
	struct mad_ports *ports = fake_qp0_open(self.fake, &self.config.sma);
	int status;

	/* before the first SMP, which the ticker might miss */
	if (!self.faults_after_ms)
		apply_faults();
	if (loop_init() < 0)
		return fail("start", strerror(errno));
	if (start_ticker() < 0)
		return fail("thread", strerror(errno));
	status = serve(ports);
	stop_ticker();
	fake_qp0_free(self.fake);
	return status;
}

/* ---- the command line ---- */

static bool find_attribute(const char *name, size_t length, uint16_t *attribute)
{
	*attribute = FAKE_ANY;
	if (length == strlen("all") && strncmp(name, "all", length) == 0)
		return true;
	for (enum sma_attr attr = 0; attr < SMA_ATTR_COUNT; attr++) {
		if (strlen(sma_attr_name(attr)) == length && strncmp(name, sma_attr_name(attr), length) == 0)
			*attribute = sma_attr_id(attr);
	}
	return *attribute != FAKE_ANY;
}

static bool add_fault(char kind, const char *text)
{
	size_t length = strcspn(text, ":=");
	const char *number = strchr(text, '=');
	struct fault f = {.kind = kind};

	if ((kind == 'n') != !number || self.fault_count == MAX_FAULTS)
		return false;
	if (number)
		f.number = (unsigned)strtoul(number + 1, NULL, kind == 'd' ? 10 : 16);
	f.blocks = text[length] == ':';
	if (f.blocks && (kind == 'R' || sscanf(text + length, ":%x-%x", &f.first, &f.last) != 2))
		return false;
	if (!find_attribute(text, length, &f.attribute))
		return false;
	self.faults[self.fault_count++] = f;
	return true;
}

/* What is set stays set: config_read changes nothing else. */
static bool set_config(const char *line)
{
	int fd = memfd_create("ibsmad.conf", MFD_CLOEXEC);
	char path[64];
	bool good;

	if (fd < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	good = dprintf(fd, "%s\n", line) > 0 && config_read(path) == 0;
	close(fd);
	return good;
}

static bool take(int option)
{
	switch (option) {
	case 'x':
		self.address = optarg;
		return true;
	case 'a':
		self.faults_after_ms = (unsigned)strtoul(optarg, NULL, 10);
		return true;
	case 'o':
		return set_config(optarg);
	case 'd':
	case 'n':
	case 'R':
		return add_fault((char)option, optarg);
	default:
		return false;
	}
}

int main(int argc, char **argv)
{
	int option;

	if (daemon_init() < 0 || snmplog_init(false) < 0)
		return EXIT_FAILURE;
	config_init(&self.config);
	agentlib_init();
	self.fake = fake_qp0_new();
	while ((option = getopt(argc, argv, "x:a:o:d:n:R:")) != -1) {
		if (!take(option))
			return fail("option not understood", optarg ? optarg : "");
	}
	for (; optind < argc; optind++) {
		if (fake_qp0_load(self.fake, argv[optind]) < 0)
			return EXIT_FAILURE;
	}
	if (!self.address)
		return fail("usage", "fake_agent -x ADDRESS [OPTION]... FILE.blocks...");
	agentlib_set_address(self.address);
	return run();
}
