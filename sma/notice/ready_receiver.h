/* SPDX-License-Identifier: BSD-2-Clause */
/* Traps of device management that arrive on QP1, and the TrapRepress that stops their repetition
 * (IBA 16.3.2). */
#ifndef NOTICE_READY_RECEIVER_H
#define NOTICE_READY_RECEIVER_H

#include "sma/mad/mad.h"
#include "sma/notice/found.h"

struct ready_receiver;

/* Take the Traps that are sent to the port of `engine`, which must outlive the receiver, whoever told the I/O
 * units of the subnet to do so. Their Notices go to `found`, from within engine_process. Where another
 * program holds them that is logged, and none come. NULL when out of memory. */
struct ready_receiver *ready_receiver_new(struct engine *engine, notice_found *found, void *arg);

/* Stop listening, and free. NULL is allowed. */
void ready_receiver_free(struct ready_receiver *receiver);

#endif
