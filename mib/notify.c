// SPDX-License-Identifier: BSD-2-Clause
/* Notices to notifications. */
#include <errno.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "mib/encode.h"
#include "mib/mib.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

static const oid base[] = {SMA_MIB_OID};
static const oid trap_oid[] = {SNMP_OID_SNMPMODULES, 1, 1, 4, 1, 0}; /* snmpTrapOID.0 (RFC 3418) */

/* An OID below ibSmaMIB. */
struct name {
	oid subid[OID_LENGTH(base) + MIB_MAX_SUBIDS + 1];
	size_t length;
};

static void make_name(struct name *name, const uint32_t *subid, size_t length)
{
	memcpy(name->subid, base, sizeof(base));
	name->length = OID_LENGTH(base);
	while (length-- > 0)
		name->subid[name->length++] = *subid++;
}

static int add(netsnmp_variable_list **varbinds, const oid *name, size_t name_length, uint8_t type,
               const void *value, size_t size)
{
	return snmp_varlist_add_variable(varbinds, name, name_length, type, value, size) ? 0 : -ENOMEM;
}

static int add_type(netsnmp_variable_list **varbinds, const struct mib_notification_type *type)
{
	struct name name;

	make_name(&name, type->subid, type->length);
	return add(varbinds, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID, name.subid,
	           name.length * sizeof(oid));
}

static int add_value(netsnmp_variable_list **varbinds, const struct mib_object *object,
                     const struct mib_value *value)
{
	union encode_room room;
	struct name name;
	size_t size;
	const void *data = encode_value(object, value, &room, &size);

	make_name(&name, object->subid, object->length);
	name.subid[name.length++] = 0; /* mib/module.m2c takes nothing but scalars */
	return add(varbinds, name.subid, name.length, object->type, data, size);
}

static int add_object(netsnmp_variable_list **varbinds, const struct mib_object *object,
                      const uint8_t *notice, bool expose_keys)
{
	const struct mib_notice_cell cell = {.notice = notice, .object = object, .expose_keys = expose_keys};
	struct mib_value value;
	int rc = object->map->notified ? object->map->in_notice(&cell, &value) : -ENOENT;

	if (rc < 0)
		return rc;
	return value_is_in_range(object, &value) ? add_value(varbinds, object, &value) : -ERANGE;
}

static int add_all(netsnmp_variable_list **varbinds, const struct mib_notification_type *type,
                   const uint8_t *notice, bool expose_keys)
{
	int rc = add_type(varbinds, type);

	for (unsigned i = 0; rc == 0 && i < type->count; i++)
		rc = add_object(varbinds, type->objects[i], notice, expose_keys);
	if (rc < 0 || !type->trap->appended)
		return rc;
	rc = add_object(varbinds, type->trap->appended, notice, expose_keys);
	return rc == -ERANGE ? 0 : rc;
}

static const struct mib_notification_type *find_type(unsigned trap)
{
	for (unsigned i = 0; i < SMA_MIB_NOTIFICATION_COUNT; i++) {
		if (sma_mib_notifications[i].trap->number == trap)
			return &sma_mib_notifications[i];
	}
	return NULL;
}

int mib_notification(const struct sma_notice *notice, bool expose_keys, netsnmp_variable_list **varbinds)
{
	const struct mib_notification_type *type = find_type(notice_trap(notice->data));
	netsnmp_variable_list *all = NULL;
	int rc;

	if (!type)
		return -ENOENT;
	rc = add_all(&all, type, notice->data, expose_keys);
	if (rc < 0)
		snmp_free_varbind(all);
	else
		*varbinds = all;
	return rc;
}

const char *mib_notification_name(unsigned trap)
{
	const struct mib_notification_type *type = find_type(trap);

	return type ? type->name : NULL;
}
