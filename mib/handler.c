// SPDX-License-Identifier: BSD-2-Clause
/* The one handler: requests of Net-SNMP's agent to answers of the tree, now or later. */
#include <errno.h>
#include <stdlib.h>

#include "mib/handler.h"
#include "mib/tree.h"

enum { MAX_BELOW = MAX_OID_LEN };

/* A varbind that waits for blocks. */
struct waiting {
	struct waiting *next;
	struct part *part;
	netsnmp_delegated_cache *cache;
	struct sma_key key; /* the block it waits for next */
	uint64_t since;
	unsigned step; /* of the table `steps` that was reached */
};

/* ---- one varbind ---- */

/* Rebuild the sub-identifiers below the base. An OID before it, or that is the base itself, has none. */
static size_t below_base(const struct mib_module *module, const netsnmp_variable_list *varbind,
                         uint32_t *subid)
{
	size_t length = 0;

	if (snmp_oidtree_compare(varbind->name, varbind->name_length, module->oid, module->length) != 0)
		return 0;
	for (size_t i = module->length; i < varbind->name_length; i++)
		subid[length++] = (uint32_t)varbind->name[i];
	return length;
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
	const struct mib_object *object = answer->object;

	if (object->type == ASN_OCTET_STR)
		snmp_set_var_typed_value(varbind, object->type, answer->value.octets, answer->value.length);
	else
		snmp_set_var_typed_integer(varbind, object->type, (long)answer->value.number);
}

/* The answer to a varbind, under the reader's patience. 0: a value; -EAGAIN: it has to wait for
 * reader->waits_for; otherwise it was answered that there is none. */
static int answer_varbind(const struct part *part, netsnmp_agent_request_info *reqinfo,
                          netsnmp_request_info *request, struct sma_reader *reader)
{
	const struct mib_question question = {.module = part->module,
	                                      .reader = reader,
	                                      .daemon = &part->mib->daemon,
	                                      .window = part->mib->config.window,
	                                      .expose_keys = part->mib->config.expose_keys};
	netsnmp_variable_list *varbind = request->requestvb;
	uint32_t subid[MAX_BELOW];
	size_t length = below_base(part->module, varbind, subid);
	struct mib_answer answer;
	int rc;

	rc = reqinfo->mode == MODE_GET ? tree_get(&question, subid, length, &answer)
	                               : tree_next(&question, subid, length, &answer);
	if (rc == 0 && reqinfo->mode == MODE_GETNEXT)
		set_name(part->module, varbind, &answer);
	if (rc == 0)
		set_value(varbind, &answer);
	else if (rc != -EAGAIN && reqinfo->mode == MODE_GET)
		netsnmp_set_request_error(reqinfo, request,
		                          rc == -ENXIO ? SNMP_NOSUCHOBJECT : SNMP_NOSUCHINSTANCE);
	return rc; /* a GETNEXT without successor is left as it is: the agent goes on behind this MIB */
}

/* ---- waiting ---- */

/* How patience wears off. */
static const struct {
	unsigned after_ms;
	enum sma_patience patience;
} steps[] = {
	{0, SMA_FRESH},
	{MIB_STALE_MS, SMA_STALE},
	{MIB_SKIP_MS, SMA_SKIP},
	{MIB_ANSWER_MS, SMA_FINAL},
};

enum { LAST_STEP = sizeof(steps) / sizeof(steps[0]) - 1 };

static uint64_t next_due(const struct waiting *w)
{
	return w->since + steps[w->step + 1].after_ms;
}

/* Evaluate a waiting varbind again. Whether it need not wait any more. */
static bool resume(struct mib *mib, struct waiting *w, uint64_t now)
{
	struct sma_reader reader = {.node = mib->node, .now = now, .since = w->since};
	netsnmp_delegated_cache *cache = netsnmp_handler_check_cache(w->cache);

	while (w->step < LAST_STEP && next_due(w) <= now)
		w->step++;
	reader.patience = steps[w->step].patience;
	if (!cache)
		return true;
	if (answer_varbind(w->part, cache->reqinfo, cache->requests, &reader) == -EAGAIN) {
		w->key = reader.waits_for;
		return false;
	}
	cache->requests->delegated = 0;
	return true;
}

static void forget(struct waiting **link)
{
	struct waiting *w = *link;

	*link = w->next;
	netsnmp_free_delegated_cache(w->cache);
	free(w);
}

static bool is_due(const struct waiting *w, const struct sma_key *key, uint64_t now)
{
	if (key)
		return w->key.attr == key->attr && w->key.port == key->port &&
		       w->key.modifier == key->modifier;
	return next_due(w) <= now;
}

/* Resume what waits for the block `key`; without a key, what has waited long enough. */
static void resume_due(struct mib *mib, const struct sma_key *key, uint64_t now)
{
	struct waiting **link = &mib->waiting;

	while (*link) {
		if (is_due(*link, key, now) && resume(mib, *link, now))
			forget(link);
		else
			link = &(*link)->next;
	}
}

void handler_take_block(void *arg, const struct sma_key *key)
{
	struct mib *mib = arg;

	resume_due(mib, key, mib->config.clock());
}

uint64_t mib_run(struct mib *mib, uint64_t now)
{
	uint64_t due = UINT64_MAX;

	resume_due(mib, NULL, now);
	for (const struct waiting *w = mib->waiting; w; w = w->next) {
		if (next_due(w) < due)
			due = next_due(w);
	}
	return due;
}

/* Keep a varbind until the block it waits for has come. */
static int delegate(struct part *part, netsnmp_agent_request_info *reqinfo, netsnmp_request_info *request,
                    const struct sma_reader *reader)
{
	struct mib *mib = part->mib;
	struct waiting *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->cache = netsnmp_create_delegated_cache(part->registration->handler, part->registration, reqinfo,
	                                          request, mib);
	if (!w->cache) {
		free(w);
		return -ENOMEM;
	}
	w->part = part;
	w->key = reader->waits_for;
	w->since = reader->now;
	request->delegated = 1;
	w->next = mib->waiting;
	mib->waiting = w;
	return 0;
}

void handler_forget(struct mib *mib)
{
	while (mib->waiting)
		forget(&mib->waiting);
}

/* ---- requests ---- */

static void answer_or_delegate(struct part *part, netsnmp_agent_request_info *reqinfo,
                               netsnmp_request_info *request, uint64_t now)
{
	struct sma_reader reader = {.node = part->mib->node, .now = now, .since = now};
	int rc = answer_varbind(part, reqinfo, request, &reader);

	part->counters.hits += rc == 0;
	if (rc != -EAGAIN)
		return;
	part->counters.misses++;
	if (delegate(part, reqinfo, request, &reader) < 0)
		netsnmp_set_request_error(reqinfo, request, SNMP_ERR_GENERR);
}

int handler_handle(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
                   netsnmp_agent_request_info *reqinfo, netsnmp_request_info *requests)
{
	struct part *part = handler->myvoid;
	struct mib *mib = part->mib;
	uint64_t now = mib->config.clock();

	(void)registration;
	if (part == &mib->parts[PART_DAEMON])
		mib->config.daemon(mib->config.daemon_arg, &mib->daemon);
	for (netsnmp_request_info *r = requests; r; r = r->next) {
		if (!r->processed)
			answer_or_delegate(part, reqinfo, r, now);
	}
	return SNMP_ERR_NOERROR;
}
