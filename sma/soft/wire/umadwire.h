/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The QP0 wire: serves the software SMA on the ports of a device, through the kernel's umad.
 *
 * It listens to Get, Set and TrapRepress of both SM classes on each end port of the device. That works
 * where nobody else answers there: most adapters have an SMA in their firmware or driver, which keeps all
 * requests to itself, and an SM registers for the same methods.
 *
 * What the SMA does not answer stays unanswered; a request for the SM (SMInfo) is the SM's own to receive.
 */
#ifndef SOFT_WIRE_UMADWIRE_H
#define SOFT_WIRE_UMADWIRE_H

#include <stddef.h>
#include <stdint.h>

#include "sma/mad/mad.h"
#include "sma/soft/responder.h"

struct umadwire;

/* Open QP0 of the chosen port of a device and of its further ports, and start a reader thread for each. The
 * responder must outlive the wire. -ERANGE: the responder's node has no SMA at a port of the device.
 * -EPROTONOSUPPORT: a class is refused, mostly as another SMA has it. Otherwise -errno. `error`, of at least
 * 256 bytes, holds a sentence that says what failed and how to fix it. */
int umadwire_open(const struct sma_device *device, struct responder *responder, struct umadwire **wire,
                  char *error, size_t size);

/* A descriptor that is readable while MADs wait. */
int umadwire_fd(const struct umadwire *wire);

/* Take what came and answer it. Traps that Sets raised are left in the responder. Returns when to be called
 * again, UINT64_MAX for never. */
uint64_t umadwire_process(struct umadwire *wire, uint64_t now);

/* Why a port of the device is lost for good, as engine_lost. */
int umadwire_lost(const struct umadwire *wire);

/* Send a Trap that leaves through `port` to the SM at `dlid`, with `sl`. */
void umadwire_trap(struct umadwire *wire, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid,
                   unsigned sl);

/* Stop the readers and free the wire. NULL is allowed. */
void umadwire_close(struct umadwire *wire);

#endif
