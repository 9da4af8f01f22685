// SPDX-License-Identifier: BSD-2-Clause
#include "tests/fakes/soft_reader.h"

static void expire(void *arg, unsigned attrs)
{
	sma_node_expire(arg, attrs);
}

void soft_reader_attach(struct sma_soft *soft, struct sma_node *node)
{
	struct sma_qp0 *qp0;

	for (unsigned port = 0; port <= SMA_MAX_PORTS; port++) {
		if (sma_soft_open_qp0(soft, port, sma_node_mailbox(node), &qp0) == 0)
			sma_node_attach(node, port, qp0);
	}
	sma_soft_on_change(soft, expire, node);
}
