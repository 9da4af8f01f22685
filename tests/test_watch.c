// SPDX-License-Identifier: BSD-2-Clause
/* What a watch makes of the notices that its sources find. The sources here are stand-ins. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sma/facts.h"
#include "sma/inform.h"
#include "sma/node.h"
#include "sma/poll.h"
#include "sma/soft.h"
#include "sma/trap.h"
#include "sma/trapagent.h"
#include "sma/umadqp1.h"
#include "sma/verbs.h"
#include "sma/wire.h"
#include "tests/fake_qp0.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { OWN_LID = 5, OTHER_LID = 9, MASK = 0x0250C04A, OLD_MASK = 0x0250C048, DETAILS = NOTICE_DETAILS };

static const uint8_t own_gid[16] = {0xFE, 0x80, [15] = 1};
static const uint8_t other_gid[16] = {0xFE, 0x80, [15] = 2};

/* ---- stand-ins for the sources ---- */

static struct facts facts;
static notice_found *finder; /* what the watch gave to the subscription */
static void *finder_arg;
static bool inform_active, poll_covered;
static bool traps_active;
static unsigned sources_open;
static bool fail_qp1, fail_inform;
static struct sma_mailbox *qp1_box;
static unsigned heard_trap, concluded, hurried, facts_hurried, renewed;
static bool doubts;

struct facts_reader *facts_new(struct sma_node *node, unsigned interval_ms)
{
	(void)node;
	(void)interval_ms;
	sources_open++;
	return (struct facts_reader *)&facts;
}

void facts_free(struct facts_reader *reader)
{
	sources_open -= reader != NULL;
}

uint64_t facts_run(struct facts_reader *reader, uint64_t now)
{
	(void)reader;
	return now + 5000;
}

void facts_hurry(struct facts_reader *reader)
{
	(void)reader;
	facts_hurried++;
}

const struct facts *facts_get(const struct facts_reader *reader)
{
	return (const struct facts *)reader;
}

bool facts_is_own_lid(const struct facts *f, uint16_t lid)
{
	return lid == f->lid;
}

static int qp1_send(struct sma_qp1 *qp1, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid, unsigned sl,
                    unsigned timeout_ms)
{
	(void)qp1;
	(void)mad;
	(void)dlid;
	(void)sl;
	(void)timeout_ms;
	return 0;
}

static void qp1_close(struct sma_qp1 *qp1)
{
	(void)qp1;
	sources_open--;
}

static const struct sma_qp1_ops qp1_ops = {.send = qp1_send, .close = qp1_close};
static struct sma_qp1 fake = {&qp1_ops};

int umad_qp1_open(const char *device, unsigned port, struct sma_mailbox *box, struct sma_qp1 **qp1,
                  char *error, size_t size)
{
	(void)device;
	(void)port;
	qp1_box = box;
	snprintf(error, size, "umad9 is gone");
	if (fail_qp1)
		return -ENODEV;
	sources_open++;
	*qp1 = &fake;
	return 0;
}

struct inform *inform_new(struct sma_qp1 *qp1, bool subnet, unsigned refresh_ms, notice_found *found,
                          void *arg)
{
	(void)qp1;
	(void)subnet;
	(void)refresh_ms;
	finder = found;
	finder_arg = arg;
	if (fail_inform)
		return NULL;
	sources_open++;
	return (struct inform *)&facts;
}

void inform_free(struct inform *inform)
{
	sources_open -= inform != NULL;
}

void inform_facts(struct inform *inform, const struct facts *f, uint64_t now)
{
	(void)inform;
	(void)f;
	(void)now;
}

bool inform_take(struct inform *inform, const struct sma_mail *mail, uint64_t now)
{
	(void)inform;
	(void)mail;
	(void)now;
	return false;
}

uint64_t inform_run(struct inform *inform, uint64_t now)
{
	(void)inform;
	return now + 1000;
}

void inform_hurry(struct inform *inform, uint64_t now)
{
	(void)inform;
	(void)now;
	hurried++;
}

void inform_renew(struct inform *inform, uint64_t now)
{
	(void)inform;
	(void)now;
	renewed++;
}

bool inform_is_active(const struct inform *inform)
{
	(void)inform;
	return inform_active;
}

struct trapagent *trapagent_new(struct sma_node *node, notice_found *found, void *arg)
{
	(void)node;
	(void)found;
	(void)arg;
	sources_open++;
	return (struct trapagent *)&facts;
}

void trapagent_free(struct trapagent *agent)
{
	sources_open -= agent != NULL;
}

void trapagent_facts(struct trapagent *agent, const struct facts *f)
{
	(void)agent;
	(void)f;
}

bool trapagent_is_active(const struct trapagent *agent)
{
	(void)agent;
	return traps_active;
}

struct poll *poll_new(struct sma_node *node, struct sma_qp1 *qp1, unsigned interval_ms, notice_found *found,
                      void *arg)
{
	(void)node;
	(void)qp1;
	(void)interval_ms;
	(void)found;
	(void)arg;
	sources_open++;
	return (struct poll *)&facts;
}

void poll_free(struct poll *poll)
{
	sources_open -= poll != NULL;
}

bool poll_take(struct poll *poll, const struct sma_mail *mail, uint64_t now)
{
	(void)poll;
	(void)mail;
	(void)now;
	return false;
}

void poll_heard(struct poll *poll, unsigned trap, uint64_t now)
{
	(void)poll;
	(void)now;
	heard_trap = trap;
}

bool poll_has_doubts(struct poll *poll)
{
	(void)poll;
	return doubts;
}

void poll_conclude(struct poll *poll)
{
	(void)poll;
	concluded++;
}

uint64_t poll_run(struct poll *poll, const struct facts *f, bool covered, uint64_t now)
{
	(void)poll;
	(void)f;
	poll_covered = covered;
	return now + 10000;
}

/* ---- the driver ---- */

static int verbs_rc; /* of opening it */
static int verbs_end;
static unsigned verbs_waiting, verbs_opened;
static struct verbs_event verbs_next;
static int verbs_events = -1;

int verbs_open(const char *device, unsigned port, struct verbs **verbs, char *error, size_t size)
{
	(void)device;
	(void)port;
	snprintf(error, size, "uverbs9 is closed");
	if (verbs_rc < 0)
		return verbs_rc;
	verbs_opened++;
	verbs_events = eventfd(0, EFD_NONBLOCK);
	*verbs = (struct verbs *)&facts;
	return 0;
}

void verbs_close(struct verbs *verbs)
{
	if (!verbs)
		return;
	close(verbs_events);
	verbs_events = -1;
}

int verbs_fd(const struct verbs *verbs)
{
	(void)verbs;
	return verbs_events;
}

int verbs_take(struct verbs *verbs, struct verbs_event *event)
{
	(void)verbs;
	if (!verbs_waiting)
		return verbs_end;
	verbs_waiting--;
	*event = verbs_next;
	return 1;
}

/* ---- a watch ---- */

static struct fake_qp0 *fake_sma;
static struct sma_node *node;
static struct sma_watch *watch;
static struct sma_watch_config config;
static struct sma_watch_counters counters;
static struct sma_notice last;
static unsigned given;

static void take(void *arg, const struct sma_notice *notice)
{
	(void)arg;
	last = *notice;
	given++;
}

/* PortInfo as the SMA has it. */
static void fill_port_info(void)
{
	uint8_t block[SMA_BLOCK_SIZE] = {0};
	struct sma_key key;

	sma_component_set(block, SMA_PortInfo_CapabilityMask, OLD_MASK);
	key = sma_key_port(node, 1);
	fake_qp0_set(fake_sma, 1, sma_attr_id(SMA_PortInfo), key.modifier, block, sizeof(block));
}

static uint64_t go_on(uint64_t now)
{
	uint64_t due = sma_watch_process(watch, now);

	fake_qp0_deliver(fake_sma, now);
	sma_node_process(node, now);
	return due;
}

static void open_watch(void)
{
	static const struct sma_device device = {.name = "mlx5_0", .port = 1};
	struct sma_config reading;

	sma_config_init(&reading);
	facts = (struct facts){.known = true, .active = true, .lid = OWN_LID, .sm_lid = 1};
	memcpy(facts.gid, own_gid, sizeof(own_gid));
	given = 0;
	fake_sma = fake_qp0_new();
	CHECK_EQUAL(sma_node_new(&reading, 1, &node), 0);
	sma_node_attach(node, 1, fake_qp0_open(fake_sma, 1, sma_node_mailbox(node)));
	fill_port_info();
	CHECK_EQUAL(sma_watch_open(node, &device, NULL, &config, take, NULL, &watch), 0);
	go_on(900);
	go_on(1000);
}

static void close_watch(void)
{
	sma_watch_close(watch);
	sma_node_close(node);
	fake_qp0_free(fake_sma);
	CHECK_EQUAL(sources_open, 0);
}

static void reset(void)
{
	sma_watch_config_init(&config);
	inform_active = traps_active = fail_qp1 = fail_inform = doubts = false;
	heard_trap = concluded = hurried = facts_hurried = renewed = 0;
	verbs_rc = verbs_end = 0;
	verbs_waiting = verbs_opened = 0;
}

static void find(enum sma_notice_source source, const uint8_t *notice, const uint8_t *gid)
{
	finder(finder_arg, source, notice, SMA_BLOCK_SIZE, gid, 0);
	sma_watch_count(watch, &counters);
}

/* ---- whose it is ---- */

static void test_scope(void)
{
	static const struct {
		const char *name;
		bool subnet;
		enum sma_notice_source source;
		uint16_t issuer;
		const uint8_t *gid;
		bool is_given, own;
	} cases[] = {
		{"own LID", false, SMA_NOTICE_SA, OWN_LID, other_gid, true, true},
		{"own GID", false, SMA_NOTICE_SA, OTHER_LID, own_gid, true, true},
		{"another", false, SMA_NOTICE_SA, OTHER_LID, other_gid, false, false},
		{"another, no GID", false, SMA_NOTICE_TRAP, OTHER_LID, NULL, false, false},
		{"another, subnet", true, SMA_NOTICE_SA, OTHER_LID, other_gid, true, false},
		{"own, subnet", true, SMA_NOTICE_TRAP, OWN_LID, NULL, true, true},
		{"seen here", false, SMA_NOTICE_POLL, 0, NULL, true, true},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		uint8_t notice[SMA_BLOCK_SIZE];

		unit_case("%s", cases[i].name);
		reset();
		config.subnet = cases[i].subnet;
		open_watch();
		notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, cases[i].issuer);
		find(cases[i].source, notice, cases[i].gid);
		CHECK_EQUAL(given, cases[i].is_given);
		CHECK_EQUAL(counters.found[cases[i].source], 1);
		CHECK_EQUAL(counters.given, cases[i].is_given);
		CHECK_EQUAL(counters.foreign, !cases[i].is_given);
		if (cases[i].is_given) {
			CHECK_EQUAL(last.own, cases[i].own);
			CHECK_EQUAL(last.source, cases[i].source);
			CHECK_EQUAL(last.when, 1000);
			CHECK_OCTETS(last.data, notice, sizeof(notice));
		}
		close_watch();
	}
	unit_case(NULL);
}

static void test_verdicts(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	reset();
	open_watch();
	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	notice[0] &= 0x7F;
	find(SMA_NOTICE_SA, notice, NULL);
	CHECK_EQUAL(counters.unwanted, 1);
	notice_build(notice, 64, 4, OWN_LID);
	find(SMA_NOTICE_SA, notice, NULL);
	CHECK_EQUAL(counters.unwanted, 2);
	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	finder(finder_arg, SMA_NOTICE_SA, notice, SMA_BLOCK_SIZE - 1, NULL, 0);
	sma_watch_count(watch, &counters);
	CHECK_EQUAL(counters.malformed, 1);
	CHECK_EQUAL(given, 0);
	close_watch();
}

/* ---- trap 144 ---- */

static void build_144(uint8_t *notice, bool others, uint32_t mask)
{
	notice_build(notice, SMA_TRAP_CAPABILITY, SMA_NODE_CA, OWN_LID);
	wire_put16(notice + DETAILS + 2, OWN_LID);
	notice[DETAILS + 5] = others;
	wire_put32(notice + DETAILS + 6, mask);
	wire_put16(notice + DETAILS + 10, others);
}

/* The mask that the node has at first is read from it. */
static void test_capability(void)
{
	static const struct {
		const char *name;
		bool others;
		uint32_t mask;
		bool is_given;
	} steps[] = {
		{"a description, mask 0", true, 0, false},
		{"a description, the mask as it is", true, OLD_MASK, false},
		{"other changes and a new mask", true, MASK, true},
		{"other changes, the mask as it is now", true, MASK, false},
		{"only a mask", false, OLD_MASK, true},
		{"a mask of 0", false, 0, true},
		{"and back", true, OLD_MASK, true},
	};
	uint8_t notice[SMA_BLOCK_SIZE];
	unsigned expected = 0;

	reset();
	config.repeat_ms = 0;
	open_watch();
	for (size_t i = 0; i < UNIT_COUNT(steps); i++) {
		unit_case("%s", steps[i].name);
		build_144(notice, steps[i].others, steps[i].mask);
		find(SMA_NOTICE_SA, notice, own_gid);
		expected += steps[i].is_given;
		CHECK_EQUAL(given, expected);
	}
	unit_case(NULL);
	close_watch();
}

/* ---- each event once ---- */

static void test_two_sources(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	reset();
	open_watch();
	build_144(notice, false, MASK);
	find(SMA_NOTICE_POLL, notice, NULL);
	find(SMA_NOTICE_SA, notice, own_gid);
	CHECK_EQUAL(given, 1);
	CHECK_EQUAL(counters.repeated, 1);
	go_on(16001); /* the window has ended */
	find(SMA_NOTICE_SA, notice, own_gid);
	CHECK_EQUAL(given, 2);
	close_watch();
}

/* A flapping link: what was heard again within the window is told once more at its end. */
static void test_last_state(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	reset();
	open_watch();
	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	for (uint32_t tid = 1; tid <= 2; tid++)
		finder(finder_arg, SMA_NOTICE_SA, notice, SMA_BLOCK_SIZE, own_gid, tid);
	CHECK_EQUAL(given, 1);
	CHECK(go_on(1001) <= 16000);
	CHECK_EQUAL(given, 1);
	go_on(16000);
	CHECK_EQUAL(given, 2);
	CHECK_EQUAL(last.when, 16000);
	close_watch();
}

/* A storm makes one log line a minute. */
static void test_log(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	reset();
	config.repeat_ms = 1000;
	logged_start(false);
	open_watch();
	notice_build(notice, SMA_TRAP_BAD_P_KEY, SMA_NODE_CA, OWN_LID);
	for (uint64_t now = 1000; now < 61000; now += 100) {
		find(SMA_NOTICE_SA, notice, own_gid);
		go_on(now);
	}
	CHECK_EQUAL(logged_with("heard again"), 1);
	go_on(70000);
	CHECK_EQUAL(logged_with("heard again"), 2);
	close_watch();
	logged_stop();
}

/* ---- what is read anew ---- */

static void test_expiry(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	reset();
	config.subnet = true;
	open_watch();
	notice_build(notice, SMA_TRAP_SYSTEM_GUID, SMA_NODE_CA, OTHER_LID);
	find(SMA_NOTICE_SA, notice, other_gid);
	CHECK_EQUAL(node->epochs[SMA_NodeInfo], 0);
	notice_build(notice, SMA_TRAP_SYSTEM_GUID, SMA_NODE_CA, OWN_LID);
	find(SMA_NOTICE_SA, notice, own_gid);
	CHECK_EQUAL(node->epochs[SMA_NodeInfo], 1);
	CHECK_EQUAL(node->epochs[SMA_GUIDInfo], 0);
	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	find(SMA_NOTICE_SA, notice, own_gid);
	CHECK_EQUAL(node->epochs[SMA_PortInfo], 1);
	CHECK_EQUAL(node->epochs[SMA_SwitchInfo], 1);
	close_watch();
}

/* ---- sources ---- */

static void test_covered(void)
{
	reset();
	open_watch();
	CHECK_EQUAL(poll_covered, false);
	inform_active = true;
	go_on(1001);
	CHECK_EQUAL(poll_covered, true);
	close_watch();
}

/* Another source, of the own node, with news. */
static void test_heard(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	reset();
	config.subnet = true;
	open_watch();
	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OTHER_LID);
	find(SMA_NOTICE_SA, notice, other_gid);
	CHECK_EQUAL(heard_trap, 0);
	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	find(SMA_NOTICE_POLL, notice, NULL);
	CHECK_EQUAL(heard_trap, 0);
	find(SMA_NOTICE_SA, notice, own_gid);
	CHECK_EQUAL(heard_trap, SMA_TRAP_LINK_STATE);
	CHECK_EQUAL(counters.repeated, 1);
	build_144(notice, true, 0);
	find(SMA_NOTICE_TRAP, notice, NULL);
	CHECK_EQUAL(heard_trap, SMA_TRAP_LINK_STATE);
	close_watch();
}

static void test_doubts(void)
{
	reset();
	open_watch();
	CHECK_EQUAL(hurried, 0);
	doubts = true;
	go_on(1001);
	CHECK_EQUAL(hurried, 1);
	close_watch();
}

/* The node has gone on, and finds a Trap before it is the watch's turn. */
static void test_when(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	reset();
	open_watch();
	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	find(SMA_NOTICE_TRAP, notice, NULL);
	CHECK_EQUAL(last.when, 1000);
	sma_node_process(node, 16000);
	find(SMA_NOTICE_TRAP, notice, NULL);
	CHECK_EQUAL(given, 2);
	CHECK_EQUAL(last.when, 16000);
	close_watch();
}

static void test_dropped(void)
{
	const struct sma_mail mail = {.kind = SMA_MAIL_MENDED};

	reset();
	open_watch();
	logged_start(false);
	for (unsigned i = 0; i < 100000 && !logged_with("MADs on QP1 were dropped"); i++) {
		sma_mailbox_put(qp1_box, &mail);
		if (i % 10000 == 9999)
			go_on(1001 + i);
	}
	CHECK_EQUAL(logged_with("MADs on QP1 were dropped"), 1);
	logged_stop();
	close_watch();
}

/* It may be wanted when there are no rights any more. */
static void test_qp1_from_the_start(void)
{
	reset();
	config.off = true;
	open_watch();
	CHECK_EQUAL(sources_open, 1);
	config.off = false;
	fail_qp1 = true;
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	CHECK_EQUAL(sources_open, 4);
	close_watch();
}

/* A link state that was heard again is about to be told once more. */
static void open_with_pending(uint8_t *notice)
{
	reset();
	open_watch();
	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	for (uint32_t tid = 1; tid <= 2; tid++)
		finder(finder_arg, SMA_NOTICE_SA, notice, SMA_BLOCK_SIZE, own_gid, tid);
	CHECK_EQUAL(given, 1);
}

static void test_configure_repeats(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	open_with_pending(notice);
	config.take_traps = true;
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	CHECK_EQUAL(given, 1);
	finder(finder_arg, SMA_NOTICE_SA, notice, SMA_BLOCK_SIZE, own_gid, 2);
	CHECK_EQUAL(given, 1);
	CHECK_EQUAL(concluded, 1);
	go_on(16000);
	CHECK_EQUAL(given, 2);
	close_watch();

	open_with_pending(notice);
	config.repeat_ms = 1;
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	CHECK_EQUAL(given, 2);
	CHECK_EQUAL(last.when, 1000);
	close_watch();

	open_with_pending(notice);
	config.off = true;
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	CHECK_EQUAL(given, 2);
	go_on(20000);
	CHECK_EQUAL(given, 2);
	close_watch();
}

static void test_no_memory(void)
{
	reset();
	open_watch();
	config.subnet = true;
	fail_inform = true;
	CHECK_EQUAL(sma_watch_configure(watch, &config), -ENOMEM);
	CHECK_EQUAL(sma_watch_state(watch), SMA_WATCH_OFF);
	CHECK_EQUAL(sources_open, 1);
	CHECK_EQUAL(go_on(2000), UINT64_MAX);
	fail_inform = false;
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	CHECK_EQUAL(sources_open, 4);
	close_watch();
}

/* Who wants no notices asks for nothing. */
static void test_off(void)
{
	reset();
	config.off = true;
	open_watch();
	go_on(60000);
	CHECK_EQUAL(fake_qp0_count(fake_sma, FAKE_ANY), 0);
	config.off = false;
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	go_on(61000);
	CHECK_EQUAL(fake_qp0_count(fake_sma, FAKE_ANY), 1);
	close_watch();
}

static void test_configure(void)
{
	reset();
	open_watch();
	CHECK_EQUAL(sources_open, 4); /* facts, QP1, subscription, polling */
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	CHECK_EQUAL(sources_open, 4);
	config.take_traps = true;
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	CHECK_EQUAL(sources_open, 5);
	config.off = true;
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	CHECK_EQUAL(sources_open, 1); /* QP1 is kept */
	CHECK_EQUAL(go_on(2000), UINT64_MAX);
	close_watch();
}

static void test_state(void)
{
	reset();
	config.take_traps = true;
	open_watch();
	CHECK_EQUAL(sma_watch_state(watch), SMA_WATCH_UNSUBSCRIBED);
	traps_active = true;
	CHECK_EQUAL(sma_watch_state(watch), SMA_WATCH_TRAPS);
	inform_active = true;
	CHECK_EQUAL(sma_watch_state(watch), SMA_WATCH_SUBSCRIBED);
	config.off = true;
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	CHECK_EQUAL(sma_watch_state(watch), SMA_WATCH_OFF);
	close_watch();
}

static void test_no_qp1(void)
{
	reset();
	fail_qp1 = true;
	logged_start(false);
	open_watch();
	CHECK_EQUAL(sources_open, 2); /* facts and polling */
	CHECK_EQUAL(logged_with("umad9 is gone"), 1);
	close_watch();
	logged_stop();
}

/* ---- events of the driver ---- */

static bool is_readable(int fd)
{
	struct pollfd event = {.fd = fd, .events = POLLIN};

	return poll(&event, 1, 0) == 1;
}

static void test_events(void)
{
	reset();
	open_watch();
	verbs_next = (struct verbs_event){.attrs = 1U << SMA_PortInfo, .subscribe = true};
	verbs_waiting = 2;
	CHECK(!is_readable(sma_watch_fd(watch)));
	CHECK_EQUAL(eventfd_write(verbs_events, 1), 0);
	CHECK(is_readable(sma_watch_fd(watch)));
	go_on(1001);
	CHECK_EQUAL(node->epochs[SMA_PortInfo], 2);
	CHECK_EQUAL(node->epochs[SMA_NodeInfo], 0);
	CHECK_EQUAL(facts_hurried, 2);
	CHECK_EQUAL(renewed, 2);
	verbs_next = (struct verbs_event){.attrs = 1U << SMA_P_KeyTable};
	verbs_waiting = 1;
	go_on(1002);
	CHECK_EQUAL(node->epochs[SMA_P_KeyTable], 1);
	CHECK_EQUAL(renewed, 2);
	close_watch();
	CHECK_EQUAL(verbs_events, -1);
}

/* Caches follow the driver whether notices are wanted or not, and the device is opened once. */
static void test_events_without_notices(void)
{
	reset();
	config.off = true;
	open_watch();
	verbs_next = (struct verbs_event){.attrs = 1U << SMA_PortInfo, .subscribe = true};
	verbs_waiting = 1;
	go_on(1001);
	CHECK_EQUAL(node->epochs[SMA_PortInfo], 1);
	CHECK_EQUAL(facts_hurried + renewed, 0);
	config.off = false;
	CHECK_EQUAL(sma_watch_configure(watch, &config), 0);
	CHECK_EQUAL(verbs_opened, 1);
	close_watch();
}

static void test_events_end(void)
{
	reset();
	logged_start(false);
	open_watch();
	verbs_end = -EIO;
	go_on(1001);
	CHECK_EQUAL(verbs_events, -1);
	CHECK_EQUAL(logged_with("no more events of the driver: Input/output error"), 1);
	go_on(1002);
	CHECK_EQUAL(logged_with("no more events"), 1);
	close_watch();
	logged_stop();
}

/* A device that libibverbs does not know is nothing to tell of. */
static void test_no_events(void)
{
	reset();
	logged_start(false);
	verbs_rc = -EACCES;
	open_watch();
	CHECK_EQUAL(logged_with("uverbs9 is closed"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 1);
	close_watch();
	verbs_rc = -ENODEV;
	open_watch();
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 1);
	close_watch();
	logged_stop();
}

/* ---- the software SMA ---- */

static void test_soft(void)
{
	char reply[SMA_SOFT_REPLY_SIZE];
	struct sma_soft *soft;
	struct sma_config reading;
	char error[1024];

	reset();
	given = 0;
	sma_config_init(&reading);
	CHECK_EQUAL(sma_soft_open(unit_source("sma/nodes/switch36.conf"), &soft, error, sizeof(error)), 0);
	CHECK_EQUAL(sma_node_new(&reading, sma_soft_port(soft), &node), 0);
	CHECK_EQUAL(sma_soft_attach(soft, node), 0);
	CHECK_EQUAL(sma_watch_open(node, NULL, soft, &config, take, NULL, &watch), 0);
	CHECK_EQUAL(sma_watch_state(watch), SMA_WATCH_SOFT);
	sma_watch_process(watch, 1000);
	CHECK_EQUAL(sma_soft_command(soft, "integrity 3", reply, sizeof(reply)), 0);
	CHECK_EQUAL(given, 1);
	CHECK_EQUAL(sma_notice_trap(last.data), SMA_TRAP_LINK_INTEGRITY);
	CHECK_EQUAL(last.source, SMA_NOTICE_SOFT);
	CHECK_EQUAL(last.own, true);
	CHECK_EQUAL(last.data[DETAILS + 4], 3);
	CHECK_EQUAL(last.when, 1000);
	sma_soft_process(soft, 90000);
	CHECK_EQUAL(sma_soft_command(soft, "integrity 3", reply, sizeof(reply)), 0);
	CHECK_EQUAL(given, 2);
	CHECK_EQUAL(last.when, 90000);
	sma_watch_close(watch);
	CHECK_EQUAL(sma_soft_command(soft, "integrity 4", reply, sizeof(reply)), 0);
	CHECK_EQUAL(given, 2);
	sma_node_close(node);
	sma_soft_close(soft);
}

static const struct unit_test tests[] = {
	{"scope", test_scope},
	{"verdicts", test_verdicts},
	{"trap 144", test_capability},
	{"two sources", test_two_sources},
	{"last state", test_last_state},
	{"log", test_log},
	{"expiry", test_expiry},
	{"covered", test_covered},
	{"off", test_off},
	{"configure", test_configure},
	{"no QP1", test_no_qp1},
	{"software SMA", test_soft},
	{"state", test_state},
	{"heard", test_heard},
	{"doubts", test_doubts},
	{"when", test_when},
	{"dropped", test_dropped},
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
	return UNIT_MAIN("watch", tests);
}
