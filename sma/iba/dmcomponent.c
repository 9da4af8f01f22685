// SPDX-License-Identifier: BSD-2-Clause
/* Components of the attributes of device management. libibmad has fields of ClassPortInfo and Notice only, so
 * one table of places serves all of them. */
#include <string.h>

#include "sma/iba/dm.h"

enum { WORD_BITS = 64 };

/* A run of bits, counted from the highest one of byte 0 on. */
struct place {
	const char *name;
	enum dm_attr attr;
	uint16_t first;
	uint16_t bits;
};

#define BITS(attr, name, byte, high, bits)                                                                   \
	[DM_##attr##_##name] = {#name, DM_##attr, (byte)*8 + 7 - (high), bits}
#define BYTES(attr, name, byte, bytes) BITS(attr, name, byte, 7, (bytes)*8)

static const struct place places[DM_COMPONENT_COUNT] = {
	BYTES(ClassPortInfo, BaseVersion, 0, 1),
	BYTES(ClassPortInfo, ClassVersion, 1, 1),
	BYTES(ClassPortInfo, CapabilityMask, 2, 2),
	BITS(ClassPortInfo, CapabilityMask2, 4, 7, 27),
	BITS(ClassPortInfo, RespTimeValue, 7, 4, 5),
	BYTES(ClassPortInfo, RedirectGID, 8, DM_GID_SIZE),
	BYTES(ClassPortInfo, RedirectTC, 24, 1),
	BITS(ClassPortInfo, RedirectSL, 25, 7, 4),
	BITS(ClassPortInfo, RedirectFL, 25, 3, 20),
	BYTES(ClassPortInfo, RedirectLID, 28, 2),
	BYTES(ClassPortInfo, RedirectP_Key, 30, 2),
	BYTES(ClassPortInfo, RedirectQP, 33, 3),
	BYTES(ClassPortInfo, RedirectQ_Key, 36, 4),
	BYTES(ClassPortInfo, TrapGID, 40, DM_GID_SIZE),
	BYTES(ClassPortInfo, TrapTC, 56, 1),
	BITS(ClassPortInfo, TrapSL, 57, 7, 4),
	BITS(ClassPortInfo, TrapFL, 57, 3, 20),
	BYTES(ClassPortInfo, TrapLID, 60, 2),
	BYTES(ClassPortInfo, TrapP_Key, 62, 2),
	BYTES(ClassPortInfo, TrapHL, 64, 1),
	BYTES(ClassPortInfo, TrapQP, 65, 3),
	BYTES(ClassPortInfo, TrapQ_Key, 68, 4),

	BITS(Notice, IsGeneric, 0, 7, 1),
	BITS(Notice, Type, 0, 6, 7),
	BYTES(Notice, ProducerType, 1, 3),
	BYTES(Notice, TrapNumber, 4, 2),
	BYTES(Notice, IssuerLID, 6, 2),
	BITS(Notice, NoticeToggle, 8, 7, 1),
	BITS(Notice, NoticeCount, 8, 6, 15),
	BYTES(Notice, LIDADDR, 12, 2),
	BYTES(Notice, STATUS, 14, 2),
	BYTES(Notice, DEVICE, 16, 4),
	BYTES(Notice, IssuerGID, 64, DM_GID_SIZE),

	BYTES(IOUnitInfo, ChangeID, 0, 2),
	BYTES(IOUnitInfo, MaxControllers, 2, 1),
	BITS(IOUnitInfo, DiagDeviceID, 3, 1, 1),
	BITS(IOUnitInfo, OptionROM, 3, 0, 1),

	BYTES(IOControllerProfile, GUID, 0, 8),
	BYTES(IOControllerProfile, VendorID, 8, 3),
	BYTES(IOControllerProfile, DeviceID, 12, 4),
	BYTES(IOControllerProfile, DeviceVersion, 16, 2),
	BYTES(IOControllerProfile, SubsystemVendorID, 20, 3),
	BYTES(IOControllerProfile, SubsystemID, 24, 4),
	BYTES(IOControllerProfile, IOClass, 28, 2),
	BYTES(IOControllerProfile, IOSubclass, 30, 2),
	BYTES(IOControllerProfile, Protocol, 32, 2),
	BYTES(IOControllerProfile, ProtocolVersion, 34, 2),
	BYTES(IOControllerProfile, ServiceConnections, 36, 2),
	BYTES(IOControllerProfile, InitiatorsSupported, 38, 2),
	BYTES(IOControllerProfile, SendMessageQueueDepth, 40, 2),
	BYTES(IOControllerProfile, RDMAReadQueueDepth, 43, 1),
	BYTES(IOControllerProfile, SendMessageSize, 44, 4),
	BYTES(IOControllerProfile, RDMATransferSize, 48, 4),
	BYTES(IOControllerProfile, ControllerOperationsCapabilityMask, 52, 1),
	BYTES(IOControllerProfile, ControllerServicesCapabilityMask, 53, 1),
	BYTES(IOControllerProfile, ServiceEntries, 54, 1),
	BYTES(IOControllerProfile, IDString, 64, DM_ID_STRING_SIZE),

	BYTES(DiagnosticTimeout, MaxDiagTime, 0, 4),
	BYTES(TestDeviceOnce, Value, 0, 4),
	BYTES(TestDeviceLoop, Value, 0, 4),
	BYTES(DiagCode, DiagCode, 0, 2),
	BITS(DiagCode, Status, 1, 3, 4),
	BITS(DiagCode, VendorCode, 0, 6, 11),
	BITS(DiagCode, VendorIndexed, 0, 7, 1),
};

enum dm_attr dm_component_attr(enum dm_component component)
{
	return places[component].attr;
}

const char *dm_component_name(enum dm_component component)
{
	return places[component].name;
}

unsigned dm_component_bits(enum dm_component component)
{
	return places[component].bits;
}

/* How many bits of the last byte of a component are below it. */
static unsigned below(const struct place *place)
{
	return 7 - (place->first + place->bits - 1U) % 8;
}

static unsigned first_byte(const struct place *place)
{
	return place->first / 8;
}

static unsigned last_byte(const struct place *place)
{
	return (place->first + place->bits - 1U) / 8;
}

static uint64_t mask_of(const struct place *place)
{
	return UINT64_MAX >> (WORD_BITS - place->bits);
}

/* All bytes that a component has a part of; no component of up to 64 bits is spread over more than 8. */
static uint64_t bytes_get(const struct place *place, const uint8_t *data)
{
	uint64_t value = 0;

	for (unsigned i = first_byte(place); i <= last_byte(place); i++)
		value = value << 8 | data[i];
	return value;
}

uint64_t dm_component_get(const uint8_t *data, enum dm_component component)
{
	const struct place *place = &places[component];

	return bytes_get(place, data) >> below(place) & mask_of(place);
}

void dm_component_set(uint8_t *data, enum dm_component component, uint64_t value)
{
	const struct place *place = &places[component];
	uint64_t mask = mask_of(place);
	uint64_t bytes = (bytes_get(place, data) & ~(mask << below(place))) | (value & mask) << below(place);

	for (unsigned i = last_byte(place) + 1; i-- > first_byte(place); bytes >>= 8)
		data[i] = (uint8_t)bytes;
}

const uint8_t *dm_component_octets(const uint8_t *data, enum dm_component component)
{
	return data + first_byte(&places[component]);
}

void dm_component_put(uint8_t *data, enum dm_component component, const void *octets, size_t size)
{
	size_t room = places[component].bits / 8U;
	uint8_t *to = data + first_byte(&places[component]);

	memset(to, 0, room);
	memcpy(to, octets, size < room ? size : room);
}
