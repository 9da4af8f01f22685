/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of sma/mad/engine.h share: requests on their way. */
#ifndef MAD_EXCHANGE_H
#define MAD_EXCHANGE_H

#include <sys/queue.h>

#include "sma/mad/engine.h"
#include "sma/mad/mailbox.h"

/* MADs a minute that no manager waits for, to a peer that answers none. */
enum { PEER_UNSOLICITED_MAX = 4, PEER_UNSOLICITED_MS = 60 * 1000 };

/* One MAD on its way: what a try of a request, and a probe, have in common. */
struct attempt {
	unsigned tries;        /* that were sent */
	uint32_t tid;          /* of the last of them; 0: there was none */
	uint8_t class;         /* on the wire */
	uint16_t lid;          /* where it went */
	uint64_t first_serial; /* of the first of them, among all that were sent */
	uint64_t serial;       /* of the last */
	uint64_t sent;         /* when it was sent */
	uint64_t due;          /* when it ends unanswered, should the transport not say so before */
	bool over;             /* it has */
	int error;             /* with which it could not be sent, or 0 */
	unsigned timeout_ms;
	enum engine_priority priority;
	bool keyless;
	bool is_spare; /* no manager waits for it, and it does not insist */
	uint8_t method;
	uint16_t attribute;
	uint32_t modifier;
};

/* A request until its end. */
struct exchange {
	TAILQ_ENTRY(exchange) link;   /* at its peer, waiting or begun; at its engine when it has ended */
	TAILQ_ENTRY(exchange) flight; /* of those that were begun, at its engine */
	enum exchange_place { EXCHANGE_WAITING, EXCHANGE_BEGUN, EXCHANGE_ENDED } place;
	struct peer *peer;
	struct attempt attempt;
	unsigned tries; /* allowed */
	unsigned kept;  /* how often the tries did not count */
	bool busy_ends; /* as engine_request */
	int error;      /* EXCHANGE_ENDED: with what */
	engine_done *done;
	void *arg;
	size_t size; /* of the attribute that goes with it; 0: zeros */
	uint8_t data[];
};

TAILQ_HEAD(exchange_list, exchange);

/*
 * Whether a peer answers at all. It is in doubt when nothing that was sent is answered in the usual time.
 * Then nothing but a probe is sent, and no request runs out of tries, until the peer is heard again.
 */
struct doubt {
	bool is;
	bool probing;          /* the probe is on its way */
	struct attempt probe;  /* `tid` 0: there was none */
	unsigned lost_probes;  /* in a row */
	uint64_t pause_until;  /* before the next */
	unsigned hold_ms;      /* the back-off in force; 0: the peer is not silent */
	uint64_t silent_until; /* before when it is not asked */
};

/* How many requests may be in flight, to one peer or to several together. */
struct quota {
	unsigned peers;
	unsigned limit;
	unsigned places; /* in the window that are taken in this round */
};

struct peer {
	struct engine *engine;
	struct mad_class const *class;
	struct engine_address address;
	uint64_t key;
	struct quota *quota;
	struct exchange_list waiting[ENGINE_PRIORITIES]; /* in the order of their submission */
	struct exchange_list begun;                      /* in the order of their beginning */
	unsigned begun_count;
	TAILQ_ENTRY(peer) busy; /* of those with a request or a probe, at the engine */
	bool is_busy;
	TAILQ_ENTRY(peer) ring[ENGINE_PRIORITIES]; /* of those that have requests waiting */
	bool in_ring[ENGINE_PRIORITIES];
	uint64_t heard;                             /* the highest serial that was answered; 0: none */
	bool answered;                              /* anything, ever */
	unsigned latency_ms;                        /* about the longest that answers took lately */
	uint64_t unsolicited[PEER_UNSOLICITED_MAX]; /* when these were sent since the last answer, 0: not */
	struct doubt doubt;
	bool is_hushed; /* its silence is not logged */
	bool closing;
	struct engine_counters counters;
};

TAILQ_HEAD(peer_list, peer);

enum { ENGINE_CLASSES = 4, ENGINE_LISTENERS = 16 };

struct engine {
	struct engine_config config;
	struct transport *transport;
	struct mailbox *mailbox;
	struct peer_list busy;
	struct peer_list rings[ENGINE_PRIORITIES];
	struct exchange_list begun; /* of all peers, in the order of their beginning */
	struct exchange_list ended; /* `done` was not called yet */
	unsigned places;            /* in the window that are taken in this round */
	unsigned probes;            /* likewise of probes, which have as large a window */
	uint32_t last_tid;
	uint64_t last_serial;
	uint64_t background_at; /* when the next background request may begin */
	uint64_t now;           /* of the last engine_process */
	uint64_t due;           /* what it returned */
	uint64_t strange;
	struct engine_counters counters[ENGINE_CLASSES];
	struct listener {
		uint8_t class;
		uint8_t method;
		engine_heard *heard; /* NULL: free */
		void *arg;
	} listeners[ENGINE_LISTENERS];
	struct {
		int error;      /* of the last attempt to send, a positive errno; 0: it went out */
		uint64_t since; /* all have failed from here */
		uint64_t last;  /* to here */
	} failure;
	int broken; /* the port cannot be read: a positive errno */
	uint64_t broken_since;
};

/* ---- exchange.c: the lists of requests; all below uses it ---- */

/* The counters of a class. */
struct engine_counters *exchange_counters(struct engine *engine, uint8_t class);

/* A request that is in no list yet. NULL: out of memory. */
struct exchange *exchange_new(struct peer *peer, const struct engine_request *request);

/* Whether anything waits for the peer. */
bool exchange_any(const struct peer *peer);

/* Put a peer among the busy ones and into the rings, or take it out, after a change. */
void exchange_list_peer(struct peer *peer);

/* A request waits no longer: its first try is about to be sent. */
void exchange_begin(struct exchange *exchange);

/* End a request that waits, or was begun. */
void exchange_end(struct exchange *exchange, int error);

/* Call, and free, what has ended; with `peer` what is its. */
void exchange_call_ended(struct engine *engine, const struct peer *peer);

/* Send a MAD, as engine_send. */
int exchange_transmit(struct engine *engine, const struct packet *packet, unsigned timeout_ms);

/* ---- attempt.c: one MAD ---- */

/* Send the next try of a request (`exchange`), or of the peer's probe (NULL). One that cannot be sent is
 * over, and counts for none. 0, or -errno when MADs of this class cannot be sent here at all. */
int attempt_send(struct peer *peer, struct attempt *attempt, const struct exchange *exchange);

/* When a try that is not answered has taken longer than answers usually do; 0: it is over. */
uint64_t attempt_late_at(const struct peer *peer, const struct attempt *attempt);

/* Whether the peer has answered something that was sent later than this try: it has come to it, too. */
bool attempt_is_passed_over(const struct peer *peer, const struct attempt *attempt);

/* Whether nothing could be sent to such peers last: the trouble is the port's. */
bool attempt_port_fails(const struct peer *peer);

/* When the next try may be sent. */
uint64_t attempt_next(const struct attempt *attempt);

/* When one more MAD that no manager waits for may be sent to the peer: 0 for at once. `reserve` of the
 * allowed number are left. */
uint64_t attempt_unsolicited_at(const struct peer *peer, unsigned reserve);

/* Proceed as if the time in which the process was stopped, or busy elsewhere, had not been. */
void attempt_bear_stall(struct engine *engine, uint64_t now);

/* ---- round.c: the requests of all peers ---- */

/* Give up and repeat what is overdue. */
void round_end_tries(struct engine *engine);

/* Begin what waits. */
void round_begin_waiting(struct engine *engine);

/* When requests want to be looked at again. */
uint64_t round_due(struct engine *engine);

/* ---- receive.c: what came ---- */

void receive_mail(struct engine *engine);

/* ---- doubt.c ---- */

/* The peer has come to what was sent as number `serial`. What ended before fell into a time in which it
 * answered nothing, for all that is known: it counts for no try. */
void doubt_spare(struct peer *peer, uint64_t serial);

/* The peer has answered something. */
void doubt_end(struct peer *peer);

/* Find out which busy peers are in doubt, and see to their probes. */
void doubt_run(struct engine *engine);

/* When to come again. */
uint64_t doubt_due(const struct peer *peer);

/* Whether a peer without an answer may be asked: it is not silent, or its time has come. */
bool doubt_allows(const struct peer *peer, uint64_t now);

#endif
