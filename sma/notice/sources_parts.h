/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modules of the sources share. */
#ifndef NOTICE_SOURCES_PARTS_H
#define NOTICE_SOURCES_PARTS_H

#include "sma/iba/iba.h"
#include "sma/mad/mad.h"
#include "sma/notice/change_poll.h"
#include "sma/notice/duplicates.h"
#include "sma/notice/found.h"
#include "sma/notice/inform.h"
#include "sma/notice/local_port.h"
#include "sma/notice/masks.h"
#include "sma/notice/ready_receiver.h"
#include "sma/notice/sources.h"
#include "sma/notice/trap_receiver.h"

/* A notice as a source has found it. */
struct found {
	struct sma_notice notice;
	uint32_t tid;
	bool has_gid; /* of its issuer */
	uint8_t gid[16];
};

enum { SOURCES_WAITING = 64 };

struct sources {
	struct sma_node *node;
	struct mad_ports *ports;
	unsigned index; /* of the local port among these */
	sources_heard *heard;
	void *heard_arg;
	bool soft; /* the software node is the source, and nothing below */
	struct sources_config config;
	sma_notice_sink *sink;
	void *arg;
	int fd; /* readable while that of `verbs` is */
	struct verbs *verbs;
	struct local_port_reader *local;
	struct inform *inform;
	struct trap_receiver *traps;
	struct ready_receiver *ready;
	struct change_poll *poll;
	struct duplicates *duplicates;
	struct {
		struct found ring[SOURCES_WAITING];
		unsigned first, count;
	} waiting;         /* notices whose issuer may be the own node, with a LID that is not known yet */
	uint64_t unlogged; /* duplicates since the last log line */
	uint64_t log_at;
	bool mask_known;
	uint64_t mask;      /* the node's CapabilityMask as it was reported last */
	struct masks masks; /* those of other nodes */
	uint64_t now;
	struct sources_counters counters;
};

/* A source has found a notice: a notice_found, whose `arg` is the sources. Delivers it, or counts why not. */
notice_found sources_take;

/* Judge the notices that wait for what the local port is like, as far as that is known now; all of them if
 * `now_or_never`. */
void sources_judge_waiting(struct sources *sources, bool now_or_never);

/* Give a notice to the sink. */
void sources_deliver(struct sources *sources, const struct sma_notice *notice);

/* Whether a notice from outside, or seen by polling, was heard before; it is remembered if not. */
bool sources_is_duplicate(struct sources *sources, const struct sma_notice *notice, uint32_t tid);

/* Deliver what is due at the end of the windows that are over, and log how many duplicates there were.
 * Returns when to call again. */
uint64_t sources_end_windows(struct sources *sources);

/* Forget what was heard, after ending its windows now; from now on they last `repeat_ms`. */
void sources_restart_windows(struct sources *sources, unsigned repeat_ms);

#endif
