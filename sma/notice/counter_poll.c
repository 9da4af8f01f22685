// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/mad.h>
#include <infiniband/umad_types.h>

#include "sma/clock.h"
#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/notice/counter_poll.h"

enum {
	OUTSTANDING = 4,
	TIMEOUT_MS = 500,
	FAILURES = 3, /* in a row, of one port, that are logged */
	TEXT_SIZE = 96,
	REFUSALS = 3,       /* in a row, after which there is no agent */
	COUNTERS_SIZE = 40, /* of the attribute, bytes that hold what every agent has */
};

static const struct counter {
	enum MAD_FIELDS field;
	unsigned trap;
} counters[] = {
	{IB_PC_ERR_LOCALINTEG_F, SMA_TRAP_LINK_INTEGRITY},
	{IB_PC_ERR_EXCESS_OVR_F, SMA_TRAP_BUFFER_OVERRUN},
};

enum { COUNTERS = sizeof(counters) / sizeof(counters[0]) };

struct port {
	bool known; /* it was read before */
	uint8_t values[COUNTERS];
	unsigned failures; /* in a row, at most FAILURES */
};

/* A request on its way, or the place for one. */
struct query {
	struct counter_poll *poll;
	bool pending;
	unsigned port;
};

struct counter_poll {
	struct engine *engine;
	struct peer *agent; /* NULL: not asked yet */
	unsigned interval_ms;
	counter_poll_grown *grown;
	void *arg;
	struct port ports[SMA_MAX_PORTS + 1];
	struct query queries[OUTSTANDING];
	unsigned last_port; /* the one that was asked last */
	uint64_t next;      /* when to ask for the next one */
	unsigned troubled;  /* ports with FAILURES failures */
	unsigned refusals;  /* in a row */
	bool absent;        /* there is no agent */
};

struct counter_poll *counter_poll_new(struct engine *engine, unsigned interval_ms, counter_poll_grown *grown,
                                      void *arg)
{
	struct counter_poll *poll = calloc(1, sizeof(*poll));

	if (!poll)
		return NULL;
	poll->engine = engine;
	poll->interval_ms = interval_ms;
	poll->grown = grown;
	poll->arg = arg;
	for (unsigned i = 0; i < OUTSTANDING; i++)
		poll->queries[i].poll = poll;
	return poll;
}

void counter_poll_free(struct counter_poll *poll)
{
	if (!poll)
		return;
	peer_close(poll->agent);
	free(poll);
}

/* ---- what became of a request ---- */

static void fail(struct counter_poll *poll, unsigned number, const char *why)
{
	struct port *port = &poll->ports[number];

	if (port->failures == FAILURES || ++port->failures < FAILURES)
		return;
	if (poll->troubled++ == 0)
		sma_log(SMA_LOG_WARNING, "poll", "PortCounters of port %u cannot be read: %s", number, why);
}

static void recover(struct counter_poll *poll, struct port *port)
{
	if (port->failures == FAILURES && --poll->troubled == 0)
		sma_log(SMA_LOG_INFO, "poll", "PortCounters can be read again");
	port->failures = 0;
	poll->refusals = 0;
}

static void refuse(struct counter_poll *poll, unsigned port, uint16_t status)
{
	unsigned code = status & UMAD_STATUS_INVALID_FIELD_MASK;
	char why[TEXT_SIZE];

	snprintf(why, sizeof(why), "status 0x%04x, %s", status, mad_status_text(status));
	if (code == 0 || code == UMAD_STATUS_INVALID_ATTR_VALUE) {
		fail(poll, port, why);
		return;
	}
	if (++poll->refusals < REFUSALS || poll->absent)
		return;
	poll->absent = true;
	sma_log(SMA_LOG_WARNING, "poll",
	        "the node has no performance management agent (%s): polling sees no link integrity errors "
	        "and no buffer overruns",
	        why);
}

/* A counter that sticks at its highest value reports nothing new; one that was cleared began again from 0. */
static bool has_grown(uint8_t from, uint8_t to)
{
	return to != from && to != 0;
}

static void note(struct counter_poll *poll, unsigned number, const uint8_t *data)
{
	struct port *port = &poll->ports[number];

	recover(poll, port);
	for (unsigned i = 0; i < COUNTERS; i++) {
		uint8_t from = port->values[i];
		uint8_t to = (uint8_t)mad_get_field((void *)data, 0, counters[i].field);

		port->values[i] = to;
		if (port->known && has_grown(from, to))
			poll->grown(poll->arg, counters[i].trap, number, from, to);
	}
	port->known = true;
}

static void done(void *arg, const struct engine_result *result)
{
	struct query *query = arg;
	struct counter_poll *poll = query->poll;

	query->pending = false;
	if (result->error == -ECANCELED)
		return;
	if (result->error)
		fail(poll, query->port, strerror(-result->error));
	else if (result->status)
		refuse(poll, query->port, result->status);
	else if (result->size < COUNTERS_SIZE)
		fail(poll, query->port, "the answer is too short");
	else
		note(poll, query->port, result->data);
}

/* ---- requests ---- */

static int open_agent(struct counter_poll *poll, const struct local_port *local)
{
	const struct engine_address address = {
		.route = ENGINE_LID, .lid = local->lid, .sl = (uint8_t)local->sm_sl};

	if (poll->agent)
		peer_move(poll->agent, &address);
	else
		poll->agent = peer_open(poll->engine, MAD_CLASS_PERF, &address, OUTSTANDING);
	return poll->agent ? 0 : -ENOMEM;
}

static void submit(struct counter_poll *poll, struct query *query, const struct local_port *local,
                   uint64_t now)
{
	uint8_t data[COUNTERS_SIZE] = {0};
	const struct engine_request request = {.method = MAD_GET,
	                                       .attribute = IB_GSI_PORT_COUNTERS,
	                                       .data = data,
	                                       .size = sizeof(data),
	                                       .timeout_ms = TIMEOUT_MS,
	                                       .tries = 1,
	                                       .priority = ENGINE_BACKGROUND,
	                                       .done = done,
	                                       .arg = query};
	int rc = open_agent(poll, local);

	query->port = poll->last_port;
	mad_set_field(data, 0, IB_PC_PORT_SELECT_F, query->port);
	if (rc == 0)
		rc = peer_submit(poll->agent, &request, now, NULL);
	query->pending = rc == 0;
	if (rc < 0)
		fail(poll, query->port, strerror(-rc));
}

/* The time from one request to the next. Where no port answers, one for all of them will do. */
static unsigned gap_ms(const struct counter_poll *poll, unsigned ports)
{
	unsigned gap = poll->troubled >= ports ? poll->interval_ms : poll->interval_ms / ports;

	return gap ? gap : 1;
}

static struct query *find_free(struct counter_poll *poll)
{
	for (unsigned i = 0; i < OUTSTANDING; i++) {
		if (!poll->queries[i].pending)
			return &poll->queries[i];
	}
	return NULL;
}

uint64_t counter_poll_run(struct counter_poll *poll, const struct local_port *local, unsigned first,
                          unsigned last, uint64_t now)
{
	struct query *query = find_free(poll);

	if (poll->absent || !local->active || !local->lid || last < first || !query)
		return UINT64_MAX;
	if (now < poll->next)
		return poll->next;
	poll->last_port = poll->last_port < first || poll->last_port >= last ? first : poll->last_port + 1;
	poll->next = now + gap_ms(poll, last - first + 1);
	submit(poll, query, local, now);
	return poll->next;
}
