/* SPDX-License-Identifier: BSD-2-Clause */
/* Notices of an SMA, and the one of device management: what they report (IBA 13.4.8.2, 14.2.5.1, 16.3.3.2).
 */
#ifndef IBA_NOTICE_H
#define IBA_NOTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sma/iba/component.h"

/* The trap numbers of the subnet management class that the SMA of a node raises (IBA 14.2.5.1). */
enum {
	SMA_TRAP_LINK_STATE = 128,
	SMA_TRAP_LINK_INTEGRITY = 129,
	SMA_TRAP_BUFFER_OVERRUN = 130,
	SMA_TRAP_FLOW_CONTROL = 131,
	SMA_TRAP_CAPABILITY = 144,
	SMA_TRAP_SYSTEM_GUID = 145,
	SMA_TRAP_BAD_M_KEY = 256,
	SMA_TRAP_BAD_P_KEY = 257,
	SMA_TRAP_BAD_Q_KEY = 258,
	SMA_TRAP_BAD_P_KEY_SWITCH = 259,
	SMA_TRAP_COUNT = 10,
	SMA_TRAP_STATES = 3, /* those of them that report a state: notice_is_state */
};

/* Those, and DM_TRAP_READY of device management. */
enum { NOTICE_TRAP_COUNT = SMA_TRAP_COUNT + 1 };

/* Components of the DataDetails of those traps, as IBA names them. */
enum notice_part {
	NOTICE_LIDADDR, /* LIDADDR1 of 257 to 259 */
	NOTICE_PORTNO,
	NOTICE_OTHERLOCALCHANGES,
	NOTICE_CAPABILITYMASK,
	NOTICE_CHANGEFLAGS,
	NOTICE_SYSTEMIMAGEGUID,
	NOTICE_METHOD,
	NOTICE_ATTRIBUTEID,
	NOTICE_ATTRIBUTEMODIFIER,
	NOTICE_KEY, /* M_KEY of 256, KEY of 257 and 258, PKEY of 259 */
	NOTICE_LIDADDR2,
	NOTICE_SL,
	NOTICE_QP1,
	NOTICE_QP2,
	NOTICE_GIDADDR1, /* 16 bytes: notice_octets */
	NOTICE_GIDADDR2, /* likewise */
	NOTICE_SWLIDADDR,
	NOTICE_DATAVALID,
	NOTICE_STATUS,         /* of DM_TRAP_READY */
	NOTICE_DEVICE,         /* likewise */
	NOTICE_REPORTED_COUNT, /* no notification has those that follow */
	NOTICE_CAPABILITYMASK2 = NOTICE_REPORTED_COUNT,
	NOTICE_DRSLID,
	NOTICE_DRNOTICE,
	NOTICE_DRPATHTRUNCATED,
	NOTICE_DRHOPCOUNT,
	NOTICE_DRNOTICERETURNPATH, /* NOTICE_PATH_SIZE bytes: notice_octets */
	NOTICE_PART_COUNT
};

enum {
	NOTICE_TYPES = 5, /* Fatal, Urgent, Security, SubnetManagement, Informational: their order is their
	                     priority */
	NOTICE_GID_SIZE = 16,
	NOTICE_PATH_SIZE = 30, /* hops that trap 256 has room for */
};

/* The trap number of a notice. */
unsigned notice_trap(const uint8_t data[SMA_BLOCK_SIZE]);

/* Whether a trap reports a state, of which the last notice says all, and not something that happened: 128,
 * 144 and 145 do. */
bool notice_is_state(unsigned trap);

/* The type of a notice, 0 .. NOTICE_TYPES - 1 in one that is wanted. */
unsigned notice_type(const uint8_t data[SMA_BLOCK_SIZE]);

/* The LID of the port whose SMA issued a notice. */
uint16_t notice_issuer(const uint8_t data[SMA_BLOCK_SIZE]);

/* A component of a notice's details, in host order. -ENOENT: its trap has no such component of up to 64 bits.
 */
int notice_get(const uint8_t data[SMA_BLOCK_SIZE], enum notice_part part, uint64_t *value);

/* The bytes of GIDADDR1, GIDADDR2 or DRNOTICERETURNPATH, within `data`; NULL: its trap has none. */
const uint8_t *notice_octets(const uint8_t data[SMA_BLOCK_SIZE], enum notice_part part);

/* Build a Notice: generic, of the trap's type, with `producer` (a node type) and `issuer` (a LID); the
 * details are zero. */
void notice_build(uint8_t notice[SMA_BLOCK_SIZE], unsigned trap, unsigned producer, uint16_t issuer);

/* Write a component of up to 64 bits; bits beyond its width are dropped. What the trap of the notice does not
 * have is not written. */
void notice_set(uint8_t notice[SMA_BLOCK_SIZE], enum notice_part part, uint64_t value);

/* Likewise one of more bits: the first `size` bytes of it, at most as many as it has. */
void notice_set_octets(uint8_t notice[SMA_BLOCK_SIZE], enum notice_part part, const uint8_t *octets,
                       size_t size);

/* The answer to SubnGet(Notice) where no Notice is queued (IBA 14.2.5.1). */
void notice_build_empty(uint8_t notice[SMA_BLOCK_SIZE]);

/* Of a Notice in an SMA's queue: the toggle bit, and the number of Notices that are queued, 0..0x7FFF. */
bool notice_toggle(const uint8_t data[SMA_BLOCK_SIZE]);
void notice_set_queued(uint8_t notice[SMA_BLOCK_SIZE], bool toggle, unsigned count);

/* Whether a Notice attribute of `size` bytes is one to pass on. */
enum notice_verdict {
	NOTICE_WANTED,    /* generic, one of these traps, with a type and a producer that exist for it */
	NOTICE_VENDOR,    /* not generic */
	NOTICE_OTHER,     /* another trap of another class, or one of the SM itself (64 to 69) */
	NOTICE_MALFORMED, /* shorter than SMA_BLOCK_SIZE, or one of these traps with a reserved type, or with
	                     a producer that is no CA, switch or router, nor a manager of DM_TRAP_READY */
	NOTICE_VERDICT_COUNT
};

/*
 * Firmware and tools that inject traps do not all keep to the type and the producers that IBA gives each trap
 * (a CA's 128, an Urgent 144), and an event is not to be lost for that: what happened is in the trap number
 * and the details. So any of the types Fatal to Informational and any node type is accepted with any trap;
 * other values there are no Notice of an SMA. Toggle, count and reserved bytes are not looked at.
 */
enum notice_verdict notice_judge(const uint8_t *data, size_t size);

/* What a wanted notice reports: its trap number, issuer and components in their places, all else zero. Of a
 * 144 OtherLocalChanges and ChangeFlags belong to it only if the CapabilityMask is 0: with a mask they add
 * nothing that is notified, and a notice found by reading lacks them. */
void notice_essence(const uint8_t data[SMA_BLOCK_SIZE], uint8_t essence[SMA_BLOCK_SIZE]);

/* Whether two wanted notices report the same: their essence is equal. */
bool notice_is_same(const uint8_t a[SMA_BLOCK_SIZE], const uint8_t b[SMA_BLOCK_SIZE]);

/* A short name of the trap for log lines: "link state", ... "other" for one that is none of these. */
const char *notice_name(unsigned trap);

/* The attributes that the event of a trap changes, as bits 1 << enum sma_attr. 0 for one that is none of
 * these. */
unsigned notice_changes(unsigned trap);

#endif
