/* SPDX-License-Identifier: BSD-2-Clause */
/* The protection of an SMA by its M_Key, and the lease of it (IBA 14.2.4). */
#ifndef SOFT_M_KEY_H
#define SOFT_M_KEY_H

#include "sma/soft/sma_request.h"

/* End the protection of ports whose lease has run out; their keys stay. */
void m_key_end_leases(struct responder *responder, uint64_t now);

/* Whether a request may be carried out. Its port's lease ends with a right key and starts with a wrong one,
 * which is counted and raises trap 256. */
bool m_key_check(const struct sma_request *request);

/* Whether the sender of a request knows the key of the port that it is about, or needs none. */
bool m_key_is_known(const struct sma_request *request);

#endif
