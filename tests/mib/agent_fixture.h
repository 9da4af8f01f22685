/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The MIB over a fixture, within Net-SNMP's agent of this process: PDUs go to it through its internal
 * transport, as those of an AgentX master do. SMA and clock are virtual.
 */
#ifndef TESTS_MIB_AGENT_FIXTURE_H
#define TESTS_MIB_AGENT_FIXTURE_H

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "mib/descriptor.h"
#include "mib/mib.h"
#include "tests/node/node_fixture.h"

struct reply {
	netsnmp_pdu *pdu; /* NULL: not yet */
	uint64_t at;
	unsigned serial; /* among all replies */
};

enum { REPLY_NOT_YET = -1 };

/* Start Net-SNMP's agent, once in a program. -EIO: it has no internal transport. */
int agent_init(void);

/* Serve a crafted node, by default or with all blocks ageing within `age_ms`. */
struct fixture *agent_begin(const char *node, bool expose_keys);
struct fixture *agent_begin_with_age(const char *node, unsigned age_ms);

/* Likewise, with so many SMPs outstanding. */
struct fixture *agent_begin_with_window(const char *node, unsigned window);

/* Likewise, with IBSMAD-MIB. */
typedef void agent_fill(void *arg, struct mib_daemon *daemon);
struct fixture *agent_begin_with_daemon(const char *node, agent_fill *daemon);

/* Be told of what is registered from the next agent_begin on; NULL: no longer. */
typedef void agent_registered(void *arg, const char *context, const unsigned long *oid, size_t length,
                              bool on);
void agent_on_registered(agent_registered *note);

struct mib *agent_mib(void);
void agent_end(void);

/* Show another node under a context. What mib_show or mib_name says. */
int agent_show(struct sma_node *node, const char *context, struct mib_shown **shown);

/* Serve another module of the node in the default context, and withdraw it. */
void agent_serve(const struct mib_module *module);
void agent_withdraw(void);

/* Do what the daemon's loop does, until nothing is due. */
void agent_settle(void);

/* Likewise, and let time pass. */
void agent_pass(uint64_t ms);

/* When the MIB wants to be called again. */
uint64_t agent_due(void);

/* Add a varbind for an OID below ibSmaMIB. */
void agent_add(netsnmp_pdu *pdu, const uint32_t *subid, size_t length);

/* Send a PDU, or one varbind; the reply may come at once. */
void agent_send_pdu(netsnmp_pdu *pdu, struct reply *reply);
void agent_send(int command, const uint32_t *subid, size_t length, struct reply *reply);

/* Likewise, in a context. */
void agent_send_in(const char *context, int command, const uint32_t *subid, size_t length,
                   struct reply *reply);

#define AGENT_SEND(command, subid, reply) agent_send(command, subid, UNIT_COUNT(subid), reply)

/* GET an instance and forget the answer. */
void agent_warm(const uint32_t *subid, size_t length);

/* The number of a varbind, of any type that has one. */
uint64_t agent_number(const netsnmp_variable_list *varbind);

/* The type and the number of varbind `i` of a reply; REPLY_NOT_YET before it came. */
int reply_type(const struct reply *reply, unsigned i);
long reply_number(const struct reply *reply, unsigned i);

/* The error-status of a reply; REPLY_NOT_YET before it came. */
long reply_error(const struct reply *reply);
void reply_free(struct reply *reply);

#endif
