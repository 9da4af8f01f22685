/* SPDX-License-Identifier: BSD-2-Clause */
/* What snmpd shows: it is asked by SNMPv2c, with each community. */
#ifndef AGENT_DOCTOR_ASK_H
#define AGENT_DOCTOR_ASK_H

#include "agent/doctor/community.h"

/* An object of SMA-MIB that every node has: ibSmaNodeBaseVersion.0. */
#define ASK_PROBE "1.3.6.1.3.117.3.1.1.2.0"

/* What snmpd answers to a community. */
struct answers {
	const struct community *community;
	bool answered; /* with anything at all */
	/* the answer to the probe */
	bool has_value;
	long error; /* error-status */
	unsigned type;
	long value;
	/* what the view shows; groups of SMA-MIB are objects below ibSmaMIB.1 */
	bool is_surveyed;
	bool shows_system;
	bool shows_daemon; /* IBSMAD-MIB */
	unsigned groups_shown;
	unsigned groups_hidden;
};

/* Ask at `address`, in the form of snmp_open, with the communities of `answers`, which are zero otherwise.
 * Takes CHECKS_WAIT_MS if one of them is not answered. 0, -ENOMEM, or -EIO: nothing can be sent there. */
int ask_communities(const char *address, struct answers *answers, size_t count);

#endif
