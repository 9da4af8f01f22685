// SPDX-License-Identifier: BSD-2-Clause
/* Device management: the I/O unit that the management port has, read from its agent at the port's own LID. */
#include <errno.h>
#include <string.h>

#include "sma/node/node_parts.h"

enum { SECOND_MS = 1000, MOST_CHANGES = 64 /* in a second, beyond which nothing is read of controllers */ };

/* ---- what came ---- */

static struct dm *dm_of(const struct sma_node *node, unsigned port)
{
	return &node_endpoint(node, port)->dm;
}

unsigned dm_turn(const struct sma_node *node, unsigned port)
{
	const struct endpoint *endpoint = node_endpoint(node, port);

	return endpoint ? endpoint->dm.turn : 0;
}

unsigned sma_dm_turn(const struct sma_node *node)
{
	return dm_turn(node, sma_node_port(node));
}

void dm_note(struct sma_node *node, const struct block *block, const uint8_t *data)
{
	unsigned size = sma_attr_size(SMA_DM_IOUnitInfo);
	uint64_t now = engine_now(sma_node_engine(node, block->key.port));
	struct dm *dm = dm_of(node, block->key.port);

	if (block->key.attr != SMA_DM_IOUnitInfo || (block->good && memcmp(block->data, data, size) == 0))
		return;
	dm->turn++;
	if (now - dm->second >= SECOND_MS) {
		dm->second = now;
		dm->changes = 0;
	}
	dm->changes++;
}

/* A unit that seems to change each time that it is asked would be asked without end. */
static bool is_restless(const struct sma_reader *reader)
{
	const struct dm *dm = dm_of(reader->node, sma_node_port(reader->node));

	return dm->changes > MOST_CHANGES && reader->now - dm->second < SECOND_MS;
}

/* An answer without a contents says how ready the controller is, unless it says that there is no such
 * request. */
bool dm_is_readiness(const struct block *block, uint16_t status)
{
	return block->key.attr == SMA_DM_PrepareToTest && status != MAD_STATUS_METHOD &&
	       status != MAD_STATUS_METHOD_ATTRIBUTE && status != MAD_STATUS_INVALID &&
	       status != MAD_STATUS_VERSION;
}

bool dm_is_absence(const struct block *block, uint16_t status)
{
	return block->key.attr >= SMA_ATTR_COUNT &&
	       (status & (DM_STATUS_NO_IOC | DM_STATUS_NO_SERVICES)) != 0;
}

bool dm_is_unreachable(const struct block *block, int error)
{
	return block->key.attr >= SMA_ATTR_COUNT && error != -EHOSTDOWN && error != -ECANCELED;
}

/* ---- reading ---- */

static struct sma_key key_of(const struct sma_reader *reader, enum sma_attr attr, uint32_t modifier)
{
	struct sma_key key = sma_key_node(sma_node_id(reader->node), attr);

	key.modifier = modifier;
	return key;
}

/* The agent of the port is reached by the LID that it has now. */
static int reach(const struct sma_node *node, uint16_t lid)
{
	const struct engine_address address = {.route = ENGINE_LID, .lid = lid};
	struct endpoint *endpoint = node_endpoint(node, sma_node_port(node));
	struct dm *dm = &endpoint->dm;

	if (dm->peer) {
		if (peer_address(dm->peer)->lid != lid)
			peer_move(dm->peer, &address);
		return 0;
	}
	dm->peer = peer_open(endpoint->engine, MAD_CLASS_DEVICE, &address, node->config.window);
	if (!dm->peer)
		return -ENOMEM;
	if (endpoint->confirm.guid)
		peer_share(dm->peer, endpoint->peer);
	return 0;
}

/* -ENOENT: the port has no device management, or cannot be reached by a LID. */
static int find_agent(struct sma_reader *reader)
{
	struct sma_key key = sma_key_port(sma_node_id(reader->node), 0);
	const uint8_t *info;
	uint64_t lid;
	int rc = sma_read_block(reader, &key, &info);

	if (rc < 0)
		return rc;
	lid = sma_component_get(info, SMA_PortInfo_LID);
	if (!sma_component_get(info, SMA_PortInfo_IsDeviceManagementSupported) || lid == 0 ||
	    lid > MAD_LAST_LID)
		return -ENOENT;
	if (reach(reader->node, (uint16_t)lid) == 0)
		return 0;
	reader->unknown = true;
	return -ETIMEDOUT;
}

static bool is_of_slot(enum sma_attr attr)
{
	return attr != SMA_DM_ClassPortInfo && attr != SMA_DM_IOUnitInfo;
}

static bool is_present(const uint8_t *info, unsigned slot)
{
	return slot >= 1 && slot <= dm_component_get(info, DM_IOUnitInfo_MaxControllers) &&
	       dm_slot_get(info, slot) == DM_SLOT_PRESENT;
}

/* What belongs to a unit of before the last change is as if it had never been read. */
static void forget_outdated(struct sma_node *node, const struct sma_key *key)
{
	struct block *block = cache_find(&node->cache, key);

	if (!block || block->outcome == BLOCK_NEVER || block->turn == dm_turn(node, key->port))
		return;
	trouble_note(&node->trouble, block, BLOCK_NEVER, 0, 0);
	block->outcome = BLOCK_NEVER;
	cache_retire(&node->cache, block);
}

/* What was read of a controller counts when IOUnitInfo has been read since, unchanged. */
static int confirm(struct sma_reader *reader, const struct sma_key *key, int rc)
{
	const struct sma_key of_unit = key_of(reader, SMA_DM_IOUnitInfo, 0);
	struct block *unit = cache_find(&reader->node->cache, &of_unit);
	const struct block *block = cache_find(&reader->node->cache, key);

	if (rc != 0 && rc != -ENOENT && rc != -EIO)
		return rc;
	return block->ended_step < unit->began_step ? rc : node_read_again(reader, unit);
}

static int read_slot(struct sma_reader *reader, const struct sma_key *key, const uint8_t **data)
{
	const struct sma_key of_unit = key_of(reader, SMA_DM_IOUnitInfo, 0);
	uint32_t slot =
		key->attr == SMA_DM_ServiceEntries ? dm_services_range(key->modifier).slot : key->modifier;
	const uint8_t *info;
	int rc = sma_read_block(reader, &of_unit, &info);

	if (rc < 0)
		return rc;
	if (!is_present(info, slot))
		return -ENOENT;
	if (is_restless(reader)) {
		reader->unknown = true;
		return -ETIMEDOUT;
	}
	forget_outdated(reader->node, key);
	rc = sma_read_block(reader, key, data);
	return confirm(reader, key, rc);
}

int sma_dm_read(struct sma_reader *reader, enum sma_attr attr, uint32_t modifier, const uint8_t **data)
{
	const struct sma_key key = key_of(reader, attr, modifier);
	int rc = find_agent(reader);

	if (rc < 0)
		return rc;
	return is_of_slot(attr) ? read_slot(reader, &key, data) : sma_read_block(reader, &key, data);
}
