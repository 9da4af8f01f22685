/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modules of a watch share. */
#ifndef NOTICE_WATCH_PARTS_H
#define NOTICE_WATCH_PARTS_H

#include "sma/iba/iba.h"
#include "sma/mad/mad.h"
#include "sma/notice/facts.h"
#include "sma/notice/found.h"
#include "sma/notice/inform.h"
#include "sma/notice/masks.h"
#include "sma/notice/poll.h"
#include "sma/notice/repeat.h"
#include "sma/notice/trapagent.h"

/* A notice as a source has found it. */
struct found {
	struct sma_notice notice;
	uint32_t tid;
	bool has_gid; /* of its issuer */
	uint8_t gid[16];
};

enum { WATCH_WAITING = 64 };

struct sma_watch {
	struct sma_node *node;
	bool soft;                 /* the software node is the source, and nothing below */
	struct sma_device device;  /* where it is not */
	const struct sma_gsi *gsi; /* of it, where QP1 is */
	struct sma_watch_config config;
	sma_notice_sink *sink;
	void *arg;
	int fd;                  /* tells of the descriptors of these; -1: none yet */
	struct sma_mailbox *box; /* of QP1 */
	struct sma_qp1 *qp1;
	struct verbs *verbs;
	struct facts_reader *facts;
	struct inform *inform;
	struct trapagent *traps;
	struct poll *poll;
	struct repeats *repeats;
	struct {
		struct found ring[WATCH_WAITING];
		unsigned first, count;
	} waiting;         /* notices whose issuer may be the own node, with a LID that is not known yet */
	uint64_t unlogged; /* repeats since the last log line */
	uint64_t log_at;
	bool mask_known;
	uint64_t mask;      /* the node's CapabilityMask as it was told last */
	struct masks masks; /* those of other nodes */
	uint64_t now;
	struct sma_watch_counters counters;
};

/* A source has found a notice: a notice_found, whose `arg` is the watch. Gives it to the sink, or counts why
 * not. */
notice_found watch_take;

/* Go on with the notices that wait for the facts of the port, of which newer ones may have come; with all of
 * them if `now_or_never`. */
void watch_end_waiting(struct sma_watch *watch, bool now_or_never);

/* Give a notice to the sink. */
void watch_give(struct sma_watch *watch, const struct sma_notice *notice);

/* Whether a notice from outside, or seen by polling, was heard before; it is remembered if not. */
bool watch_is_repeat(struct sma_watch *watch, const struct sma_notice *notice, uint32_t tid);

/* Give what is to be told at the end of the windows that are over, and log how many repeats there were.
 * Returns when to call again. */
uint64_t watch_end_repeats(struct sma_watch *watch);

/* Forget what was heard, after ending its windows now; from now on they last `repeat_ms`. */
void watch_restart_repeats(struct sma_watch *watch, unsigned repeat_ms);

#endif
