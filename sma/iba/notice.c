// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "sma/iba/dm.h"
#include "sma/iba/notice.h"
#include "sma/iba/wire.h"

/* The header of a Notice. */
enum {
	GENERIC = 0x80,
	TYPE_MASK = 0x7F,
	TYPE_URGENT = 1,
	TYPE_SECURITY = 2,
	TYPE_INFORMATIONAL = 4,
	TYPE_EMPTY = 0x7F,
	PRODUCER_AT = 3, /* low byte of ProducerType */
	NUMBER_AT = 4,
	ISSUER_AT = 6,
	TOGGLE_AT = 8, /* bit 15: toggle, the rest: count */
	TOGGLE = 0x8000,
	DETAILS_AT = 10,
};

enum { GID_BITS = 8 * NOTICE_GID_SIZE, PATH_BITS = 8 * NOTICE_PATH_SIZE };

/* Traps with the same DataDetails share a layout. */
enum layout {
	LAYOUT_LINK_STATE,
	LAYOUT_PORT,
	LAYOUT_CAPABILITY,
	LAYOUT_SYSTEM_GUID,
	LAYOUT_M_KEY,
	LAYOUT_KEY,
	LAYOUT_SWITCH_KEY,
	LAYOUT_READY,
	LAYOUT_COUNT
};

struct kind {
	uint16_t trap;
	enum layout layout;
	bool state; /* notice_is_state */
	const char *name;
	unsigned changes;
};

/* 129 and 130 change PortCounters only. A link whose flow control watchdog expired is trained anew (131); a
 * violation is counted in PortInfo. */
static const struct kind kinds[NOTICE_TRAP_COUNT] = {
	{SMA_TRAP_LINK_STATE, LAYOUT_LINK_STATE, true, "link state",
         1U << SMA_SwitchInfo | 1U << SMA_PortInfo},
	{SMA_TRAP_LINK_INTEGRITY, LAYOUT_PORT, false, "link integrity", 0},
	{SMA_TRAP_BUFFER_OVERRUN, LAYOUT_PORT, false, "buffer overrun", 0},
	{SMA_TRAP_FLOW_CONTROL, LAYOUT_PORT, false, "flow control", 1U << SMA_PortInfo},
	{SMA_TRAP_CAPABILITY, LAYOUT_CAPABILITY, true, "capability mask",
         1U << SMA_PortInfo | 1U << SMA_NodeDescription | 1U << SMA_SMInfo},
	{SMA_TRAP_SYSTEM_GUID, LAYOUT_SYSTEM_GUID, true, "system image GUID", 1U << SMA_NodeInfo},
	{SMA_TRAP_BAD_M_KEY, LAYOUT_M_KEY, false, "bad M_Key", 1U << SMA_PortInfo},
	{SMA_TRAP_BAD_P_KEY, LAYOUT_KEY, false, "bad P_Key", 1U << SMA_PortInfo},
	{SMA_TRAP_BAD_Q_KEY, LAYOUT_KEY, false, "bad Q_Key", 1U << SMA_PortInfo},
	{SMA_TRAP_BAD_P_KEY_SWITCH, LAYOUT_SWITCH_KEY, false, "bad P_Key at a switch port",
         1U << SMA_PortInfo},
	{DM_TRAP_READY, LAYOUT_READY, false, "ready to test",
         1U << SMA_DM_PrepareToTest | 1U << SMA_DM_DiagCode},
};

/* A component within the DataDetails: whole bytes, or bits of one byte. */
struct field {
	uint8_t at;    /* first byte */
	uint8_t bits;  /* 0: the layout has no such component */
	uint8_t shift; /* bits below it */
};

static const struct field fields[LAYOUT_COUNT][NOTICE_PART_COUNT] =
	{
		[LAYOUT_LINK_STATE] = {[NOTICE_LIDADDR] = {0, 16, 0}},
		[LAYOUT_PORT] = {[NOTICE_LIDADDR] = {2, 16, 0}, [NOTICE_PORTNO] = {4, 8, 0}},
		[LAYOUT_CAPABILITY] =
			{
				[NOTICE_LIDADDR] = {2, 16, 0},
				[NOTICE_OTHERLOCALCHANGES] = {5, 1, 0},
				[NOTICE_CAPABILITYMASK] = {6, 32, 0},
				[NOTICE_CHANGEFLAGS] = {10, 16, 0},
				[NOTICE_CAPABILITYMASK2] = {12, 16, 0},
			},
		[LAYOUT_SYSTEM_GUID] = {[NOTICE_LIDADDR] = {2, 16, 0}, [NOTICE_SYSTEMIMAGEGUID] = {6, 64, 0}},
		[LAYOUT_M_KEY] =
			{
				[NOTICE_LIDADDR] = {2, 16, 0},
				[NOTICE_DRSLID] = {4, 16, 0},
				[NOTICE_METHOD] = {6, 8, 0},
				[NOTICE_ATTRIBUTEID] = {8, 16, 0},
				[NOTICE_ATTRIBUTEMODIFIER] = {10, 32, 0},
				[NOTICE_KEY] = {14, 64, 0},
				[NOTICE_DRNOTICE] = {23, 1, 7},
				[NOTICE_DRPATHTRUNCATED] = {23, 1, 6},
				[NOTICE_DRHOPCOUNT] = {23, 6, 0},
				[NOTICE_DRNOTICERETURNPATH] = {24, PATH_BITS, 0},
			},
		[LAYOUT_KEY] =
			{
				[NOTICE_LIDADDR] = {2, 16, 0},
				[NOTICE_LIDADDR2] = {4, 16, 0},
				[NOTICE_KEY] = {6, 32, 0},
				[NOTICE_SL] = {10, 4, 4},
				[NOTICE_QP1] = {11, 24, 0},
				[NOTICE_QP2] = {15, 24, 0},
				[NOTICE_GIDADDR1] = {18, GID_BITS, 0},
				[NOTICE_GIDADDR2] = {34, GID_BITS, 0},
			},
		[LAYOUT_SWITCH_KEY] =
			{
				[NOTICE_DATAVALID] = {0, 16, 0},
				[NOTICE_LIDADDR] = {2, 16, 0},
				[NOTICE_LIDADDR2] = {4, 16, 0},
				[NOTICE_KEY] = {6, 16, 0},
				[NOTICE_SL] = {8, 4, 4},
				[NOTICE_QP1] = {9, 24, 0},
				[NOTICE_QP2] = {13, 24, 0},
				[NOTICE_GIDADDR1] = {16, GID_BITS, 0},
				[NOTICE_GIDADDR2] = {32, GID_BITS, 0},
				[NOTICE_SWLIDADDR] = {48, 16, 0},
				[NOTICE_PORTNO] = {50, 8, 0},
			},
		[LAYOUT_READY] =
			{
				[NOTICE_LIDADDR] = {2, 16, 0},
				[NOTICE_STATUS] = {4, 16, 0},
				[NOTICE_DEVICE] = {6, 32, 0},
			},
};

static const struct kind *kind_of(unsigned trap)
{
	for (size_t i = 0; i < NOTICE_TRAP_COUNT; i++) {
		if (kinds[i].trap == trap)
			return &kinds[i];
	}
	return NULL;
}

const char *notice_name(unsigned trap)
{
	const struct kind *kind = kind_of(trap);

	return kind ? kind->name : "other";
}

unsigned notice_changes(unsigned trap)
{
	const struct kind *kind = kind_of(trap);

	return kind ? kind->changes : 0;
}

unsigned notice_type(const uint8_t data[SMA_BLOCK_SIZE])
{
	return data[0] & TYPE_MASK;
}

unsigned notice_trap(const uint8_t data[SMA_BLOCK_SIZE])
{
	return wire_get16(data + NUMBER_AT);
}

bool notice_is_state(unsigned trap)
{
	const struct kind *kind = kind_of(trap);

	return kind && kind->state;
}

uint16_t notice_issuer(const uint8_t data[SMA_BLOCK_SIZE])
{
	return wire_get16(data + ISSUER_AT);
}

static uint8_t type_of(unsigned trap)
{
	if (trap == DM_TRAP_READY)
		return TYPE_INFORMATIONAL;
	if (trap >= SMA_TRAP_BAD_M_KEY)
		return TYPE_SECURITY;
	return trap >= SMA_TRAP_CAPABILITY ? TYPE_INFORMATIONAL : TYPE_URGENT;
}

void notice_build(uint8_t notice[SMA_BLOCK_SIZE], unsigned trap, unsigned producer, uint16_t issuer)
{
	memset(notice, 0, SMA_BLOCK_SIZE);
	notice[0] = GENERIC | type_of(trap);
	notice[PRODUCER_AT] = (uint8_t)producer;
	wire_put16(notice + NUMBER_AT, (uint16_t)trap);
	wire_put16(notice + ISSUER_AT, issuer);
}

void notice_build_empty(uint8_t notice[SMA_BLOCK_SIZE])
{
	memset(notice, 0, SMA_BLOCK_SIZE);
	notice[0] = TYPE_EMPTY;
}

bool notice_toggle(const uint8_t data[SMA_BLOCK_SIZE])
{
	return wire_get16(data + TOGGLE_AT) & TOGGLE;
}

void notice_set_queued(uint8_t notice[SMA_BLOCK_SIZE], bool toggle, unsigned count)
{
	wire_put16(notice + TOGGLE_AT, (uint16_t)((toggle ? TOGGLE : 0) | count));
}

enum notice_verdict notice_judge(const uint8_t *data, size_t size)
{
	uint32_t last = SMA_NODE_ROUTER;
	uint32_t producer;

	if (size < SMA_BLOCK_SIZE)
		return NOTICE_MALFORMED;
	if (!(data[0] & GENERIC))
		return NOTICE_VENDOR;
	if (!kind_of(notice_trap(data)))
		return NOTICE_OTHER;
	if (notice_trap(data) == DM_TRAP_READY)
		last = DM_PRODUCER;
	producer = wire_get32(data) & 0xFFFFFF;
	if (notice_type(data) >= NOTICE_TYPES || producer < SMA_NODE_CA || producer > last)
		return NOTICE_MALFORMED;
	return NOTICE_WANTED;
}

/* ---- components ---- */

static const struct field *field_of(const uint8_t *data, enum notice_part part)
{
	const struct kind *kind = kind_of(notice_trap(data));
	const struct field *field = kind ? &fields[kind->layout][part] : NULL;

	return field && field->bits ? field : NULL;
}

static unsigned bytes_of(const struct field *field)
{
	return (field->bits + 7U) / 8;
}

/* The bits of its last byte that a component has. */
static uint8_t mask_of(const struct field *field)
{
	return field->bits < 8 ? (uint8_t)(((1U << field->bits) - 1) << field->shift) : 0xFF;
}

static bool is_number(const struct field *field)
{
	return field && field->bits <= 64;
}

int notice_get(const uint8_t data[SMA_BLOCK_SIZE], enum notice_part part, uint64_t *value)
{
	const struct field *field = field_of(data, part);
	unsigned last;

	if (!is_number(field))
		return -ENOENT;
	last = DETAILS_AT + field->at + bytes_of(field) - 1;
	*value = 0;
	for (unsigned i = DETAILS_AT + field->at; i < last; i++)
		*value = *value << 8 | data[i];
	*value = *value << 8 | (uint8_t)(data[last] & mask_of(field));
	*value >>= field->shift;
	return 0;
}

void notice_set(uint8_t notice[SMA_BLOCK_SIZE], enum notice_part part, uint64_t value)
{
	const struct field *field = field_of(notice, part);
	uint8_t mask;

	if (!is_number(field))
		return;
	mask = mask_of(field);
	value <<= field->shift;
	for (unsigned i = bytes_of(field); i > 0; i--) {
		uint8_t *byte = &notice[DETAILS_AT + field->at + i - 1];

		*byte = (uint8_t)((*byte & ~mask) | (value & mask));
		value >>= 8;
	}
}

const uint8_t *notice_octets(const uint8_t data[SMA_BLOCK_SIZE], enum notice_part part)
{
	const struct field *field = field_of(data, part);

	return field && !is_number(field) ? data + DETAILS_AT + field->at : NULL;
}

void notice_set_octets(uint8_t notice[SMA_BLOCK_SIZE], enum notice_part part, const uint8_t *octets,
                       size_t size)
{
	const struct field *field = field_of(notice, part);

	if (field && !is_number(field))
		memcpy(notice + DETAILS_AT + field->at, octets,
		       size < bytes_of(field) ? size : bytes_of(field));
}

/* ---- what is reported ---- */

static bool is_reported(const uint8_t *data, enum notice_part part)
{
	uint64_t mask;

	if (part != NOTICE_OTHERLOCALCHANGES && part != NOTICE_CHANGEFLAGS)
		return true;
	return notice_get(data, NOTICE_CAPABILITYMASK, &mask) == 0 && mask == 0;
}

static void copy_part(const uint8_t *data, enum notice_part part, uint8_t *essence)
{
	const struct field *field = field_of(data, part);
	unsigned at, size;

	if (!field || !is_reported(data, part))
		return;
	at = DETAILS_AT + field->at;
	size = bytes_of(field);
	memcpy(essence + at, data + at, size);
	essence[at + size - 1] &= mask_of(field);
}

void notice_essence(const uint8_t data[SMA_BLOCK_SIZE], uint8_t essence[SMA_BLOCK_SIZE])
{
	memset(essence, 0, SMA_BLOCK_SIZE);
	memcpy(essence + NUMBER_AT, data + NUMBER_AT, 2);
	memcpy(essence + ISSUER_AT, data + ISSUER_AT, 2);
	for (enum notice_part part = 0; part < NOTICE_REPORTED_COUNT; part++)
		copy_part(data, part, essence);
}

bool notice_is_same(const uint8_t a[SMA_BLOCK_SIZE], const uint8_t b[SMA_BLOCK_SIZE])
{
	uint8_t x[SMA_BLOCK_SIZE];
	uint8_t y[SMA_BLOCK_SIZE];

	notice_essence(a, x);
	notice_essence(b, y);
	return memcmp(x, y, sizeof(x)) == 0;
}
