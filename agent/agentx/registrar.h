/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The subtrees that are registered with the master agent (RFC 2741 6.2.3), each in an SNMP context: a list
 * that may change at any time, and is registered anew in each session. Those of the default context are part
 * of the set-up of a session; the others follow when it is up, many at a time, between the answers to
 * requests.
 */
#ifndef AGENT_AGENTX_REGISTRAR_H
#define AGENT_AGENTX_REGISTRAR_H

#include <stdbool.h>
#include <stddef.h>

#include "agent/agentx/link.h"

/* Of registrations: of two agents with the same subtree, the one with the lower value serves it. */
enum { REGISTRAR_PRIORITY = 127, REGISTRAR_LOWEST_PRIORITY = 255 };

struct subtree;

/* Have a subtree registered in a context of up to 255 octets, "" for the default one. Both are copied.
 * -EEXIST: it is; -EINVAL: the context is longer, or the OID; -ENOMEM. */
int registrar_serve(const char *context, const oid *name, size_t length);

/* Have it registered no more. No effect where it is not. */
void registrar_withdraw(const char *context, const oid *name, size_t length);

/* Register with the lowest priority from now on. */
void registrar_give_way(void);

/* A new session: nothing is registered in it. */
void registrar_restart(void);

/* A subtree of the default context that is not registered yet; NULL: none. It is there until it is noted. */
struct subtree *registrar_next_default(void);

/* The Register of it; NULL when out of memory. */
netsnmp_pdu *registrar_pdu(const struct subtree *subtree);

/* Its name, for messages. */
void registrar_print(const struct subtree *subtree, char *text, size_t size);

/* That Register was answered: it is registered, or is not in this session. */
void registrar_note(struct subtree *subtree, bool is_registered);

/* Send what is to be registered and withdrawn, as far as not too much waits for its answer. The session is
 * up. */
void registrar_run(struct link *link);

/* Forget all; after the session. */
void registrar_clear(void);

#endif
