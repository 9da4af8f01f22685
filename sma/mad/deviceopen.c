// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sma/log.h"
#include "sma/mad/device.h"

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
