// SPDX-License-Identifier: BSD-2-Clause
/* The attributes of device management against the layout tables of IBA 16.3.3. */
#include <string.h>

#include <infiniband/mad.h>

#include "sma/iba/iba.h"
#include "tests/unit.h"

/* The value of each component of an attribute whose byte n is n. */
static const struct vector {
	enum dm_component component;
	enum dm_attr attr;
	const char *name;
	unsigned bits;
	uint64_t value;
} vectors[] = {
	{DM_ClassPortInfo_BaseVersion, DM_ClassPortInfo, "BaseVersion", 8, 0x00},
	{DM_ClassPortInfo_ClassVersion, DM_ClassPortInfo, "ClassVersion", 8, 0x01},
	{DM_ClassPortInfo_CapabilityMask, DM_ClassPortInfo, "CapabilityMask", 16, 0x0203},
	{DM_ClassPortInfo_CapabilityMask2, DM_ClassPortInfo, "CapabilityMask2", 27, 0x04050607 >> 5},
	{DM_ClassPortInfo_RespTimeValue, DM_ClassPortInfo, "RespTimeValue", 5, 0x07},
	{DM_ClassPortInfo_RedirectTC, DM_ClassPortInfo, "RedirectTC", 8, 0x18},
	{DM_ClassPortInfo_RedirectSL, DM_ClassPortInfo, "RedirectSL", 4, 0x1},
	{DM_ClassPortInfo_RedirectFL, DM_ClassPortInfo, "RedirectFL", 20, 0x91A1B},
	{DM_ClassPortInfo_RedirectLID, DM_ClassPortInfo, "RedirectLID", 16, 0x1C1D},
	{DM_ClassPortInfo_RedirectP_Key, DM_ClassPortInfo, "RedirectP_Key", 16, 0x1E1F},
	{DM_ClassPortInfo_RedirectQP, DM_ClassPortInfo, "RedirectQP", 24, 0x212223},
	{DM_ClassPortInfo_RedirectQ_Key, DM_ClassPortInfo, "RedirectQ_Key", 32, 0x24252627},
	{DM_ClassPortInfo_TrapTC, DM_ClassPortInfo, "TrapTC", 8, 0x38},
	{DM_ClassPortInfo_TrapSL, DM_ClassPortInfo, "TrapSL", 4, 0x3},
	{DM_ClassPortInfo_TrapFL, DM_ClassPortInfo, "TrapFL", 20, 0x93A3B},
	{DM_ClassPortInfo_TrapLID, DM_ClassPortInfo, "TrapLID", 16, 0x3C3D},
	{DM_ClassPortInfo_TrapP_Key, DM_ClassPortInfo, "TrapP_Key", 16, 0x3E3F},
	{DM_ClassPortInfo_TrapHL, DM_ClassPortInfo, "TrapHL", 8, 0x40},
	{DM_ClassPortInfo_TrapQP, DM_ClassPortInfo, "TrapQP", 24, 0x414243},
	{DM_ClassPortInfo_TrapQ_Key, DM_ClassPortInfo, "TrapQ_Key", 32, 0x44454647},

	{DM_Notice_IsGeneric, DM_Notice, "IsGeneric", 1, 0},
	{DM_Notice_Type, DM_Notice, "Type", 7, 0},
	{DM_Notice_ProducerType, DM_Notice, "ProducerType", 24, 0x010203},
	{DM_Notice_TrapNumber, DM_Notice, "TrapNumber", 16, 0x0405},
	{DM_Notice_IssuerLID, DM_Notice, "IssuerLID", 16, 0x0607},
	{DM_Notice_NoticeToggle, DM_Notice, "NoticeToggle", 1, 0},
	{DM_Notice_NoticeCount, DM_Notice, "NoticeCount", 15, 0x0809},
	{DM_Notice_LIDADDR, DM_Notice, "LIDADDR", 16, 0x0C0D},
	{DM_Notice_STATUS, DM_Notice, "STATUS", 16, 0x0E0F},
	{DM_Notice_DEVICE, DM_Notice, "DEVICE", 32, 0x10111213},

	{DM_IOUnitInfo_ChangeID, DM_IOUnitInfo, "ChangeID", 16, 0x0001},
	{DM_IOUnitInfo_MaxControllers, DM_IOUnitInfo, "MaxControllers", 8, 0x02},
	{DM_IOUnitInfo_DiagDeviceID, DM_IOUnitInfo, "DiagDeviceID", 1, 1},
	{DM_IOUnitInfo_OptionROM, DM_IOUnitInfo, "OptionROM", 1, 1},

	{DM_IOControllerProfile_GUID, DM_IOControllerProfile, "GUID", 64, 0x0001020304050607},
	{DM_IOControllerProfile_VendorID, DM_IOControllerProfile, "VendorID", 24, 0x08090A},
	{DM_IOControllerProfile_DeviceID, DM_IOControllerProfile, "DeviceID", 32, 0x0C0D0E0F},
	{DM_IOControllerProfile_DeviceVersion, DM_IOControllerProfile, "DeviceVersion", 16, 0x1011},
	{DM_IOControllerProfile_SubsystemVendorID, DM_IOControllerProfile, "SubsystemVendorID", 24, 0x141516},
	{DM_IOControllerProfile_SubsystemID, DM_IOControllerProfile, "SubsystemID", 32, 0x18191A1B},
	{DM_IOControllerProfile_IOClass, DM_IOControllerProfile, "IOClass", 16, 0x1C1D},
	{DM_IOControllerProfile_IOSubclass, DM_IOControllerProfile, "IOSubclass", 16, 0x1E1F},
	{DM_IOControllerProfile_Protocol, DM_IOControllerProfile, "Protocol", 16, 0x2021},
	{DM_IOControllerProfile_ProtocolVersion, DM_IOControllerProfile, "ProtocolVersion", 16, 0x2223},
	{DM_IOControllerProfile_ServiceConnections, DM_IOControllerProfile, "ServiceConnections", 16, 0x2425},
	{DM_IOControllerProfile_InitiatorsSupported, DM_IOControllerProfile, "InitiatorsSupported", 16,
         0x2627},
	{DM_IOControllerProfile_SendMessageQueueDepth, DM_IOControllerProfile, "SendMessageQueueDepth", 16,
         0x2829},
	{DM_IOControllerProfile_RDMAReadQueueDepth, DM_IOControllerProfile, "RDMAReadQueueDepth", 8, 0x2B},
	{DM_IOControllerProfile_SendMessageSize, DM_IOControllerProfile, "SendMessageSize", 32, 0x2C2D2E2F},
	{DM_IOControllerProfile_RDMATransferSize, DM_IOControllerProfile, "RDMATransferSize", 32, 0x30313233},
	{DM_IOControllerProfile_ControllerOperationsCapabilityMask, DM_IOControllerProfile,
         "ControllerOperationsCapabilityMask", 8, 0x34},
	{DM_IOControllerProfile_ControllerServicesCapabilityMask, DM_IOControllerProfile,
         "ControllerServicesCapabilityMask", 8, 0x35},
	{DM_IOControllerProfile_ServiceEntries, DM_IOControllerProfile, "ServiceEntries", 8, 0x36},

	{DM_DiagnosticTimeout_MaxDiagTime, DM_DiagnosticTimeout, "MaxDiagTime", 32, 0x00010203},
	{DM_TestDeviceOnce_Value, DM_TestDeviceOnce, "Value", 32, 0x00010203},
	{DM_TestDeviceLoop_Value, DM_TestDeviceLoop, "Value", 32, 0x00010203},
	{DM_DiagCode_DiagCode, DM_DiagCode, "DiagCode", 16, 0x0001},
	{DM_DiagCode_Status, DM_DiagCode, "Status", 4, 1},
	{DM_DiagCode_VendorCode, DM_DiagCode, "VendorCode", 11, 0},
	{DM_DiagCode_VendorIndexed, DM_DiagCode, "VendorIndexed", 1, 0},
};

/* Those that stand as bytes. */
static const struct {
	enum dm_component component;
	enum dm_attr attr;
	const char *name;
	unsigned at;
	unsigned size;
} octets[] = {
	{DM_ClassPortInfo_RedirectGID, DM_ClassPortInfo, "RedirectGID", 8, 16},
	{DM_ClassPortInfo_TrapGID, DM_ClassPortInfo, "TrapGID", 40, 16},
	{DM_Notice_IssuerGID, DM_Notice, "IssuerGID", 64, 16},
	{DM_IOControllerProfile_IDString, DM_IOControllerProfile, "IDString", 64, 64},
};

/* Byte n is n, or its complement. */
static void fill(uint8_t data[DM_DATA_SIZE], bool complement)
{
	for (unsigned i = 0; i < DM_DATA_SIZE; i++)
		data[i] = (uint8_t)(complement ? ~i : i);
}

static uint64_t complement_of(const struct vector *vector)
{
	return ~vector->value & (UINT64_MAX >> (64 - vector->bits));
}

static void check_name(enum dm_component component, enum dm_attr attr, const char *name)
{
	unit_case("%s", name);
	CHECK_EQUAL(dm_component_attr(component), attr);
	CHECK_TEXT(dm_component_name(component), name);
}

static void test_get(void)
{
	uint8_t ramp[DM_DATA_SIZE];
	uint8_t inverse[DM_DATA_SIZE];

	fill(ramp, false);
	fill(inverse, true);
	for (size_t i = 0; i < UNIT_COUNT(vectors); i++) {
		const struct vector *v = &vectors[i];

		check_name(v->component, v->attr, v->name);
		CHECK_EQUAL(dm_component_bits(v->component), v->bits);
		CHECK_EQUAL(dm_component_get(ramp, v->component), v->value);
		CHECK_EQUAL(dm_component_get(inverse, v->component), complement_of(v));
	}
	for (size_t i = 0; i < UNIT_COUNT(octets); i++) {
		check_name(octets[i].component, octets[i].attr, octets[i].name);
		CHECK_EQUAL(dm_component_bits(octets[i].component), octets[i].size * 8);
		CHECK(dm_component_octets(ramp, octets[i].component) == ramp + octets[i].at);
	}
	CHECK_EQUAL(UNIT_COUNT(vectors) + UNIT_COUNT(octets), DM_COMPONENT_COUNT);
}

/* A component changes no bit but its own. */
static void test_set(void)
{
	for (size_t i = 0; i < UNIT_COUNT(vectors); i++) {
		const struct vector *v = &vectors[i];
		uint8_t data[DM_DATA_SIZE];
		uint8_t ramp[DM_DATA_SIZE];

		unit_case("%s", v->name);
		fill(ramp, false);
		fill(data, false);
		dm_component_set(data, v->component, complement_of(v) | ~(UINT64_MAX >> (64 - v->bits)));
		CHECK_EQUAL(dm_component_get(data, v->component), complement_of(v));
		dm_component_set(data, v->component, v->value);
		CHECK_OCTETS(data, ramp, DM_DATA_SIZE);
	}
}

static void test_put(void)
{
	static const uint8_t letters[] =
		"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnop";

	for (size_t i = 0; i < UNIT_COUNT(octets); i++) {
		uint8_t data[DM_DATA_SIZE];
		uint8_t wanted[DM_DATA_SIZE];

		unit_case("%s", octets[i].name);
		fill(data, false);
		fill(wanted, false);
		dm_component_put(data, octets[i].component, letters, sizeof(letters));
		memcpy(wanted + octets[i].at, letters, octets[i].size);
		CHECK_OCTETS(data, wanted, DM_DATA_SIZE);
		dm_component_put(data, octets[i].component, letters, 3);
		memset(wanted + octets[i].at + 3, 0, octets[i].size - 3);
		CHECK_OCTETS(data, wanted, DM_DATA_SIZE);
	}
}

/* What libibmad has of the same attributes. */
static void test_libibmad(void)
{
	static const struct {
		enum dm_component component;
		enum MAD_FIELDS field;
	} same[] = {
		{DM_ClassPortInfo_BaseVersion, IB_CPI_BASEVER_F},
		{DM_ClassPortInfo_ClassVersion, IB_CPI_CLASSVER_F},
		{DM_ClassPortInfo_CapabilityMask, IB_CPI_CAPMASK_F},
		{DM_ClassPortInfo_CapabilityMask2, IB_CPI_CAPMASK2_F},
		{DM_ClassPortInfo_RespTimeValue, IB_CPI_RESP_TIME_VALUE_F},
		{DM_ClassPortInfo_RedirectTC, IB_CPI_REDIRECT_TC_F},
		{DM_ClassPortInfo_RedirectSL, IB_CPI_REDIRECT_SL_F},
		{DM_ClassPortInfo_RedirectFL, IB_CPI_REDIRECT_FL_F},
		{DM_ClassPortInfo_RedirectLID, IB_CPI_REDIRECT_LID_F},
		{DM_ClassPortInfo_RedirectP_Key, IB_CPI_REDIRECT_PKEY_F},
		{DM_ClassPortInfo_RedirectQP, IB_CPI_REDIRECT_QP_F},
		{DM_ClassPortInfo_RedirectQ_Key, IB_CPI_REDIRECT_QKEY_F},
		{DM_ClassPortInfo_TrapTC, IB_CPI_TRAP_TC_F},
		{DM_ClassPortInfo_TrapSL, IB_CPI_TRAP_SL_F},
		{DM_ClassPortInfo_TrapFL, IB_CPI_TRAP_FL_F},
		{DM_ClassPortInfo_TrapLID, IB_CPI_TRAP_LID_F},
		{DM_ClassPortInfo_TrapP_Key, IB_CPI_TRAP_PKEY_F},
		{DM_ClassPortInfo_TrapHL, IB_CPI_TRAP_HL_F},
		{DM_ClassPortInfo_TrapQP, IB_CPI_TRAP_QP_F},
		{DM_ClassPortInfo_TrapQ_Key, IB_CPI_TRAP_QKEY_F},
		{DM_Notice_IsGeneric, IB_NOTICE_IS_GENERIC_F},
		{DM_Notice_Type, IB_NOTICE_TYPE_F},
		{DM_Notice_ProducerType, IB_NOTICE_PRODUCER_F},
		{DM_Notice_TrapNumber, IB_NOTICE_TRAP_NUMBER_F},
		{DM_Notice_IssuerLID, IB_NOTICE_ISSUER_LID_F},
		{DM_Notice_NoticeToggle, IB_NOTICE_TOGGLE_F},
		{DM_Notice_NoticeCount, IB_NOTICE_COUNT_F},
	};
	uint8_t data[DM_DATA_SIZE];

	for (unsigned round = 0; round < 2; round++) {
		fill(data, round);
		for (size_t i = 0; i < UNIT_COUNT(same); i++) {
			unit_case("%s, round %u", dm_component_name(same[i].component), round);
			CHECK_EQUAL(dm_component_get(data, same[i].component),
			            mad_get_field(data, 0, same[i].field));
		}
	}
}

/* ---- attributes ---- */

static void test_attributes(void)
{
	static const struct dm_attr_info infos[] = {
		{"ClassPortInfo", 0x0001, 72, DM_MODIFIER_ZERO, true, true},
		{"Notice", 0x0002, 80, DM_MODIFIER_ANY, true, true},
		{"IOUnitInfo", 0x0010, 132, DM_MODIFIER_ZERO, true, false},
		{"IOControllerProfile", 0x0011, 128, DM_MODIFIER_SLOT, true, false},
		{"ServiceEntries", 0x0012, 192, DM_MODIFIER_SERVICES, true, false},
		{"DiagnosticTimeout", 0x0020, 4, DM_MODIFIER_SLOT, true, false},
		{"PrepareToTest", 0x0021, 0, DM_MODIFIER_SLOT, true, true},
		{"TestDeviceOnce", 0x0022, 4, DM_MODIFIER_SLOT, false, true},
		{"TestDeviceLoop", 0x0023, 4, DM_MODIFIER_SLOT, false, true},
		{"DiagCode", 0x0024, 2, DM_MODIFIER_SLOT, true, false},
	};
	unsigned found = 0;

	CHECK_EQUAL(UNIT_COUNT(infos), DM_ATTR_COUNT);
	for (enum dm_attr attr = 0; attr < DM_ATTR_COUNT; attr++) {
		const struct dm_attr_info *info = dm_attr_info(attr);

		unit_case("%s", info->name);
		CHECK_TEXT(info->name, infos[attr].name);
		CHECK_EQUAL(info->id, infos[attr].id);
		CHECK_EQUAL(info->size, infos[attr].size);
		CHECK_EQUAL(info->modifier, infos[attr].modifier);
		CHECK_EQUAL(info->can_get, infos[attr].can_get);
		CHECK_EQUAL(info->can_set, infos[attr].can_set);
		CHECK_EQUAL(dm_attr_find(info->id), attr);
	}
	for (unsigned id = 0; id <= 0xFFFF; id++)
		found += dm_attr_find((uint16_t)id) != DM_ATTR_COUNT;
	unit_case(NULL);
	CHECK_EQUAL(found, DM_ATTR_COUNT);
}

static void test_slots(void)
{
	uint8_t info[DM_DATA_SIZE] = {[4] = 0x10, 0x1F, [131] = 0x1F};
	uint8_t inverse[DM_DATA_SIZE];

	CHECK_EQUAL(dm_slot_get(info, 1), DM_SLOT_PRESENT);
	CHECK_EQUAL(dm_slot_get(info, 2), DM_SLOT_EMPTY);
	CHECK_EQUAL(dm_slot_get(info, 3), DM_SLOT_PRESENT);
	CHECK_EQUAL(dm_slot_get(info, 4), DM_SLOT_NONE);
	CHECK_EQUAL(dm_slot_get(info, 254), DM_SLOT_EMPTY);
	CHECK_EQUAL(dm_slot_get(info, 255), DM_SLOT_PRESENT);
	CHECK_EQUAL(dm_slot_get(info, 256), DM_SLOT_NONE);
	fill(info, false);
	fill(inverse, true);
	for (unsigned slot = 1; slot <= DM_LIST_SLOTS; slot++)
		dm_slot_set(info, slot, dm_slot_get(inverse, slot));
	CHECK_OCTETS(info + 4, inverse + 4, 128);
	for (unsigned i = 0; i < DM_DATA_SIZE; i++) {
		if (i < 4 || i >= 132)
			CHECK_EQUAL(info[i], i);
	}
}

static void test_services(void)
{
	static const char name[] = "SRP.T10:0123456789ABCDEF and more than fits";
	static const uint8_t id[8] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF};
	uint8_t wanted[DM_DATA_SIZE] = {0};
	uint8_t entries[DM_DATA_SIZE] = {0};
	struct dm_range range;

	wanted[0] = 'a';
	wanted[47] = 5;
	memcpy(wanted + 144, name, 40);
	memcpy(wanted + 184, id, sizeof(id));
	dm_service_set(entries, 0, "a much longer one", 17, 1);
	dm_service_set(entries, 0, "a", 1, 5);
	dm_service_set(entries, 3, name, strlen(name), 0x0123456789ABCDEF);
	CHECK_OCTETS(entries, wanted, DM_DATA_SIZE);
	CHECK(dm_service_name(entries, 3) == entries + 144);
	CHECK_EQUAL(dm_service_id(entries, 0), 5);
	CHECK_EQUAL(dm_service_id(entries, 3), 0x0123456789ABCDEF);

	CHECK_EQUAL(dm_services_modifier(0xFF, 0xFB, 0xFE), 0x00FFFEFB);
	CHECK_EQUAL(dm_services_modifier(1, 0, 3), 0x00010300);
	range = dm_services_range(0x01FFFEFB);
	CHECK_EQUAL(range.slot, 0x1FF);
	CHECK_EQUAL(range.first, 0xFB);
	CHECK_EQUAL(range.last, 0xFE);
}

static void test_notice(void)
{
	static const uint8_t wanted[DM_DATA_SIZE] = {
		0x84, 0x00, 0x00, 0x04, 0x02, 0x02, 0x12, 0x34, 0x00, 0x00, /* the head */
		0x00, 0x00, 0x12, 0x34, 0x80, 0x00, 0x00, 0x00, 0x00, 0xFF, /* the details */
	};
	uint8_t notice[DM_DATA_SIZE];

	memset(notice, 0x55, sizeof(notice));
	dm_notice_ready(notice, 0x1234, 255, DM_STATUS_FAILED);
	CHECK_OCTETS(notice, wanted, 80);
	CHECK(dm_notice_is_ready(notice));
	notice[0] = 0x04;
	CHECK(!dm_notice_is_ready(notice));
	notice[0] = 0x84;
	notice[5] = 0x03;
	CHECK(!dm_notice_is_ready(notice));
}

static void test_status(void)
{
	CHECK_TEXT(dm_status_text(0), "ok");
	CHECK_TEXT(dm_status_text(0x0001), "busy");
	CHECK_TEXT(dm_status_text(0x001C), "invalid value in a component or the modifier");
	CHECK_TEXT(dm_status_text(0x0100), "no such controller, or it does not respond");
	CHECK_TEXT(dm_status_text(0x0200), "the controller has no service entries");
	CHECK_TEXT(dm_status_text(0x8000), "general failure of the controller");
	CHECK_TEXT(dm_status_text(0x8300), "no such controller, or it does not respond");
	CHECK_TEXT(dm_status_text(0x0400), "unknown status");
}

static const struct unit_test tests[] = {
	{"components are where IBA has them", test_get},
	{"a component is set without its neighbours", test_set},
	{"octets are put with zeros behind them", test_put},
	{"libibmad reads the same", test_libibmad},
	{"attributes have their numbers, sizes and methods", test_attributes},
	{"slots are nibbles, the odd ones high", test_slots},
	{"service entries and their modifier", test_services},
	{"the Notice of trap 514", test_notice},
	{"the words for a status", test_status},
};

int main(void)
{
	return UNIT_MAIN("dm", tests);
}
