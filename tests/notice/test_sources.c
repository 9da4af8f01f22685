// SPDX-License-Identifier: BSD-2-Clause
/* Which sources there are, as configured, and what they do when the driver reports an event. */
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>

#include "sma/log.h"
#include "sma/node/node_parts.h"
#include "sma/soft/soft.h"
#include "tests/fakes/soft_reader.h"
#include "tests/logged.h"
#include "tests/notice/sources_fixture.h"
#include "tests/unit.h"

enum { OPEN = 3 }; /* local port, subscription, polling */

/* ---- sources ---- */

static void test_covered(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	CHECK_EQUAL(b.fake->poll.covered, false);
	b.fake->inform.active = true;
	sources_fixture_run(&b, 1001);
	CHECK_EQUAL(b.fake->poll.covered, true);
	sources_fixture_close(&b);
}

static void test_doubts(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	CHECK_EQUAL(b.fake->inform.hurried, 0);
	b.fake->poll.has_doubts = true;
	sources_fixture_run(&b, 1001);
	CHECK_EQUAL(b.fake->inform.hurried, 1);
	sources_fixture_close(&b);
}

static void test_state(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	b.config.take_traps = true;
	sources_fixture_open(&b);
	CHECK_EQUAL(sources_state(b.sources), SOURCES_UNSUBSCRIBED);
	b.fake->traps.active = true;
	CHECK_EQUAL(sources_state(b.sources), SOURCES_TRAPS);
	b.fake->inform.active = true;
	CHECK_EQUAL(sources_state(b.sources), SOURCES_SUBSCRIBED);
	b.config.off = true;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(sources_state(b.sources), SOURCES_OFF);
	sources_fixture_close(&b);
}

static void test_no_qp1(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	b.fake->qp1.fails = true;
	logged_start(false);
	sources_fixture_open(&b);
	CHECK_EQUAL(b.fake->open, 2); /* local port and polling */
	CHECK_EQUAL(logged_with("umad9 is gone"), 1);
	sources_fixture_close(&b);
	logged_stop();
}

/* ---- the software SMA ---- */

static void test_soft(void)
{
	uint64_t number = 0;
	char reply[SMA_SOFT_REPLY_SIZE];
	struct sma_config reading;
	struct sma_soft *soft;
	struct sources_fixture b;
	char error[1024];

	sources_fixture_init(&b);
	sma_config_init(&reading);
	CHECK_EQUAL(sma_soft_open(unit_source("sma/nodes/switch36.conf"), &soft, error, sizeof(error)), 0);
	b.ports = soft_reader_open(soft, &reading, &b.node);
	CHECK_EQUAL(sources_open(b.node, b.ports, 0, &b.config, sources_fixture_take, &b, &b.sources), 0);
	sma_soft_on_notice(soft, sources_take_own, b.sources);
	CHECK_EQUAL(sources_state(b.sources), SOURCES_SOFT);
	sources_process(b.sources, 1000);
	CHECK_EQUAL(sma_soft_command(soft, "integrity 3", 11, reply, sizeof(reply)), 0);
	CHECK_EQUAL(b.given, 1);
	CHECK_EQUAL(notice_trap(b.last.data), SMA_TRAP_LINK_INTEGRITY);
	CHECK_EQUAL(b.last.source, SMA_NOTICE_SOFT);
	CHECK(b.last.node == b.node);
	CHECK_EQUAL(notice_get(b.last.data, NOTICE_PORTNO, &number), 0);
	CHECK_EQUAL(number, 3);
	CHECK_EQUAL(b.last.when, 1000);
	sma_soft_process(soft, 90000);
	CHECK_EQUAL(sma_soft_command(soft, "integrity 3", 11, reply, sizeof(reply)), 0);
	CHECK_EQUAL(b.given, 2);
	CHECK_EQUAL(b.last.when, 90000);
	sma_soft_on_notice(soft, NULL, NULL);
	sources_close(b.sources);
	CHECK_EQUAL(sma_soft_command(soft, "integrity 4", 11, reply, sizeof(reply)), 0);
	CHECK_EQUAL(b.given, 2);
	CHECK_EQUAL(b.fake->qp1.opened, 0);
	sma_node_close(b.node);
	mad_ports_close(b.ports);
	sma_soft_close(soft);
}

/* ---- configuration ---- */

static void test_configure(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	CHECK_EQUAL(b.fake->open, OPEN);
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(b.fake->open, OPEN);
	b.config.take_traps = true;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(b.fake->open, OPEN + 1);
	b.config.off = true;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(b.fake->open, 0);
	CHECK_EQUAL(sources_fixture_run(&b, 2000), UINT64_MAX);
	sources_fixture_close(&b);
}

/* Who wants no notices asks for nothing. */
static void test_off(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	b.config.off = true;
	sources_fixture_open(&b);
	sources_fixture_run(&b, 60000);
	CHECK_EQUAL(fake_qp0_count(b.sma, FAKE_ANY), 0);
	b.config.off = false;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	sources_fixture_run(&b, 61000);
	CHECK_EQUAL(fake_qp0_count(b.sma, FAKE_ANY), 1);
	sources_fixture_close(&b);
}

/* It may be wanted when there are no rights any more. */
static void test_qp1_from_the_start(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	b.config.off = true;
	sources_fixture_open(&b);
	CHECK_EQUAL(b.fake->open, 0);
	CHECK_EQUAL(b.fake->qp1.opened, 1);
	b.config.off = false;
	b.fake->qp1.fails = true;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(b.fake->open, OPEN);
	sources_fixture_close(&b);
}

/* A link state that was heard again is about to be delivered once more. */
static void open_with_pending(struct sources_fixture *b)
{
	sources_fixture_init(b);
	sources_fixture_open(b);
	sources_fixture_report_twice(b);
}

static void test_configure_repeats(void)
{
	struct sources_fixture b;

	open_with_pending(&b);
	b.config.take_traps = true;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(b.given, 1);
	sources_fixture_report(&b, 2);
	CHECK_EQUAL(b.given, 1);
	CHECK_EQUAL(b.fake->poll.concluded, 1);
	sources_fixture_run(&b, 16000);
	CHECK_EQUAL(b.given, 2);
	sources_fixture_close(&b);

	open_with_pending(&b);
	b.config.repeat_ms = 1;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(b.given, 2);
	CHECK_EQUAL(b.last.when, 1000);
	sources_fixture_close(&b);

	open_with_pending(&b);
	b.config.off = true;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(b.given, 2);
	sources_fixture_run(&b, 20000);
	CHECK_EQUAL(b.given, 2);
	sources_fixture_close(&b);
}

static void test_no_memory(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	b.config.subnet = true;
	b.fake->inform.fails = true;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), -ENOMEM);
	CHECK_EQUAL(sources_state(b.sources), SOURCES_OFF);
	CHECK_EQUAL(b.fake->open, 0);
	CHECK_EQUAL(sources_fixture_run(&b, 2000), UINT64_MAX);
	b.fake->inform.fails = false;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(b.fake->open, OPEN);
	sources_fixture_close(&b);
}

/* ---- events of the driver ---- */

static bool is_readable(int fd)
{
	struct pollfd event = {.fd = fd, .events = POLLIN};

	return poll(&event, 1, 0) == 1;
}

static void test_events(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	b.fake->verbs.next = (struct verbs_event){.attrs = 1U << SMA_PortInfo, .subscribe = true};
	b.fake->verbs.waiting = 2;
	CHECK(!is_readable(sources_fd(b.sources)));
	CHECK_EQUAL(eventfd_write(b.fake->verbs.fd, 1), 0);
	CHECK(is_readable(sources_fd(b.sources)));
	sources_fixture_run(&b, 1001);
	CHECK_EQUAL(b.node->epochs[SMA_PortInfo], 2);
	CHECK_EQUAL(b.node->epochs[SMA_NodeInfo], 0);
	CHECK_EQUAL(b.fake->refreshed_now, 2);
	CHECK_EQUAL(b.fake->inform.renewed, 2);
	b.fake->verbs.next = (struct verbs_event){.attrs = 1U << SMA_P_KeyTable};
	b.fake->verbs.waiting = 1;
	sources_fixture_run(&b, 1002);
	CHECK_EQUAL(b.node->epochs[SMA_P_KeyTable], 1);
	CHECK_EQUAL(b.fake->inform.renewed, 2);
	sources_fixture_close(&b);
	CHECK_EQUAL(b.fake->verbs.fd, -1);
}

/* Caches follow the driver whether notices are wanted or not, and the device is opened once. */
static void test_events_without_notices(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	b.config.off = true;
	sources_fixture_open(&b);
	b.fake->verbs.next = (struct verbs_event){.attrs = 1U << SMA_PortInfo, .subscribe = true};
	b.fake->verbs.waiting = 1;
	sources_fixture_run(&b, 1001);
	CHECK_EQUAL(b.node->epochs[SMA_PortInfo], 1);
	CHECK_EQUAL(b.fake->refreshed_now + b.fake->inform.renewed, 0);
	b.config.off = false;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(b.fake->verbs.opened, 1);
	sources_fixture_close(&b);
}

static void test_events_end(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	logged_start(false);
	sources_fixture_open(&b);
	b.fake->verbs.end = -EIO;
	sources_fixture_run(&b, 1001);
	CHECK_EQUAL(b.fake->verbs.fd, -1);
	CHECK_EQUAL(logged_with("no more events of the driver: Input/output error"), 1);
	sources_fixture_run(&b, 1002);
	CHECK_EQUAL(logged_with("no more events"), 1);
	sources_fixture_close(&b);
	logged_stop();
}

/* A device that libibverbs does not know is nothing to log. */
static void test_no_events(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	logged_start(false);
	b.fake->verbs.refusal = -EACCES;
	sources_fixture_open(&b);
	CHECK_EQUAL(logged_with("uverbs9 is closed"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 1);
	sources_fixture_close(&b);
	b.fake->verbs.refusal = -ENODEV;
	sources_fixture_open(&b);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 1);
	sources_fixture_close(&b);
	logged_stop();
}

static const struct unit_test tests[] = {
	{"covered", test_covered},
	{"doubts", test_doubts},
	{"state", test_state},
	{"no QP1", test_no_qp1},
	{"software SMA", test_soft},
	{"configure", test_configure},
	{"off", test_off},
	{"QP1 from the start", test_qp1_from_the_start},
	{"configure repeats", test_configure_repeats},
	{"no memory", test_no_memory},
	{"events of the driver", test_events},
	{"events without notices", test_events_without_notices},
	{"the end of the events", test_events_end},
	{"no events", test_no_events},
};

int main(void)
{
	return UNIT_MAIN("sources", tests);
}
