/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of sma/node/request.h share. */
#ifndef NODE_REQUEST_PARTS_H
#define NODE_REQUEST_PARTS_H

#include <sys/queue.h>

#include "sma/node/request.h"

/* Unsolicited SMPs a minute to an SMA that answers none. */
enum { REQUEST_UNSOLICITED_MAX = 4, REQUEST_UNSOLICITED_MS = 60 * 1000 };

struct request {
	TAILQ_ENTRY(request) link;
	struct sma_key key;
	bool solicited;
	unsigned tries;  /* that were sent */
	uint32_t tid;    /* of the last of them; 0: there was none */
	uint64_t serial; /* of the last of them, among all that were sent */
	uint64_t sent;   /* when it was sent */
	uint64_t due;    /* when it ends unanswered, should the transport not say so before */
	bool over;       /* it has */
};

TAILQ_HEAD(request_list, request);

/*
 * Whether the SMA answers at all. It is in doubt when nothing that was sent is answered in the usual time.
 * Then nothing but a probe is sent, and no other request runs out of tries, until the SMA is heard again.
 */
struct doubt {
	bool is;
	struct request probe; /* `tid` 0: there was none */
	bool probing;         /* it is on its way */
	unsigned lost_probes; /* in a row */
	uint64_t pause_until;
};

struct sma_requests {
	struct sma_config config;
	request_done *done;
	void *arg;
	struct sma_qp0 *ports[SMA_MAX_PORTS + 1];
	struct request_list waiting; /* for a place in the window, in the order of their submission */
	struct request_list begun;   /* tried at least once, in the order of their beginning */
	unsigned begun_count;
	uint32_t last_tid;
	uint64_t last_serial;
	uint64_t heard;      /* the highest serial that the SMA has answered */
	unsigned latency_ms; /* about the longest that answers took lately */
	struct doubt doubt;
	uint64_t
		unsolicited[REQUEST_UNSOLICITED_MAX]; /* when these were sent since the last answer, 0: not */
	int failure;                                  /* of the last send, a positive errno; 0: it went out */
	uint64_t fails_since;                         /* all have failed from here */
	uint64_t failed_at;                           /* to here */
	uint64_t due;                                 /* what requests_run returned last */
	struct sma_counters counters;
};

/* ---- request_try.c: one SMP ---- */

/* Send the next try of a request. A try that cannot be sent is over, and counts for none. */
void request_try(struct sma_requests *r, struct request *q, uint64_t now);

/* When a try that is not answered has taken longer than answers usually do; 0: it is over. */
uint64_t request_late_at(const struct sma_requests *r, const struct request *q);

/* Whether the SMA has answered something that was sent later than this try: it has come to it, too. */
bool request_is_passed_over(const struct sma_requests *r, const struct request *q);

/* When the next try may be sent. */
uint64_t request_next_try(const struct sma_requests *r, const struct request *q);

/* When one more unsolicited SMP may be sent: 0 for at once. `reserve` of the allowed number are left. */
uint64_t request_unsolicited_at(const struct sma_requests *r, unsigned reserve, uint64_t now);

/* Go on as if the time in which the process was stopped, or busy elsewhere, had not been. */
void request_bear_stall(struct sma_requests *r, uint64_t now);

/* ---- request.c ---- */

/* End all requests with -EHOSTDOWN. */
void request_end_all(struct sma_requests *r);

/* ---- request_doubt.c ---- */

/* The SMA has answered something. */
void request_doubt_end(struct sma_requests *r);

/* Find out whether the SMA is in doubt, and go on with the probe. */
void request_doubt_run(struct sma_requests *r, uint64_t now);

/* When to come again. */
uint64_t request_doubt_due(const struct sma_requests *r, uint64_t now);

#endif
