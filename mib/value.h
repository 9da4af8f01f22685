/* SPDX-License-Identifier: BSD-2-Clause */
/* MIB values: how they are set, and what Net-SNMP is given of them. */
#ifndef MIB_VALUE_H
#define MIB_VALUE_H

#include "mib/map.h"

void value_number(struct mib_value *value, uint64_t number);

/* TruthValue: true(1), false(2) (RFC 2579). */
void value_truth(struct mib_value *value, bool truth);

/* At most MIB_MAX_OCTETS octets. */
void value_octets(struct mib_value *value, const void *octets, size_t length);
void value_zeros(struct mib_value *value, size_t length);

/* DisplayString (RFC 2579) of at most MIB_MAX_OCTETS octets: what is not printable ASCII becomes a question
 * mark. */
void value_display(struct mib_value *value, const void *text, size_t length);

/* SnmpAdminString (RFC 3411): the text of at most `size` bytes, up to its first zero byte; what cannot be
 * shown becomes a question mark. */
void value_text(struct mib_value *value, const void *text, size_t size);

/* Whether a value, or the size of an octet string, is in the range that the MIB promises for its object. */
bool value_is_in_range(const struct mib_object *object, const struct mib_value *value);

/* The low `length` bytes of a number, most significant first. */
void value_big_endian(struct mib_value *value, uint64_t number, size_t length);

#endif
