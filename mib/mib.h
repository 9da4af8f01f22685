/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SMA-MIB over one node's Subnet Management Agent, served through Net-SNMP's agent library.
 *
 * A request is answered at once where the blocks it needs are known and fresh; otherwise it is delegated and
 * answered when they have come, at the latest MIB_ANSWER_MS after it arrived.
 */
#ifndef MIB_MIB_H
#define MIB_MIB_H

#include <stdbool.h>
#include <stdint.h>

#include "sma/sma.h"

enum {
	MIB_STALE_MS = 80,   /* after this a last good value is taken where there is one */
	MIB_SKIP_MS = 600,   /* after this attributes that the SMA does not answer are passed over */
	MIB_ANSWER_MS = 800, /* after this what is not known is missing: snmpd gives up after 1 s */
};

struct mib;

struct mib_config {
	const char *context;     /* SNMP context, "" for the default one */
	bool expose_keys;        /* show M_Key and SM_Key instead of zeros */
	unsigned window;         /* blocks fetched ahead while a table is walked, 1.. */
	uint64_t (*clock)(void); /* milliseconds of the clock that sma_node_process is called with */
};

/* Register ibSmaMIB for `node` in the agent, and its entry in sysORTable. The node must outlive the view.
 * 0, -ENOMEM, or -EEXIST when the registration was refused. */
int mib_open(struct sma_node *node, const struct mib_config *config, struct mib **mib_out);

/* Show M_Key and SM_Key from now on, or zeros. */
void mib_expose_keys(struct mib *mib, bool expose);

/* Answer requests whose time is up. Returns when to call again, UINT64_MAX for never. */
uint64_t mib_run(struct mib *mib, uint64_t now);

struct variable_list; /* of Net-SNMP: netsnmp_variable_list */

/* Build the notification of a notice: snmpTrapOID.0 and the objects of its OBJECTS clause in order, then
 * ibSmaNodePortNum.0 for trap 259. Free it with snmp_free_varbind. -ENOENT: no notification for its trap;
 * -ERANGE: a value has no place in its object's range, as port 0 of traps 129 to 131; -ENOMEM. */
int mib_notification(const struct sma_notice *notice, struct variable_list **varbinds);

/* The name of a trap's notification, NULL if it has none. */
const char *mib_notification_name(unsigned trap);

/* Unregister and free; requests that wait are dropped. NULL is allowed. */
void mib_close(struct mib *mib);

#endif
