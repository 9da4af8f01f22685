// SPDX-License-Identifier: BSD-2-Clause
/* The modules that are registered: for each node that is shown, and once for the daemon. */
#include <errno.h>
#include <stdlib.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/agent/agent_sysORTable.h>

#include "mib/dm/dm_mib_gen.h"
#include "mib/handler.h"
#include "mib/ibsmad/ibsmad_mib_gen.h"
#include "mib/sma/sma_mib_gen.h"

static int register_part(struct part *part, const char *context, const char *title)
{
	const struct mib_module *module = part->module;
	netsnmp_handler_registration *registration = netsnmp_create_handler_registration(
		module->name, handler_handle, module->oid, module->length, HANDLER_CAN_RONLY);

	if (!registration)
		return -ENOMEM;
	registration->handler->myvoid = part;
	if (context[0] && !(registration->contextName = strdup(context))) {
		netsnmp_handler_registration_free(registration);
		return -ENOMEM;
	}
	/* a refused registration is freed by the library */
	if (netsnmp_register_handler(registration) != MIB_REGISTERED_OK)
		return -EEXIST;
	part->registration = registration;
	/* sysORTable is that of the default context */
	if (!context[0])
		register_sysORTable((oid *)module->oid, module->length, title);
	return 0;
}

/* With what is known here instead of netsnmp_unregister_handler, which reads the registration once that is
 * freed: by itself, or before if the agent library was shut down meanwhile. */
static void unregister_part(struct part *part, const char *context)
{
	const struct mib_module *module = part->module;

	if (!part->registration)
		return;
	handler_forget(part);
	if (!context[0])
		unregister_sysORTable((oid *)module->oid, module->length);
	unregister_mib_context((oid *)module->oid, module->length, DEFAULT_MIB_PRIORITY, 0, 0,
	                       context[0] ? context : NULL);
}

/* ---- the daemon ---- */

int mib_open(const struct mib_config *config, struct mib **mib_out)
{
	struct mib *mib = calloc(1, sizeof(*mib));
	int rc = 0;

	if (!mib)
		return -ENOMEM;
	mib->config = *config;
	mib->due = UINT64_MAX;
	mib->part = (struct part){.mib = mib, .module = &ibsmad_mib_module};
	TAILQ_INIT(&mib->shown);
	TAILQ_INIT(&mib->waiting);
	if (config->daemon)
		rc = register_part(&mib->part, "", "The state of ibsmad itself");
	if (rc < 0)
		free(mib);
	else
		*mib_out = mib;
	return rc;
}

void mib_close(struct mib *mib)
{
	struct mib_shown *shown;

	if (!mib)
		return;
	while ((shown = TAILQ_FIRST(&mib->shown))) {
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what was freed is not in the list any more */
		mib_hide(shown);
	}
	unregister_part(&mib->part, "");
	free(mib);
}

/* ---- nodes ---- */

static const struct {
	const struct mib_module *module;
	const char *title; /* in sysORTable */
	unsigned (*turn)(const struct sma_node *node);
} of_nodes[PART_COUNT] = {
	[PART_SMA] = {&sma_mib_module, "The Subnet Management Agent of an InfiniBand node", NULL},
	[PART_DM] = {&dm_mib_module, "The I/O unit of an InfiniBand node", sma_dm_turn},
};

static void hide_parts(struct mib_shown *shown)
{
	for (unsigned i = 0; i < PART_COUNT; i++)
		unregister_part(&shown->parts[i], shown->context);
	free(shown->context);
	free(shown);
}

static int show_parts(struct mib_shown *shown, struct sma_node *node)
{
	int rc = shown->context ? 0 : -ENOMEM;

	for (unsigned i = 0; rc == 0 && i < PART_COUNT; i++) {
		shown->parts[i] = (struct part){.mib = shown->mib,
		                                .node = node,
		                                .module = of_nodes[i].module,
		                                .turn = of_nodes[i].turn};
		rc = register_part(&shown->parts[i], shown->context, of_nodes[i].title);
	}
	return rc;
}

int mib_show(struct mib *mib, struct sma_node *node, const char *context, struct mib_shown **shown_out)
{
	struct mib_shown *shown = calloc(1, sizeof(*shown));
	int rc;

	if (!shown)
		return -ENOMEM;
	shown->mib = mib;
	shown->context = strdup(context);
	rc = show_parts(shown, node);
	if (rc < 0) {
		hide_parts(shown);
		return rc;
	}
	sma_node_listen(node, handler_take_block, shown);
	TAILQ_INSERT_TAIL(&mib->shown, shown, link);
	if (shown_out)
		*shown_out = shown;
	return 0;
}

void mib_hide(struct mib_shown *shown)
{
	sma_node_listen(shown->parts[0].node, NULL, NULL);
	TAILQ_REMOVE(&shown->mib->shown, shown, link);
	hide_parts(shown);
}

/* ---- all of them ---- */

int mib_subtrees(const struct mib *mib, mib_serve *serve)
{
	const struct mib_shown *shown;
	int rc = 0;

	TAILQ_FOREACH (shown, &mib->shown, link) {
		for (unsigned i = 0; rc == 0 && i < PART_COUNT; i++)
			rc = serve(shown->context, shown->parts[i].module->oid,
			           shown->parts[i].module->length);
	}
	if (rc == 0 && mib->part.registration)
		rc = serve("", mib->part.module->oid, mib->part.module->length);
	return rc;
}

void mib_count(const struct mib *mib, struct mib_counters *counters)
{
	const struct mib_shown *shown;

	*counters = (struct mib_counters){0};
	TAILQ_FOREACH (shown, &mib->shown, link) {
		for (unsigned i = 0; i < PART_COUNT; i++) {
			counters->hits += shown->parts[i].counters.hits;
			counters->misses += shown->parts[i].counters.misses;
		}
	}
}

void mib_expose_keys(struct mib *mib, bool expose)
{
	mib->config.expose_keys = expose;
}
