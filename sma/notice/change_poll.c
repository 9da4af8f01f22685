// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/clock.h"
#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/notice/change_hold.h"
#include "sma/notice/change_items.h"
#include "sma/notice/change_poll.h"
#include "sma/notice/counter_poll.h"

enum { LIMIT_MS = 5 * 1000 }; /* a reading may take so long, or the interval where that is longer */

struct change_poll {
	struct sma_node *node;
	unsigned interval_ms;
	notice_found *found;
	void *arg;
	struct counter_poll *counters; /* NULL: not used */
	unsigned qp1_port;
	struct local_port local;
	bool reading;
	uint64_t since;    /* the begin of the reading */
	uint64_t seen_all; /* when it had all items, with changes; 0: not yet */
	uint64_t before;   /* the begin of the one before */
	uint64_t next;     /* when the next one begins */
	struct item lid;   /* for notices of the reading */
	struct change_items items;
	struct change_hold hold;
	bool is_covered; /* another source reports changes of states */
	uint64_t now;    /* of the current change_poll_run */
};

/* ---- notices ---- */

static uint16_t lid_of(const struct change_poll *poll)
{
	return poll->lid.known ? local_port_lid(poll->lid.value) : poll->local.lid;
}

static void begin_change(const struct change_poll *poll, struct change *change, unsigned trap, uint16_t lid)
{
	notice_build(change->notice, trap, poll->local.type, lid);
	notice_set(change->notice, NOTICE_LIDADDR, lid);
}

static void publish(void *arg, const struct change *change, bool is_missed)
{
	const struct change_poll *poll = arg;
	unsigned trap = notice_trap(change->notice);

	sma_log(SMA_LOG_INFO, "poll", "seen by polling%s: %s (trap %u): %s",
	        is_missed ? ", and not reported otherwise" : "", notice_name(trap), trap, change->text);
	poll->found(poll->arg, SMA_NOTICE_POLL, change->notice, SMA_BLOCK_SIZE, poll->local.gid, 0);
}

__attribute__((format(printf, 3, 4))) static void report(struct change_poll *poll, struct change *change,
                                                         const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(change->text, sizeof(change->text), format, args);
	va_end(args);
	change_hold_add(&poll->hold, change, poll->is_covered, poll->before, poll->now);
}

static void report_growth(void *arg, unsigned trap, unsigned port, unsigned from, unsigned to)
{
	struct change_poll *poll = arg;
	struct change change;

	begin_change(poll, &change, trap, poll->local.lid); /* with which the counters were asked for */
	notice_set(change.notice, NOTICE_PORTNO, port);
	report(poll, &change, "the counter of port %u went from %u to %u", port, from, to);
}

/* ---- what has changed ---- */

static void check_mask(struct change_poll *poll)
{
	uint32_t was = (uint32_t)poll->items.base[ITEM_MASK].value;
	uint32_t is = (uint32_t)poll->items.seen[ITEM_MASK].value;
	struct change change;

	if (!change_items_has_changed(&poll->items, ITEM_MASK))
		return;
	begin_change(poll, &change, SMA_TRAP_CAPABILITY, lid_of(poll));
	notice_set(change.notice, NOTICE_CAPABILITYMASK, is);
	report(poll, &change, "0x%08" PRIx32 ", was 0x%08" PRIx32, is, was);
}

static void check_guid(struct change_poll *poll)
{
	uint64_t was = poll->items.base[ITEM_GUID].value;
	uint64_t is = poll->items.seen[ITEM_GUID].value;
	struct change change;

	if (!change_items_has_changed(&poll->items, ITEM_GUID))
		return;
	begin_change(poll, &change, SMA_TRAP_SYSTEM_GUID, lid_of(poll));
	notice_set(change.notice, NOTICE_SYSTEMIMAGEGUID, is);
	report(poll, &change, "0x%016" PRIx64 ", was 0x%016" PRIx64, is, was);
}

/* Trap 128 reports links, not the way from Initialize by Armed to Active, on which the SM takes a port; a
 * port that is further back on it was down meanwhile. */
static bool link_has_changed(const struct change_items *items, unsigned item)
{
	uint64_t was = items->base[item].value;
	uint64_t is = items->seen[item].value;

	return change_items_has_changed(items, item) && (was == SMA_PORT_DOWN || is < was);
}

/* The number of data ports whose link has changed, of which `*first` is one. */
static unsigned count_links(const struct change_items *items, unsigned *first)
{
	unsigned count = 0;

	for (unsigned port = items->data_ports; port > 0; port--) {
		if (!link_has_changed(items, ITEM_STATE + port - 1))
			continue;
		count++;
		*first = port;
	}
	return count;
}

/* A notice for all ports, as it does not say which of them it is about. */
static void check_links(struct change_poll *poll)
{
	const struct change_items *items = &poll->items;
	bool is_flagged = change_items_has_changed(items, ITEM_CHANGE) && items->seen[ITEM_CHANGE].value;
	struct change change;
	unsigned first = 0;
	unsigned count = count_links(items, &first);

	if (!count && !is_flagged)
		return;
	begin_change(poll, &change, SMA_TRAP_LINK_STATE, lid_of(poll));
	if (count)
		report(poll, &change, "PortState of port %u is %u, was %u; ports that changed: %u", first,
		       (unsigned)items->seen[ITEM_STATE + first - 1].value,
		       (unsigned)items->base[ITEM_STATE + first - 1].value, count);
	else
		report(poll, &change, "PortStateChange was set");
}

/* ---- a reading ---- */

/* The LID for notices, when all is seen that they report: what is known of the local port may be of a time
 * before it had one. False: it is on its way. */
static bool read_lid(struct change_poll *poll, uint64_t now)
{
	struct sma_key key = sma_key_port(sma_node_id(poll->node), 0);
	struct sma_reader reader = {
		.node = poll->node, .now = now, .force_refresh = true, .patience = SMA_FRESH, .budget = 1};

	if (!change_items_has_any_changed(&poll->items))
		return true;
	if (!poll->seen_all)
		poll->seen_all = now;
	reader.since = poll->seen_all;
	poll->lid.known = sma_read(&reader, &key, SMA_PortInfo_LID, &poll->lid.value) == 0;
	return !reader.missed;
}

static void begin(struct change_poll *poll, uint64_t now)
{
	change_items_clear(&poll->items);
	poll->seen_all = 0;
	poll->lid.known = false;
	poll->reading = true;
	poll->since = now;
}

static void end(struct change_poll *poll)
{
	poll->reading = false;
	poll->next = poll->now + poll->interval_ms;
	check_links(poll);
	check_mask(poll);
	check_guid(poll);
	change_items_adopt(&poll->items);
	poll->before = poll->since;
}

/* What a reading that is given up has seen counts. */
static uint64_t run_reading(struct change_poll *poll, uint64_t now)
{
	uint64_t limit;

	if (!poll->reading && now < poll->next)
		return poll->next;
	if (!poll->reading)
		begin(poll, now);
	limit = poll->since + (poll->interval_ms > LIMIT_MS ? poll->interval_ms : LIMIT_MS);
	if (!(change_items_read(&poll->items, poll->since, now) && read_lid(poll, now)) && now < limit)
		return limit;
	end(poll);
	return poll->next;
}

/* ---- the poll ---- */

struct change_poll *change_poll_new(struct sma_node *node, struct engine *engine, unsigned qp1_port,
                                    unsigned interval_ms, notice_found *found, void *arg)
{
	struct change_poll *poll = calloc(1, sizeof(*poll));

	if (!poll)
		return NULL;
	poll->node = node;
	poll->interval_ms = interval_ms;
	poll->found = found;
	poll->arg = arg;
	poll->qp1_port = qp1_port;
	change_items_init(&poll->items, node);
	change_hold_init(&poll->hold, publish, poll);
	if (engine)
		poll->counters = counter_poll_new(engine, interval_ms, report_growth, poll);
	if (engine && !poll->counters) {
		free(poll);
		return NULL;
	}
	return poll;
}

void change_poll_free(struct change_poll *poll)
{
	if (!poll)
		return;
	counter_poll_free(poll->counters);
	free(poll);
}

/* A switch counts at its data ports, a CA or router at the port that is asked. */
static uint64_t run_counters(struct change_poll *poll, uint64_t now)
{
	if (!poll->counters)
		return UINT64_MAX;
	if (sma_is_switch(poll->node))
		return counter_poll_run(poll->counters, &poll->local, 1, poll->items.data_ports, now);
	return counter_poll_run(poll->counters, &poll->local, poll->qp1_port, poll->qp1_port, now);
}

uint64_t change_poll_run(struct change_poll *poll, const struct local_port *local, bool is_covered,
                         uint64_t now)
{
	uint64_t due;

	if (!local->known)
		return UINT64_MAX;
	poll->local = *local;
	poll->is_covered = is_covered;
	poll->now = now;
	due = run_reading(poll, now);
	due = sma_earlier(due, change_hold_settle(&poll->hold, is_covered, now));
	return sma_earlier(due, run_counters(poll, now));
}

void change_poll_heard(struct change_poll *poll, unsigned trap, uint64_t now)
{
	change_hold_heard(&poll->hold, trap, now);
}

bool change_poll_wants_check(struct change_poll *poll)
{
	bool wants_check = poll->hold.wants_check;

	poll->hold.wants_check = false;
	return wants_check;
}

void change_poll_flush(struct change_poll *poll)
{
	change_hold_flush(&poll->hold);
}
