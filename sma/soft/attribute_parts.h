/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of attributes, which are the rows of attribute.c. */
#ifndef SOFT_ATTRIBUTE_PARTS_H
#define SOFT_ATTRIBUTE_PARTS_H

#include <stddef.h>

#include "sma/soft/sma_request.h"

enum { ATTR_PORT_INFO_EXTENDED = 0x33 };

/* Where an attribute stands. */
struct span {
	uint8_t *bytes;
	size_t length; /* at most SMA_BLOCK_SIZE; what is beyond reads as zero and is not set */
};

/* Find what the modifier names. 0 or the MAD status. */
typedef uint16_t attribute_find(const struct sma_request *request, struct span *span);

/* What a Get does to the data of its answer, or a Set to its own before they are stored. 0 or the MAD status.
 */
typedef uint16_t attribute_data(const struct sma_request *request, uint8_t *data);

typedef bool attribute_may(const struct sma_request *request);

/* A component of PortInfo of the port whose SMA answers. */
unsigned attribute_capability(const struct sma_request *request, enum sma_component component);

/* ---- attribute_node.c ---- */

attribute_find attribute_find_description, attribute_find_node, attribute_find_switch, attribute_find_notice,
	attribute_find_diag, attribute_find_vendor;
attribute_data attribute_get_node, attribute_get_switch, attribute_set_switch, attribute_get_notice,
	attribute_set_notice;
attribute_may attribute_may_set_description, attribute_may_not_set;

/* ---- attribute_port.c ---- */

attribute_find attribute_find_port, attribute_find_extended, attribute_find_led;
attribute_data attribute_get_port, attribute_set_port, attribute_set_extended, attribute_set_led;

/* ---- attribute_table.c ---- */

attribute_find attribute_find_guids, attribute_find_pkeys, attribute_find_sl2vl, attribute_find_vlarb,
	attribute_find_linear, attribute_find_random, attribute_find_multicast;
attribute_data attribute_set_guids, attribute_set_vlarb, attribute_set_random;

#endif
