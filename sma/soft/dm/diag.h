/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The diagnostics of an I/O controller (IBA 16.3.3.6 to 16.3.3.10), without a clock of its own:
 *
 *     idle ------ PrepareToTest ---> preparing
 *     preparing - in time ---------> ready
 *     ready ----- TestDeviceOnce --> testing -- in time --------> idle
 *     ready ----- TestDeviceLoop --> looping -- PrepareToTest --> preparing
 *
 * Times are milliseconds of one monotonic clock.
 */
#ifndef SOFT_DM_DIAG_H
#define SOFT_DM_DIAG_H

#include <stdbool.h>
#include <stdint.h>

enum diag_state { DIAG_IDLE, DIAG_PREPARING, DIAG_READY, DIAG_TESTING, DIAG_LOOPING };

enum { DIAG_DEFAULT_MS = 1000, DIAG_DEFAULT_TIMEOUT_MS = 10000 };

/* What a controller is like. */
struct diag_config {
	uint32_t timeout_ms; /* DiagnosticTimeout */
	uint32_t prepare_ms; /* how long it prepares */
	uint32_t test_ms;    /* how long a test takes, 1.. */
	uint16_t result;     /* DiagCode when a test has ended */
};

struct diag {
	struct diag_config config;
	enum diag_state state;
	uint64_t until;   /* preparing, testing: when that ends; looping: when the present test does */
	uint16_t refusal; /* idle: what PrepareToTest is answered with */
	uint16_t code;    /* DiagCode as of the last test */
	bool announce;    /* its readiness has changed, and is to be told */
};

/* A controller that was never tested. */
void diag_init(struct diag *diag, const struct diag_config *config);

/* Forget what was going on, as when it is taken out of its slot. */
void diag_reset(struct diag *diag);

/* Set(PrepareToTest): 0, or MAD_STATUS_BUSY while a test runs. A test in a loop ends. */
uint16_t diag_prepare(struct diag *diag, uint64_t now);

/* Set(TestDeviceLoop) with a value, else Set(TestDeviceOnce): 0; MAD_STATUS_INVALID: the value is 0 or that
 * of the other attribute; MAD_STATUS_BUSY; DM_STATUS_FAILED: it is not prepared. */
uint16_t diag_test(struct diag *diag, bool loop, uint32_t value, uint64_t now);

/* What Get(PrepareToTest) is answered with: 0 ready, MAD_STATUS_BUSY preparing or testing, DM_STATUS_FAILED
 * not prepared, or how the preparation ended. */
uint16_t diag_readiness(const struct diag *diag);

/* The value of DiagCode: that of the last test, DM_DIAG_SELF_TEST while a single one, or the first of a loop,
 * runs. */
uint16_t diag_code(const struct diag *diag);

/* End the preparation now, with a status other than MAD_STATUS_BUSY. -EINVAL: it is not preparing. */
int diag_end_preparation(struct diag *diag, uint16_t status);

/* Take what ended until `now`. Whether the readiness is to be told; once. */
bool diag_advance(struct diag *diag, uint64_t now);

/* When to call diag_advance next; UINT64_MAX: it can wait for the next request. */
uint64_t diag_due(const struct diag *diag);

/* The word for a state. */
const char *diag_state_name(enum diag_state state);

#endif
