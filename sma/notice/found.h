/* SPDX-License-Identifier: BSD-2-Clause */
/* What the sources of notices have in common. */
#ifndef NOTICE_FOUND_H
#define NOTICE_FOUND_H

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
	uint8_t data[SMA_BLOCK_SIZE]; /* the Notice attribute, of one of the traps of sma/iba/notice.h */
	enum sma_notice_source source;
	struct sma_node *node; /* the one whose SMA issued it; NULL: it is none of the local port */
	uint64_t when;         /* when it became known */
};

/* A source found a notice, of which the receiver decides what becomes. `issuer_gid` is NULL unless the source
 * knows it, `tid` 0 likewise. `data` has `size` bytes, which are copied if they are kept. */
typedef void notice_found(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                          const uint8_t issuer_gid[16], uint32_t tid);

#endif
