/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What happens to a node by itself, and the traps that report it. Each function changes what the event
 * changes in the state, and raises its Notice. -ERANGE: there is no such port; -EINVAL: no such trap;
 * -ENOTSUP: the node has no such event.
 */
#ifndef SOFT_EVENT_TRAPS_H
#define SOFT_EVENT_TRAPS_H

#include "sma/soft/responder.h"

/* A packet with a wrong P_Key or Q_Key. */
struct bad_key {
	uint32_t key;
	uint16_t lid1, lid2;
	uint8_t sl;        /* 0..15 */
	uint32_t qp1, qp2; /* 24 bits */
	uint8_t gid1[16], gid2[16];
};

/* 129, 130, 131 */
int event_traps_threshold(struct responder *responder, unsigned port, unsigned trap);

/* 257, 258, 259 */
int event_traps_bad_key(struct responder *responder, unsigned port, unsigned trap, const struct bad_key *key);

/* 144; a description of up to SMA_BLOCK_SIZE bytes */
int event_traps_description(struct responder *responder, const char *description);
int event_traps_capability(struct responder *responder, unsigned port, enum sma_component bit, bool on);

/* 145 */
int event_traps_system_guid(struct responder *responder, uint64_t guid);

/* 128 of a switch, one of whose ports has another state. */
void event_traps_link_state(struct responder *responder, unsigned port);

/* 256: an SMP with a wrong M_Key came for a port. */
void event_traps_bad_m_key(struct responder *responder, unsigned port, const struct arrival *arrival,
                           const uint8_t mad[MAD_SIZE]);

#endif
