// SPDX-License-Identifier: BSD-2-Clause
/* Notices to notifications. */
#include <errno.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "mib/dm/dm_mib_gen.h"
#include "mib/encode.h"
#include "mib/ibsmad/ibsmad_mib_gen.h"
#include "mib/mib.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

/* The notifications of a module. */
struct notifications {
	const struct mib_module *module;
	const struct mib_notification_type *types;
	unsigned count;
};

static const struct notifications all_notifications[] = {
	{&sma_mib_module, sma_mib_notifications, SMA_MIB_NOTIFICATION_COUNT},
	{&dm_mib_module, dm_mib_notifications, DM_MIB_NOTIFICATION_COUNT},
};

/* A notification, and the module that it is of. */
struct found {
	const struct mib_module *module;
	const struct mib_notification_type *type;
};

static const oid trap_oid[] = {SNMP_OID_SNMPMODULES, 1, 1, 4, 1, 0}; /* snmpTrapOID.0 (RFC 3418) */

/* An OID below the base of a module. */
struct name {
	oid subid[MAX_OID_LEN];
	size_t length;
};

static void make_name(struct name *name, const struct mib_module *module, const uint32_t *subid,
                      size_t length)
{
	memcpy(name->subid, module->oid, module->length * sizeof(oid));
	name->length = module->length;
	while (length-- > 0)
		name->subid[name->length++] = *subid++;
}

static int add(netsnmp_variable_list **varbinds, const oid *name, size_t name_length, uint8_t type,
               const void *value, size_t size)
{
	return snmp_varlist_add_variable(varbinds, name, name_length, type, value, size) ? 0 : -ENOMEM;
}

static int add_type(netsnmp_variable_list **varbinds, const struct found *found)
{
	struct name name;

	make_name(&name, found->module, found->type->subid, found->type->length);
	return add(varbinds, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID, name.subid,
	           name.length * sizeof(oid));
}

static int add_value(netsnmp_variable_list **varbinds, const struct mib_module *module,
                     const struct mib_object *object, const struct mib_value *value)
{
	union encode_room room;
	struct name name;
	size_t size;
	const void *data = encode_value(object, value, &room, &size);

	make_name(&name, module, object->subid, object->length);
	name.subid[name.length++] = 0; /* mib/module.m2c takes nothing but scalars */
	return add(varbinds, name.subid, name.length, object->type, data, size);
}

static int add_object(netsnmp_variable_list **varbinds, const struct mib_module *module,
                      const struct mib_object *object, const uint8_t *notice, bool expose_keys)
{
	const struct mib_notice_cell cell = {.notice = notice, .object = object, .expose_keys = expose_keys};
	struct mib_value value;
	int rc = object->map->notified ? object->map->in_notice(&cell, &value) : -ENOENT;

	if (rc < 0)
		return rc;
	return value_is_in_range(object, &value) ? add_value(varbinds, module, object, &value) : -ERANGE;
}

static int add_all(netsnmp_variable_list **varbinds, const struct found *found, const uint8_t *notice,
                   bool expose_keys)
{
	const struct mib_notification_type *type = found->type;
	int rc = add_type(varbinds, found);

	for (unsigned i = 0; rc == 0 && i < type->count; i++)
		rc = add_object(varbinds, found->module, type->objects[i], notice, expose_keys);
	if (rc < 0 || !type->trap->appended)
		return rc;
	rc = add_object(varbinds, found->module, type->trap->appended, notice, expose_keys);
	return rc == -ERANGE ? 0 : rc;
}

/* False: no notification tells of the trap. */
static bool find_type(unsigned trap, struct found *found)
{
	for (size_t m = 0; m < sizeof(all_notifications) / sizeof(all_notifications[0]); m++) {
		const struct notifications *of = &all_notifications[m];

		for (unsigned i = 0; i < of->count; i++) {
			*found = (struct found){of->module, &of->types[i]};
			if (found->type->trap->number == trap)
				return true;
		}
	}
	return false;
}

int mib_notification(const struct sma_notice *notice, bool expose_keys, netsnmp_variable_list **varbinds)
{
	netsnmp_variable_list *all = NULL;
	struct found found;
	int rc;

	if (!find_type(notice_trap(notice->data), &found))
		return -ENOENT;
	rc = add_all(&all, &found, notice->data, expose_keys);
	if (rc < 0)
		snmp_free_varbind(all);
	else
		*varbinds = all;
	return rc;
}

/* ---- the node ---- */

/* { ibsmadNotifications 14 } and so on, which no generated descriptor has. */
enum { NOTIFY_NODE_GUID = 14, NOTIFY_NODE_STRING, NOTIFY_CONTEXT };

static int add_own(netsnmp_variable_list *varbinds, oid object, const void *value, size_t size)
{
	const oid name[] = {IBSMAD_MIB_OID, 1, 3, object, 0};

	return add(&varbinds, name, OID_LENGTH(name), ASN_OCTET_STR, value, size);
}

static int add_display(netsnmp_variable_list *varbinds, oid object, const char *text)
{
	struct mib_value value;

	value_display(&value, text, strnlen(text, sizeof(value.octets)));
	return add_own(varbinds, object, value.octets, value.length);
}

int mib_notification_issuer(const struct mib_issuer *issuer, netsnmp_variable_list *varbinds)
{
	struct mib_value guid;
	int rc;

	value_big_endian(&guid, issuer->guid, sizeof(issuer->guid));
	rc = add_own(varbinds, NOTIFY_NODE_GUID, guid.octets, guid.length);
	if (rc == 0)
		rc = add_display(varbinds, NOTIFY_NODE_STRING, issuer->description);
	return rc == 0 ? add_display(varbinds, NOTIFY_CONTEXT, issuer->context) : rc;
}

const char *mib_notification_name(unsigned trap)
{
	struct found found;

	return find_type(trap, &found) ? found.type->name : NULL;
}
