// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/notice/change_items.h"

enum { OUTSTANDING = 4 }; /* SMPs at once, as others want to read as well */

void change_items_init(struct change_items *items, struct sma_node *node)
{
	*items = (struct change_items){.node = node};
}

void change_items_clear(struct change_items *items)
{
	memset(items->seen, 0, sizeof(items->seen));
}

/* ---- reading ---- */

static enum sma_component component_of(unsigned item)
{
	static const enum sma_component components[] = {
		[ITEM_MASK] = SMA_PortInfo_CapabilityMask,
		[ITEM_GUID] = SMA_NodeInfo_SystemImageGUID,
		[ITEM_CHANGE] = SMA_SwitchInfo_PortStateChange,
		[ITEM_STATE] = SMA_PortInfo_PortState,
	};

	return components[item < ITEM_STATE ? item : ITEM_STATE];
}

static struct sma_key key_of(const struct change_items *items, unsigned item)
{
	enum sma_attr attr = sma_component_attr(component_of(item));

	if (attr != SMA_PortInfo)
		return sma_key_node(sma_node_id(items->node), attr);
	return sma_key_port(sma_node_id(items->node), item < ITEM_STATE ? 0 : item - ITEM_STATE + 1);
}

/* False: it is on its way. NodeInfo hardly ever changes: its cache time will do. */
static bool read_item(struct change_items *items, struct sma_reader *reader, unsigned item)
{
	struct sma_key key = key_of(items, item);
	struct item *seen = &items->seen[item];
	int rc = 0;

	reader->force_refresh = key.attr != SMA_NodeInfo;
	if (!seen->known)
		rc = sma_read(reader, &key, component_of(item), &seen->value);
	seen->known = rc == 0;
	return rc != -EAGAIN && rc != -EBUSY;
}

/* The number of items of the node, by the NodeInfo that also has the GUID. */
static unsigned count_items(struct change_items *items, struct sma_reader *reader)
{
	unsigned ports;

	if (!sma_is_switch(items->node))
		return ITEM_CHANGE;
	if (!items->seen[ITEM_GUID].known && sma_port_count(reader, &ports) == 0)
		items->data_ports = ports;
	return ITEM_STATE + items->data_ports;
}

bool change_items_read(struct change_items *items, uint64_t since, uint64_t now)
{
	struct sma_reader reader = {.node = items->node,
	                            .now = now,
	                            .since = since,
	                            .unsolicited = true,
	                            .patience = SMA_FRESH,
	                            .budget = OUTSTANDING};
	unsigned count = count_items(items, &reader);
	unsigned missing = 0;

	for (unsigned i = 0; i < count && missing < OUTSTANDING; i++)
		missing += !read_item(items, &reader, i);
	return !reader.missed;
}

/* ---- comparing ---- */

bool change_items_has_changed(const struct change_items *items, unsigned item)
{
	const struct item *base = &items->base[item];
	const struct item *seen = &items->seen[item];

	return base->known && seen->known && base->value != seen->value;
}

bool change_items_has_any_changed(const struct change_items *items)
{
	unsigned i = 0;

	while (i < ITEM_COUNT && !change_items_has_changed(items, i))
		i++;
	return i < ITEM_COUNT;
}

void change_items_adopt(struct change_items *items)
{
	for (unsigned i = 0; i < ITEM_COUNT; i++) {
		if (items->seen[i].known)
			items->base[i] = items->seen[i];
	}
}
