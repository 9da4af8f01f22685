// SPDX-License-Identifier: BSD-2-Clause
/* The one handler: requests of Net-SNMP's agent to answers of the tree, now or later. */
#include <errno.h>
#include <stdlib.h>

#include "mib/encode.h"
#include "mib/handler.h"
#include "mib/tree.h"
#include "sma/clock.h"

enum { MAX_BELOW = MAX_OID_LEN };

/* Where the search for a varbind's instance continues: an OID below the base. */
struct place {
	uint32_t subid[MAX_BELOW];
	size_t length;
	bool entered; /* as in struct mib_answer */
	bool ahead;   /* as in struct mib_question */
};

/* A varbind that waits for blocks. */
struct waiting {
	TAILQ_ENTRY(waiting) link;
	struct part *part;
	netsnmp_delegated_cache *cache;
	struct sma_key key; /* the block it waits for next */
	struct place place;
	uint64_t since;
	unsigned step; /* of the table `steps` that was reached */
};

/* ---- one varbind ---- */

/* Rebuild the sub-identifiers below the base. An OID before it, or that is the base itself, has none. */
static void place_begin(struct place *place, const struct mib_module *module,
                        const netsnmp_variable_list *varbind)
{
	place->length = 0;
	place->entered = false;
	place->ahead = false;
	if (snmp_oidtree_compare(varbind->name, varbind->name_length, module->oid, module->length) != 0)
		return;
	for (size_t i = module->length; i < varbind->name_length; i++)
		place->subid[place->length++] = (uint32_t)varbind->name[i];
}

static void place_advance(struct place *place, const struct mib_answer *answer)
{
	memcpy(place->subid, answer->subid, answer->length * sizeof(*answer->subid));
	place->length = answer->length;
	place->entered = answer->entered;
}

static void set_name(const struct mib_module *module, netsnmp_variable_list *varbind,
                     const struct mib_answer *answer)
{
	oid name[MAX_OID_LEN];

	memcpy(name, module->oid, module->length * sizeof(*name));
	for (size_t i = 0; i < answer->length; i++)
		name[module->length + i] = answer->subid[i];
	snmp_set_var_objid(varbind, name, module->length + answer->length);
}

static void set_value(netsnmp_variable_list *varbind, const struct mib_answer *answer)
{
	union encode_room room;
	size_t size;
	const void *data = encode_value(answer->object, &answer->value, &room, &size);

	snmp_set_var_typed_value(varbind, answer->object->type, data, size);
}

static int search(const struct part *part, bool get, struct sma_reader *reader, struct place *place,
                  struct mib_answer *answer)
{
	const struct mib_question question = {.module = part->module,
	                                      .reader = reader,
	                                      .daemon = &part->mib->daemon,
	                                      .window = part->mib->config.window,
	                                      .entered = place->entered,
	                                      .ahead = place->ahead,
	                                      .expose_keys = part->mib->config.expose_keys};
	int rc;

	if (get)
		return tree_get(&question, place->subid, place->length, answer);
	rc = tree_next(&question, place->subid, place->length, answer);
	if (rc == -EAGAIN)
		place_advance(place, answer);
	return rc;
}

/* The turn of the node at the first answer to a PDU, kept with the PDU. Whether it is another one now. */
static bool is_torn(const struct part *part, netsnmp_agent_request_info *reqinfo)
{
	static const char name[] = "ibsmad turn";
	unsigned turn = part->turn ? part->turn(part->node) : 0;
	unsigned *first;

	if (!part->turn)
		return false;
	first = netsnmp_agent_get_list_data(reqinfo, name);
	if (first)
		return *first != turn;
	first = malloc(sizeof(*first));
	if (!first)
		return true;
	*first = turn;
	netsnmp_agent_add_list_data(reqinfo, netsnmp_create_data_list(name, first, free));
	return false;
}

/* The answer to a varbind, under the reader's patience. 0: a value; -EAGAIN: it has to wait for
 * reader->waits_for and to continue at `place`; otherwise it was answered that there is none, or it is not
 * known whether. */
static int answer_varbind(const struct part *part, netsnmp_agent_request_info *reqinfo,
                          netsnmp_request_info *request, struct sma_reader *reader, struct place *place)
{
	netsnmp_variable_list *varbind = request->requestvb;
	bool get = reqinfo->mode == MODE_GET;
	struct mib_answer answer;
	int rc = search(part, get, reader, place, &answer);

	if (rc != -EAGAIN && is_torn(part, reqinfo))
		rc = -ETIMEDOUT;
	if (rc == 0 && !get)
		set_name(part->module, varbind, &answer);
	if (rc == 0)
		set_value(varbind, &answer);
	else if (rc == -ETIMEDOUT)
		netsnmp_set_request_error(reqinfo, request, SNMP_ERR_GENERR);
	else if (rc != -EAGAIN && get)
		netsnmp_set_request_error(reqinfo, request,
		                          rc == -ENXIO ? SNMP_NOSUCHOBJECT : SNMP_NOSUCHINSTANCE);
	return rc; /* a GETNEXT without successor is left as it is: the agent continues behind this MIB */
}

/* ---- waiting ---- */

/* How patience wears off. The first block of a table that takes so long may not come at all, and there would
 * be no time left to request those behind it then. */
static const struct {
	unsigned after_ms;
	enum sma_patience patience;
	bool ahead;
} steps[] = {
	{0, SMA_FRESH, false},
	{MIB_STALE_MS, SMA_STALE, false},
	{MIB_AHEAD_MS, SMA_STALE, true},
	{MIB_ANSWER_MS, SMA_FINAL, true},
};

enum { LAST_STEP = sizeof(steps) / sizeof(steps[0]) - 1 };

static uint64_t next_due(const struct waiting *w)
{
	return w->since + steps[w->step + 1].after_ms;
}

/* Evaluate a waiting varbind again. Whether it need not wait any more. */
static bool resume(struct waiting *w, uint64_t now)
{
	struct sma_reader reader = {
		.node = w->part->node, .now = now, .since = w->since, .patience = steps[w->step].patience};
	netsnmp_delegated_cache *cache = netsnmp_handler_check_cache(w->cache);

	if (!cache)
		return true;
	w->place.ahead = steps[w->step].ahead;
	if (answer_varbind(w->part, cache->reqinfo, cache->requests, &reader, &w->place) == -EAGAIN) {
		w->key = reader.waits_for;
		return false;
	}
	cache->requests->delegated = 0;
	return true;
}

static void forget(struct mib *mib, struct waiting *w)
{
	TAILQ_REMOVE(&mib->waiting, w, link);
	netsnmp_free_delegated_cache(w->cache);
	free(w);
}

static void resume_or_forget(struct mib *mib, struct waiting *w, uint64_t now)
{
	if (!resume(w, now))
		return;
	forget(mib, w);
	/* at once, since of several that are complete the library would answer the latest first */
	netsnmp_check_outstanding_agent_requests();
}

/* How long it has waited does not matter here: other blocks may have come as well, and are to be taken first.
 */
void handler_take_block(void *arg, const struct sma_key *key)
{
	const struct mib_shown *shown = arg;
	struct mib *mib = shown->mib;
	uint64_t now = mib->config.clock();
	struct waiting *next;

	for (struct waiting *w = TAILQ_FIRST(&mib->waiting); w; w = next) {
		next = TAILQ_NEXT(w, link);
		if (w->part->node != shown->parts[0].node || !sma_key_is_same(&w->key, key))
			continue;
		/* it has passed the block with which it entered a table, or does so now */
		w->place.entered = false;
		resume_or_forget(mib, w, now);
	}
}

static void resume_due(struct mib *mib, uint64_t now)
{
	struct waiting *next;

	for (struct waiting *w = TAILQ_FIRST(&mib->waiting); w; w = next) {
		next = TAILQ_NEXT(w, link);
		if (next_due(w) > now)
			continue;
		while (w->step < LAST_STEP && next_due(w) <= now)
			w->step++;
		resume_or_forget(mib, w, now);
	}
}

/* After the process was stopped, what came meanwhile may be with those yet who receive it. */
static bool takes_grace(struct mib *mib, uint64_t now)
{
	if (now >= mib->due + SMA_STALL_MS && mib->due != UINT64_MAX && mib->due != mib->grace_until)
		mib->grace_until = now + SMA_GRACE_MS;
	return now < mib->grace_until;
}

uint64_t mib_run(struct mib *mib, uint64_t now)
{
	const struct waiting *w;

	if (takes_grace(mib, now))
		return mib->due = mib->grace_until;
	resume_due(mib, now);
	mib->due = UINT64_MAX;
	TAILQ_FOREACH (w, &mib->waiting, link) {
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what was freed is not in the list any more */
		if (next_due(w) < mib->due)
			mib->due = next_due(w);
	}
	return mib->due;
}

/* Keep a varbind until the block it waits for has come. */
static int delegate(struct part *part, netsnmp_handler_registration *registration,
                    netsnmp_agent_request_info *reqinfo, netsnmp_request_info *request,
                    const struct sma_reader *reader, const struct place *place)
{
	struct mib *mib = part->mib;
	struct waiting *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->cache = netsnmp_create_delegated_cache(registration->handler, registration, reqinfo, request, mib);
	if (!w->cache) {
		free(w);
		return -ENOMEM;
	}
	w->part = part;
	w->key = reader->waits_for;
	w->place = *place;
	w->since = reader->now;
	request->delegated = 1;
	TAILQ_INSERT_TAIL(&mib->waiting, w, link);
	return 0;
}

void handler_forget(struct mib *mib, const netsnmp_handler_registration *registration)
{
	struct waiting *next;

	for (struct waiting *w = TAILQ_FIRST(&mib->waiting); w; w = next) {
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): likewise */
		next = TAILQ_NEXT(w, link);
		if (w->cache->reginfo == registration)
			forget(mib, w);
	}
}

/* ---- requests ---- */

static void answer_or_delegate(struct part *part, netsnmp_handler_registration *registration,
                               netsnmp_agent_request_info *reqinfo, netsnmp_request_info *request,
                               uint64_t now)
{
	struct sma_reader reader = {.node = part->node, .now = now, .since = now};
	struct place place;
	int rc;

	place_begin(&place, part->module, request->requestvb);
	rc = answer_varbind(part, reqinfo, request, &reader, &place);
	part->counters.hits += rc == 0;
	if (rc != -EAGAIN)
		return;
	part->counters.misses++;
	if (delegate(part, registration, reqinfo, request, &reader, &place) < 0)
		netsnmp_set_request_error(reqinfo, request, SNMP_ERR_GENERR);
}

int handler_handle(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
                   netsnmp_agent_request_info *reqinfo, netsnmp_request_info *requests)
{
	struct part *part = handler->myvoid;
	struct mib *mib = part->mib;
	uint64_t now = mib->config.clock();

	if (part == &mib->part)
		mib->config.daemon(mib->config.daemon_arg, &mib->daemon);
	for (netsnmp_request_info *r = requests; r; r = r->next) {
		if (!r->processed)
			answer_or_delegate(part, registration, reqinfo, r, now);
	}
	return SNMP_ERR_NOERROR;
}
