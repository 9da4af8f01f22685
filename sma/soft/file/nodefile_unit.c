// SPDX-License-Identifier: BSD-2-Clause
/* What the tokens of the I/O unit do. */
#include <errno.h>
#include <string.h>

#include "sma/soft/dm/unit.h"
#include "sma/soft/file/nodefile_parts.h"

static int fail(struct nodefile *file, int rc)
{
	line_fail(&file->statement.line, NULL, "%s", strerror(-rc));
	return rc;
}

int nodefile_make_unit(struct nodefile *file)
{
	struct unit *unit;

	if (!file->size_line[SIZE_IOU_SLOTS])
		return 0;
	unit = unit_new((unsigned)file->size[SIZE_IOU_SLOTS]);
	if (!unit)
		return fail(file, -ENOMEM);
	state_set_unit(file->state, unit);
	return 0;
}

/* Whoever reads it has seen no change. Whether there is a unit, CapabilityMask follows, also where a line set
 * it as a whole. */
void nodefile_finish_unit(struct nodefile *file)
{
	struct soft_state *state = file->state;

	if (state->unit)
		dm_component_set(state->unit->info, DM_IOUnitInfo_ChangeID, 1);
	for (unsigned port = 0; port <= state->ports; port++) {
		if (state_is_end_port(state, port))
			state_set(state, port, SMA_PortInfo_IsDeviceManagementSupported, state->unit != NULL);
	}
}

int nodefile_set_option_rom(struct nodefile *file)
{
	dm_component_set(file->state->unit->info, DM_IOUnitInfo_OptionROM, nodefile_number(file, 0));
	return 0;
}

int nodefile_set_ioc(struct nodefile *file)
{
	int rc = unit_add(file->state->unit, (unsigned)nodefile_number(file, 0), nodefile_number(file, 1));

	if (rc == -EEXIST)
		return line_fail(&file->statement.line, file->statement.line.word[1],
		                 "expected a slot without a controller");
	return rc < 0 ? fail(file, rc) : 0;
}

/* The controller that the first argument names; NULL: there is none, and the error says so. */
static struct ioc *find_ioc(struct nodefile *file)
{
	struct ioc *ioc = unit_ioc(file->state->unit, (unsigned)nodefile_number(file, 0));

	if (!ioc)
		line_fail(&file->statement.line, file->statement.line.word[1],
		          "expected a slot with a controller, which a line ioc before puts there");
	return ioc;
}

int nodefile_set_profile(struct nodefile *file)
{
	enum dm_component component = (enum dm_component)nodefile_number(file, 1);
	const struct value *value = &file->statement.value[2];
	struct ioc *ioc = find_ioc(file);

	if (!ioc)
		return -EINVAL;
	if (component == DM_IOControllerProfile_IDString)
		dm_component_put(ioc->profile, component, value->text, value->size);
	else
		dm_component_set(ioc->profile, component, value->first);
	return 0;
}

int nodefile_set_service(struct nodefile *file)
{
	const struct value *name = &file->statement.value[2];
	struct ioc *ioc = find_ioc(file);
	int rc;

	if (!ioc)
		return -EINVAL;
	rc = unit_set_service(ioc, (unsigned)nodefile_number(file, 1), name->text, name->size,
	                      nodefile_number(file, 3));
	return rc < 0 ? fail(file, rc) : 0;
}

int nodefile_set_diag_timeout(struct nodefile *file)
{
	struct ioc *ioc = find_ioc(file);

	if (!ioc)
		return -EINVAL;
	ioc->diag.config.timeout_ms = (uint32_t)nodefile_number(file, 1);
	return 0;
}

int nodefile_set_ioc_diag(struct nodefile *file)
{
	struct ioc *ioc = find_ioc(file);

	if (!ioc)
		return -EINVAL;
	ioc->diag.config.result = (uint16_t)nodefile_number(file, 1);
	if (file->statement.value_count > 2)
		ioc->diag.config.prepare_ms = (uint32_t)nodefile_number(file, 2);
	if (file->statement.value_count > 3)
		ioc->diag.config.test_ms = (uint32_t)nodefile_number(file, 3);
	return 0;
}
