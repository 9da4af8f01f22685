/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The AgentX session with the master agent (RFC 2741): connecting, registering, pings, notifications, the
 * end. Nothing here waits, but session_stop for a moment. The codec and the handling of requests are
 * Net-SNMP's.
 *
 * An attempt to connect that fails is followed by the next after 0.2 s, then after twice the time before, up
 * to 1 s for a master agent on this machine and 15 s for one elsewhere. So is a session that ends, up to 15 s
 * as long as the same master agent ends sessions within 30 s or refuses them. A master agent that owes an
 * answer for a ping interval (agentXPingInterval) is frozen: the session is not up, but stays for when it
 * goes on; by TCP for a minute.
 */
#ifndef AGENT_AGENTX_SESSION_H
#define AGENT_AGENTX_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct variable_list; /* of Net-SNMP: netsnmp_variable_list */

/* Prepare this process as an AgentX subagent; before the configuration is read. */
void session_init(void);

/* Use this address of the master agent rather than the configured one. */
void session_set_address(const char *chosen_address);

/* From the next connection on, permit this user as well to listen on the socket, see credentials_check. */
void session_permit_peer(uid_t user);

/* End the reading of configuration and begin to connect; after all registrations. The session registers each
 * subtree given to session_serve. */
void session_start(void);

/* Have a subtree of the default context registered with the master, now and whenever a session begins; before
 * session_start. `oid_name` is copied. -ENOSPC: there is no room. */
int session_serve(const unsigned long *oid_name, size_t length);

/* Go on: a loop_work. */
uint64_t session_process(void *arg, uint64_t now);

/* Whether the master has taken the registrations and answers. */
bool session_is_up(void);

/* What became of a notification. */
enum session_outcome {
	SESSION_SENT,    /* the master has taken it */
	SESSION_REFUSED, /* the master has answered with an error, which is logged, each once a session */
	SESSION_UNSENT,  /* the session ended before the master said either */
};

typedef void session_notified(void *arg, enum session_outcome outcome);

/* Send a notification: `varbinds` begin with sysUpTime.0 or snmpTrapOID.0 and stay the caller's. `done` is
 * called once, later. -EAGAIN: the session is not up, or one is still on its way; -EINVAL: it cannot be
 * encoded; -ENOMEM. With an error `done` is not called. */
int session_notify(const struct variable_list *varbinds, session_notified *done, void *arg);

/* The master's sysUpTime now, in hundredths of a second; only while the session is up. */
uint32_t session_uptime(void);

/* Close the session: wait a moment for the master, but not longer. */
void session_stop(void);

#endif
