// SPDX-License-Identifier: BSD-2-Clause
/* A view: the modules that are registered for a node. */
#include <errno.h>
#include <stdlib.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/agent/agent_sysORTable.h>

#include "mib/handler.h"
#include "mib/ibsmad/ibsmad_mib_gen.h"
#include "mib/sma/sma_mib_gen.h"

static const struct {
	const struct mib_module *module;
	const char *title; /* in sysORTable */
} modules[PART_COUNT] = {
	[PART_SMA] = {&sma_mib_module, "The Subnet Management Agent of an InfiniBand node"},
	[PART_DAEMON] = {&ibsmad_mib_module, "The state of ibsmad itself"},
};

static int register_part(struct part *part, const char *title)
{
	const struct mib_module *module = part->module;
	const char *context = part->mib->config.context;
	netsnmp_handler_registration *registration = netsnmp_create_handler_registration(
		module->name, handler_handle, module->oid, module->length, HANDLER_CAN_RONLY);

	if (!registration)
		return -ENOMEM;
	registration->handler->myvoid = part;
	if (context[0])
		registration->contextName = strdup(context);
	/* a refused registration is freed by the library */
	if (netsnmp_register_handler(registration) != MIB_REGISTERED_OK)
		return -EEXIST;
	part->registration = registration;
	register_sysORTable((oid *)module->oid, module->length, title);
	return 0;
}

static int register_all(struct mib *mib)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < PART_COUNT; i++) {
		mib->parts[i] = (struct part){.mib = mib, .module = modules[i].module};
		if (i != PART_DAEMON || mib->config.daemon)
			rc = register_part(&mib->parts[i], modules[i].title);
	}
	return rc;
}

static void unregister_all(struct mib *mib)
{
	for (struct part *part = mib->parts; part < mib->parts + PART_COUNT; part++) {
		if (!part->registration)
			continue;
		unregister_sysORTable((oid *)part->module->oid, part->module->length);
		netsnmp_unregister_handler(part->registration);
	}
}

int mib_open(struct sma_node *node, const struct mib_config *config, struct mib **mib_out)
{
	struct mib *mib = calloc(1, sizeof(*mib));
	int rc;

	if (!mib)
		return -ENOMEM;
	mib->node = node;
	mib->config = *config;
	mib->due = UINT64_MAX;
	TAILQ_INIT(&mib->waiting);
	rc = register_all(mib);
	if (rc < 0) {
		unregister_all(mib);
		free(mib);
		return rc;
	}
	sma_node_listen(node, handler_take_block, mib);
	*mib_out = mib;
	return 0;
}

int mib_subtrees(const struct mib *mib, int (*serve)(const unsigned long *oid, size_t length))
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < PART_COUNT; i++) {
		if (mib->parts[i].registration)
			rc = serve(mib->parts[i].module->oid, mib->parts[i].module->length);
	}
	return rc;
}

void mib_count(const struct mib *mib, struct mib_counters *counters)
{
	*counters = mib->parts[PART_SMA].counters;
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
	handler_forget(mib);
	unregister_all(mib);
	free(mib);
}
