// SPDX-License-Identifier: BSD-2-Clause
/* The one handler: requests of Net-SNMP's agent to answers of the tree, now or later. */
#include <errno.h>
#include <stdlib.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/agent/agent_sysORTable.h>

#include "mib/mib.h"
#include "mib/sma_mib_gen.h"
#include "mib/tree.h"

enum { MAX_BELOW = MAX_OID_LEN };

/* A varbind that waits for blocks. */
struct waiting {
	struct waiting *next;
	netsnmp_delegated_cache *cache;
	struct sma_key key; /* the block it waits for next */
	uint64_t since;
	unsigned step; /* of the table `steps` that was reached */
};

struct mib {
	struct sma_node *node;
	struct mib_config config;
	netsnmp_handler_registration *registration;
	struct waiting *waiting;
};

static const oid base[] = {SMA_MIB_OID};

/* ---- one varbind ---- */

/* Rebuild the sub-identifiers below ibSmaMIB. An OID before it, or that is the base itself, has none. */
static size_t below_base(const netsnmp_variable_list *varbind, uint32_t *subid)
{
	size_t length = 0;

	if (snmp_oidtree_compare(varbind->name, varbind->name_length, base, OID_LENGTH(base)) != 0)
		return 0;
	for (size_t i = OID_LENGTH(base); i < varbind->name_length; i++)
		subid[length++] = (uint32_t)varbind->name[i];
	return length;
}

static void set_name(netsnmp_variable_list *varbind, const struct mib_answer *answer)
{
	oid name[OID_LENGTH(base) + MIB_MAX_SUBIDS + MIB_MAX_LEVELS];

	memcpy(name, base, sizeof(base));
	for (size_t i = 0; i < answer->length; i++)
		name[OID_LENGTH(base) + i] = answer->subid[i];
	snmp_set_var_objid(varbind, name, OID_LENGTH(base) + answer->length);
}

static void set_value(netsnmp_variable_list *varbind, const struct mib_answer *answer)
{
	const struct mib_object *object = answer->object;

	if (object->type == ASN_OCTET_STR)
		snmp_set_var_typed_value(varbind, object->type, answer->value.octets, answer->value.length);
	else
		snmp_set_var_typed_integer(varbind, object->type, (long)answer->value.number);
}

/* The answer to a varbind, under the reader's patience. -EAGAIN: it has to wait for reader->waits_for. */
static int answer_varbind(struct mib *mib, netsnmp_agent_request_info *reqinfo, netsnmp_request_info *request,
                          struct sma_reader *reader)
{
	const struct mib_question question = {
		.reader = reader, .window = mib->config.window, .expose_keys = mib->config.expose_keys};
	netsnmp_variable_list *varbind = request->requestvb;
	uint32_t subid[MAX_BELOW];
	size_t length = below_base(varbind, subid);
	struct mib_answer answer;
	int rc;

	rc = reqinfo->mode == MODE_GET ? tree_get(&question, subid, length, &answer)
	                               : tree_next(&question, subid, length, &answer);
	if (rc == -EAGAIN)
		return rc;
	if (rc == 0 && reqinfo->mode == MODE_GETNEXT)
		set_name(varbind, &answer);
	if (rc == 0)
		set_value(varbind, &answer);
	else if (reqinfo->mode == MODE_GET)
		netsnmp_set_request_error(reqinfo, request,
		                          rc == -ENXIO ? SNMP_NOSUCHOBJECT : SNMP_NOSUCHINSTANCE);
	return 0; /* a GETNEXT without successor is left as it is: the agent goes on behind this MIB */
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
	if (answer_varbind(mib, cache->reqinfo, cache->requests, &reader) == -EAGAIN) {
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

static void block_came(void *arg, const struct sma_key *key)
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
static int delegate(struct mib *mib, netsnmp_agent_request_info *reqinfo, netsnmp_request_info *request,
                    const struct sma_reader *reader)
{
	struct waiting *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->cache = netsnmp_create_delegated_cache(mib->registration->handler, mib->registration, reqinfo,
	                                          request, mib);
	if (!w->cache) {
		free(w);
		return -ENOMEM;
	}
	w->key = reader->waits_for;
	w->since = reader->now;
	request->delegated = 1;
	w->next = mib->waiting;
	mib->waiting = w;
	return 0;
}

/* ---- registration ---- */

static int handle(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
                  netsnmp_agent_request_info *reqinfo, netsnmp_request_info *requests)
{
	struct mib *mib = handler->myvoid;
	uint64_t now = mib->config.clock();

	(void)registration;
	for (netsnmp_request_info *r = requests; r; r = r->next) {
		struct sma_reader reader = {.node = mib->node, .now = now, .since = now};

		if (r->processed || answer_varbind(mib, reqinfo, r, &reader) == 0)
			continue;
		if (delegate(mib, reqinfo, r, &reader) < 0)
			netsnmp_set_request_error(reqinfo, r, SNMP_ERR_GENERR);
	}
	return SNMP_ERR_NOERROR;
}

static int register_tree(struct mib *mib)
{
	netsnmp_handler_registration *registration = netsnmp_create_handler_registration(
		"ibSmaMIB", handle, base, OID_LENGTH(base), HANDLER_CAN_RONLY);

	if (!registration)
		return -ENOMEM;
	registration->handler->myvoid = mib;
	if (mib->config.context[0])
		registration->contextName = strdup(mib->config.context);
	/* a refused registration is freed by the library */
	if (netsnmp_register_handler(registration) != MIB_REGISTERED_OK)
		return -EEXIST;
	mib->registration = registration;
	return 0;
}

int mib_open(struct sma_node *node, const struct mib_config *config, struct mib **mib_out)
{
	struct mib *mib = calloc(1, sizeof(*mib));
	int rc;

	if (!mib)
		return -ENOMEM;
	mib->node = node;
	mib->config = *config;
	rc = register_tree(mib);
	if (rc < 0) {
		free(mib);
		return rc;
	}
	register_sysORTable((oid *)base, OID_LENGTH(base),
	                    "The Subnet Management Agent of an InfiniBand node");
	sma_node_listen(node, block_came, mib);
	*mib_out = mib;
	return 0;
}

void mib_expose_keys(struct mib *mib, bool expose)
{
	mib->config.expose_keys = expose;
}

void mib_close(struct mib *mib)
{
	if (!mib)
		return;
	sma_node_listen(mib->node, NULL, NULL);
	while (mib->waiting)
		forget(&mib->waiting);
	unregister_sysORTable((oid *)base, OID_LENGTH(base));
	netsnmp_unregister_handler(mib->registration);
	free(mib);
}
