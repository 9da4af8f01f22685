/* SPDX-License-Identifier: BSD-2-Clause */
/* An I/O unit at a software node, and MADs of device management for it. */
#ifndef TESTS_SOFT_DEVMGT_FIXTURE_H
#define TESTS_SOFT_DEVMGT_FIXTURE_H

#include "sma/soft/dm/devmgt.h"
#include "tests/soft/soft_fixture.h"

/* Attributes of the class. */
enum {
	DEV_CLASS_PORT_INFO = 0x01,
	DEV_NOTICE = 0x02,
	DEV_UNIT_INFO = 0x10,
	DEV_PROFILE = 0x11,
	DEV_SERVICES = 0x12,
	DEV_TIMEOUT = 0x20,
	DEV_PREPARE = 0x21,
	DEV_TEST_ONCE = 0x22,
	DEV_TEST_LOOP = 0x23,
	DEV_DIAG_CODE = 0x24,
};

struct devmgt_fixture {
	struct soft_fixture node; /* arrival, request and response are here */
	struct unit *unit;
	struct devmgt devmgt;
	unsigned raised; /* Notices that the inside was told of, and the last one */
	uint8_t notice[DEVMGT_NOTICE_SIZE];
};

/* A node of soft_fixture_open, Active with LID 7, and a unit with so many slots. */
void devmgt_fixture_open(struct devmgt_fixture *fixture, char node, unsigned slots);
void devmgt_fixture_close(struct devmgt_fixture *fixture);

/* A controller in a slot, with the GUID 0x0002C90000000000 + slot. */
struct ioc *devmgt_fixture_add(struct devmgt_fixture *fixture, unsigned slot);

/* Make `request` one with random bytes where the class has none; `data`, DM_DATA_SIZE bytes, NULL for zeros.
 */
void devmgt_fixture_request(struct devmgt_fixture *fixture, uint8_t method, uint16_t attribute,
                            uint32_t modifier, const uint8_t *data);
enum verdict devmgt_fixture_send(struct devmgt_fixture *fixture);

/* Request and answer together: the status; ASK_DROPPED. */
unsigned devmgt_fixture_ask(struct devmgt_fixture *fixture, uint8_t method, uint16_t attribute,
                            uint32_t modifier, const uint8_t *data);
unsigned devmgt_fixture_get(struct devmgt_fixture *fixture, uint16_t attribute, uint32_t modifier);

/* A Set whose attribute begins with a 32-bit value. */
unsigned devmgt_fixture_set(struct devmgt_fixture *fixture, uint16_t attribute, uint32_t modifier,
                            uint32_t value);

/* The attribute of the last answer. */
const uint8_t *devmgt_fixture_data(const struct devmgt_fixture *fixture);

/* Have traps sent to a LID. */
void devmgt_fixture_send_traps(struct devmgt_fixture *fixture, uint16_t lid);

/* Answer a trap with TrapRepress. */
void devmgt_fixture_repress(struct devmgt_fixture *fixture, const struct devmgt_trap *trap);

#endif
