// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/mad.h>
#include <infiniband/umad_types.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/notice/counter_poll.h"

enum {
	CLASS_VERSION = 1,
	OUTSTANDING = 4,
	TIMEOUT_MS = 500,
	MARGIN_MS = TIMEOUT_MS / 4, /* the transport reports a time-out itself; this keeps the two apart */
	FAILURES = 3,               /* in a row, of one port, that are logged */
	TEXT_SIZE = 96,
	REFUSALS = 3, /* in a row, after which there is no agent */
};

#define AT(member) offsetof(struct umad_hdr, member)

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

/* An outstanding request; free where tid is 0. */
struct query {
	uint32_t tid;
	unsigned port;
	uint64_t due;
};

struct counter_poll {
	struct sma_qp1 *qp1;
	unsigned interval_ms;
	counter_poll_grown *grown;
	void *arg;
	struct port ports[SMA_MAX_PORTS + 1];
	struct query queries[OUTSTANDING];
	uint32_t last_tid;
	unsigned last_port; /* the one that was asked last */
	uint64_t next;      /* when to ask for the next one */
	unsigned troubled;  /* ports with FAILURES failures */
	unsigned refusals;  /* in a row */
	bool absent;        /* there is no agent */
};

struct counter_poll *counter_poll_new(struct sma_qp1 *qp1, unsigned interval_ms, counter_poll_grown *grown,
                                      void *arg)
{
	static uint32_t births;
	struct counter_poll *poll = calloc(1, sizeof(*poll));

	if (!poll)
		return NULL;
	/* the kernel may still wait for answers to an earlier one's requests, whose ids it refuses */
	poll->last_tid = births++ << 16;
	poll->qp1 = qp1;
	poll->interval_ms = interval_ms;
	poll->grown = grown;
	poll->arg = arg;
	return poll;
}

void counter_poll_free(struct counter_poll *poll)
{
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

	snprintf(why, sizeof(why), "status 0x%04x, %s", status, smp_status_text(status));
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

/* ---- answers ---- */

static struct query *find(struct counter_poll *poll, const uint8_t *mad)
{
	uint32_t tid = (uint32_t)wire_get64(mad + AT(tid));

	for (unsigned i = 0; tid && i < OUTSTANDING; i++) {
		if (poll->queries[i].tid == tid)
			return &poll->queries[i];
	}
	return NULL;
}

static bool is_answer(const struct sma_mail *mail)
{
	return mail->size == SMA_MAD_SIZE && mail->mad[AT(method)] == UMAD_METHOD_GET_RESP &&
	       wire_get16(mail->mad + AT(attr_id)) == IB_GSI_PORT_COUNTERS;
}

bool counter_poll_take(struct counter_poll *poll, const struct sma_mail *mail)
{
	uint16_t status = wire_get16(mail->mad + AT(status));
	struct query *query;

	if (mail->mad[AT(mgmt_class)] != QP1_CLASS_PERF)
		return false;
	query = find(poll, mail->mad);
	if (!query || (mail->status == 0 && !is_answer(mail)))
		return false;
	query->tid = 0;
	if (mail->status)
		fail(poll, query->port, strerror(mail->status));
	else if (status)
		refuse(poll, query->port, status);
	else
		note(poll, query->port, mail->mad + IB_PC_DATA_OFFS);
	return true;
}

/* ---- requests ---- */

static void build(uint8_t mad[SMA_MAD_SIZE], uint32_t tid, unsigned port)
{
	mad_begin(mad, QP1_CLASS_PERF, CLASS_VERSION, UMAD_METHOD_GET, IB_GSI_PORT_COUNTERS, tid);
	mad_set_field(mad + IB_PC_DATA_OFFS, 0, IB_PC_PORT_SELECT_F, port);
}

static void send_query(struct counter_poll *poll, struct query *query, const struct local_port *local,
                       uint64_t now)
{
	uint8_t mad[SMA_MAD_SIZE];
	int rc;

	if (++poll->last_tid == 0)
		++poll->last_tid;
	*query = (struct query){
		.tid = poll->last_tid, .port = poll->last_port, .due = now + TIMEOUT_MS + MARGIN_MS};
	build(mad, query->tid, query->port);
	rc = poll->qp1->ops->send(poll->qp1, mad, local->lid, local->sm_sl, TIMEOUT_MS);
	if (rc < 0) {
		query->tid = 0;
		fail(poll, query->port, strerror(-rc));
	}
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
		if (!poll->queries[i].tid)
			return &poll->queries[i];
	}
	return NULL;
}

static uint64_t expire(struct counter_poll *poll, uint64_t now)
{
	uint64_t due = UINT64_MAX;

	for (unsigned i = 0; i < OUTSTANDING; i++) {
		struct query *query = &poll->queries[i];

		if (query->tid && now >= query->due) {
			query->tid = 0;
			fail(poll, query->port, strerror(ETIMEDOUT));
		}
		if (query->tid && query->due < due)
			due = query->due;
	}
	return due;
}

uint64_t counter_poll_run(struct counter_poll *poll, const struct local_port *local, unsigned first,
                          unsigned last, uint64_t now)
{
	uint64_t due = expire(poll, now);
	struct query *query = find_free(poll);

	if (poll->absent || !local->active || !local->lid || last < first || !query)
		return due;
	if (now >= poll->next) {
		poll->last_port =
			poll->last_port < first || poll->last_port >= last ? first : poll->last_port + 1;
		poll->next = now + gap_ms(poll, last - first + 1);
		send_query(poll, query, local, now);
		if (query->tid && query->due < due)
			due = query->due;
	}
	return poll->next < due ? poll->next : due;
}
