// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "sma/iba/iba.h"
#include "sma/soft/dm/diag.h"

void diag_init(struct diag *diag, const struct diag_config *config)
{
	*diag = (struct diag){.config = *config};
	diag_reset(diag);
}

void diag_reset(struct diag *diag)
{
	diag->state = DIAG_IDLE;
	diag->refusal = DM_STATUS_FAILED;
	diag->code = DM_DIAG_READY;
	diag->announce = false;
}

static void set_ready(struct diag *diag, uint16_t status)
{
	diag->state = status == 0 ? DIAG_READY : DIAG_IDLE;
	diag->refusal = status;
	diag->announce = true;
}

static void set_idle(struct diag *diag)
{
	diag->state = DIAG_IDLE;
	diag->refusal = DM_STATUS_FAILED;
}

/* A repeated request finds what the first one has begun; a controller that is ready tells so again. */
uint16_t diag_prepare(struct diag *diag, uint64_t now)
{
	switch (diag->state) {
	case DIAG_TESTING:
		return MAD_STATUS_BUSY;
	case DIAG_PREPARING:
		return 0;
	case DIAG_READY:
		diag->announce = true;
		return 0;
	default:
		diag->state = DIAG_PREPARING;
		diag->until = now + diag->config.prepare_ms;
		return 0;
	}
}

uint16_t diag_test(struct diag *diag, bool loop, uint32_t value, uint64_t now)
{
	if (value == 0 || loop != (value >= DM_TEST_LOOP))
		return MAD_STATUS_INVALID;
	if (diag->state == DIAG_IDLE)
		return DM_STATUS_FAILED;
	if (diag->state != DIAG_READY)
		return MAD_STATUS_BUSY;
	diag->state = loop ? DIAG_LOOPING : DIAG_TESTING;
	diag->until = now + diag->config.test_ms;
	diag->code = DM_DIAG_SELF_TEST;
	diag->announce = false;
	return 0;
}

uint16_t diag_readiness(const struct diag *diag)
{
	switch (diag->state) {
	case DIAG_IDLE:
		return diag->refusal;
	case DIAG_READY:
		return 0;
	default:
		return MAD_STATUS_BUSY;
	}
}

uint16_t diag_code(const struct diag *diag)
{
	return diag->code;
}

int diag_end_preparation(struct diag *diag, uint16_t status)
{
	if (diag->state != DIAG_PREPARING || status == MAD_STATUS_BUSY)
		return -EINVAL;
	set_ready(diag, status);
	return 0;
}

static void end_test(struct diag *diag)
{
	diag->code = diag->config.result;
	if (diag->state == DIAG_TESTING)
		set_idle(diag);
}

bool diag_advance(struct diag *diag, uint64_t now)
{
	bool announce;

	if (diag->state == DIAG_PREPARING && now >= diag->until)
		set_ready(diag, 0);
	else if ((diag->state == DIAG_TESTING || diag->state == DIAG_LOOPING) && now >= diag->until)
		end_test(diag);
	announce = diag->announce;
	diag->announce = false;
	return announce;
}

uint64_t diag_due(const struct diag *diag)
{
	if (diag->announce)
		return 0;
	return diag->state == DIAG_PREPARING ? diag->until : UINT64_MAX;
}

const char *diag_state_name(enum diag_state state)
{
	static const char *const names[] = {
		[DIAG_IDLE] = "idle",       [DIAG_PREPARING] = "preparing", [DIAG_READY] = "ready",
		[DIAG_TESTING] = "testing", [DIAG_LOOPING] = "looping",
	};

	return names[state];
}
