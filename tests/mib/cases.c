// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "mib/dm/dm_mib_gen.h"
#include "mib/sma/sma_mib_gen.h"
#include "tests/logged.h"
#include "tests/mib/cases.h"
#include "tests/mib/expected.h"
#include "tests/unit.h"

static const struct mib_object *find_in(const struct mib_module *module, const char *name)
{
	for (size_t i = 0; i < module->count; i++) {
		if (strcmp(module->objects[i].name, name) == 0)
			return &module->objects[i];
	}
	return NULL;
}

const struct mib_object *find_object(const char *name)
{
	return find_in(&sma_mib_module, name);
}

void apply_patch(struct fixture *fixture, unsigned port, const struct patch *patch)
{
	uint8_t *data;
	unsigned octet;

	if (!patch->bytes)
		return;
	if (patch->bytes[0] == '=') {
		fake_qp0_set_status(fixture->fake, port, patch->attribute, patch->modifier,
		                    (uint16_t)strtoul(patch->bytes + 1, NULL, 16));
		return;
	}
	data = fake_qp0_data(fixture->fake, port, patch->attribute, patch->modifier) + patch->offset;
	for (const char *p = patch->bytes; sscanf(p, "%2x", &octet) == 1; p += 2)
		*data++ = (uint8_t)octet;
}

/* The OID of an instance written as NAME.INDEX, below the base of its module. */
static size_t instance_of(const char *text, const struct mib_module **module, uint32_t *subid)
{
	size_t name_length = strcspn(text, ".");
	const struct mib_object *object;
	char name[64];
	size_t length;

	snprintf(name, sizeof(name), "%.*s", (int)name_length, text);
	*module = &sma_mib_module;
	object = find_object(name);
	if (!object) {
		*module = &dm_mib_module;
		object = find_in(*module, name);
	}
	if (!CHECK(object != NULL))
		return 0;
	length = object->length;
	memcpy(subid, object->subid, length * sizeof(*subid));
	for (text += name_length; *text == '.' && length < MAX_SUBIDS;)
		subid[length++] = (uint32_t)strtoul(text + 1, (char **)&text, 10);
	return length;
}

static void print_answer(const struct mib_answer *answer, char *text, size_t size)
{
	if (answer->object->type != ASN_OCTET_STR) {
		snprintf(text, size, "%" PRIu64, answer->value.number);
		return;
	}
	strcpy(text, "x");
	for (size_t i = 0; i < answer->value.length; i++)
		sprintf(text + 1 + 2 * i, "%02x", answer->value.octets[i]);
}

bool check_instance(struct fixture *fixture, const char *object, const char *wanted)
{
	char text[2 * MIB_MAX_OCTETS + 2] = "absent";
	uint32_t subid[MAX_SUBIDS];
	const struct mib_module *module;
	size_t length = instance_of(object, &module, subid);
	struct mib_answer answer;
	int rc = ask_module(fixture, module, tree_get, subid, length, &answer);

	if (rc == 0)
		print_answer(&answer, text, sizeof(text));
	else
		CHECK_EQUAL(rc, -ENOENT);
	return CHECK_TEXT(text, wanted);
}

static void check_case(const struct map_case *c)
{
	struct fixture fixture;

	fixture_init(&fixture, c->node);
	for (size_t i = 0; i < UNIT_COUNT(c->patches); i++)
		apply_patch(&fixture, fake_qp0_port(fixture.fake), &c->patches[i]);
	fixture_open(&fixture);
	unit_case("%s (%s)", c->name, c->object);
	check_instance(&fixture, c->object, c->wanted);
	fixture_close(&fixture);
}

void check_cases(const struct map_case *cases, size_t count)
{
	logged_start(false);
	for (size_t i = 0; i < count; i++)
		check_case(&cases[i]);
	logged_stop();
}
