/* SPDX-License-Identifier: BSD-2-Clause */
/* The handler of a view's modules within Net-SNMP's agent. */
#ifndef MIB_HANDLER_H
#define MIB_HANDLER_H

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <sys/queue.h>

#include "mib/descriptor.h"
#include "mib/mib.h"

/* A module that is served. */
struct part {
	struct mib *mib;
	struct sma_node *node; /* NULL: a module of the daemon */
	const struct mib_module *module;
	unsigned (*turn)(const struct sma_node *node); /* NULL: answers to one PDU need not belong together */
	struct mib_counters counters;
};

/* The modules that show a node. */
enum { PART_SMA, PART_DM, PART_COUNT };

/* An SNMP context in which a node is shown. */
struct shown_context {
	STAILQ_ENTRY(shown_context) link;
	netsnmp_handler_registration *registrations[PART_COUNT]; /* NULL: it is not registered */
	char name[];
};

/* A node that is shown. */
struct mib_shown {
	TAILQ_ENTRY(mib_shown) link;
	struct mib *mib;
	bool has_dm;
	STAILQ_HEAD(shown_contexts, shown_context) contexts;
	struct part parts[PART_COUNT];
};

struct mib {
	struct mib_config config;
	struct part part;                           /* of the daemon */
	netsnmp_handler_registration *registration; /* likewise */
	struct mib_counters gone;                   /* of nodes that are not shown any more */
	TAILQ_HEAD(shown_list, mib_shown) shown;
	TAILQ_HEAD(waiting_list, waiting) waiting; /* varbinds, in the order of their arrival */
	uint64_t due;                              /* what mib_run returned last */
	uint64_t grace_until;                      /* it waits for what came while the process was stopped */
	struct mib_daemon daemon;                  /* as it was when IBSMAD-MIB was asked last */
};

/* Answer requests, or keep them until their blocks have come: a Netsnmp_Node_Handler, `myvoid` of the handler
 * is the part. */
int handler_handle(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
                   netsnmp_agent_request_info *reqinfo, netsnmp_request_info *requests);

/* Resume what waits for a block: an sma_listener, `arg` is the struct mib_shown. */
void handler_take_block(void *arg, const struct sma_key *key);

/* Drop what waits for the answer of a registration. */
void handler_forget(struct mib *mib, const netsnmp_handler_registration *registration);

#endif
