// SPDX-License-Identifier: BSD-2-Clause
/* Random SMAs: some blocks are silent, slow or refused, and both the SMA and the daemon stand still now and
 * then. A walk that comes to its end has every row that the SMA would have given; one that cannot ends with
 * an error. */
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <infiniband/umad_sm.h>

#include "mib/sma/sma_mib_gen.h"
#include "tests/logged.h"
#include "tests/mib/agent_fixture.h"
#include "tests/mib/expected.h"
#include "tests/unit.h"

enum {
	WALKS = 40, /* UNIT_WALKS in the environment: another number */
	MAX_ROWS = 3000,
	MAX_BAD = 12,
	MAX_ERRORS = 200,
	WAIT_MS = 2000,  /* more than any answer takes */
	APART_MS = 3000, /* more than the tries of a request take */
	QUICK_MS = 100,  /* an answer that comes within a try */
	SLOW_MS = 700,   /* may come within the tries of a request, or not */
};

enum kind { QUICK, SLOW, REFUSED, SILENT, KINDS };

/* A block that is not answered at once. */
struct bad {
	enum kind kind;
	uint16_t attribute;
	uint32_t modifier;
	unsigned delay_ms;
	enum fake_fault fault; /* of a silent one */
};

struct weather {
	const char *node;
	unsigned window;
	bool kernel;     /* gives up late answers */
	unsigned stalls; /* in a thousand requests */
	struct bad bad[MAX_BAD];
	unsigned bad_count;
};

struct rows {
	struct mib_answer answers[MAX_ROWS];
	size_t count;
};

static const oid base[] = {SMA_MIB_OID};
static struct rows least, most, walked;

static unsigned below(unsigned limit)
{
	return (unsigned)rand() % limit;
}

/* ---- what the SMA would have given ---- */

/* The rows where what is in doubt counts as refused, or as answered. */
static void find_rows(const struct weather *w, bool with_slow, struct rows *rows)
{
	struct mib_answer answer = {0};
	struct fixture b;

	logged_start(false);
	fixture_init(&b, w->node);
	fixture_open(&b);
	for (unsigned i = 0; i < w->bad_count; i++) {
		const struct bad *bad = &w->bad[i];

		if (bad->kind >= REFUSED || (bad->kind == SLOW && !with_slow))
			fake_qp0_fault_block(b.fake, fake_qp0_port(b.fake), bad->attribute, bad->modifier,
			                     FAKE_REFUSE, FAKE_FOREVER);
	}
	for (rows->count = 0; rows->count < MAX_ROWS; rows->count++) {
		if (ask(&b, tree_next, answer.subid, answer.length, &answer) < 0)
			break;
		rows->answers[rows->count] = answer;
	}
	fixture_close(&b);
	logged_stop();
}

static bool holds(const struct rows *rows, const struct mib_answer *answer, size_t *from)
{
	for (; *from < rows->count; ++*from) {
		const struct mib_answer *row = &rows->answers[*from];
		int order = compare_oids(row->subid, row->length, answer->subid, answer->length);

		if (order >= 0)
			return order == 0;
	}
	return false;
}

static void check_within(const struct rows *inner, const struct rows *outer, const char *what)
{
	size_t from = 0;

	for (size_t i = 0; i < inner->count; i++) {
		const struct mib_answer *row = &inner->answers[i];

		if (!unit_check(holds(outer, row, &from), __FILE__, __LINE__, what)) {
			unit_check(false, __FILE__, __LINE__, oid_text(row->subid, row->length));
			return;
		}
	}
}

/* ---- the walk ---- */

static void spoil(struct fixture *b, const struct weather *w)
{
	for (unsigned i = 0; i < w->bad_count; i++) {
		const struct bad *bad = &w->bad[i];
		unsigned port = fake_qp0_port(b->fake);

		if (bad->kind <= SLOW)
			fake_qp0_delay_block(b->fake, port, bad->attribute, bad->modifier, bad->delay_ms);
		else
			fake_qp0_fault_block(b->fake, port, bad->attribute, bad->modifier, bad->fault,
			                     FAKE_FOREVER);
	}
	if (w->kernel)
		fake_qp0_time_out(b->fake);
}

/* The SMA or the daemon stands still; not so often that all tries of a request may fall into such times. */
static void stand_still(struct fixture *b, const struct weather *w)
{
	static uint64_t until;
	unsigned ms = 50 + below(1500);

	if (b->now < BENCH_START + APART_MS)
		until = 0;
	if (b->now < until || below(1000) >= w->stalls)
		return;
	until = b->now + ms + APART_MS;
	if (below(2))
		fake_qp0_stall(b->fake, ms);
	else
		b->now += ms;
}

/* One GETNEXT from the last row that was walked. The error-status, or -1 at the end. */
static long step(struct fixture *b, const struct weather *w)
{
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GETNEXT);
	struct mib_answer *row = &walked.answers[walked.count];
	const struct mib_answer *last = walked.count ? row - 1 : row;
	uint64_t until = b->now + WAIT_MS;
	const netsnmp_variable_list *v;
	struct reply reply;
	long result;

	agent_add(pdu, last->subid, last->length);
	agent_send_pdu(pdu, &reply);
	while (!reply.pdu && b->now < until) {
		stand_still(b, w);
		agent_pass(1 + below(100));
	}
	agent_pass(reply.pdu ? 0 : WAIT_MS);
	if (!CHECK(reply.pdu != NULL))
		return -1;
	v = reply.pdu->variables;
	result = reply_error(&reply);
	if (result == SNMP_ERR_NOERROR &&
	    (v->type == SNMP_ENDOFMIBVIEW ||
	     snmp_oidtree_compare(v->name, v->name_length, base, OID_LENGTH(base)) != 0))
		result = -1;
	if (result == SNMP_ERR_NOERROR) {
		row->length = v->name_length - OID_LENGTH(base);
		for (size_t i = 0; i < row->length; i++)
			row->subid[i] = (uint32_t)v->name[OID_LENGTH(base) + i];
		walked.count++;
	}
	reply_free(&reply);
	return result;
}

/* Whether the walk came to its end, of a manager that tries again after an error. */
static bool walk_all_rows(const struct weather *w)
{
	struct fixture *b = agent_begin_with_window(w->node, w->window);
	unsigned errors = 0;
	long result = 0;

	spoil(b, w);
	walked.count = 0;
	memset(&walked.answers[0], 0, sizeof(walked.answers[0]));
	while (result >= 0 && errors < MAX_ERRORS && walked.count < MAX_ROWS - 1) {
		result = step(b, w);
		CHECK(result <= 0 || result == SNMP_ERR_GENERR);
		errors += result > 0;
	}
	agent_end();
	return result < 0;
}

/* ---- the weather ---- */

static void choose_bad(struct bad *bad, bool is_switch)
{
	static const uint16_t attributes[] = {UMAD_SM_ATTR_PORT_INFO,  UMAD_SM_ATTR_SLVL_TABLE,
	                                      UMAD_SM_ATTR_PKEY_TABLE, UMAD_SM_ATTR_VL_ARB_TABLE,
	                                      UMAD_SM_ATTR_LINEAR_FT,  UMAD_SM_ATTR_MCAST_FT,
	                                      UMAD_SM_ATTR_GUID_INFO,  UMAD_SM_ATTR_SWITCH_INFO};
	static const enum fake_fault silences[] = {FAKE_SILENT, FAKE_LOST, FAKE_VANISH};
	unsigned port = below(is_switch ? 9 : 3);

	*bad = (struct bad){.kind = below(KINDS), .attribute = attributes[below(is_switch ? 8 : 4)]};
	bad->delay_ms = bad->kind == QUICK ? 1 + below(QUICK_MS) : QUICK_MS + below(SLOW_MS - QUICK_MS);
	bad->fault = bad->kind == REFUSED ? FAKE_REFUSE : silences[below(UNIT_COUNT(silences))];
	if (bad->attribute == UMAD_SM_ATTR_PORT_INFO || bad->attribute == UMAD_SM_ATTR_GUID_INFO)
		bad->modifier = port;
	else if (bad->attribute == UMAD_SM_ATTR_SLVL_TABLE)
		bad->modifier = is_switch ? below(9) << 8 | port : 0;
	else if (bad->attribute == UMAD_SM_ATTR_VL_ARB_TABLE)
		bad->modifier = (1 + 2 * below(2)) << 16 | (is_switch ? port : 0);
	else if (bad->attribute == UMAD_SM_ATTR_PKEY_TABLE)
		bad->modifier = is_switch ? port << 16 : 0;
	/* which says whether MulticastFDBTop counts: there are more rows without it */
	if (bad->attribute == UMAD_SM_ATTR_PORT_INFO && port == 0 && bad->kind == SLOW)
		bad->kind = REFUSED;
}

static void choose_weather(struct weather *w)
{
	static const char *const nodes[] = {"ca", "sw8", "sw40"};

	w->node = nodes[below(UNIT_COUNT(nodes))];
	w->window = 1 + below(16);
	w->kernel = below(2);
	w->stalls = below(2) ? below(60) : 0;
	w->bad_count = below(MAX_BAD + 1);
	for (unsigned i = 0; i < w->bad_count; i++)
		choose_bad(&w->bad[i], w->node[0] == 's');
}

static void test_random(void)
{
	const char *given = getenv("UNIT_WALKS");
	unsigned walks = given ? (unsigned)strtoul(given, NULL, 10) : WALKS;
	unsigned seed = unit_seed();
	unsigned complete = 0;
	struct weather w;

	for (unsigned i = 0; i < walks; i++) {
		bool ended;

		choose_weather(&w);
		find_rows(&w, false, &least);
		find_rows(&w, true, &most);
		unit_case("seed %u, walk %u: %s, window %u, %u bad blocks, stalls %u", seed, i, w.node,
		          w.window, w.bad_count, w.stalls);
		ended = walk_all_rows(&w);
		complete += ended;
		if (ended)
			check_within(&least, &walked, "a row that there is was walked");
		check_within(&walked, &most, "a row that was walked is there");
	}
	unit_case("seed %u", seed);
	/* an error at the end of all would be no walk at all */
	CHECK(complete >= walks / 2);
}

static const struct unit_test tests[] = {
	{"a walk has all rows, or ends with an error", test_random},
};

int main(void)
{
	return agent_init() < 0 ? EXIT_FAILURE : UNIT_MAIN("walk_complete", tests);
}
