// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/node/health.h"

enum {
	FIRST_HOLD_MS = 5 * 1000,
	LAST_HOLD_MS = 300 * 1000,
};

bool health_is_silent(const struct health *health, uint64_t now)
{
	return now < health->silent_until;
}

enum sma_state health_state(const struct health *health)
{
	if (health->hold_ms)
		return SMA_SILENT;
	return health->heard ? SMA_ANSWERING : SMA_UNKNOWN;
}

/* An SMA whose M_Key forbids reading counts each request as a violation and raises a trap (IBA 14.2.4), so a
 * silent one is asked less and less. */
void health_fall_silent(struct health *health, unsigned port, uint64_t now)
{
	if (health_is_silent(health, now))
		return;
	if (health->hold_ms == 0)
		sma_log(SMA_LOG_WARNING, "sma",
		        "the SMA of port %u does not answer: is the device gone, or an M_Key set? Asking "
		        "again "
		        "every %d to %d s",
		        port, FIRST_HOLD_MS / 1000, LAST_HOLD_MS / 1000);
	health->hold_ms = health->hold_ms ? health->hold_ms * 2 : FIRST_HOLD_MS;
	if (health->hold_ms > LAST_HOLD_MS)
		health->hold_ms = LAST_HOLD_MS;
	health->silent_until = now + health->hold_ms;
}

void health_forgive(struct health *health)
{
	health->silent_until = 0;
}

static void note_answer(struct health *health, const struct block *block)
{
	if (health->hold_ms)
		sma_log(SMA_LOG_NOTICE, "sma", "the SMA of port %u answers again", block->key.port);
	health->heard = true;
	health->hold_ms = 0;
	health->silent_until = 0;
}

static void start_trouble(const struct block *block, int result)
{
	const char *name = sma_attr_name(block->key.attr);

	if (result < 0)
		sma_log(SMA_LOG_WARNING, "sma",
		        "%s (port %u, modifier 0x%x): no answer from the SMA; its objects keep their last "
		        "values for a "
		        "minute, then they are missing",
		        name, block->key.port, block->key.modifier);
	else
		sma_log(SMA_LOG_WARNING, "sma",
		        "%s (port %u, modifier 0x%x): refused by the SMA with status 0x%04x, %s; its objects "
		        "are missing",
		        name, block->key.port, block->key.modifier, (unsigned)result,
		        smp_status_text((uint16_t)result));
}

static void note_trouble(struct health *health, const struct block *block, enum block_outcome outcome,
                         int result)
{
	unsigned *lost = &health->attrs[block->key.attr].lost;
	bool was = block->outcome == BLOCK_LOST;
	bool is = outcome == BLOCK_LOST;

	if (is && !was && (*lost)++ == 0)
		start_trouble(block, result);
	if (was && !is && --*lost == 0)
		sma_log(SMA_LOG_NOTICE, "sma", "%s can be read again", sma_attr_name(block->key.attr));
}

void health_note(struct health *health, const struct block *block, enum block_outcome outcome, int result,
                 uint64_t now)
{
	note_trouble(health, block, outcome, result);
	if (outcome == BLOCK_GOOD) {
		health->attrs[block->key.attr].good++;
		health->attrs[block->key.attr].last_good = now;
	}
	/* what is given up is so because others were answered */
	note_answer(health, block);
}
