/* SPDX-License-Identifier: BSD-2-Clause */
/* What has to be known of the management port: addresses and state, refreshed from time to time. */
#ifndef NOTICE_LOCAL_PORT_H
#define NOTICE_LOCAL_PORT_H

#include "sma/node/node.h"

struct local_port {
	bool known;      /* the rest was read */
	bool active;     /* PortState Active, or none as on base port 0 of a switch (IBA 14.2.5.6) */
	uint16_t lid;    /* 1..0xBFFF; 0: none yet */
	unsigned lmc;    /* the port has LIDs lid .. lid + 2^lmc - 1; 0..7 */
	uint16_t sm_lid; /* 1..0xBFFF; 0: no SM */
	unsigned sm_sl;  /* MasterSMSL, 0..15 */
	uint8_t gid[16]; /* GidPrefix and PortGUID, as they stand in a GID */
	unsigned type;   /* NodeInfo.NodeType */
};

struct local_port_reader;

/* Read the management port of `node` each `interval_ms`, 1.., whatever the cache times are: that costs
 * PortInfo, and NodeInfo once. NULL when out of memory. The node must outlive it. */
struct local_port_reader *local_port_new(struct sma_node *node, unsigned interval_ms);

/* NULL is allowed. */
void local_port_free(struct local_port_reader *reader);

/* Do what is due; never waits. To be called in each round of the loop. Returns when to call again. */
uint64_t local_port_run(struct local_port_reader *reader, uint64_t now);

/* It may have changed: begin a reading in the next round, whatever the interval is. */
void local_port_refresh_now(struct local_port_reader *reader);

/* It is wanted as it is at `when`, the present: begin a reading soon, but no sooner than 1 s after the one
 * before has begun. */
void local_port_refresh_soon(struct local_port_reader *reader, uint64_t when);

/* Whether a reading that began at `when` or later has ended, be it that the SMA did not answer. */
bool local_port_is_current(const struct local_port_reader *reader, uint64_t when);

/* The port as last read. It keeps its last values while the SMA does not answer. */
const struct local_port *local_port_get(const struct local_port_reader *reader);

/* Whether a LID is one of the management port's, or was until less than 30 s before `now`. */
bool local_port_has_lid(const struct local_port_reader *reader, uint16_t lid, uint64_t now);

/* PortInfo.LID or MasterSMLID as a LID: 0 for what is none. A port without LID says 0, a virtual function
 * also 0xFFFF. */
uint16_t local_port_lid(uint64_t value);

#endif
