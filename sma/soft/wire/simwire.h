/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulator wire: serves the software SMA of one node to programs that run with libumad2sim.so, the
 * preload library of ibsim. `IBSIM_SOCKNAME` of such a program is the name of the wire.
 *
 * The node is alone: nothing is behind its ports. A client attaches to one of the node's SMAs (port 0 of a
 * switch, port 1 of a CA or router, or the port that "description:port" names in SIM_HOST) and reaches that
 * SMA by a directed route of no hops or by the port's own LIDs. What goes elsewhere comes back at once as
 * timed out, and so does what the SMA does not answer.
 *
 * Device management, where the node has an I/O unit, is reached by the port's LIDs as well.
 *
 * One client of each port can be its SM: the port's CapabilityMask.IsSM follows it, and it gets traps and
 * what is addressed to the SM or SA. Each datagram must come from a user who is permitted, which the kernel
 * says. What becomes of datagrams, the responder counts. Nothing waits: a client that does not take its
 * datagrams loses them.
 */
#ifndef SOFT_WIRE_SIMWIRE_H
#define SOFT_WIRE_SIMWIRE_H

#include <stddef.h>
#include <stdint.h>

#include "sma/mad/mad.h"
#include "sma/soft/responder.h"
#include "sma/soft/soft.h"

struct simwire;

enum { SIMWIRE_CLIENTS = 10 }; /* attached at once */

/* Bind the sockets of `name` in the abstract name space. The responder must outlive the wire. On failure
 * `error` holds a sentence: -EADDRINUSE when another simulator or wire has the name, -ENAMETOOLONG, -EINVAL
 * for an empty name, or another -errno. */
int simwire_open(const char *name, struct responder *responder, struct simwire **wire, char *error,
                 size_t size);

/* Serve the programs of one more user besides root and the user of this process; SMA_NOBODY: of no one else,
 * as at the beginning. Clients of a user who is no longer permitted are detached when they ask for something.
 */
void simwire_permit_user(struct simwire *wire, uid_t user);

/* A descriptor that is readable while datagrams wait. */
int simwire_fd(const struct simwire *wire);

/* Take what came and answer it. A call takes a bounded number of datagrams; while more wait the descriptor
 * stays readable. Traps that Sets and SM changes raised are left in the responder. */
void simwire_process(struct simwire *wire, uint64_t now);

/* Bring a Trap that left through `port` to the SM at `dlid`. */
void simwire_trap(struct simwire *wire, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid);

/* Bring a Trap of device management to the client that has set where traps go, as the last one of its port.
 */
void simwire_dm_trap(struct simwire *wire, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid);

/* Be given, from within simwire_process, what the SM client of a port answers to this process itself. */
typedef void simwire_answered(void *arg, unsigned port, const uint8_t mad[MAD_SIZE]);
void simwire_on_answer(struct simwire *wire, simwire_answered *answered, void *arg);

/* Ask the SM client of a port what the SMA leaves to it, for this process itself. -ENODEV: there is no SM
 * client, or it does not take the request. */
int simwire_ask_sm(struct simwire *wire, unsigned port, const uint8_t mad[MAD_SIZE]);

/* Detach all clients and free the wire. NULL is allowed. */
void simwire_close(struct simwire *wire);

#endif
