/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The AgentX session with the master agent (RFC 2741): connecting, set-up, pings, notifications, shutdown.
 * Nothing here blocks, but session_stop for a moment. The codec and the handling of requests are Net-SNMP's.
 *
 * An attempt to connect that fails is followed by the next after 0.2 s, then after twice the time before, up
 * to 1 s for a master agent on this machine and 15 s for one elsewhere. So is a session that ends, up to 15 s
 * as long as the same master agent ends sessions within 30 s or refuses them. A master agent that does not
 * answer within a ping interval (agentXPingInterval) is frozen: the session is not up, but is kept until the
 * master resumes; by TCP for a minute.
 */
#ifndef AGENT_AGENTX_SESSION_H
#define AGENT_AGENTX_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "mib/mib.h"

#define SESSION_NOBODY ((uid_t)-1)

/* From the next connection on, permit this user as well to listen on the socket, see credentials.h;
 * SESSION_NOBODY: no further one. */
void session_permit_peer(uid_t user);

/* Register with the lowest priority: another agent with the same subtree continues to serve it. Before the
 * first session. */
void session_give_way(void);

/* Have a subtree registered with the master in a context, now and whenever a session is set up; both are
 * copied. "" is the default context, whose subtrees are registered before the session is up. A master that
 * refuses another one is logged. -EEXIST: it is served already; -EINVAL: the context has more than 255
 * octets; -ENOMEM. */
int session_serve(const char *context, const unsigned long *oid_name, size_t length);

/* Have it registered no more. */
void session_withdraw(const char *context, const unsigned long *oid_name, size_t length);

/* Start the agent library (agentlib_start) and the first attempt to connect; after all registrations. */
void session_start(void);

/* Do what is due: a loop_work. */
uint64_t session_process(void *arg, uint64_t now);

/* Whether the master has accepted the registrations of the default context and answers. */
bool session_is_up(void);

enum session_failure_kind {
	SESSION_NOT_FAILED,
	SESSION_NOT_CONNECTED, /* `error` says why, as -errno */
	SESSION_NOT_PERMITTED, /* somebody listens who is not snmpd */
	SESSION_DUPLICATE,     /* another agent has registered the same subtree with the same priority */
	SESSION_ENDED,         /* refused, closed, or broken */
};

struct session_failure {
	enum session_failure_kind kind;
	int error;
	char text[256]; /* why, as it is logged */
};

/* Why there is no session. SESSION_NOT_FAILED: it is up, or the first attempt has not ended. */
const struct session_failure *session_last_failure(void);

/* Send a notification of a context: the `send` of a mib_sender. `done` is called later, never before this
 * returns. -EAGAIN: the session is not up, or the last one has not been answered. */
int session_notify(const char *context, const struct variable_list *varbinds, mib_notified *done, void *arg);

/* session_is_up and session_notify, for who sends notifications. */
extern const struct mib_sender session_sender;

/* The master's sysUpTime now, in hundredths of a second; only while the session is up. */
uint32_t session_uptime(void);

/* Close the session, which takes 0.5 s where the master does not answer, and stop the agent library. */
void session_stop(void);

#endif
