// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sma/log.h"
#include "sma/mad/device.h"
#include "sma/mad/umadqp1.h"

bool device_is_refusal(int rc)
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
		if (!device_is_refusal(rc) || i + 1 == devices->count)
			break;
		sma_log(SMA_LOG_WARNING, "sma", "%s", error);
		sma_log(SMA_LOG_NOTICE, "sma", "trying %s port %u in its place", devices->list[i + 1].name,
		        devices->list[i + 1].port);
	}
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
		if (!device_is_refusal(rc))
			break;
	}
	return rc;
}
