/* SPDX-License-Identifier: BSD-2-Clause */
/* How a fake SMA misbehaves: a rule for each attribute. */
#ifndef TESTS_FAKES_FAKE_RULES_H
#define TESTS_FAKES_FAKE_RULES_H

#include "sma/iba/mad.h"

enum {
	FAKE_ANY = 0,      /* an attribute: each that has no rule of its own */
	FAKE_FOREVER = -1, /* a number of times */
};

/* What happens to a request instead of a plain answer. */
enum fake_fault {
	FAKE_NONE,
	FAKE_SILENT,     /* its header comes back with ETIMEDOUT when its time is up, as from the kernel */
	FAKE_LOST,       /* it comes back with ETIMEDOUT at once, as from the simulator */
	FAKE_VANISH,     /* nothing comes at all */
	FAKE_SEND_FAILS, /* it cannot be sent */
	FAKE_BUSY,       /* status 0x01 */
	FAKE_REFUSE,     /* the status of fake_qp0_refuse */
	FAKE_WRONG_TID,  /* the answer to another request */
	FAKE_WRONG_ATTRIBUTE, /* likewise */
	FAKE_WRONG_MODIFIER,  /* likewise */
	FAKE_NO_RESPONSE_BIT, /* a request like the one that was sent */
	FAKE_GARBAGE,         /* no SMP */
	FAKE_TWICE,           /* the answer, and again */
	FAKE_TRAP_FIRST,      /* a trap, then the answer */
};

struct fake_rule {
	uint16_t attribute;
	unsigned delay_ms;
	enum fake_fault fault;
	int times;       /* that it still happens */
	uint16_t status; /* of FAKE_REFUSE */
};

enum { FAKE_MAX_RULES = 32 };

struct fake_rules {
	struct fake_rule all[FAKE_MAX_RULES];
	unsigned count;
};

/* The rule for a request: that of its attribute, else that of FAKE_ANY, else NULL. */
struct fake_rule *fake_rules_find(struct fake_rules *rules, uint16_t attribute);

/* The rule of an attribute, made if it has none. */
struct fake_rule *fake_rules_own(struct fake_rules *rules, uint16_t attribute);

/* What happens to the next request under a rule, which may be NULL. */
enum fake_fault fake_rule_take(struct fake_rule *rule);

/* Put a status into a response. */
void fake_set_status(uint8_t mad[MAD_SIZE], uint16_t status);

/* Make of the right answer what a fault makes of it. */
void fake_spoil(uint8_t mad[MAD_SIZE], enum fake_fault fault);

#endif
