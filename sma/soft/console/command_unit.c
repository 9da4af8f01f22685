// SPDX-License-Identifier: BSD-2-Clause
/* Commands of the console: the I/O unit. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "sma/log.h"
#include "sma/soft/console/command_parts.h"
#include "sma/soft/dm/devmgt.h"

static unsigned slot_of(const struct console *c)
{
	return (unsigned)console_number(c, 0);
}

static int put_in(struct console *c)
{
	bool has_guid = c->statement.value_count > 2;

	return has_guid ? unit_add(c->state->unit, slot_of(c), console_number(c, 2))
	                : unit_put_back(c->state->unit, slot_of(c));
}

int console_ioc(struct console *c)
{
	struct line *line = &c->statement.line;
	bool add = console_number(c, 1);
	int rc;

	if (!add && c->statement.value_count > 2)
		return line_fail(line, line->word[3], "expected nothing behind remove");
	rc = add ? put_in(c) : unit_remove(c->state->unit, slot_of(c));
	c->state->changed |= SMA_DM_ATTRS;
	if (rc == -EEXIST)
		return line_fail(line, line->word[1], "expected an empty slot");
	if (rc == -ENOENT)
		return line_fail(line, line->word[1],
		                 add ? "expected a GUID, as there never was a controller"
		                     : "expected a slot with a controller");
	return rc < 0 ? line_fail(line, NULL, "%s", strerror(-rc)) : 0;
}

int console_ready(struct console *c)
{
	struct line *line = &c->statement.line;
	uint16_t status = (uint16_t)console_number(c, 1);
	int rc;

	if (status == MAD_STATUS_BUSY)
		return line_fail(line, line->word[2], "expected 0, or how the preparation failed");
	rc = devmgt_ready(c->responder->devmgt, slot_of(c), status);
	c->state->changed |= SMA_DM_ATTRS;
	if (rc == -ENOENT)
		return line_fail(line, line->word[1], "expected a slot with a controller");
	return rc < 0 ? line_fail(line, line->word[1], "expected a controller that prepares for a test") : 0;
}

/* ---- show ---- */

static void print_service(struct console *c, unsigned slot, const struct ioc *ioc, unsigned entry)
{
	const uint8_t *service = unit_services(ioc, entry);
	char name[DM_SERVICE_NAME_SIZE + 1] = "";

	memcpy(name, dm_service_name(service, 0), DM_SERVICE_NAME_SIZE);
	sma_make_printable(name);
	console_print(c, "slot %u: service %u \"%s\" 0x%016" PRIx64 "\n", slot, entry, name,
	              dm_service_id(service, 0));
}

static void print_ioc(struct console *c, unsigned slot)
{
	const struct ioc *ioc = unit_ioc(c->state->unit, slot);
	char id[DM_ID_STRING_SIZE + 1] = "";

	if (!ioc)
		return;
	memcpy(id, dm_component_octets(ioc->profile, DM_IOControllerProfile_IDString), DM_ID_STRING_SIZE);
	sma_make_printable(id);
	console_print(c, "slot %u: GUID 0x%016" PRIx64 " \"%s\", %s, DiagCode 0x%04x\n", slot,
	              dm_component_get(ioc->profile, DM_IOControllerProfile_GUID), id,
	              diag_state_name(ioc->diag.state), diag_code(&ioc->diag));
	for (unsigned entry = 0; entry < unit_service_count(ioc); entry++)
		print_service(c, slot, ioc, entry);
}

static void print_manager(struct console *c, unsigned port, const struct devmgt_endpoint *endpoint)
{
	unsigned waiting = 0;

	for (unsigned type = 0; type < NOTICE_TYPES; type++)
		waiting += endpoint->traps.lists[type].count;
	console_print(c, "port %u: TrapLID %u, traps that wait for TrapRepress: %u, Notices: %u\n", port,
	              (unsigned)dm_component_get(endpoint->class_port_info, DM_ClassPortInfo_TrapLID),
	              waiting, endpoint->notices.count);
}

int console_show_unit(struct console *c)
{
	const struct unit *unit = c->state->unit;

	console_print(c, "I/O unit, slots: %u, ChangeID %u, option ROM: %s\n", unit_slots(unit),
	              (unsigned)dm_component_get(unit->info, DM_IOUnitInfo_ChangeID),
	              dm_component_get(unit->info, DM_IOUnitInfo_OptionROM) ? "yes" : "no");
	for (unsigned i = 0; i < c->responder->devmgt->endpoint_count; i++)
		print_manager(c, console_first_port(c) + i, &c->responder->devmgt->endpoints[i]);
	for (unsigned slot = 1; slot <= unit_slots(unit); slot++)
		print_ioc(c, slot);
	return 0;
}
