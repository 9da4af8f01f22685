// SPDX-License-Identifier: BSD-2-Clause
/* An I/O unit, and what befalls it one after the other: MADs of device management at its ports, controllers
 * that come, go and get ready, ports that leave Active. The first byte of the input chooses the node, the
 * second one the slots; each step begins with its kind, a port, and the time since the last step. */
#include <stdlib.h>
#include <string.h>

#include "sma/soft/dm/devmgt.h"
#include "tests/fuzz/fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { METHOD_GET = 1, METHOD_SET = 2, METHOD_TRAP_REPRESS = 7, METHOD_GET_RESPONSE = 0x81, DATA_AT = 64 };

/* Kinds of steps: the upper bits of one that is no MAD choose the event. */
enum {
	STEP_EVENT = 0x01,
	STEP_MENDED = 0x02,   /* the header is made right */
	STEP_SHORT = 0x04,    /* method, AttributeID, modifier and the first bytes of the data only */
	STEP_IN_PLACE = 0x80, /* the answer goes where the request was */
};

enum { SHORT_DATA = 72, MAX_PORTS = 2, PLUGS = 4 /* slots of the first ones that events are about */ };

struct fuzz {
	struct soft_state *state;
	struct unit *unit;
	struct devmgt devmgt;
	uint64_t now;
	uint64_t next_at[MAX_PORTS + 1]; /* each port sends no trap before */
	uint8_t info[UNIT_INFO_SIZE];    /* as the last event left it */
	uint8_t profiles[DM_MAX_SLOTS][UNIT_PROFILE_SIZE];
	enum diag_state states[DM_MAX_SLOTS];
};

/* ---- the node ---- */

/* What is told is what a reader would be told. */
static void check_raised(void *arg, const uint8_t *notice)
{
	const struct fuzz *f = arg;
	const struct ioc *ioc = unit_ioc(f->unit, (unsigned)dm_component_get(notice, DM_Notice_DEVICE));

	expect(dm_notice_is_ready(notice) && ioc);
	expect(dm_component_get(notice, DM_Notice_STATUS) == diag_readiness(&ioc->diag));
	expect(diag_readiness(&ioc->diag) != MAD_STATUS_BUSY);
}

static void add(struct fuzz *f, unsigned slot, unsigned services)
{
	expect(unit_add(f->unit, slot, 0x0002C90000000000 + slot) == 0);
	for (unsigned i = 0; i < services; i++)
		expect(unit_set_service(unit_ioc(f->unit, slot), i, "name", 4, i) == 0);
}

static void remember(struct fuzz *f)
{
	memcpy(f->info, f->unit->info, sizeof(f->info));
	for (unsigned slot = 1; slot <= unit_slots(f->unit); slot++) {
		const struct ioc *ioc = unit_ioc(f->unit, slot);

		if (ioc)
			memcpy(f->profiles[slot - 1], ioc->profile, UNIT_PROFILE_SIZE);
		f->states[slot - 1] = ioc ? ioc->diag.state : DIAG_IDLE;
	}
}

static void begin(struct fuzz *f, uint8_t choice, uint8_t slots)
{
	const struct state_shape shape = {
		.type = choice & 1 ? SMA_NODE_SWITCH : SMA_NODE_CA,
		.ports = MAX_PORTS,
		.guid_cap = choice & 1 ? 0 : 1,
		.pkey_cap = 1,
		.vls = 1,
	};

	memset(f, 0, sizeof(*f));
	expect(state_new(&shape, &f->state) == 0);
	state_set_guid(f->state, 0x1000);
	f->state->vendor_range = choice & 2;
	for (unsigned port = 0; port <= MAX_PORTS; port++) {
		if (state_is_end_port(f->state, port)) {
			state_set(f->state, port, SMA_PortInfo_PortState, SMA_PORT_ACTIVE);
			state_set(f->state, port, SMA_PortInfo_LID, port + 1);
		}
	}
	f->unit = unit_new(slots);
	expect(f->unit && devmgt_init(&f->devmgt, f->state, f->unit) == 0);
	f->devmgt.raised = check_raised;
	f->devmgt.raised_arg = f;
	for (unsigned slot = 1; slot <= slots && slot <= PLUGS; slot++)
		add(f, slot, slot * slot - 1);
	remember(f);
}

static void finish(struct fuzz *f)
{
	devmgt_finish(&f->devmgt);
	unit_free(f->unit);
	state_free(f->state);
}

/* ---- MADs ---- */

static void take_mad(struct input *input, uint8_t step, uint8_t *mad)
{
	memset(mad, 0, MAD_SIZE);
	if (step & STEP_SHORT) {
		take(input, mad + 3, 1);
		take(input, mad + 12, 4);
		take(input, mad + 16, 2);
		take(input, mad + 20, 4);
		take(input, mad + DATA_AT, SHORT_DATA);
	} else {
		take(input, mad, MAD_SIZE);
	}
	if (!(step & (STEP_SHORT | STEP_MENDED)))
		return;
	mad[0] = 1;
	mad[1] = 6;
	mad[2] = 1;
	wire_put16(mad + 4, 0);
}

static bool is_status(uint16_t status)
{
	return status == 0 || status == 0x01 || status == 0x04 || status == 0x08 || status == 0x0C ||
	       status == 0x1C || status == 0x0100 || status == 0x0200 || status == 0x8000;
}

/* An answer is the request but for method, status and data, and the data only of what was done. */
static void check_answer(const struct fuzz *f, const uint8_t *request, const uint8_t *answer)
{
	uint8_t wanted[MAD_SIZE];
	uint16_t status = wire_get16(answer + 4);
	bool is_readiness = wire_get16(request + 16) == 0x21 && request[3] == METHOD_GET;

	memcpy(wanted, request, sizeof(wanted));
	wanted[3] = METHOD_GET_RESPONSE;
	memcpy(wanted + 4, answer + 4, 2);
	memcpy(wanted + DATA_AT, answer + DATA_AT, DM_DATA_SIZE);
	expect(memcmp(answer, wanted, sizeof(wanted)) == 0);
	expect(request[0] == 1 && request[1] == 6);
	expect(!(request[3] & 0x80) && request[3] != METHOD_TRAP_REPRESS);
	expect(is_status(status) || is_readiness);
	expect(status == 0 || memcmp(answer + DATA_AT, request + DATA_AT, DM_DATA_SIZE) == 0);
	expect(status == 0x04 || status == 0x08 || request[3] == METHOD_GET || request[3] == METHOD_SET);
	if (status == 0 && wire_get16(request + 16) == 0x10)
		expect(memcmp(answer + DATA_AT, f->unit->info, UNIT_INFO_SIZE) == 0);
}

static void run_mad(struct fuzz *f, struct input *input, uint8_t step, unsigned port)
{
	const struct arrival arrival = {.port = port, .slid = 9, .now = f->now};
	uint8_t request[MAD_SIZE];
	uint8_t sent[MAD_SIZE];
	uint8_t elsewhere[MAD_SIZE];
	uint8_t *answer = step & STEP_IN_PLACE ? sent : elsewhere;

	take_mad(input, step, request);
	memcpy(sent, request, sizeof(sent));
	if (devmgt_answer(&f->devmgt, &arrival, sent, answer) == VERDICT_ANSWER)
		check_answer(f, request, answer);
	else
		expect(memcmp(request, sent, sizeof(sent)) == 0);
}

/* ---- events ---- */

static void run_event(struct fuzz *f, struct input *input, uint8_t step, unsigned port)
{
	unsigned slot = take8(input);

	switch (step >> 1 & 3) {
	case 0:
		devmgt_ready(&f->devmgt, slot, (uint16_t)take16(input));
		break;
	case 1:
		unit_remove(f->unit, slot);
		break;
	case 2:
		unit_put_back(f->unit, slot);
		break;
	default:
		if (state_is_end_port(f->state, port))
			state_set(f->state, port, SMA_PortInfo_PortState, 1 + slot % 4);
	}
}

/* ---- what always holds ---- */

/* No MAD changes the unit, or has a controller tested that was not ready. */
static void check_unit(const struct fuzz *f)
{
	expect(memcmp(f->unit->info, f->info, sizeof(f->info)) == 0);
	for (unsigned slot = 1; slot <= unit_slots(f->unit); slot++) {
		const struct ioc *ioc = unit_ioc(f->unit, slot);
		enum diag_state before = f->states[slot - 1];

		if (!ioc)
			continue;
		expect(memcmp(ioc->profile, f->profiles[slot - 1], UNIT_PROFILE_SIZE) == 0);
		if (ioc->diag.state >= DIAG_TESTING && before != ioc->diag.state)
			expect(before == DIAG_READY || before == DIAG_PREPARING);
	}
}

static void check_traps(struct fuzz *f)
{
	struct devmgt_trap trap = {0};

	while (devmgt_next_trap(&f->devmgt, f->now, &trap)) {
		expect(state_is_end_port(f->state, trap.port));
		expect(state_get(f->state, trap.port, SMA_PortInfo_PortState) == SMA_PORT_ACTIVE);
		expect(trap.dlid && trap.dlid <= MAD_LAST_LID && trap.sl <= 15 && trap.qp);
		expect(wire_get32(trap.mad) == 0x01060105 && wire_get16(trap.mad + 16) == 2);
		expect(wire_get64(trap.mad + 8) != 0 && dm_notice_is_ready(trap.mad + DATA_AT));
		expect(f->now >= f->next_at[trap.port]);
		f->next_at[trap.port] = f->now + state_trap_pace(f->state, trap.port);
	}
	expect(devmgt_due(&f->devmgt) > f->now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {data, data + size};
	struct fuzz f;
	uint8_t choice = take8(&input);

	begin(&f, choice, take8(&input));
	while (input.at < input.end) {
		uint8_t step = take8(&input);
		unsigned port = take8(&input);

		f.now += take16(&input);
		if (step & STEP_EVENT)
			run_event(&f, &input, step, port);
		else
			run_mad(&f, &input, step, port);
		if (!(step & STEP_EVENT))
			check_unit(&f);
		check_traps(&f);
		remember(&f);
	}
	finish(&f);
	return 0;
}
