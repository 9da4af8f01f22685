/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the notices of a node and of its subnet come from. */
#ifndef NOTICE_SOURCES_H
#define NOTICE_SOURCES_H

#include "sma/notice/found.h"

/*
 * All sources of notices of one local port: they find the notices of its node, or of the subnet, and deliver
 * each event once. What a notice of a node reports as changed is read again when it is asked for next.
 */
struct sources;

struct sources_config {
	bool off;            /* no notices at all */
	bool subnet;         /* notices of other nodes as well */
	bool subscribe;      /* ask subnet administration for Reports */
	bool take_traps;     /* take the Traps that are sent to this port: those of device management, and all
	                        where it is the subnet manager's */
	unsigned poll_ms;    /* how often to look for changes; 0: never */
	unsigned refresh_ms; /* a subscription is renewed after this, 1.. */
	unsigned
		repeat_ms; /* what is heard again from outside within this is not delivered again; 0: it is */
};

/* The defaults: of the own node, by subscription and polling each 10 s; 60 s; 15 s. */
void sources_config_init(struct sources_config *config);

/* What became of the notices since the sources were opened. */
struct sources_counters {
	uint64_t found[SMA_NOTICE_SOURCE_COUNT]; /* by source */
	uint64_t given;                          /* to the sink */
	uint64_t repeated;                       /* heard before */
	uint64_t foreign;                        /* of other nodes, which were not asked for */
	uint64_t unwanted; /* of vendors, other classes or numbers; without a new mask */
	uint64_t malformed;
};

/* Takes each notice, from within mad_ports_process, sources_process or sources_take_own. */
typedef void sma_notice_sink(void *arg, const struct sma_notice *notice);

/* Open the sources of the local port at `index` of `ports`, and of the node that is read through them, whose
 * management port that is; both must outlive the sources. Without a device that is the software node, whose
 * notices are passed to sources_take_own. Of a device QP1 is opened whatever the configuration says, as later
 * there may be no rights to. A source that cannot be used is logged, and the others continue. -ENOMEM, or
 * -errno for want of a descriptor. */
int sources_open(struct sma_node *node, struct mad_ports *ports, unsigned index,
                 const struct sources_config *config, sma_notice_sink *sink, void *arg,
                 struct sources **sources);

/* Be told of each notice that a node or its links have changed, Traps 128 and 144, of whatever node, before
 * it is judged whether it is wanted. */
typedef void sources_heard(void *arg, uint16_t issuer_lid);
void sources_on_change(struct sources *sources, sources_heard *heard, void *arg);

/* A notice of the software node, raised at `now`: an sma_soft_raised, whose `arg` is the sources. */
void sources_take_own(void *arg, uint64_t now, const uint8_t notice[SMA_BLOCK_SIZE]);

/* Use another configuration: restarts the sources, unless nothing is changed. What was about to be delivered
 * is delivered, and what was delivered is remembered unless `repeat_ms` is changed. On -ENOMEM the sources
 * are off. */
int sources_configure(struct sources *sources, const struct sources_config *config);

/* A descriptor that becomes readable when sources_process has something to do. */
int sources_fd(const struct sources *sources);

/* Do what is due; in each round, after mad_ports_process, and before it is called once more to send what was
 * submitted. Returns when to call again, UINT64_MAX for never. */
uint64_t sources_process(struct sources *sources, uint64_t now);

void sources_count(const struct sources *sources, struct sources_counters *counters);

/* Where notices come from at present, apart from polling. */
enum sources_state {
	SOURCES_OFF,
	SOURCES_SOFT,         /* from the software SMA */
	SOURCES_SUBSCRIBED,   /* from subnet administration, which has confirmed the subscription */
	SOURCES_TRAPS,        /* not subscribed: from the Traps that come to this port */
	SOURCES_UNSUBSCRIBED, /* none of these */
};
enum sources_state sources_state(const struct sources *sources);

/* End subscriptions and free. NULL is allowed. */
void sources_close(struct sources *sources);

#endif
