// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "mib/map.h"
#include "mib/value.h"
#include "sma/log.h"

void value_number(struct mib_value *value, uint64_t number)
{
	value->number = number;
}

void value_truth(struct mib_value *value, bool truth)
{
	value->number = truth ? 1 : 2;
}

void value_octets(struct mib_value *value, const void *octets, size_t length)
{
	value->length = length;
	memcpy(value->octets, octets, length);
}

void value_zeros(struct mib_value *value, size_t length)
{
	value->length = length;
	memset(value->octets, 0, length);
}

void value_display(struct mib_value *value, const void *text, size_t length)
{
	value_octets(value, text, length);
	for (size_t i = 0; i < length; i++) {
		if (value->octets[i] < ' ' || value->octets[i] > '~')
			value->octets[i] = '?';
	}
}

void value_text(struct mib_value *value, const void *text, size_t size)
{
	char *shown = (char *)value->octets;

	memcpy(shown, text, size);
	shown[size] = '\0';
	sma_make_printable(shown);
	value->length = strlen(shown);
}

void value_big_endian(struct mib_value *value, uint64_t number, size_t length)
{
	value->length = length;
	for (size_t i = 0; i < length; i++)
		value->octets[i] = (uint8_t)(number >> 8 * (length - 1 - i));
}

bool value_is_in_range(const struct mib_object *object, const struct mib_value *value)
{
	uint64_t measure = object->type == ASN_OCTET_STR ? value->length : value->number;

	return measure >= object->low && measure <= object->high;
}
