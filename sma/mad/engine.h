/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The engine: all MADs of one local port, in every management class, to any agent of the subnet.
 *
 * A request is queued at its peer, the agent it is for, and sent when the window of the port and the limit of
 * the peer have room: requests that a manager waits for first, and peers in turn. Each accepted request ends
 * with exactly one call, from engine_process or peer_close; within it further requests may be submitted, and
 * peers opened and closed.
 *
 * A request is tried at most so many times, and not before its time-out has passed since the try before,
 * whatever the transport reports earlier. What has not been answered for half of a time-out does not count in
 * the window any more as soon as the peer answers something later.
 *
 * Where the class has attributes that every agent answers, a request is given up only if the peer answered
 * something that was sent later than its last try: then it is this attribute that is not answered. While a
 * peer answers nothing at all it is in doubt: only such an attribute is asked for, and all others keep their
 * tries, which they do three times at most. When that is lost, and again half a second later, the peer is
 * silent: all that waits for it ends with -EHOSTDOWN, and requests are refused with that from then on for 5 s
 * and each time twice as long, up to 5 minutes. A change of that state is one line of the log. A silent peer
 * gets at most four MADs a minute that no manager waits for, but for requests that insist.
 *
 * Times are milliseconds of one monotonic clock. An engine and its peers belong to one thread.
 */
#ifndef MAD_ENGINE_H
#define MAD_ENGINE_H

#include "sma/iba/iba.h"
#include "sma/mad/transport.h"

struct engine;
struct peer;
struct exchange;

struct engine_config {
	unsigned port;       /* its number, for messages */
	unsigned window;     /* requests in flight, 1.. */
	unsigned timeout_ms; /* of a try, 1.. */
	unsigned tries;      /* of a request, 1..ENGINE_TRIES */
	unsigned background; /* requests with ENGINE_BACKGROUND that are begun a second; 0: any number */
};

enum { ENGINE_TRIES = 255 };

/* Where an agent is. */
struct engine_address {
	enum engine_route {
		ENGINE_SELF,  /* the SMA of the local port */
		ENGINE_LID,   /* an agent at a LID */
		ENGINE_ROUTED /* the SMA at the end of a directed route */
	} route;
	uint16_t lid;                /* ENGINE_LID: 1..MAD_LAST_LID */
	uint8_t sl;                  /* ENGINE_LID: 0..15 */
	uint8_t hops;                /* ENGINE_ROUTED: 0..MAD_MAX_HOPS */
	uint8_t path[MAD_PATH_SIZE]; /* ENGINE_ROUTED: output ports, from byte 1 on */
};

/* Who waits for a request: those of managers are begun first, then those that are wanted soon, and last those
 * that only keep within the rate for the background. */
enum engine_priority { ENGINE_MANAGER, ENGINE_PROMPT, ENGINE_BACKGROUND, ENGINE_PRIORITIES };

/* Whether both lead to the same agent along the same way. */
bool engine_address_is_same(const struct engine_address *a, const struct engine_address *b);

/* How a request ended. */
struct engine_result {
	int error; /* 0: an answer came; -ETIMEDOUT: all tries were in vain; -EHOSTDOWN: the peer is silent;
	              -ECANCELED: it was closed; another -errno: its class cannot be sent */
	uint16_t status;     /* of the answer; 0: the attribute follows */
	const uint8_t *data; /* of the answer, valid during the call, the class's data_size bytes; NULL: none
	                        came */
	size_t size;         /* those of them that were received; the rest is 0 */
};

typedef void engine_done(void *arg, const struct engine_result *result);

struct engine_request {
	uint8_t method; /* MAD_GET, MAD_SET */
	uint16_t attribute;
	uint32_t modifier;
	bool keyless;        /* the peer's key is not for whoever may answer it */
	bool insists;        /* a peer that answers nothing is sent as many MADs for it as for a manager */
	bool busy_ends;      /* a status that says busy ends it as any other, and is no reason to try again */
	const uint8_t *data; /* the attribute, copied; NULL: zeros */
	size_t size;         /* of it, at most the class's data_size */
	unsigned timeout_ms; /* 0: the engine's */
	unsigned tries;      /* 0: the engine's */
	enum engine_priority priority;
	engine_done *done;
	void *arg;
};

/* What became of MADs since the engine or the peer was opened. */
struct engine_counters {
	uint64_t sent;      /* tries */
	uint64_t answered;  /* requests, with status 0 */
	uint64_t refused;   /* requests, with another one */
	uint64_t timed_out; /* requests that ended without an answer */
};

/* An engine without a transport. NULL with errno when out of memory or descriptors. */
struct engine *engine_open(const struct engine_config *config);

/* Close the transport and free the engine; its peers must be closed. NULL is allowed. */
void engine_close(struct engine *engine);

/* Send and receive through `transport`, once, which is owned from now on. */
void engine_attach(struct engine *engine, struct transport *transport);

/* Where the transport puts what it receives. */
struct mailbox *engine_mailbox(struct engine *engine);

/* Use another configuration; a smaller window holds as soon as enough requests have ended. */
void engine_configure(struct engine *engine, const struct engine_config *config);

/* A descriptor that is readable while MADs wait to be taken. */
int engine_fd(const struct engine *engine);

/* Take what came, repeat and give up what is overdue, send what may be sent. What came is taken before any
 * time is looked at, and a process that was stopped takes for no try the time in which it was. Returns when
 * to call again, UINT64_MAX for never; earlier when something was submitted. */
uint64_t engine_process(struct engine *engine, uint64_t now);

/* Send what was submitted since engine_process, at its time; calls no `done`. For the end of a round in which
 * others submitted. Returns when to call engine_process again. */
uint64_t engine_begin(struct engine *engine);

/* The time of the last engine_process. */
uint64_t engine_now(const struct engine *engine);

/* Why the port is lost for good, after 10 s without a MAD sent or received though some were tried: a positive
 * errno; 0: it is not. */
int engine_lost(const struct engine *engine);

/* The counters of a class; those of the subnet management classes are one. */
void engine_count(const struct engine *engine, uint8_t class, struct engine_counters *counters);

/* MADs that answered nothing and were not listened to, since the engine was opened. */
uint64_t engine_strange(const struct engine *engine);

/* ---- peers ---- */

/* The agent of a management class (of mad_class_find; subnet management is MAD_CLASS_SM, however it is
 * routed) at an address, with at most `limit` (1..) requests in flight. NULL when out of memory. It is the
 * caller's to close, before the engine. */
struct peer *peer_open(struct engine *engine, uint8_t class, const struct engine_address *address,
                       unsigned limit);

/* End its requests with -ECANCELED, and free it. NULL is allowed. */
void peer_close(struct peer *peer);

/* It is reached by another address from now on, where a peer that is silent is asked again at once. What is
 * in flight may still be answered from the old one. */
void peer_move(struct peer *peer, const struct engine_address *address);

/* Nothing is logged of its silence: whoever asks it says what that means. */
void peer_hush(struct peer *peer);

/* Have one limit in common from now on, that of `with`: for agents of one node, or several users of one.
 * Either may be closed first. */
void peer_share(struct peer *peer, struct peer *with);

const struct engine_address *peer_address(const struct peer *peer);

/* The key that goes with all further tries, where the class has one: M_Key or SM_Key. A peer that is silent
 * is asked again at once if it is another one than before. */
void peer_set_key(struct peer *peer, uint64_t key);

/* Queue a request; `*exchange`, where that is not NULL, stands for it until `done` is called. 0: `done` will
 * be called once. Otherwise it will not: -EINVAL: the class does not go along this route, or takes less data;
 * -ENOMEM; -ECANCELED: the peer is being closed; -EHOSTDOWN: it is silent, and not to be asked before
 * peer_silent_until. */
int peer_submit(struct peer *peer, const struct engine_request *request, uint64_t now,
                struct exchange **exchange);

/* Send a request at once, whatever the window, whose answer nobody waits for: its `done` is not called. 0, or
 * -errno as peer_submit or of the transport. */
int peer_send(struct peer *peer, const struct engine_request *request);

/* A manager waits now for a request that has not ended. As with peer_submit, engine_process is due. */
void peer_promote(struct exchange *exchange);

enum peer_state { PEER_UNKNOWN, PEER_ANSWERING, PEER_SILENT };

/* PEER_SILENT lasts until an answer comes, also while the peer is being asked again. */
enum peer_state peer_state(const struct peer *peer);

/* Before when a silent peer is not asked; 0: it may be. */
uint64_t peer_silent_until(const struct peer *peer);

void peer_count(const struct peer *peer, struct engine_counters *counters);

/* ---- what is sent and comes unasked ---- */

/* Send a MAD that answers something, or a Trap. With a timeout_ms the transport passes on what answers it; it
 * is given to who listens, or dropped. 0 or -errno of the transport. */
int engine_send(struct engine *engine, const struct packet *packet, unsigned timeout_ms);

/* A MAD that is no answer. */
struct engine_received {
	struct mad_head head;
	uint16_t slid;
	uint8_t sl;
	uint16_t size; /* bytes received; the rest is 0 */
	const uint8_t *mad;
};

typedef void engine_heard(void *arg, const struct engine_received *received);

/* Be given the MADs of a class with a method, which at most one may be at a time. -EBUSY: another program or
 * listener has them; -ENOTSUP: the transport has none; -errno. `heard` NULL: no longer. */
int engine_listen(struct engine *engine, uint8_t class, uint8_t method, engine_heard *heard, void *arg);

/* Send the answer to a received MAD: itself, with another method and status 0. 0 or -errno. */
int engine_reply(struct engine *engine, const struct engine_received *received, uint8_t method);

#endif
