/* SPDX-License-Identifier: BSD-2-Clause */
/* A software SMA with small tables, and SMPs for it. */
#ifndef TESTS_SOFT_SOFT_FIXTURE_H
#define TESTS_SOFT_SOFT_FIXTURE_H

#include "sma/soft/event_traps.h"
#include "sma/soft/link.h"
#include "sma/soft/responder.h"

/* Sizes are such that the last block of each table is used in part. */
enum {
	FIXTURE_CA_PORTS = 2,
	FIXTURE_SWITCH_PORTS = 20,
	FIXTURE_GUIDS = 12,
	FIXTURE_PKEYS = 40,
	FIXTURE_LIDS = 100,
	FIXTURE_RANDOM = 20,
	FIXTURE_MLIDS = 40,
};

enum { GET = 0x01, SET = 0x02, TRAP_REPRESS = 0x07, GET_RESPONSE = 0x81 };

enum {
	ATTR_NOTICE = 0x02,
	ATTR_NODE_INFO = 0x11,
	ATTR_SWITCH_INFO = 0x12,
	ATTR_GUID_INFO = 0x14,
	ATTR_PORT_INFO = 0x15,
	ATTR_SM_INFO = 0x20,
	ATTR_PORT_INFO_EXTENDED = 0x33,
};

enum { CLASS_LID = 0x01, CLASS_DIRECTED = 0x81, PERMISSIVE = 0xFFFF };

/* Bytes of an SMP. */
enum {
	AT_CLASS = 1,
	AT_CLASS_VERSION = 2,
	AT_METHOD = 3,
	AT_STATUS = 4,
	AT_HOP_POINTER = 6,
	AT_HOP_COUNT = 7,
	AT_TID = 8,
	AT_ATTRIBUTE = 16,
	AT_MODIFIER = 20,
	AT_M_KEY = 24,
	AT_DR_SLID = 32,
	AT_DR_DLID = 34,
	AT_DATA = 64,
	AT_INITIAL_PATH = 128,
	AT_RETURN_PATH = 192,
	/* of a Notice */
	AT_NUMBER = AT_DATA + 4,
	AT_ISSUER = AT_DATA + 6,
	AT_COUNT = AT_DATA + 8,
	AT_DETAILS = AT_DATA + 10,
	DETAILS_SIZE = 54,
};

struct soft_fixture {
	struct soft_state *state;
	struct responder responder;
	struct arrival arrival; /* of the next request */
	uint8_t request[MAD_SIZE];
	uint8_t response[MAD_SIZE];
};

/* 'c': a CA, 's': a switch with a linear table, 'f': one with a random table, 'r': a router. Requests arrive
 * at port 1, LID routed from LID 9, at time 1000. */
void soft_fixture_open(struct soft_fixture *fixture, char node);
void soft_fixture_close(struct soft_fixture *fixture);

/* The port whose SMA is asked: 0 on a switch, else 1. */
unsigned soft_fixture_port(const struct soft_fixture *fixture);

/* Put the SMA's port into Active, with LID 7 and the SM at LID 5: it may send traps. */
void soft_fixture_activate(struct soft_fixture *fixture);

/* Make `request` one with new random reserved bytes; `data` NULL for zeros. */
void soft_fixture_request(struct soft_fixture *fixture, uint8_t method, uint16_t attribute, uint32_t modifier,
                          const uint8_t *data);

/* Make `request` a directed-route one with so many hops. */
void soft_fixture_direct(struct soft_fixture *fixture, unsigned hops);

/* Answer `request`. */
enum verdict soft_fixture_send(struct soft_fixture *fixture);

/* Request and answer together. The status without the D bit; ASK_DROPPED, ASK_TO_SM. */
enum { ASK_DROPPED = 0x10000, ASK_TO_SM = 0x20000 };
unsigned soft_fixture_ask(struct soft_fixture *fixture, uint8_t method, uint16_t attribute, uint32_t modifier,
                          const uint8_t *data);

/* Prepare the node as a word of a table says: COMPONENT=VALUE of all ports and the switch, diags=1, vendor=1.
 * False: no such word. */
bool soft_fixture_prepare(struct soft_fixture *fixture, const char *word);

/* The component of NodeInfo, SwitchInfo or PortInfo with that name; SMA_COMPONENT_COUNT: none. */
enum sma_component soft_fixture_component(const char *name);

/* A component of a port as it stands. */
unsigned soft_fixture_get(const struct soft_fixture *fixture, unsigned port, enum sma_component component);

/* Raise a trap at a port: its number chooses the event. As the functions of responder.h. */
extern const struct bad_key soft_fixture_bad_key;
int soft_fixture_raise(struct soft_fixture *fixture, unsigned trap, unsigned port);

/* A trap as it leaves. */
struct sent {
	uint8_t mad[MAD_SIZE];
	unsigned port;
	uint16_t dlid;
	unsigned sl;
};

/* The number of the trap that leaves at a time; 0: none does. */
unsigned soft_fixture_next(struct soft_fixture *fixture, uint64_t now, struct sent *sent);

/* Answer a trap with TrapRepress; the bits of `change` are inverted in its byte `at`. */
void soft_fixture_repress(struct soft_fixture *fixture, const struct sent *sent, unsigned at, uint8_t change);

/* All bytes that a state holds, for comparison. The caller frees them. */
uint8_t *soft_fixture_snapshot(const struct soft_fixture *fixture, size_t *size);

/* Whether the state is as it was; frees the snapshot. */
bool soft_fixture_is_same(const struct soft_fixture *fixture, uint8_t *snapshot, size_t size);

#endif
