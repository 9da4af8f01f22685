// SPDX-License-Identifier: BSD-2-Clause
/* The modules that are registered: for each node that is shown, and once for the daemon. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/agent/agent_sysORTable.h>

#include "mib/dm/dm_mib_gen.h"
#include "mib/handler.h"
#include "mib/ibsmad/ibsmad_mib_gen.h"
#include "mib/sma/sma_mib_gen.h"

/* Tell whoever has to serve a subtree behind AgentX, or no longer. */
static void report(const struct mib *mib, const struct mib_module *module, const char *context, bool on)
{
	if (mib->config.registered)
		mib->config.registered(mib->config.registered_arg, context, module->oid, module->length, on);
}

static int register_part(struct part *part, const char *context, const char *title,
                         netsnmp_handler_registration **registered)
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
	*registered = registration;
	/* sysORTable is that of the default context */
	if (!context[0])
		register_sysORTable((oid *)module->oid, module->length, title);
	report(part->mib, module, context, true);
	return 0;
}

/* With what is known here instead of netsnmp_unregister_handler, which reads the registration once that is
 * freed: by itself, or before if the agent library was shut down meanwhile. */
static void unregister_part(const struct part *part, const char *context,
                            netsnmp_handler_registration **registered)
{
	const struct mib_module *module = part->module;

	if (!*registered)
		return;
	handler_forget(part->mib, *registered);
	*registered = NULL;
	report(part->mib, module, context, false);
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
		rc = register_part(&mib->part, "", "The state of ibsmad itself", &mib->registration);
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
	unregister_part(&mib->part, "", &mib->registration);
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

int mib_show(struct mib *mib, struct sma_node *node, bool dm, struct mib_shown **shown_out)
{
	struct mib_shown *shown = calloc(1, sizeof(*shown));

	if (!shown)
		return -ENOMEM;
	shown->mib = mib;
	shown->has_dm = dm;
	STAILQ_INIT(&shown->contexts);
	for (unsigned i = 0; i < PART_COUNT; i++)
		shown->parts[i] = (struct part){
			.mib = mib, .node = node, .module = of_nodes[i].module, .turn = of_nodes[i].turn};
	sma_node_listen(node, handler_take_block, shown);
	TAILQ_INSERT_TAIL(&mib->shown, shown, link);
	*shown_out = shown;
	return 0;
}

static int register_in(struct mib_shown *shown, struct shown_context *context, unsigned part)
{
	if (context->registrations[part] || (part == PART_DM && !shown->has_dm))
		return 0;
	return register_part(&shown->parts[part], context->name, of_nodes[part].title,
	                     &context->registrations[part]);
}

static void unregister_from(struct mib_shown *shown, struct shown_context *context, unsigned part)
{
	unregister_part(&shown->parts[part], context->name, &context->registrations[part]);
}

static void free_context(struct mib_shown *shown, struct shown_context *context)
{
	for (unsigned i = 0; i < PART_COUNT; i++)
		unregister_from(shown, context, i);
	free(context);
}

int mib_show_dm(struct mib_shown *shown, bool dm)
{
	struct shown_context *context;
	int rc = 0;

	shown->has_dm = dm;
	STAILQ_FOREACH (context, &shown->contexts, link) {
		if (rc == 0 && dm)
			rc = register_in(shown, context, PART_DM);
		else if (!dm)
			unregister_from(shown, context, PART_DM);
	}
	return rc;
}

int mib_name(struct mib_shown *shown, const char *name)
{
	struct shown_context *context = calloc(1, sizeof(*context) + strlen(name) + 1);
	int rc = 0;

	if (!context)
		return -ENOMEM;
	memcpy(context->name, name, strlen(name) + 1);
	for (unsigned i = 0; rc == 0 && i < PART_COUNT; i++)
		rc = register_in(shown, context, i);
	if (rc < 0)
		free_context(shown, context);
	else
		STAILQ_INSERT_TAIL(&shown->contexts, context, link);
	return rc;
}

void mib_unname(struct mib_shown *shown, const char *name)
{
	struct shown_context *context;

	STAILQ_FOREACH (context, &shown->contexts, link) {
		if (strcmp(context->name, name) == 0)
			break;
	}
	if (!context)
		return;
	STAILQ_REMOVE(&shown->contexts, context, shown_context, link);
	free_context(shown, context);
}

void mib_hide(struct mib_shown *shown)
{
	struct shown_context *context;

	sma_node_listen(shown->parts[0].node, NULL, NULL);
	while ((context = STAILQ_FIRST(&shown->contexts))) {
		STAILQ_REMOVE_HEAD(&shown->contexts, link);
		free_context(shown, context);
	}
	for (unsigned i = 0; i < PART_COUNT; i++) {
		shown->mib->gone.hits += shown->parts[i].counters.hits;
		shown->mib->gone.misses += shown->parts[i].counters.misses;
	}
	TAILQ_REMOVE(&shown->mib->shown, shown, link);
	free(shown);
}

/* ---- all of them ---- */

void mib_shown_count(const struct mib_shown *shown, struct mib_counters *counters)
{
	*counters = (struct mib_counters){0};
	for (unsigned i = 0; i < PART_COUNT; i++) {
		counters->hits += shown->parts[i].counters.hits;
		counters->misses += shown->parts[i].counters.misses;
	}
}

void mib_count(const struct mib *mib, struct mib_counters *counters)
{
	const struct mib_shown *shown;
	struct mib_counters own;

	*counters = mib->gone;
	TAILQ_FOREACH (shown, &mib->shown, link) {
		mib_shown_count(shown, &own);
		counters->hits += own.hits;
		counters->misses += own.misses;
	}
}

void mib_expose_keys(struct mib *mib, bool expose)
{
	mib->config.expose_keys = expose;
}
