// SPDX-License-Identifier: BSD-2-Clause
#include "sma/node/trouble.h"
#include "sma/log.h"

static void start_trouble(const struct block *block, int result)
{
	const char *name = sma_attr_name(block->key.attr);
	const struct mad_class *class = mad_class_find(sma_attr_class(block->key.attr));

	if (result < 0)
		sma_log(SMA_LOG_WARNING, "sma",
		        "%s (port %u, modifier 0x%x): no answer from the %s; its objects keep their last "
		        "values for a minute, then they are missing",
		        name, block->key.port, block->key.modifier, class->agent);
	else
		sma_log(SMA_LOG_WARNING, "sma",
		        "%s (port %u, modifier 0x%x): refused by the %s with status 0x%04x, %s; its objects "
		        "are missing",
		        name, block->key.port, block->key.modifier, class->agent, (unsigned)result,
		        class->id == MAD_CLASS_DEVICE ? dm_status_text((uint16_t)result)
		                                      : mad_status_text((uint16_t)result));
}

static void note_loss(struct trouble *trouble, const struct block *block, enum block_outcome outcome,
                      int result)
{
	unsigned *lost = &trouble->attrs[block->key.attr].lost;
	bool was = block->outcome == BLOCK_LOST;
	bool is = outcome == BLOCK_LOST;

	if (is && !was && (*lost)++ == 0)
		start_trouble(block, result);
	if (was && !is && --*lost == 0)
		sma_log(SMA_LOG_NOTICE, "sma", "%s can be read again", sma_attr_name(block->key.attr));
}

void trouble_note(struct trouble *trouble, const struct block *block, enum block_outcome outcome, int result,
                  uint64_t now)
{
	note_loss(trouble, block, outcome, result);
	if (outcome != BLOCK_GOOD)
		return;
	trouble->attrs[block->key.attr].good++;
	trouble->attrs[block->key.attr].last_good = now;
}
