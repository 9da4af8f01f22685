/* SPDX-License-Identifier: BSD-2-Clause */
/* The control messages of a simulator wire: clients that come and go, and what their library asks of the
 * node. */
#ifndef SOFT_WIRE_CONTROL_H
#define SOFT_WIRE_CONTROL_H

#include "sma/soft/wire/clients.h"

/* Carry out a control message, of a user who is permitted or else is refused; its answer is to be sent when
 * the result is true. */
bool control_answer(struct clients *clients, const uint8_t *message, size_t size, bool permitted,
                    uint8_t answer[CONTROL_SIZE]);

#endif
