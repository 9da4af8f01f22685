/* SPDX-License-Identifier: BSD-2-Clause */
/* What polling looks at: values of a node as a reading sees them, and those they are compared with. */
#ifndef NOTICE_CHANGE_ITEMS_H
#define NOTICE_CHANGE_ITEMS_H

#include "sma/node/node.h"

/* These three, and the PortState of each data port. */
enum {
	ITEM_MASK,   /* CapabilityMask of the management port */
	ITEM_GUID,   /* SystemImageGUID */
	ITEM_CHANGE, /* PortStateChange; only a switch has this and those to come */
	ITEM_STATE,  /* PortState of port 1 */
	ITEM_COUNT = ITEM_STATE + SMA_MAX_PORTS,
};

struct item {
	bool known;
	uint64_t value;
};

struct change_items {
	struct sma_node *node;
	unsigned data_ports;          /* of a switch */
	struct item seen[ITEM_COUNT]; /* in the current reading, or the last one */
	struct item base[ITEM_COUNT]; /* the values to compare with */
};

/* Begin with nothing known of `node`, which must outlive the items. */
void change_items_init(struct change_items *items, struct sma_node *node);

/* Begin a reading: nothing is seen. */
void change_items_clear(struct change_items *items);

/* See what is there of what was asked for since `since`, and ask for the rest. False: something is on its
 * way. What has been seen does not grow old within a reading. */
bool change_items_read(struct change_items *items, uint64_t since, uint64_t now);

/* Whether an item is known to have changed; whether any is. */
bool change_items_has_changed(const struct change_items *items, unsigned item);
bool change_items_has_any_changed(const struct change_items *items);

/* Compare with what was seen from now on. */
void change_items_adopt(struct change_items *items);

#endif
