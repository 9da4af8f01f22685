// SPDX-License-Identifier: BSD-2-Clause
#include "agent/serve.h"
#include "agent/clock.h"
#include "agent/loop.h"

static uint64_t run_mib(void *arg, uint64_t now)
{
	return mib_run(arg, now);
}

static uint64_t process_node(void *arg, uint64_t now)
{
	return sma_node_process(arg, now);
}

static uint64_t process_soft(void *arg, uint64_t now)
{
	return sma_soft_process(arg, now);
}

int serve_node(struct sma_node *node, const struct agent_config *config, struct mib **mib_out)
{
	const struct mib_config view = {.context = "",
	                                .expose_keys = config->expose_keys,
	                                .window = config->sma.window,
	                                .clock = clock_ms};
	int rc = mib_open(node, &view, mib_out);

	/* answers whose time is up may ask for blocks, which the node then sends for */
	if (rc == 0)
		rc = loop_add(-1, run_mib, *mib_out);
	if (rc == 0)
		rc = loop_add(sma_node_fd(node), process_node, node);
	return rc;
}

int serve_soft(struct sma_soft *soft, const struct agent_config *config, struct sma_node **node_out)
{
	int rc = sma_node_new(&config->sma, sma_soft_port(soft), node_out);

	if (rc == 0)
		rc = sma_soft_attach(soft, *node_out);
	return rc < 0 ? rc : loop_add(sma_soft_fd(soft), process_soft, soft);
}
