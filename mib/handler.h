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
	const struct mib_module *module;
	netsnmp_handler_registration *registration; /* NULL: it is not */
	struct mib_counters counters;
};

enum { PART_SMA, PART_DAEMON, PART_COUNT };

struct mib {
	struct sma_node *node;
	struct mib_config config;
	struct part parts[PART_COUNT];
	TAILQ_HEAD(waiting_list, waiting) waiting; /* varbinds, in the order of their arrival */
	uint64_t due;                              /* what mib_run returned last */
	uint64_t grace_until;                      /* it waits for what came while the process was stopped */
	struct mib_daemon daemon;                  /* as it was when IBSMAD-MIB was asked last */
};

/* Answer requests, or keep them until their blocks have come: a Netsnmp_Node_Handler, `myvoid` of the handler
 * is the part. */
int handler_handle(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
                   netsnmp_agent_request_info *reqinfo, netsnmp_request_info *requests);

/* Go on with what waits for a block: an sma_listener, `arg` is the struct mib. */
void handler_take_block(void *arg, const struct sma_key *key);

/* Drop what waits. */
void handler_forget(struct mib *mib);

#endif
