/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modules of the responder share. */
#ifndef SOFT_SMA_REQUEST_H
#define SOFT_SMA_REQUEST_H

#include "sma/soft/responder.h"

/* A request that has passed the M_Key check. */
struct sma_request {
	struct responder *responder;
	struct soft_state *state;
	unsigned arrived; /* port it came in on */
	unsigned port;    /* of the SMA that answers: 0 on a switch */
	uint32_t modifier;
	bool key_matches; /* it carries the M_Key of the port it is about, or there is none */
};

/* ---- attributes ---- */

/* Carry out SubnGet or SubnSet. `data` holds the attribute of the request and takes that of the answer. 0 or
 * the MAD status. */
uint16_t attribute_serve(const struct sma_request *request, uint16_t id, bool is_set,
                         uint8_t data[SMA_BLOCK_SIZE]);

/* The port that the modifier of PortInfo and PortInfoExtended names; -1: there is none. */
int attribute_port(const struct sma_request *request);

/* ---- rules of SubnSet (IBA 14.2.5) ---- */

/* Check all components of PortInfo, then apply them; nothing is applied when one is invalid. 0 or
 * MAD_STATUS_INVALID. */
uint16_t rules_set_port(const struct sma_request *request, unsigned port, const uint8_t data[SMA_BLOCK_SIZE]);

/* Likewise SwitchInfo. */
uint16_t rules_set_switch(const struct sma_request *request, const uint8_t data[SMA_BLOCK_SIZE]);

/* ---- events ---- */

/* The SMA of a port. */
struct endpoint *responder_endpoint(struct responder *responder, unsigned port);

/* A port's link trains anew, or is down if it has none; `by_sm`: because a Set asked for it. */
void link_retrain(struct responder *responder, unsigned port, bool by_sm);

/* A port goes down and stays in a physical state. */
void link_down(struct responder *responder, unsigned port, unsigned physical_state, bool by_sm);

/* An SMP with a wrong M_Key came: count it, start the lease timer, raise trap 256. */
void event_traps_bad_m_key(struct responder *responder, unsigned port, const struct arrival *arrival,
                           const uint8_t mad[MAD_SIZE]);

#endif
