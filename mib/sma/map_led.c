// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaLedInfoTable: LedInfo of the ports of a CA or router. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

static int has_led(struct sma_reader *reader, unsigned port)
{
	struct sma_key key = sma_key_port(sma_node_id(reader->node), port);
	uint64_t supported;
	int rc = sma_read(reader, &key, SMA_PortInfo_IsLedInfoSupported, &supported);

	if (rc < 0)
		return rc;
	return supported ? 0 : -ENOENT;
}

/* LedInfo has no port selector, so that nothing can be learnt of the data ports of a switch. */
static int port_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                     uint32_t *port)
{
	(void)index;
	(void)level;
	if (sma_is_switch(reader->node))
		return -ENOENT;
	return map_scan(reader, map_next_port, has_led, from, port);
}

const struct mib_space ibSmaLedInfoTable_space = {.next.of_node = port_next};

static int state_get(const struct mib_cell *cell, struct mib_value *value)
{
	struct sma_key key = sma_key_led(sma_node_id(cell->reader->node), cell->index[0]);
	uint64_t on = 0;
	int rc = sma_read(cell->reader, &key, SMA_LedInfo_LedMask, &on);

	if (rc == -ENOENT || rc == -EIO) {
		value_number(value, ibSmaLedState_unknown);
		return 0;
	}
	value_number(value, on ? ibSmaLedState_on : ibSmaLedState_off);
	return rc;
}

MAP(ibSmaLedState, state_get);
