/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The attributes of a software SMA: what hardware would keep in registers and tables.
 *
 * All attributes stand as they go over the wire; components are read and written with sma_component_get and
 * _set, entries of tables as big-endian bytes. The state knows no rules: what an SMP may do to it is the
 * responder's matter.
 */
#ifndef SOFT_STATE_H
#define SOFT_STATE_H

#include "sma/iba/iba.h"

enum {
	SOFT_VLARB_HALVES = 4,
	SOFT_SL2VL_SIZE = SMA_SL_COUNT / 2, /* bytes of one mapping */
	SOFT_MAX_LIDS = MAD_LAST_LID + 1,   /* entries of a linear table */
	SOFT_MAX_MLIDS = 0x10000 - SMA_FIRST_MLID,
	SOFT_LED_ON = 0x80, /* first byte of LedInfo */
};

struct unit; /* sma/soft/dm/unit.h */

struct state_port {
	uint8_t info[SMA_BLOCK_SIZE];     /* PortInfo */
	uint8_t extended[SMA_BLOCK_SIZE]; /* PortInfoExtended; served with CapabilityMask2 bit 1 */
	uint8_t port_guid[8];
	uint8_t *guids; /* PortInfo.GUIDCap x 8 bytes; end ports */
	uint8_t *pkeys; /* pkey_count x 2 bytes */
	unsigned pkey_count;
	uint8_t *sl2vl;       /* sl2vl_count mappings, by input port on a switch, else one */
	unsigned sl2vl_count; /* 0: the port has no mapping */
	uint8_t vlarb[SOFT_VLARB_HALVES][SMA_BLOCK_SIZE]; /* low 0-31, low 32-63, high 0-31, high 32-63 */
	uint8_t led;                                      /* first byte of LedInfo */
	bool link;                                        /* a cable with a live port at its other end */
};

struct state_diag {
	uint16_t index;
	uint8_t block[SMA_BLOCK_SIZE]; /* VendorDiag */
};

struct soft_state {
	unsigned type;  /* SMA_NODE_CA, _SWITCH or _ROUTER */
	unsigned ports; /* data ports */
	uint8_t description[SMA_BLOCK_SIZE];
	uint8_t node_info[SMA_BLOCK_SIZE]; /* PortGUID and LocalPortNum are filled in for each answer */
	uint8_t switch_info[SMA_BLOCK_SIZE];
	struct state_port *port; /* ports + 1 of them; [0] is port 0 of a switch, unused otherwise */
	uint8_t *linear;         /* LinearFDBCap bytes */
	uint8_t *random;         /* RandomFDBCap x 4 bytes */
	uint8_t *multicast;      /* positions x MulticastFDBCap x 2 bytes */
	unsigned positions;
	struct state_diag *diags;
	unsigned diag_count;
	unsigned changed;  /* attributes, bits 1 << enum sma_attr, that were changed since somebody cleared it
	                    */
	bool vendor_range; /* whether attributes 0xFF00 to 0xFFFF are answered, with what was set last */
	uint8_t vendor[SMA_BLOCK_SIZE];
	struct unit *unit; /* the node's I/O unit; NULL: it has none */
};

/* The sizes that cannot change later. A capacity of 0 leaves the table out. */
struct state_shape {
	unsigned type;          /* of NodeInfo */
	unsigned ports;         /* 1..254 */
	unsigned guid_cap;      /* 0..255, of each end port */
	unsigned pkey_cap;      /* 1..65535, of each end port */
	unsigned enforce_cap;   /* 0..65535, of each data port of a switch */
	unsigned linear_cap;    /* 0..49152 */
	unsigned random_cap;    /* 0..49152 */
	unsigned multicast_cap; /* 0..16384 */
	unsigned vls;           /* VLCap code 1..5 */
};

/* A node in its power-up state: links down, first P_Key 0xFFFF and the rest 0, forwarding entries that
 * discard, default port parameters. The caller owns it. -EINVAL: a size is out of range; -ENOMEM. */
int state_new(const struct state_shape *shape, struct soft_state **state);

/* Give the node an I/O unit, which it owns from now on: its end ports have device management. */
void state_set_unit(struct soft_state *state, struct unit *unit);

/* NULL is allowed. */
void state_free(struct soft_state *state);

bool state_is_switch(const struct soft_state *state);

/* Whether a port has an SMA of its own: port 0 of a switch, each port of a CA or router. */
bool state_is_end_port(const struct soft_state *state, unsigned port);

/* Whether a port can have a cable. */
bool state_is_data_port(const struct soft_state *state, unsigned port);

/* A component of PortInfo of a port, of SwitchInfo or of NodeInfo, by the component's attribute. What sets
 * another value than there was notes the change. */
unsigned state_get(const struct soft_state *state, unsigned port, enum sma_component component);
void state_set(struct soft_state *state, unsigned port, enum sma_component component, uint64_t value);

/* Count one more violation of a key in a component of PortInfo, which stays at its ceiling. */
void state_count_violation(struct soft_state *state, unsigned port, enum sma_component counter);

/* Bytes of an attribute, within the state. Where other ones than there were are put, `attrs` (bits as of
 * `changed`) have changed. */
void state_put(struct soft_state *state, unsigned attrs, void *to, const void *from, size_t size);

/* Give a node or port its GUIDs: NodeGUID, and PortGUIDs NodeGUID + port, which is GUID 0 of each end port.
 */
void state_set_guid(struct soft_state *state, uint64_t node_guid);
void state_set_port_guid(struct soft_state *state, unsigned port, uint64_t guid);
uint64_t state_port_guid(const struct soft_state *state, unsigned port);

/* The time between two traps of an end port, by its SubnetTimeOut, in milliseconds (IBA o14-2). */
uint64_t state_trap_pace(const struct soft_state *state, unsigned port);

#endif
