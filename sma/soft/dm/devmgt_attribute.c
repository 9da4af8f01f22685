// SPDX-License-Identifier: BSD-2-Clause
/* The attributes: which modifiers they take, what a Get gives and a Set does (IBA 16.3.3). */
#include <string.h>

#include "sma/soft/dm/devmgt_parts.h"

enum { TRAP_PART_AT = 40 /* of ClassPortInfo: what a Set may change, to the end */ };

/* What a request is about: the controller that its modifier names. */
typedef uint16_t serve(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data);

static uint16_t get_class_port_info(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	(void)ioc;
	memcpy(data, request->endpoint->class_port_info, DEVMGT_CLASS_PORT_INFO_SIZE);
	return 0;
}

/* TrapLID 0 ends the sending of traps, those that wait included. */
static uint16_t set_class_port_info(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	uint64_t lid = dm_component_get(data, DM_ClassPortInfo_TrapLID);

	if (lid > MAD_LAST_LID)
		return MAD_STATUS_INVALID;
	memcpy(request->endpoint->class_port_info + TRAP_PART_AT, data + TRAP_PART_AT,
	       DEVMGT_CLASS_PORT_INFO_SIZE - TRAP_PART_AT);
	if (lid == 0)
		trap_sender_clear(&request->endpoint->traps);
	memset(data, 0, DM_DATA_SIZE);
	return get_class_port_info(request, ioc, data);
}

static uint16_t get_notice(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	(void)ioc;
	notice_queue_head(&request->endpoint->notices, data);
	devmgt_add_gid(request->devmgt, request->port, data);
	return 0;
}

static uint16_t set_notice(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	notice_queue_clear(&request->endpoint->notices, data);
	memset(data, 0, DM_DATA_SIZE);
	return get_notice(request, ioc, data);
}

static uint16_t get_unit_info(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	(void)ioc;
	memcpy(data, request->devmgt->unit->info, UNIT_INFO_SIZE);
	return 0;
}

static uint16_t get_profile(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	(void)request;
	memcpy(data, ioc->profile, UNIT_PROFILE_SIZE);
	return 0;
}

static uint16_t get_services(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	const struct dm_range range = dm_services_range(request->modifier);
	unsigned count = unit_service_count(ioc);

	if (count == 0)
		return DM_STATUS_NO_SERVICES;
	if (range.first > range.last || range.last - range.first >= DM_SERVICES_PER_MAD ||
	    range.last >= count)
		return MAD_STATUS_INVALID;
	memcpy(data, unit_services(ioc, range.first),
	       (size_t)(range.last - range.first + 1) * DM_SERVICE_SIZE);
	return 0;
}

static uint16_t get_timeout(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	(void)request;
	dm_component_set(data, DM_DiagnosticTimeout_MaxDiagTime, ioc->diag.config.timeout_ms);
	return 0;
}

static uint16_t get_readiness(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	(void)request;
	(void)data;
	return diag_readiness(&ioc->diag);
}

static uint16_t set_preparation(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	memset(data, 0, DM_DATA_SIZE);
	return diag_prepare(&ioc->diag, request->now);
}

/* The answer has the value and nothing else. */
static uint16_t set_test(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data, bool loop)
{
	size_t size = dm_attr_info(DM_TestDeviceOnce)->size;

	memset(data + size, 0, DM_DATA_SIZE - size);
	return diag_test(&ioc->diag, loop, (uint32_t)dm_component_get(data, DM_TestDeviceOnce_Value),
	                 request->now);
}

static uint16_t set_test_once(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	return set_test(request, ioc, data, false);
}

static uint16_t set_test_loop(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	return set_test(request, ioc, data, true);
}

static uint16_t get_diag_code(const struct devmgt_request *request, struct ioc *ioc, uint8_t *data)
{
	(void)request;
	dm_component_set(data, DM_DiagCode_DiagCode, diag_code(&ioc->diag));
	return 0;
}

/* What can be got and set, dm_attr_info says. */
static const struct {
	serve *get;
	serve *set;
} serves[DM_ATTR_COUNT] = {
	[DM_ClassPortInfo] = {get_class_port_info, set_class_port_info},
	[DM_Notice] = {get_notice, set_notice},
	[DM_IOUnitInfo] = {get_unit_info, NULL},
	[DM_IOControllerProfile] = {get_profile, NULL},
	[DM_ServiceEntries] = {get_services, NULL},
	[DM_DiagnosticTimeout] = {get_timeout, NULL},
	[DM_PrepareToTest] = {get_readiness, set_preparation},
	[DM_TestDeviceOnce] = {NULL, set_test_once},
	[DM_TestDeviceLoop] = {NULL, set_test_loop},
	[DM_DiagCode] = {get_diag_code, NULL},
};

/* Check the modifier, and find the controller that it names. */
static uint16_t locate(const struct devmgt_request *request, enum dm_modifier modifier, struct ioc **ioc)
{
	uint32_t slot = modifier == DM_MODIFIER_SERVICES ? dm_services_range(request->modifier).slot
	                                                 : request->modifier;

	*ioc = NULL;
	if (modifier == DM_MODIFIER_ANY)
		return 0;
	if (modifier == DM_MODIFIER_ZERO)
		return request->modifier == 0 ? 0 : MAD_STATUS_INVALID;
	if (slot == 0 || slot > unit_slots(request->devmgt->unit))
		return MAD_STATUS_INVALID;
	*ioc = unit_ioc(request->devmgt->unit, slot);
	return *ioc ? 0 : DM_STATUS_NO_IOC;
}

static uint16_t serve_vendor(const struct devmgt_request *request, uint8_t *data)
{
	uint8_t *vendor = request->devmgt->vendor;

	if (!request->devmgt->state->vendor_range)
		return MAD_STATUS_METHOD_ATTRIBUTE;
	memcpy(request->is_set ? vendor : data, request->is_set ? data : vendor, DM_DATA_SIZE);
	return 0;
}

uint16_t devmgt_serve(const struct devmgt_request *request, uint8_t data[DM_DATA_SIZE])
{
	enum dm_attr attr = dm_attr_find(request->attribute);
	serve *function;
	struct ioc *ioc;
	uint16_t status;

	if (request->attribute >= DM_FIRST_VENDOR)
		return serve_vendor(request, data);
	if (attr == DM_ATTR_COUNT)
		return MAD_STATUS_METHOD_ATTRIBUTE;
	function = request->is_set ? serves[attr].set : serves[attr].get;
	if (!function)
		return MAD_STATUS_METHOD_ATTRIBUTE;
	status = locate(request, dm_attr_info(attr)->modifier, &ioc);
	return status ? status : function(request, ioc, data);
}
