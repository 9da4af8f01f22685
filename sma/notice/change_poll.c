// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/notice/change_poll.h"
#include "sma/notice/counter_poll.h"

enum {
	OUTSTANDING = 4,     /* SMPs at once, as others want to read as well */
	LIMIT_MS = 5 * 1000, /* a reading may take so long, or the interval where that is longer */
	HOLD_MS = 5 * 1000,  /* longer than it takes to find out that a subscription is not in force */
	TEXT_SIZE = 128,
};

/* What is looked at: these three, and the PortState of each data port. */
enum {
	ITEM_MASK,
	ITEM_GUID,
	ITEM_CHANGE, /* only a switch has this and those to come */
	ITEM_STATE,  /* of port 1 */
	ITEM_COUNT = ITEM_STATE + SMA_MAX_PORTS,
};

struct item {
	bool known;
	uint64_t value;
};

/* The traps that another source may tell of. */
static const unsigned shared_traps[] = {SMA_TRAP_LINK_STATE, SMA_TRAP_CAPABILITY, SMA_TRAP_SYSTEM_GUID};

enum { SHARED_COUNT = sizeof(shared_traps) / sizeof(shared_traps[0]) };

/* What is known of a trap that another source may tell of. */
struct shared {
	uint64_t heard; /* when it told of it last; 0: never */
	bool held;      /* a change is; the rest is about it */
	uint64_t from;  /* it is told of by what was heard since */
	uint64_t until;
	uint8_t notice[SMA_BLOCK_SIZE];
	char text[TEXT_SIZE];
};

struct change_poll {
	struct sma_node *node;
	unsigned interval_ms;
	notice_found *found;
	void *arg;
	struct counter_poll *counters; /* NULL: not used */
	unsigned qp1_port;
	struct local_port local;
	unsigned data_ports; /* of a switch */
	bool reading;
	uint64_t since;    /* the reading's begin */
	uint64_t seen_all; /* when it had all items, with changes; 0: not yet */
	uint64_t before;   /* the begin of the one before */
	uint64_t next;     /* when the next one begins */
	struct item lid;   /* for notices of the reading */
	struct item seen[ITEM_COUNT];
	struct item base[ITEM_COUNT]; /* the values to compare with */
	struct shared shared[SHARED_COUNT];
	bool covered; /* another source tells of the shared traps */
	bool doubts;
	uint64_t now; /* of the current change_poll_run */
};

/* ---- notices ---- */

static uint16_t lid_of(const struct change_poll *poll)
{
	return poll->lid.known ? local_port_lid(poll->lid.value) : poll->local.lid;
}

static void build(const struct change_poll *poll, uint8_t notice[SMA_BLOCK_SIZE], unsigned trap, uint16_t lid)
{
	notice_build(notice, trap, poll->local.type, lid);
	notice_set(notice, NOTICE_LIDADDR, lid);
}

static void publish(const struct change_poll *poll, const uint8_t notice[SMA_BLOCK_SIZE], const char *how,
                    const char *text)
{
	unsigned trap = notice_trap(notice);

	sma_log(SMA_LOG_INFO, "poll", "seen by polling%s: %s (trap %u): %s", how, notice_name(trap), trap,
	        text);
	poll->found(poll->arg, SMA_NOTICE_POLL, notice, SMA_BLOCK_SIZE, poll->local.gid, 0);
}

/* SHARED_COUNT: no other source tells of the trap. */
static unsigned shared_index(unsigned trap)
{
	unsigned i = 0;

	while (i < SHARED_COUNT && shared_traps[i] != trap)
		i++;
	return i;
}

static bool is_heard(const struct shared *shared)
{
	return shared->heard >= shared->from;
}

/* Takes the place of a change that is held, which nothing has told of if it keeps its time. */
static void hold(struct change_poll *poll, struct shared *shared, const uint8_t notice[SMA_BLOCK_SIZE],
                 const char *text)
{
	if (!shared->held || is_heard(shared)) {
		shared->from = poll->before;
		shared->until = poll->now + HOLD_MS;
	}
	shared->held = true;
	memcpy(shared->notice, notice, SMA_BLOCK_SIZE);
	snprintf(shared->text, sizeof(shared->text), "%s", text);
	poll->doubts = true;
}

__attribute__((format(printf, 3, 4))) static void
tell(struct change_poll *poll, const uint8_t notice[SMA_BLOCK_SIZE], const char *format, ...)
{
	unsigned i = shared_index(notice_trap(notice));
	char text[TEXT_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (i < SHARED_COUNT && (poll->covered || poll->shared[i].heard >= poll->before))
		hold(poll, &poll->shared[i], notice, text);
	else
		publish(poll, notice, "", text);
}

static void release(const struct change_poll *poll, struct shared *shared)
{
	shared->held = false;
	publish(poll, shared->notice, is_heard(shared) ? "" : ", and not told of otherwise", shared->text);
}

/* What was heard goes with a source that is in force; else it may have been about an earlier change. */
static uint64_t settle(struct change_poll *poll)
{
	uint64_t due = UINT64_MAX;

	for (unsigned i = 0; i < SHARED_COUNT; i++) {
		struct shared *shared = &poll->shared[i];

		if (!shared->held)
			continue;
		if (poll->now < shared->until && (poll->covered || is_heard(shared)))
			due = shared->until < due ? shared->until : due;
		else if (poll->covered && is_heard(shared))
			shared->held = false;
		else
			release(poll, shared);
	}
	return due;
}

static void tell_growth(void *arg, unsigned trap, unsigned port, unsigned from, unsigned to)
{
	struct change_poll *poll = arg;
	uint8_t notice[SMA_BLOCK_SIZE];

	build(poll, notice, trap, poll->local.lid); /* with which the counters were asked for */
	notice_set(notice, NOTICE_PORTNO, port);
	tell(poll, notice, "the counter of port %u went from %u to %u", port, from, to);
}

/* ---- what has changed ---- */

static bool has_changed(const struct change_poll *poll, unsigned item)
{
	const struct item *base = &poll->base[item];
	const struct item *seen = &poll->seen[item];

	return base->known && seen->known && base->value != seen->value;
}

static void check_mask(struct change_poll *poll)
{
	uint32_t mask = (uint32_t)poll->seen[ITEM_MASK].value;
	uint8_t notice[SMA_BLOCK_SIZE];

	if (!has_changed(poll, ITEM_MASK))
		return;
	build(poll, notice, SMA_TRAP_CAPABILITY, lid_of(poll));
	notice_set(notice, NOTICE_CAPABILITYMASK, mask);
	tell(poll, notice, "0x%08" PRIx32 ", was 0x%08" PRIx32, mask, (uint32_t)poll->base[ITEM_MASK].value);
}

static void check_guid(struct change_poll *poll)
{
	uint64_t guid = poll->seen[ITEM_GUID].value;
	uint8_t notice[SMA_BLOCK_SIZE];

	if (!has_changed(poll, ITEM_GUID))
		return;
	build(poll, notice, SMA_TRAP_SYSTEM_GUID, lid_of(poll));
	notice_set(notice, NOTICE_SYSTEMIMAGEGUID, guid);
	tell(poll, notice, "0x%016" PRIx64 ", was 0x%016" PRIx64, guid, poll->base[ITEM_GUID].value);
}

/* Trap 128 tells of links, not of the way from Initialize by Armed to Active, on which the SM takes a port; a
 * port that is further back on it was down meanwhile. */
static bool link_has_changed(const struct change_poll *poll, unsigned item)
{
	uint64_t was = poll->base[item].value;
	uint64_t is = poll->seen[item].value;

	return has_changed(poll, item) && (was == SMA_PORT_DOWN || is < was);
}

/* A notice for all ports, as it does not say which of them it is about. */
static void check_links(struct change_poll *poll)
{
	bool flagged = has_changed(poll, ITEM_CHANGE) && poll->seen[ITEM_CHANGE].value;
	uint8_t notice[SMA_BLOCK_SIZE];
	unsigned changes = 0;
	unsigned first = 0;

	for (unsigned port = poll->data_ports; port > 0; port--) {
		if (!link_has_changed(poll, ITEM_STATE + port - 1))
			continue;
		changes++;
		first = port;
	}
	if (!changes && !flagged)
		return;
	build(poll, notice, SMA_TRAP_LINK_STATE, lid_of(poll));
	if (changes)
		tell(poll, notice, "PortState of port %u is %u, was %u; ports that changed: %u", first,
		     (unsigned)poll->seen[ITEM_STATE + first - 1].value,
		     (unsigned)poll->base[ITEM_STATE + first - 1].value, changes);
	else
		tell(poll, notice, "PortStateChange was set");
}

static void adopt(struct change_poll *poll)
{
	for (unsigned i = 0; i < ITEM_COUNT; i++) {
		if (poll->seen[i].known)
			poll->base[i] = poll->seen[i];
	}
}

/* ---- reading ---- */

static enum sma_component component_of(unsigned item)
{
	static const enum sma_component components[] = {
		[ITEM_MASK] = SMA_PortInfo_CapabilityMask,
		[ITEM_GUID] = SMA_NodeInfo_SystemImageGUID,
		[ITEM_CHANGE] = SMA_SwitchInfo_PortStateChange,
		[ITEM_STATE] = SMA_PortInfo_PortState,
	};

	return components[item < ITEM_STATE ? item : ITEM_STATE];
}

static struct sma_key key_of(const struct change_poll *poll, unsigned item)
{
	enum sma_attr attr = sma_component_attr(component_of(item));

	if (attr != SMA_PortInfo)
		return sma_key_node(poll->node, attr);
	return sma_key_port(poll->node, item < ITEM_STATE ? 0 : item - ITEM_STATE + 1);
}

/* False: it has to be waited for. What has been seen does not grow old within a reading. NodeInfo hardly ever
 * changes: its cache time will do. */
static bool read_item(struct change_poll *poll, struct sma_reader *reader, unsigned item)
{
	struct sma_key key = key_of(poll, item);
	struct item *seen = &poll->seen[item];
	int rc = 0;

	reader->force_refresh = key.attr != SMA_NodeInfo;
	if (!seen->known)
		rc = sma_read(reader, &key, component_of(item), &seen->value);
	seen->known = rc == 0;
	return rc != -EAGAIN && rc != -EBUSY;
}

/* The number of items of the node, by the NodeInfo that also has the GUID. */
static unsigned count_items(struct change_poll *poll, struct sma_reader *reader)
{
	unsigned ports;

	if (!sma_is_switch(poll->node))
		return ITEM_CHANGE;
	if (!poll->seen[ITEM_GUID].known && sma_port_count(reader, &ports) == 0)
		poll->data_ports = ports;
	return ITEM_STATE + poll->data_ports;
}

/* False: something has to be waited for. */
static bool read_items(struct change_poll *poll, uint64_t now)
{
	struct sma_reader reader = {.node = poll->node,
	                            .now = now,
	                            .since = poll->since,
	                            .unsolicited = true,
	                            .patience = SMA_FRESH,
	                            .budget = OUTSTANDING};
	unsigned count = count_items(poll, &reader);
	unsigned missing = 0;

	for (unsigned i = 0; i < count && missing < OUTSTANDING; i++)
		missing += !read_item(poll, &reader, i);
	return !reader.missed;
}

static bool sees_changes(const struct change_poll *poll)
{
	unsigned i = 0;

	while (i < ITEM_COUNT && !has_changed(poll, i))
		i++;
	return i < ITEM_COUNT;
}

/* The LID for notices, when all is seen that they tell of: the facts may be of a time before the port had
 * one. False: it has to be waited for. */
static bool read_lid(struct change_poll *poll, uint64_t now)
{
	struct sma_key key = sma_key_port(poll->node, 0);
	struct sma_reader reader = {
		.node = poll->node, .now = now, .force_refresh = true, .patience = SMA_FRESH, .budget = 1};

	if (!sees_changes(poll))
		return true;
	if (!poll->seen_all)
		poll->seen_all = now;
	reader.since = poll->seen_all;
	poll->lid.known = sma_read(&reader, &key, SMA_PortInfo_LID, &poll->lid.value) == 0;
	return !reader.missed;
}

static void begin(struct change_poll *poll, uint64_t now)
{
	memset(poll->seen, 0, sizeof(poll->seen));
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
	adopt(poll);
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
	if (!(read_items(poll, now) && read_lid(poll, now)) && now < limit)
		return limit;
	end(poll);
	return poll->next;
}

/* ---- the poll ---- */

struct change_poll *change_poll_new(struct sma_node *node, struct sma_qp1 *qp1, unsigned interval_ms,
                                    notice_found *found, void *arg)
{
	struct change_poll *poll = calloc(1, sizeof(*poll));

	if (!poll)
		return NULL;
	poll->node = node;
	poll->interval_ms = interval_ms;
	poll->found = found;
	poll->arg = arg;
	poll->qp1_port = qp1 ? qp1->port : 0;
	if (qp1)
		poll->counters = counter_poll_new(qp1, interval_ms, tell_growth, poll);
	if (qp1 && !poll->counters) {
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

bool change_poll_take(struct change_poll *poll, const struct sma_mail *mail, uint64_t now)
{
	(void)now;
	return poll->counters && counter_poll_take(poll->counters, mail);
}

/* A switch counts at its data ports, a CA or router at the port that is asked. */
static uint64_t run_counters(struct change_poll *poll, uint64_t now)
{
	if (!poll->counters)
		return UINT64_MAX;
	if (sma_is_switch(poll->node))
		return counter_poll_run(poll->counters, &poll->local, 1, poll->data_ports, now);
	return counter_poll_run(poll->counters, &poll->local, poll->qp1_port, poll->qp1_port, now);
}

uint64_t change_poll_run(struct change_poll *poll, const struct local_port *local, bool covered, uint64_t now)
{
	uint64_t reading;
	uint64_t held;
	uint64_t counters;

	if (!local->known)
		return UINT64_MAX;
	poll->local = *local;
	poll->covered = covered;
	poll->now = now;
	reading = run_reading(poll, now);
	held = settle(poll);
	counters = run_counters(poll, now);
	reading = held < reading ? held : reading;
	return reading < counters ? reading : counters;
}

void change_poll_heard(struct change_poll *poll, unsigned trap, uint64_t now)
{
	unsigned i = shared_index(trap);

	if (i < SHARED_COUNT)
		poll->shared[i].heard = now;
}

bool change_poll_wants_check(struct change_poll *poll)
{
	bool doubts = poll->doubts;

	poll->doubts = false;
	return doubts;
}

void change_poll_flush(struct change_poll *poll)
{
	for (unsigned i = 0; i < SHARED_COUNT; i++) {
		if (poll->shared[i].held && !is_heard(&poll->shared[i]))
			release(poll, &poll->shared[i]);
	}
}
