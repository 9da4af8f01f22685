/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The software SMA as a function: request + state + time -> response. No I/O, no globals, no allocation.
 */
#ifndef SOFT_RESPONDER_H
#define SOFT_RESPONDER_H

#include "sma/iba/iba.h"
#include "sma/soft/held.h"
#include "sma/soft/notice_queue.h"
#include "sma/soft/state.h"
#include "sma/soft/trap_sender.h"

/* How a request came. */
struct arrival {
	unsigned port;        /* port it came in on: 0 for a process at port 0 of a switch */
	uint16_t slid;        /* source LID, 0xFFFF with a directed route, 0 unknown */
	uint64_t now;         /* milliseconds, monotonic */
	bool trusted;         /* from inside the node: no M_Key is asked for, and the lease is left alone */
	bool any_hop_pointer; /* the wire does not move the hop pointer (the simulator's) */
};

enum verdict {
	VERDICT_DROP,   /* no answer */
	VERDICT_ANSWER, /* `response` is to be sent back */
	VERDICT_HOLD, /* likewise, once what the node keeps is on the disk: the responder's `held` takes it */
	VERDICT_TO_SM, /* for the SM on this port, not for the SMA */
};

/* Why requests were not answered, since the start. */
struct responder_counters {
	uint64_t answered;
	uint64_t refused; /* answered with an error status */
	uint64_t malformed;
	uint64_t bad_m_key;
	uint64_t represses;
};

/* What became of the datagrams of a simulator wire, since the start. */
struct wire_counters {
	uint64_t malformed;   /* control or data that could not be understood, and got no answer */
	uint64_t refused;     /* control requests that were answered with an error */
	uint64_t answered;    /* requests the SMA answered */
	uint64_t unanswered;  /* requests that came back as timed out */
	uint64_t forwarded;   /* to the SM client, or from it to the client that had asked */
	uint64_t undelivered; /* responses and traps for a client that is not there */
	uint64_t dropped;     /* datagrams that a client's socket had no room for */
};

/* The SMA of one end port, beyond its attributes. */
struct endpoint {
	struct notice_queue notices;
	struct trap_sender traps;
	uint64_t lease_ends; /* the M_Key lease timer; 0: it does not run */
};

struct devmgt; /* sma/soft/dm/devmgt.h */

/* The SMAs of a node: one on a switch, one for each port of a CA or router. */
struct responder {
	struct soft_state *state;   /* not owned */
	struct endpoint *endpoints; /* owned */
	unsigned endpoint_count;
	/* called for each Notice that is raised, whether or not it leaves as a trap; may be NULL */
	void (*raised)(void *arg, const uint8_t notice[SMA_BLOCK_SIZE]);
	void *raised_arg;
	/* not owned: where answers wait for the disk; NULL: none has to */
	struct held *held;
	/* not owned: the device management agents; NULL: the node has no I/O unit */
	struct devmgt *devmgt;
	struct responder_counters counters;
	struct wire_counters wire;
};

/* The SMA of an end port, and the end port of one. */
struct endpoint *responder_endpoint(struct responder *responder, unsigned port);
unsigned responder_port(const struct responder *responder, unsigned endpoint);

/* -ENOMEM. The state must outlive the responder. */
int responder_init(struct responder *responder, struct soft_state *state);
void responder_finish(struct responder *responder);

/* Answer a request (IBA 14.2; the steps are listed in the source). `response` is written for VERDICT_ANSWER
 * only and may be the same buffer as `mad`. */
enum verdict responder_answer(struct responder *responder, const struct arrival *arrival,
                              const uint8_t mad[MAD_SIZE], uint8_t response[MAD_SIZE]);

/* A Trap MAD that is due now. `port` is the port it leaves through, `dlid` and `sl` where it goes. False:
 * none. */
bool responder_next_trap(struct responder *responder, uint64_t now, uint8_t mad[MAD_SIZE], unsigned *port,
                         uint16_t *dlid, unsigned *sl);

/* When the next trap may be due, UINT64_MAX for never. */
uint64_t responder_due(const struct responder *responder);

#endif
