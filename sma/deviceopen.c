// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sma/device.h"
#include "sma/node.h"
#include "sma/umad.h"
#include "sma/umadqp1.h"

static bool is_refusal(int rc)
{
	return rc == -EPROTONOSUPPORT || rc == -EOVERFLOW;
}

int device_open_first(const struct sma_devices *devices, device_open *open, void *arg,
                      const struct sma_device **opened, char *error, size_t size)
{
	int rc = -ENODEV;

	error[0] = '\0';
	for (unsigned i = 0; i < devices->count; i++) {
		*opened = &devices->list[i];
		rc = open(arg, *opened, error, size);
		if (!is_refusal(rc) || i + 1 == devices->count)
			break;
		sma_log(SMA_LOG_WARNING, "sma", "%s", error);
		sma_log(SMA_LOG_NOTICE, "sma", "trying %s port %u in its place", devices->list[i + 1].name,
		        devices->list[i + 1].port);
	}
	return rc;
}

/* ---- the node ---- */

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

/* ---- QP1 ---- */

int device_open_qp1(const struct sma_device *device, struct sma_mailbox *box, struct sma_qp1 **qp1,
                    const struct sma_gsi **gsi, char *error, size_t size)
{
	int rc = -ENODEV;

	for (unsigned i = 0; i < device->gsi_count; i++) {
		*gsi = &device->gsi[i];
		rc = umad_qp1_open((*gsi)->name, (*gsi)->port, box, qp1, error, size);
		if (!is_refusal(rc))
			break;
	}
	return rc;
}
