/* SPDX-License-Identifier: BSD-2-Clause */
/* Notices that were received: which of them are wanted, and what they say (IBA 13.4.8.2, 14.2.5.1). */
#ifndef SMA_NOTICE_H
#define SMA_NOTICE_H

#include <stddef.h>

#include "sma/sma.h"

/* Whether a Notice attribute of `size` bytes is one to pass on. */
enum notice_verdict {
	NOTICE_WANTED, /* generic, one of the ten traps, with a type and a producer that exist for an SMA */
	NOTICE_VENDOR, /* not generic */
	NOTICE_OTHER,  /* a trap of another class, or of the SM itself (64 to 69) */
	NOTICE_MALFORMED, /* shorter than SMA_BLOCK_SIZE, or one of the ten traps with a reserved type, or
	                     with a producer that is no CA, switch or router */
	NOTICE_VERDICT_COUNT
};

/*
 * Firmware and tools that inject traps do not all keep to the type and the producers that IBA gives each trap
 * (a CA's 128, an Urgent 144), and an event is not to be lost for that: what happened is in the trap number
 * and the details. So any of the types Fatal to Informational and any node type is accepted with any trap;
 * other values there are no Notice of an SMA. Toggle, count and reserved bytes are not looked at.
 */
enum notice_verdict notice_judge(const uint8_t *data, size_t size);

/* What a wanted notice tells: its trap number, issuer and components in their places, all else zero. Of a 144
 * OtherLocalChanges and ChangeFlags belong to it only if the CapabilityMask is 0: with a mask they add
 * nothing that is notified, and a notice found by reading lacks them. */
void notice_essence(const uint8_t data[SMA_BLOCK_SIZE], uint8_t essence[SMA_BLOCK_SIZE]);

/* Whether two wanted notices tell the same: their essence is equal. */
bool notice_is_same(const uint8_t a[SMA_BLOCK_SIZE], const uint8_t b[SMA_BLOCK_SIZE]);

/* A short name of the trap for log lines: "link state", ... "other" for one that is none of the ten. */
const char *notice_name(unsigned trap);

/* The attributes that the event of a trap changes, as bits 1 << enum sma_attr. 0 for one that is none of the
 * ten. */
unsigned notice_changes(unsigned trap);

/* A source found a notice; whoever listens judges it. `issuer_gid` is NULL unless the source knows it, `tid`
 * 0 likewise. `data` has `size` bytes, which are copied if they are kept. */
typedef void notice_found(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                          const uint8_t issuer_gid[16], uint32_t tid);

#endif
