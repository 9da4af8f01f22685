/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The device management agents of a node as a function: request + unit + time -> response (IBA 16.3). One on
 * a switch, one for each port of a CA or router; all tell of the same I/O unit. No I/O, no allocation after
 * the start.
 */
#ifndef SOFT_DM_DEVMGT_H
#define SOFT_DM_DEVMGT_H

#include "sma/soft/dm/unit.h"
#include "sma/soft/responder.h"

enum { DEVMGT_NOTICE_SIZE = 80, DEVMGT_CLASS_PORT_INFO_SIZE = 72 };

/* The agent of one end port. */
struct devmgt_endpoint {
	uint8_t class_port_info[DEVMGT_CLASS_PORT_INFO_SIZE]; /* its Trap part is the managers' */
	struct notice_queue notices;
	struct trap_sender traps;
};

struct devmgt {
	struct soft_state *state; /* not owned, likewise the unit */
	struct unit *unit;
	struct devmgt_endpoint *endpoints; /* owned */
	unsigned endpoint_count;
	uint8_t vendor[DM_DATA_SIZE]; /* what was set last of attributes of vendors */
	struct responder_counters counters;
	/* told of each Notice that a port raises, whether or not it leaves as a trap; NULL: nobody is */
	void (*raised)(void *arg, const uint8_t notice[DEVMGT_NOTICE_SIZE]);
	void *raised_arg;
};

/* -ENOMEM. Store and unit must outlive it. */
int devmgt_init(struct devmgt *devmgt, struct soft_state *state, struct unit *unit);
void devmgt_finish(struct devmgt *devmgt);

/*
 * Answer a MAD of class 0x06, with VERDICT_DROP or VERDICT_ANSWER; of the arrival, port and time count.
 * `response` is written for the latter only and may be the same buffer as `request`.
 *
 * Where IBA leaves the status of an error open: a modifier that is no slot, or names entries that are not
 * there, is invalid; a slot without a controller has DM_STATUS_NO_IOC. See sma/soft/dm/diag.h for the tests.
 */
enum verdict devmgt_answer(struct devmgt *devmgt, const struct arrival *arrival,
                           const uint8_t request[MAD_SIZE], uint8_t response[MAD_SIZE]);

/* A trap, and where ClassPortInfo of the port sends it. */
struct devmgt_trap {
	uint8_t mad[MAD_SIZE];
	unsigned port;
	uint16_t dlid;
	uint8_t sl;
	uint16_t pkey;
	uint32_t qp;
	uint32_t qkey;
};

/* The trap to send at `now`; to be called until there is none. Traps are sent from ports that are Active and
 * know a TrapLID, one in each SubnetTimeOut, until they are repressed. */
bool devmgt_next_trap(struct devmgt *devmgt, uint64_t now, struct devmgt_trap *trap);

/* When devmgt_next_trap is to be called next, UINT64_MAX for never. */
uint64_t devmgt_due(const struct devmgt *devmgt);

/* The controller in `slot` has prepared itself, with a status as of Get(PrepareToTest). -ENOENT: there is
 * none; -EINVAL: it does not prepare, or the status says that it still does. */
int devmgt_ready(struct devmgt *devmgt, unsigned slot, uint16_t status);

#endif
