// SPDX-License-Identifier: BSD-2-Clause
/* Reading device management: whom the node asks, for what, and that nothing of before a change is shown. */
#include <errno.h>
#include <string.h>

#include "sma/log.h"
#include "tests/logged.h"
#include "tests/node/node_fixture.h"
#include "tests/soft/devmgt_fixture.h"
#include "tests/unit.h"

enum { LID = 7, SLOTS = 16, TIMEOUT = 100, SERVICES_OF_2 = 5, CAPABILITY = 1U << 19, PLENTY = 1000 };

static struct fixture b;
static struct devmgt_fixture unit;

/* ---- the node ---- */

static bool answer(void *arg, const uint8_t request[MAD_SIZE], uint8_t response[MAD_SIZE])
{
	struct devmgt_fixture *fixture = arg;

	return devmgt_answer(&fixture->devmgt, &fixture->node.arrival, request, response) == VERDICT_ANSWER;
}

static void set_port(uint16_t lid, uint32_t capabilities)
{
	uint8_t info[64] = {0};

	sma_component_set(info, SMA_PortInfo_LID, lid);
	sma_component_set(info, SMA_PortInfo_CapabilityMask, capabilities);
	fake_qp0_set(b.fake, 1, ATTR_PORT_INFO, 1, info, sizeof(info));
}

/* A channel adapter with controllers in slots 2, with services, and 16. */
static void begin(void)
{
	fixture_init(&b, NULL);
	b.config.timeout_ms = TIMEOUT;
	devmgt_fixture_open(&unit, 'c', SLOTS);
	devmgt_fixture_add(&unit, 2);
	devmgt_fixture_add(&unit, 16);
	for (unsigned i = 0; i < SERVICES_OF_2; i++)
		unit_set_service(unit_ioc(unit.unit, 2), i, "s", 1, 100 + i);
	fake_qp0_manage(b.fake, answer, &unit);
	set_port(LID, CAPABILITY);
	logged_start(false);
	fixture_open(&b);
}

static void end(void)
{
	fixture_close(&b);
	devmgt_fixture_close(&unit);
	logged_stop();
}

/* ---- reading ---- */

static struct sma_reader reader_since(uint64_t since)
{
	struct sma_reader reader = fixture_reader(&b, SMA_FRESH, PLENTY);

	reader.since = since;
	return reader;
}

/* As fixture_read. */
static int read_patiently(enum sma_attr attr, uint32_t modifier, const uint8_t **data)
{
	uint64_t since = b.now;
	int rc;

	for (;;) {
		struct sma_reader reader = reader_since(since);

		rc = sma_dm_read(&reader, attr, modifier, data);
		if (rc != -EAGAIN)
			return rc;
		fixture_step(&b, TIMEOUT);
	}
}

/* The result alone. */
static int look(enum sma_attr attr, uint32_t modifier)
{
	const uint8_t *data;

	return read_patiently(attr, modifier, &data);
}

static unsigned device_id(unsigned slot)
{
	const uint8_t *profile;

	if (!CHECK_EQUAL(read_patiently(SMA_DM_IOControllerProfile, slot, &profile), 0))
		return 0;
	return (unsigned)dm_component_get(profile, DM_IOControllerProfile_DeviceID);
}

static void set_device_id(unsigned slot, unsigned id)
{
	dm_component_set(unit_ioc(unit.unit, slot)->profile, DM_IOControllerProfile_DeviceID, id);
}

static unsigned asked(uint16_t attribute)
{
	return fake_qp0_count(b.fake, attribute);
}

static void expire(void)
{
	fixture_advance(&b, b.config.age_ms[SMA_DM_IOControllerProfile] + 1);
}

/* ---- whom it asks ---- */

static void test_only_with_the_capability(void)
{
	begin();
	set_port(LID, ~CAPABILITY);
	CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), -ENOENT);
	CHECK_EQUAL(look(SMA_DM_ClassPortInfo, 0), -ENOENT);
	CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 2), -ENOENT);
	CHECK_EQUAL(asked(FAKE_ANY), asked(ATTR_PORT_INFO));
	end();
}

static void test_only_with_a_lid(void)
{
	static const uint16_t lids[] = {0, MAD_LAST_LID + 1, 0xFFFF};

	for (unsigned i = 0; i < UNIT_COUNT(lids); i++) {
		begin();
		set_port(lids[i], CAPABILITY);
		CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), -ENOENT);
		CHECK_EQUAL(asked(FAKE_ANY), asked(ATTR_PORT_INFO));
		end();
	}
}

static void test_request(void)
{
	const uint8_t *mad;

	begin();
	CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), 0);
	mad = fake_qp0_last(b.fake);
	CHECK_EQUAL(mad[MAD_AT_CLASS], 0x06);
	CHECK_EQUAL(mad[MAD_AT_CLASS_VERSION], 1);
	CHECK_EQUAL(mad[MAD_AT_METHOD], GET);
	CHECK_EQUAL(wire_get16(mad + MAD_AT_ATTRIBUTE), DEV_UNIT_INFO);
	CHECK_EQUAL(wire_get32(mad + MAD_AT_MODIFIER), 0);
	CHECK_EQUAL(fake_qp0_last_lid(b.fake), LID);
	end();
}

static void test_lid_that_changes(void)
{
	begin();
	CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), 0);
	set_port(LID + 1, CAPABILITY);
	expire();
	CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), 0);
	CHECK_EQUAL(fake_qp0_last_lid(b.fake), LID + 1);
	end();
}

/* ---- for what ---- */

static void test_contents(void)
{
	const uint8_t *data;

	begin();
	CHECK_EQUAL(read_patiently(SMA_DM_ClassPortInfo, 0, &data), 0);
	CHECK_EQUAL(dm_component_get(data, DM_ClassPortInfo_ClassVersion), 1);
	CHECK_EQUAL(read_patiently(SMA_DM_IOUnitInfo, 0, &data), 0);
	CHECK_EQUAL(dm_component_get(data, DM_IOUnitInfo_MaxControllers), SLOTS);
	CHECK_EQUAL(dm_slot_get(data, 256), DM_SLOT_NONE);
	CHECK_EQUAL(read_patiently(SMA_DM_IOControllerProfile, 2, &data), 0);
	CHECK_EQUAL(dm_component_get(data, DM_IOControllerProfile_GUID), 0x0002C90000000002);
	CHECK_EQUAL(read_patiently(SMA_DM_ServiceEntries, dm_services_modifier(2, 4, 4), &data), 0);
	CHECK_EQUAL(dm_service_id(data, 0), 104);
	CHECK_EQUAL(read_patiently(SMA_DM_DiagnosticTimeout, 16, &data), 0);
	CHECK_EQUAL(read_patiently(SMA_DM_DiagCode, 16, &data), 0);
	end();
}

static void test_only_slots_with_a_controller(void)
{
	static const unsigned slots[] = {0, 1, 3, SLOTS + 1, 255, 256, 0x10002};

	begin();
	dm_slot_set(unit.unit->info, 5, 2);
	CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), 0);
	for (unsigned i = 0; i < UNIT_COUNT(slots); i++)
		CHECK_EQUAL(look(SMA_DM_IOControllerProfile, slots[i]), -ENOENT);
	CHECK_EQUAL(look(SMA_DM_DiagCode, 5), -ENOENT);
	CHECK_EQUAL(look(SMA_DM_ServiceEntries, dm_services_modifier(3, 0, 3)), -ENOENT);
	CHECK_EQUAL(asked(FAKE_ANY), asked(ATTR_PORT_INFO) + 1);
	end();
}

/* A unit that says present in a slot beyond those that it has. */
static void test_slots_beyond_the_count(void)
{
	begin();
	dm_component_set(unit.unit->info, DM_IOUnitInfo_MaxControllers, 15);
	CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 2), 0);
	CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 16), -ENOENT);
	dm_component_set(unit.unit->info, DM_IOUnitInfo_MaxControllers, 0);
	expire();
	CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 2), -ENOENT);
	end();
}

static void test_statuses(void)
{
	static const struct {
		uint16_t status;
		int result;
	} cases[] = {
		{DM_STATUS_NO_IOC, -ENOENT},
		{DM_STATUS_NO_SERVICES, -ENOENT},
		{DM_STATUS_NO_IOC | 0x1C, -ENOENT},
		{MAD_STATUS_METHOD, -ENOENT},
		{MAD_STATUS_METHOD_ATTRIBUTE, -ENOENT},
		{MAD_STATUS_INVALID, -EIO},
		{MAD_STATUS_VERSION, -EIO},
		{DM_STATUS_FAILED, -EIO},
	};

	for (unsigned i = 0; i < UNIT_COUNT(cases); i++) {
		begin();
		fake_qp0_refuse(b.fake, DEV_SERVICES, cases[i].status);
		CHECK_EQUAL(look(SMA_DM_ServiceEntries, dm_services_modifier(2, 0, 3)), cases[i].result);
		CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 2), 0);
		end();
	}
}

static void test_readiness(void)
{
	static const struct {
		uint16_t status;
		int result;
	} cases[] = {
		{0, 0},
		{DM_STATUS_FAILED, 0},
		{DM_STATUS_NO_IOC, 0},
		{0x7F00, 0},
		{MAD_STATUS_METHOD, -ENOENT},
		{MAD_STATUS_METHOD_ATTRIBUTE, -ENOENT},
		{MAD_STATUS_INVALID, -EIO},
	};
	const uint8_t *data;
	int rc;

	for (unsigned i = 0; i < UNIT_COUNT(cases); i++) {
		begin();
		fake_qp0_refuse(b.fake, DEV_PREPARE, cases[i].status);
		rc = read_patiently(SMA_DM_PrepareToTest, 2, &data);
		if (CHECK_EQUAL(rc, cases[i].result) && rc == 0)
			CHECK_EQUAL(wire_get16(data), cases[i].status);
		end();
	}
}

/* "Busy" is an answer here, not a request to ask later. */
static void test_busy_readiness(void)
{
	const uint8_t *data;

	begin();
	unit_ioc(unit.unit, 2)->diag.config.prepare_ms = UINT32_MAX;
	CHECK_EQUAL(devmgt_fixture_set(&unit, DEV_PREPARE, 2, 0), 0);
	if (CHECK_EQUAL(read_patiently(SMA_DM_PrepareToTest, 2, &data), 0))
		CHECK_EQUAL(wire_get16(data), MAD_STATUS_BUSY);
	end();
}

/* ---- changes ---- */

/* Each controller that is read costs one more IOUnitInfo, and what is known costs nothing. */
static void test_cost(void)
{
	begin();
	device_id(2);
	CHECK_EQUAL(asked(DEV_PROFILE), 1);
	CHECK_EQUAL(asked(DEV_UNIT_INFO), 2);
	device_id(2);
	CHECK_EQUAL(asked(FAKE_ANY), 4);
	device_id(16);
	CHECK_EQUAL(asked(DEV_UNIT_INFO), 3);
	CHECK_EQUAL(asked(FAKE_ANY), 6);
	end();
}

/* The controller is exchanged after its profile was given away, and before that came. */
static void test_change_on_the_way(void)
{
	struct sma_reader reader;
	const uint8_t *data;
	uint64_t since;
	int rc;

	begin();
	CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), 0);
	set_device_id(2, 1);
	fake_qp0_delay(b.fake, DEV_PROFILE, TIMEOUT / 2);
	since = b.now;
	reader = reader_since(since);
	CHECK_EQUAL(sma_dm_read(&reader, SMA_DM_IOControllerProfile, 2, &data), -EAGAIN);
	fixture_step(&b, 1);
	CHECK_EQUAL(asked(DEV_PROFILE), 1);
	CHECK_EQUAL(unit_remove(unit.unit, 2), 0);
	CHECK_EQUAL(unit_add(unit.unit, 2, 0x5555), 0);
	set_device_id(2, 2);
	do {
		fixture_step(&b, TIMEOUT);
		reader = reader_since(since);
		rc = sma_dm_read(&reader, SMA_DM_IOControllerProfile, 2, &data);
	} while (rc == -EAGAIN);
	CHECK_EQUAL(rc, 0);
	CHECK_EQUAL(dm_component_get(data, DM_IOControllerProfile_DeviceID), 2);
	CHECK_EQUAL(asked(DEV_PROFILE), 2);
	end();
}

/* What is fresh does not count any more when IOUnitInfo, read for something else, has changed. */
static void test_change_in_between(void)
{
	begin();
	set_device_id(2, 1);
	CHECK_EQUAL(device_id(2), 1);
	CHECK_EQUAL(device_id(16), 0);
	unit_remove(unit.unit, 2);
	unit_add(unit.unit, 2, 0x5555);
	set_device_id(2, 2);
	CHECK_EQUAL(device_id(2), 1);
	fixture_advance(&b, b.config.age_ms[SMA_DM_IOUnitInfo] + 1);
	CHECK_EQUAL(device_id(2), 2);
	CHECK_EQUAL(device_id(16), 0);
	CHECK_EQUAL(asked(DEV_PROFILE), 4);
	end();
}

static void test_controller_that_goes(void)
{
	begin();
	device_id(2);
	unit_remove(unit.unit, 2);
	fixture_advance(&b, b.config.age_ms[SMA_DM_IOUnitInfo] + 1);
	CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 2), -ENOENT);
	CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 16), 0);
	end();
}

/* A change that does not count, as the unit counts modulo 65536 or not at all, is one by what it shows. */
static void test_change_without_a_number(void)
{
	begin();
	device_id(2);
	dm_slot_set(unit.unit->info, 16, DM_SLOT_EMPTY);
	set_device_id(2, 2);
	fixture_advance(&b, b.config.age_ms[SMA_DM_IOUnitInfo] + 1);
	CHECK_EQUAL(device_id(2), 2);
	end();
}

/* A unit that counts each request as a change is not asked without end, and what it is itself stays known. */
static bool answer_restlessly(void *arg, const uint8_t request[MAD_SIZE], uint8_t response[MAD_SIZE])
{
	uint64_t change_id = dm_component_get(unit.unit->info, DM_IOUnitInfo_ChangeID);

	dm_component_set(unit.unit->info, DM_IOUnitInfo_ChangeID, change_id + 1);
	return answer(arg, request, response);
}

static void test_restless(void)
{
	begin();
	fake_qp0_manage(b.fake, answer_restlessly, &unit);
	CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 2), -ETIMEDOUT);
	CHECK(asked(DEV_PROFILE) <= 65);
	CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), 0);
	fixture_advance(&b, 1000);
	fake_qp0_manage(b.fake, answer, &unit);
	CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 2), 0);
	end();
}

/* ---- silence ---- */

static void test_silent_agent(void)
{
	begin();
	fake_qp0_manage(b.fake, NULL, NULL);
	CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), -ETIMEDOUT);
	CHECK_EQUAL(logged_with("device management"), 1);
	end();
}

static void test_silence_later(void)
{
	begin();
	set_device_id(2, 5);
	CHECK_EQUAL(device_id(2), 5);
	fake_qp0_manage(b.fake, NULL, NULL);
	expire();
	CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), 0);
	CHECK_EQUAL(device_id(2), 5);
	fixture_advance(&b, 180000);
	CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 2), -ETIMEDOUT);
	fake_qp0_manage(b.fake, answer, &unit);
	fixture_advance(&b, 60000);
	CHECK_EQUAL(device_id(2), 5);
	end();
}

/* The SMA answers on: only device management is unknown. */
static void test_silence_of_one_attribute(void)
{
	begin();
	fake_qp0_fault(b.fake, DEV_SERVICES, FAKE_LOST, FAKE_FOREVER);
	CHECK_EQUAL(look(SMA_DM_IOUnitInfo, 0), 0);
	CHECK_EQUAL(look(SMA_DM_ServiceEntries, dm_services_modifier(2, 0, 3)), -EIO);
	CHECK_EQUAL(look(SMA_DM_IOControllerProfile, 2), 0);
	end();
}

static const struct unit_test tests[] = {
	{"only with the capability", test_only_with_the_capability},
	{"only with a LID", test_only_with_a_lid},
	{"the request", test_request},
	{"a LID that changes", test_lid_that_changes},
	{"contents", test_contents},
	{"only slots with a controller", test_only_slots_with_a_controller},
	{"slots beyond the count", test_slots_beyond_the_count},
	{"statuses", test_statuses},
	{"readiness", test_readiness},
	{"busy is a readiness", test_busy_readiness},
	{"cost", test_cost},
	{"a change on the way", test_change_on_the_way},
	{"a change in between", test_change_in_between},
	{"a controller that goes", test_controller_that_goes},
	{"a change without a number", test_change_without_a_number},
	{"a unit that changes all the time", test_restless},
	{"a silent agent", test_silent_agent},
	{"silence later", test_silence_later},
	{"silence of one attribute", test_silence_of_one_attribute},
};

int main(void)
{
	return UNIT_MAIN("dm", tests);
}
