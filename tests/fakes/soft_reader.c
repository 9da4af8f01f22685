// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "tests/fakes/soft_reader.h"

static void expire(void *arg, unsigned attrs)
{
	sma_node_expire(arg, attrs);
}

struct mad_ports *soft_reader_open(struct sma_soft *soft, const struct sma_config *config,
                                   struct sma_node **node)
{
	const struct engine_config engine = sma_config_engine(config);
	struct mad_ports *ports;
	char error[256];

	if (sma_soft_open_ports(soft, &engine, &ports, error, sizeof(error)) < 0 ||
	    sma_node_new(config, ports->list[0].number, node) < 0)
		abort();
	for (unsigned i = 0; i < ports->count; i++) {
		const struct mad_port *port = &ports->list[i];

		if (sma_node_attach(*node, port->number, port->engine, port->trusted) < 0)
			abort();
	}
	sma_soft_on_change(soft, expire, *node);
	return ports;
}
