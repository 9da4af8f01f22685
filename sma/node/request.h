/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SubnGets on their way: a queue, a window of outstanding ones, time-outs and retries.
 *
 * A request is tried at most retries + 1 times, and not before timeout_ms have passed since the try before.
 * It is given up only if the SMA answered something that was sent later than its last try: then it is this
 * block that is not answered. What has not been answered for half of a try does not count in the window any
 * more as soon as something later is answered.
 *
 * While the SMA answers nothing at all, NodeInfo alone is asked for; all others keep their tries. It is found
 * silent when that is lost, and again half a second later. Nothing was learnt of the others then.
 *
 * A port that does not answer gets at most four unsolicited SMPs a minute.
 */
#ifndef NODE_REQUEST_H
#define NODE_REQUEST_H

#include "sma/mad/mad.h"
#include "sma/node/node.h"

struct sma_requests;

/* How a request ended. `result`: 0 and SMA_BLOCK_SIZE bytes of data; a positive MAD status that is an answer
 * but no data; -ETIMEDOUT when it was given up; -EHOSTDOWN when the SMA is silent. */
typedef void request_done(void *arg, const struct sma_key *key, int result, const uint8_t *data);

/* Calls `done` once for each request, from requests_take or requests_run. NULL when out of memory. */
struct sma_requests *requests_new(const struct sma_config *config, request_done *done, void *arg);

/* Closes the attached transports and drops what is outstanding without calling `done`. */
void requests_free(struct sma_requests *requests);

/* Go on with other time-outs, retries and M_Key; config->window must be the old one. */
void requests_configure(struct sma_requests *requests, const struct sma_config *config);

/* Send the requests for local port `port` through `qp0`, which is owned from now on. */
void requests_attach(struct sma_requests *requests, unsigned port, struct sma_qp0 *qp0);
/* The transport of a local port; NULL: it has none. */
struct sma_qp0 *requests_qp0(const struct sma_requests *requests, unsigned port);
bool requests_reaches(const struct sma_requests *requests, unsigned port);

/* Queue a SubnGet, in order. `solicited`: a manager waits for it. -ENOMEM, -ENODEV for a port without
 * transport. */
int requests_submit(struct sma_requests *requests, const struct sma_key *key, bool solicited);

/* A manager waits now for a request that was submitted and has not ended. */
void requests_solicit(struct sma_requests *requests, const struct sma_key *key);

/* A MAD came in: match it with its request. */
void requests_take(struct sma_requests *requests, const struct sma_mail *mail, uint64_t now);

/* Send what may be sent and give up what is overdue. What has come in until `now` must have been given to
 * requests_take. Returns when to come again, UINT64_MAX for never. */
uint64_t requests_run(struct sma_requests *requests, uint64_t now);

/* Why no request could be sent, though it was tried again and again, for so long that the device must be
 * lost: a positive errno; 0: it is not. */
int requests_lost(const struct sma_requests *requests);

void requests_count(const struct sma_requests *requests, struct sma_counters *counters);

#endif
