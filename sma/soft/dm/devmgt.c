// SPDX-License-Identifier: BSD-2-Clause
/* The frame around the attributes, and the traps. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/clock.h"
#include "sma/soft/dm/devmgt_parts.h"

enum {
	CLASS_VERSION = 1,
	TRAPS_GENERATED = 1, /* bits of ClassPortInfo.CapabilityMask */
	NOTICE_READABLE = 2,
	RESPONSE_TIME = 16, /* 0.27 s */
	DEFAULT_QP = 1,
	DEFAULT_PKEY = 0xFFFF,
};

#define DEFAULT_QKEY 0x80010000U

/* ---- start and end ---- */

static void init_endpoint(struct devmgt_endpoint *endpoint)
{
	uint8_t *info = endpoint->class_port_info;

	dm_component_set(info, DM_ClassPortInfo_BaseVersion, MAD_BASE_VERSION);
	dm_component_set(info, DM_ClassPortInfo_ClassVersion, CLASS_VERSION);
	dm_component_set(info, DM_ClassPortInfo_CapabilityMask, TRAPS_GENERATED | NOTICE_READABLE);
	dm_component_set(info, DM_ClassPortInfo_RespTimeValue, RESPONSE_TIME);
}

int devmgt_init(struct devmgt *devmgt, struct soft_state *state, struct unit *unit)
{
	unsigned count = state_is_switch(state) ? 1 : state->ports;

	*devmgt = (struct devmgt){.state = state, .unit = unit, .endpoint_count = count};
	devmgt->endpoints = calloc(count, sizeof(*devmgt->endpoints));
	if (!devmgt->endpoints)
		return -ENOMEM;
	for (unsigned i = 0; i < count; i++)
		init_endpoint(&devmgt->endpoints[i]);
	return 0;
}

void devmgt_finish(struct devmgt *devmgt)
{
	free(devmgt->endpoints);
	devmgt->endpoints = NULL;
}

static unsigned port_of(const struct devmgt *devmgt, unsigned endpoint)
{
	return state_is_switch(devmgt->state) ? 0 : endpoint + 1;
}

static struct devmgt_endpoint *endpoint_of(const struct devmgt *devmgt, unsigned port)
{
	return &devmgt->endpoints[state_is_switch(devmgt->state) ? 0 : port - 1];
}

/* ---- traps ---- */

static bool may_trap(const struct devmgt *devmgt, unsigned endpoint)
{
	const struct devmgt_endpoint *of = &devmgt->endpoints[endpoint];

	return state_get(devmgt->state, port_of(devmgt, endpoint), SMA_PortInfo_PortState) ==
	               SMA_PORT_ACTIVE &&
	       dm_component_get(of->class_port_info, DM_ClassPortInfo_TrapLID) != 0;
}

/* In a GMP the issuer's GID follows the details (IBA 13.4.8.2). */
void devmgt_add_gid(const struct devmgt *devmgt, unsigned port, uint8_t notice[DEVMGT_NOTICE_SIZE])
{
	uint8_t gid[DM_GID_SIZE];

	wire_put64(gid, sma_component_get(devmgt->state->port[port].info, SMA_PortInfo_GidPrefix));
	wire_put64(gid + 8, state_port_guid(devmgt->state, port));
	dm_component_put(notice, DM_Notice_IssuerGID, gid, sizeof(gid));
}

static void raise_ready(struct devmgt *devmgt, unsigned endpoint, unsigned slot, uint16_t status)
{
	unsigned port = port_of(devmgt, endpoint);
	struct devmgt_endpoint *of = &devmgt->endpoints[endpoint];
	uint8_t notice[DEVMGT_NOTICE_SIZE];

	dm_notice_ready(notice, (uint16_t)state_get(devmgt->state, port, SMA_PortInfo_LID), slot, status);
	notice_queue_add(&of->notices, notice);
	if (may_trap(devmgt, endpoint))
		trap_sender_add(&of->traps, notice);
	if (!devmgt->raised)
		return;
	devmgt_add_gid(devmgt, port, notice);
	devmgt->raised(devmgt->raised_arg, notice);
}

/* What a reader may have kept of tests and of who gets their traps. */
static void note_change(struct devmgt *devmgt)
{
	devmgt->state->changed |=
		1U << SMA_DM_ClassPortInfo | 1U << SMA_DM_PrepareToTest | 1U << SMA_DM_DiagCode;
}

static void advance(struct devmgt *devmgt, uint64_t now)
{
	for (unsigned slot = 1; slot <= unit_slots(devmgt->unit); slot++) {
		struct ioc *ioc = unit_ioc(devmgt->unit, slot);

		enum diag_state before = ioc ? ioc->diag.state : DIAG_IDLE;
		bool announces = ioc && diag_advance(&ioc->diag, now);

		if (ioc && ioc->diag.state != before)
			note_change(devmgt);
		if (!announces)
			continue;
		for (unsigned i = 0; i < devmgt->endpoint_count; i++)
			raise_ready(devmgt, i, slot, diag_readiness(&ioc->diag));
	}
}

static void build_trap(const struct devmgt *devmgt, unsigned endpoint, const struct trap *from,
                       struct devmgt_trap *trap)
{
	const uint8_t *info = devmgt->endpoints[endpoint].class_port_info;
	uint8_t *notice = trap->mad + DEVMGT_DATA_AT;
	const struct mad_head head = {.class = MAD_CLASS_DEVICE,
	                              .method = MAD_TRAP,
	                              .tid = from->tid,
	                              .attribute = dm_attr_info(DM_Notice)->id};

	*trap = (struct devmgt_trap){
		.port = port_of(devmgt, endpoint),
		.dlid = (uint16_t)dm_component_get(info, DM_ClassPortInfo_TrapLID),
		.sl = (uint8_t)dm_component_get(info, DM_ClassPortInfo_TrapSL),
		.pkey = (uint16_t)dm_component_get(info, DM_ClassPortInfo_TrapP_Key),
		.qp = (uint32_t)dm_component_get(info, DM_ClassPortInfo_TrapQP),
		.qkey = (uint32_t)dm_component_get(info, DM_ClassPortInfo_TrapQ_Key),
	};
	trap->pkey = trap->pkey ? trap->pkey : DEFAULT_PKEY;
	trap->qp = trap->qp ? trap->qp : DEFAULT_QP;
	trap->qkey = trap->qkey ? trap->qkey : DEFAULT_QKEY;
	mad_build(trap->mad, &head);
	memcpy(notice, from->notice, SMA_BLOCK_SIZE);
	devmgt_add_gid(devmgt, trap->port, notice);
}

bool devmgt_next_trap(struct devmgt *devmgt, uint64_t now, struct devmgt_trap *trap)
{
	advance(devmgt, now);
	for (unsigned i = 0; i < devmgt->endpoint_count; i++) {
		const struct trap *from =
			may_trap(devmgt, i)
				? trap_sender_next(&devmgt->endpoints[i].traps, now,
		                                   state_trap_pace(devmgt->state, port_of(devmgt, i)))
				: NULL;

		if (!from)
			continue;
		build_trap(devmgt, i, from, trap);
		return true;
	}
	return false;
}

uint64_t devmgt_due(const struct devmgt *devmgt)
{
	uint64_t due = UINT64_MAX;

	for (unsigned slot = 1; slot <= unit_slots(devmgt->unit); slot++) {
		const struct ioc *ioc = unit_ioc(devmgt->unit, slot);

		if (ioc)
			due = sma_earlier(due, diag_due(&ioc->diag));
	}
	for (unsigned i = 0; i < devmgt->endpoint_count; i++) {
		if (may_trap(devmgt, i) && trap_sender_waiting(&devmgt->endpoints[i].traps))
			due = sma_earlier(due, devmgt->endpoints[i].traps.next_at);
	}
	return due;
}

int devmgt_ready(struct devmgt *devmgt, unsigned slot, uint16_t status)
{
	struct ioc *ioc = unit_ioc(devmgt->unit, slot);

	return ioc ? diag_end_preparation(&ioc->diag, status) : -ENOENT;
}

/* ---- the frame ---- */

static bool is_well_formed(const struct devmgt *devmgt, const struct arrival *arrival, const uint8_t *mad)
{
	uint8_t method = mad[MAD_AT_METHOD];

	if (arrival->port > devmgt->state->ports)
		return false;
	if (!state_is_switch(devmgt->state) && !state_is_end_port(devmgt->state, arrival->port))
		return false;
	if (mad[MAD_AT_BASE_VERSION] != MAD_BASE_VERSION || mad[MAD_AT_CLASS] != MAD_CLASS_DEVICE)
		return false;
	return !(method & MAD_RESPONSE) && method != MAD_TRAP && method != MAD_REPORT;
}

static enum verdict answer(struct devmgt *devmgt, const uint8_t *request, uint16_t status,
                           const uint8_t *data, uint8_t *response)
{
	uint64_t *counter = status ? &devmgt->counters.refused : &devmgt->counters.answered;

	++*counter;
	memmove(response, request, MAD_SIZE);
	response[MAD_AT_METHOD] = MAD_GET | MAD_RESPONSE;
	wire_put16(response + MAD_AT_STATUS, status);
	if (data)
		memcpy(response + DEVMGT_DATA_AT, data, DM_DATA_SIZE);
	return VERDICT_ANSWER;
}

static enum verdict repress(struct devmgt *devmgt, struct devmgt_endpoint *endpoint, const uint8_t *mad)
{
	if (wire_get16(mad + MAD_AT_ATTRIBUTE) == dm_attr_info(DM_Notice)->id &&
	    wire_get32(mad + MAD_AT_MODIFIER) == 0 &&
	    trap_sender_repress(&endpoint->traps, (uint32_t)wire_get64(mad + MAD_AT_TID)))
		devmgt->counters.represses++;
	return VERDICT_DROP;
}

static enum verdict serve(const struct devmgt_request *request, const uint8_t *mad, uint8_t *response)
{
	uint8_t data[DM_DATA_SIZE] = {0};
	uint16_t status;

	if (request->is_set)
		memcpy(data, mad + DEVMGT_DATA_AT, sizeof(data));
	status = devmgt_serve(request, data);
	if (request->is_set && status == 0)
		note_change(request->devmgt);
	return answer(request->devmgt, mad, status, status ? NULL : data, response);
}

enum verdict devmgt_answer(struct devmgt *devmgt, const struct arrival *arrival,
                           const uint8_t request[MAD_SIZE], uint8_t response[MAD_SIZE])
{
	uint8_t method = request[MAD_AT_METHOD];
	bool is_set = method == MAD_SET;
	struct devmgt_request served;

	advance(devmgt, arrival->now);
	if (!is_well_formed(devmgt, arrival, request)) {
		devmgt->counters.malformed++;
		return VERDICT_DROP;
	}
	served = (struct devmgt_request){
		.devmgt = devmgt,
		.endpoint = endpoint_of(devmgt, arrival->port),
		.port = state_is_switch(devmgt->state) ? 0 : arrival->port,
		.now = arrival->now,
		.attribute = wire_get16(request + MAD_AT_ATTRIBUTE),
		.modifier = wire_get32(request + MAD_AT_MODIFIER),
		.is_set = is_set,
	};
	if (request[MAD_AT_CLASS_VERSION] != CLASS_VERSION)
		return method == MAD_TRAP_REPRESS
		               ? VERDICT_DROP
		               : answer(devmgt, request, MAD_STATUS_VERSION, NULL, response);
	if (method == MAD_TRAP_REPRESS)
		return repress(devmgt, served.endpoint, request);
	if (method != MAD_GET && !is_set)
		return answer(devmgt, request, MAD_STATUS_METHOD, NULL, response);
	return serve(&served, request, response);
}
