// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "sma/log.h"
#include "sma/node/node_parts.h"

/* Ports besides the chosen one are a bonus: tables of theirs are shown where their own SMA can be asked. */
static void open_others(struct sma_node *node, const struct sma_device *device)
{
	struct sma_qp0 *qp0;
	char error[768];

	for (unsigned i = 0; i < device->other_count; i++) {
		if (umad_qp0_open(device->name, device->others[i], node->mailbox, &qp0, error,
		                  sizeof(error)) == 0)
			sma_node_attach(node, device->others[i], qp0);
		else
			sma_log(SMA_LOG_WARNING, "sma", "%s; tables of that port are not shown", error);
	}
}

struct reading {
	const struct sma_config *config;
	struct sma_node *node;
};

static int open_node(void *arg, const struct sma_device *device, char *error, size_t size)
{
	struct reading *reading = arg;
	struct sma_node *node;
	struct sma_qp0 *qp0;
	int rc = sma_node_new(reading->config, device->port, &node);

	if (rc < 0) {
		snprintf(error, size, "cannot make a node: %s", strerror(-rc));
		return rc;
	}
	rc = umad_qp0_open(device->name, device->port, node->mailbox, &qp0, error, size);
	if (rc < 0) {
		sma_node_close(node);
		return rc;
	}
	sma_node_attach(node, device->port, qp0);
	open_others(node, device);
	reading->node = node;
	return 0;
}

int sma_node_open(const struct sma_devices *devices, const struct sma_config *config,
                  struct sma_node **node_out, const struct sma_device **device, char *error, size_t size)
{
	struct reading reading = {.config = config};
	int rc = device_open_first(devices, open_node, &reading, device, error, size);

	if (rc == 0)
		*node_out = reading.node;
	return rc;
}
