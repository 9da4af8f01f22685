// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "agent/agentx/agentlib.h"
#include "agent/agentx/pdu.h"
#include "agent/agentx/protocol.h"
#include "agent/agentx/registrar.h"
#include "sma/log.h"

enum {
	CONTEXT_MOST = 255, /* octets */
	IN_FLIGHT_MOST = 64,
	REFUSALS_LOGGED = 8, /* in a session */
};

struct subtree {
	TAILQ_ENTRY(subtree) link; /* in the list of its state */
	enum state {
		WAITING,    /* to be registered */
		ASKED,      /* a Register or Unregister waits for its answer */
		REGISTERED, /* or refused, which only the next session changes */
		LEAVING,    /* to be unregistered, and freed */
		STATES
	} state;
	bool is_wanted;     /* not withdrawn */
	bool is_registered; /* in this session */
	char *context;
	size_t length;
	oid name[];
};

TAILQ_HEAD(subtrees, subtree);

static struct {
	struct subtrees lists[STATES];
	void *tree;        /* of all, of tsearch(3) */
	struct link *link; /* of the session that is up */
	bool gives_way;
	unsigned in_flight;
	unsigned refusals;
} self = {.lists = {
		  [WAITING] = TAILQ_HEAD_INITIALIZER(self.lists[WAITING]),
		  [ASKED] = TAILQ_HEAD_INITIALIZER(self.lists[ASKED]),
		  [REGISTERED] = TAILQ_HEAD_INITIALIZER(self.lists[REGISTERED]),
		  [LEAVING] = TAILQ_HEAD_INITIALIZER(self.lists[LEAVING]),
	  }};

/* ---- the list ---- */

static int compare(const void *a, const void *b)
{
	const struct subtree *x = a;
	const struct subtree *y = b;
	int order = strcmp(x->context, y->context);

	return order ? order : snmp_oid_compare(x->name, x->length, y->name, y->length);
}

static bool is_default(const struct subtree *subtree)
{
	return !subtree->context[0];
}

/* The default context comes first, in the order of its subtrees, so that each session begins alike. */
static void put(struct subtree *subtree, enum state state)
{
	struct subtrees *list = &self.lists[state];
	struct subtree *before = TAILQ_FIRST(list);

	subtree->state = state;
	while (is_default(subtree) && before && compare(before, subtree) < 0)
		before = TAILQ_NEXT(before, link);
	if (is_default(subtree) && before)
		TAILQ_INSERT_BEFORE(before, subtree, link);
	else
		TAILQ_INSERT_TAIL(list, subtree, link);
}

static void move(struct subtree *subtree, enum state state)
{
	TAILQ_REMOVE(&self.lists[subtree->state], subtree, link);
	put(subtree, state);
}

static struct subtree *make(const char *context, const oid *name, size_t length)
{
	struct subtree *subtree = calloc(1, sizeof(*subtree) + length * sizeof(oid));

	if (subtree)
		subtree->context = strdup(context);
	if (!subtree || !subtree->context) {
		free(subtree);
		return NULL;
	}
	subtree->is_wanted = true;
	subtree->length = length;
	memcpy(subtree->name, name, length * sizeof(oid));
	return subtree;
}

static void discard(struct subtree *subtree)
{
	tdelete(subtree, &self.tree, compare);
	TAILQ_REMOVE(&self.lists[subtree->state], subtree, link);
	free(subtree->context);
	free(subtree);
}

/* One that was withdrawn, of which the master does not know yet. */
static int serve_again(struct subtree *subtree)
{
	if (subtree->is_wanted)
		return -EEXIST;
	subtree->is_wanted = true;
	if (subtree->state == LEAVING)
		move(subtree, REGISTERED);
	return 0;
}

int registrar_serve(const char *context, const oid *name, size_t length)
{
	struct subtree *subtree;
	struct subtree **found;

	if (strlen(context) > CONTEXT_MOST || length > MAX_OID_LEN)
		return -EINVAL;
	subtree = make(context, name, length);
	found = subtree ? tsearch(subtree, &self.tree, compare) : NULL;
	if (found && *found == subtree) {
		put(subtree, WAITING);
		return 0;
	}
	if (subtree)
		free(subtree->context);
	free(subtree);
	return found ? serve_again(*found) : -ENOMEM;
}

/* While a request waits for its answer, that decides. */
static void leave(struct subtree *subtree)
{
	if (subtree->state != ASKED && subtree->is_registered)
		move(subtree, LEAVING);
	else if (subtree->state != ASKED)
		discard(subtree);
}

void registrar_withdraw(const char *context, const oid *name, size_t length)
{
	struct subtree *key = make(context, name, length);
	struct subtree **found = key ? tfind(key, &self.tree, compare) : NULL;

	if (found && (*found)->is_wanted) {
		(*found)->is_wanted = false;
		leave(*found);
	}
	if (key)
		free(key->context);
	free(key);
}

void registrar_give_way(void)
{
	self.gives_way = true;
}

static void forget_session(struct subtree *subtree)
{
	subtree->is_registered = false;
	if (subtree->is_wanted)
		move(subtree, WAITING);
	else
		discard(subtree);
}

static void for_each(enum state state, void (*act)(struct subtree *subtree))
{
	struct subtree *subtree;
	struct subtree *next;

	for (subtree = TAILQ_FIRST(&self.lists[state]); subtree; subtree = next) {
		next = TAILQ_NEXT(subtree, link);
		act(subtree);
	}
}

/* What waited for an answer of the session before has been told that there is none. */
void registrar_restart(void)
{
	for_each(REGISTERED, forget_session);
	for_each(LEAVING, forget_session);
	for_each(ASKED, forget_session);
	self.in_flight = 0;
	self.refusals = 0;
}

void registrar_clear(void)
{
	registrar_restart();
	for_each(WAITING, discard);
}

/* ---- one subtree ---- */

static unsigned char priority(void)
{
	return self.gives_way ? REGISTRAR_LOWEST_PRIORITY : REGISTRAR_PRIORITY;
}

netsnmp_pdu *registrar_pdu(const struct subtree *subtree)
{
	return pdu_register(subtree->context, subtree->name, subtree->length, priority());
}

static netsnmp_pdu *leaving_pdu(const struct subtree *subtree)
{
	return pdu_unregister(subtree->context, subtree->name, subtree->length, priority());
}

void registrar_print(const struct subtree *subtree, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < subtree->length && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%lu", i ? "." : "", subtree->name[i]);
}

struct subtree *registrar_next_default(void)
{
	struct subtree *first = TAILQ_FIRST(&self.lists[WAITING]);

	if (!first || !is_default(first))
		return NULL;
	move(first, ASKED);
	return first;
}

void registrar_note(struct subtree *subtree, bool is_registered)
{
	subtree->is_registered = is_registered;
	move(subtree, REGISTERED);
	if (!subtree->is_wanted)
		leave(subtree);
}

/* ---- while the session is up ---- */

static void log_refusal(const struct subtree *subtree, long error)
{
	char name[128];

	if (self.refusals++ >= REFUSALS_LOGGED)
		return;
	registrar_print(subtree, name, sizeof(name));
	sma_log(SMA_LOG_WARNING, "agent",
	        "snmpd at %s refuses to register %s in context \"%s\": %s (%ld)%s%s", agentlib_address(),
	        name, subtree->context, protocol_error_name(error), error,
	        error == AGENTX_DUPLICATE_REGISTRATION ? "; another agent serves it there already" : "",
	        self.refusals == REFUSALS_LOGGED ? "; further ones are not logged" : "");
}

/* What was registered has left, and may have been served again meanwhile. */
static int take_response(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *arg)
{
	struct subtree *subtree = arg;
	struct link *link = self.link;

	(void)session;
	(void)request;
	if (!link_is_answer(link, operation, pdu))
		return 1;
	self.in_flight--;
	if (subtree->is_registered) {
		forget_session(subtree);
	} else {
		if (pdu->errstat != AGENTX_NO_ERROR)
			log_refusal(subtree, pdu->errstat);
		registrar_note(subtree, pdu->errstat == AGENTX_NO_ERROR);
	}
	registrar_run(link);
	return 1;
}

static void ask(struct subtree *subtree)
{
	move(subtree, ASKED);
	self.in_flight++;
	link_ask(self.link, subtree->is_registered ? leaving_pdu(subtree) : registrar_pdu(subtree),
	         take_response, subtree);
}

/* What leaves goes first, as another agent may be waiting for it. */
void registrar_run(struct link *link)
{
	struct subtree *next;

	self.link = link;
	while (self.in_flight < IN_FLIGHT_MOST && !link->fault[0]) {
		next = TAILQ_FIRST(&self.lists[LEAVING]);
		if (!next)
			next = TAILQ_FIRST(&self.lists[WAITING]);
		if (!next)
			return;
		ask(next);
	}
}
