/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening what was chosen. */
#ifndef MAD_DEVICE_H
#define MAD_DEVICE_H

#include "sma/mad/host.h"

/* Open a device in some way. 0; -EPROTONOSUPPORT or -EOVERFLOW: not this one, another may do; or another
 * -errno. `error` says why, and is left alone on success. */
typedef int device_open(void *arg, const struct sma_device *device, char *error, size_t size);

/* Whether a failed `open` leaves it to other devices. */
bool device_is_refusal(int rc);

/* Open the first device that can be; `*opened` is that one. Those before are logged. On failure as `open`,
 * for the last one that was tried. */
int device_open_first(const struct sma_devices *devices, device_open *open, void *arg,
                      const struct sma_device **opened, char *error, size_t size);

#endif
