/* SPDX-License-Identifier: BSD-2-Clause */
/* A request to an SMA, as the parts of the responder see it. */
#ifndef SOFT_SMA_REQUEST_H
#define SOFT_SMA_REQUEST_H

#include "sma/soft/responder.h"

struct sma_request {
	struct responder *responder;
	struct soft_state *state; /* the responder's */
	const struct arrival *arrival;
	const uint8_t *mad;
	unsigned port; /* of the SMA that answers: 0 on a switch */
	uint8_t method;
	uint16_t attribute;
	uint32_t modifier;
	uint64_t m_key;
	bool directed;
	bool knows_key; /* m_key_is_known, before it is carried out */
};

#endif
