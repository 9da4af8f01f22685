/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the notices of a node and of its subnet come from. */
#ifndef SMA_NOTICE_H
#define SMA_NOTICE_H

#include "sma/node/node.h"

/* How a notice became known. */
enum sma_notice_source {
	SMA_NOTICE_SOFT, /* the software SMA of this process raised it */
	SMA_NOTICE_SA,   /* a Report of subnet administration */
	SMA_NOTICE_TRAP, /* a Trap that was sent to QP0 of this port */
	SMA_NOTICE_POLL, /* a change that was seen by reading */
	SMA_NOTICE_SOURCE_COUNT
};

struct sma_notice {
	uint8_t data[SMA_BLOCK_SIZE]; /* the Notice attribute, of one of the ten traps (IBA 13.4.8.2) */
	enum sma_notice_source source;
	bool own;      /* issued by an SMA of the node that is watched */
	uint64_t when; /* when it became known */
};

/*
 * A watch gives the notices of a node, or of its subnet, from whatever source has them: each event once.
 * What a notice says has changed is read anew when it is asked for next.
 */
struct sma_watch;

struct sma_watch_config {
	bool off;            /* no notices at all */
	bool subnet;         /* notices of other nodes as well */
	bool subscribe;      /* ask subnet administration for Reports */
	bool take_traps;     /* take the Traps that are sent to this port, where it is the subnet manager's */
	unsigned poll_ms;    /* how often to look for changes; 0: never */
	unsigned refresh_ms; /* a subscription is renewed after this, 1.. */
	unsigned repeat_ms;  /* what is heard again from outside within this is not given again; 0: it is */
};

/* The defaults: of the own node, by subscription and polling each 10 s; 60 s; 15 s. */
void sma_watch_config_init(struct sma_watch_config *config);

/* What became of the notices since the watch was opened. */
struct sma_watch_counters {
	uint64_t found[SMA_NOTICE_SOURCE_COUNT]; /* by source */
	uint64_t given;                          /* to the sink */
	uint64_t repeated;                       /* heard before */
	uint64_t foreign;                        /* of other nodes, which were not asked for */
	uint64_t unwanted; /* of vendors, other classes or numbers; without a new mask */
	uint64_t malformed;
};

/* Takes each notice, from within sma_watch_process or sma_watch_take_own. */
typedef void sma_notice_sink(void *arg, const struct sma_notice *notice);

/* Watch `node`, which must outlive the watch: the port that `device` names, or the software node, whose
 * notices are passed to sma_watch_take_own, when it is NULL. Of a device QP1 is opened whatever the
 * configuration says, as later there may be no rights to. A source that cannot be used is logged, and the
 * others continue. -ENOMEM, or -errno for want of a descriptor. */
int sma_watch_open(struct sma_node *node, const struct sma_device *device,
                   const struct sma_watch_config *config, sma_notice_sink *sink, void *arg,
                   struct sma_watch **watch);

/* A notice of the software node, raised at `now`: an sma_soft_raised, whose `arg` is the watch. */
void sma_watch_take_own(void *arg, uint64_t now, const uint8_t notice[SMA_BLOCK_SIZE]);

/* Go on with another configuration: begins anew with the sources, unless nothing is changed. What was about
 * to be told is told, and what was told is still known unless `repeat_ms` is changed. On -ENOMEM the watch
 * is off. */
int sma_watch_configure(struct sma_watch *watch, const struct sma_watch_config *config);

/* A descriptor that becomes readable when sma_watch_process has something to do. */
int sma_watch_fd(const struct sma_watch *watch);

/* Go on; in each round, after sma_node_process. Returns when to call again, UINT64_MAX for never. */
uint64_t sma_watch_process(struct sma_watch *watch, uint64_t now);

void sma_watch_count(const struct sma_watch *watch, struct sma_watch_counters *counters);

/* Where notices come from at present; looking for changes goes on besides. */
enum sma_watch_state {
	SMA_WATCH_OFF,
	SMA_WATCH_SOFT,         /* from the software SMA */
	SMA_WATCH_SUBSCRIBED,   /* from subnet administration, which has confirmed the subscription */
	SMA_WATCH_TRAPS,        /* not subscribed: from the Traps that come to this port */
	SMA_WATCH_UNSUBSCRIBED, /* none of these */
};
enum sma_watch_state sma_watch_state(const struct sma_watch *watch);

/* End subscriptions and free. NULL is allowed. */
void sma_watch_close(struct sma_watch *watch);

#endif
