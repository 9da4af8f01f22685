/* SPDX-License-Identifier: BSD-2-Clause */
/* The devices and ports of this host. */
#ifndef MAD_HOST_H
#define MAD_HOST_H

#include "sma/iba/iba.h"

enum { SMA_DEVICE_NAME_SIZE = 64 }; /* as in the kernel */

/* A port whose QP1 may be used. */
struct sma_gsi {
	char name[SMA_DEVICE_NAME_SIZE];
	unsigned port;
};

/* A device that umad shows, and the port of it that QP0 is used on. Most have QP1 as well; an XDR adapter
 * shows each port by two devices, one with QP0 and one with QP1, which have its GUID in common. */
struct sma_device {
	char name[SMA_DEVICE_NAME_SIZE];
	unsigned port;                      /* 0 for a switch */
	unsigned others[SMA_MAX_PORTS + 1]; /* further InfiniBand ports of the device */
	unsigned other_count;
	struct sma_gsi gsi[2]; /* where QP1 of the port may be, the likelier first */
	unsigned gsi_count;
};

/* Devices with a port each, the best first. */
struct sma_devices {
	struct sma_device *list;
	unsigned count;
};

/* A port of an RDMA device, as the kernel tells of it. */
struct sma_port {
	const char *device;
	int error; /* 0, or the -errno with which the ports of the device cannot be listed: nothing below is
	              set */
	unsigned number;
	char link_layer[32]; /* in the kernel's words */
	bool infiniband;     /* whether that is InfiniBand */
	bool sm_disabled; /* CapabilityMask.IsSMDisabled: it has no QP0, but another device with its GUID */
	unsigned state;   /* PortInfo.PortState and PortPhysicalState; 0: unknown */
	unsigned phys_state;
};

/* Be told of all ports of all devices, in the order of names and numbers; `port` is valid during the call. 0,
 * or -errno when the devices cannot be listed. */
typedef void sma_port_visit(void *arg, const struct sma_port *port);
int sma_device_list(sma_port_visit *visit, void *arg);

/* Choose devices and ports as the InfiniBand tools do: first those in state Active whose link layer is
 * InfiniBand, then those that are physically up, then the others; and at the end those with IsSMDisabled.
 * `name` NULL and `port` < 0 leave the choice open; a port that is named is taken in any state, and with it
 * the same port of another device that has QP0 in its place. Devices that cannot be read are passed over with
 * a warning. On success there is at least one, to be freed by sma_devices_free. On failure (-ENODEV, -ENOENT,
 * -ERANGE, or why the devices cannot be read) `error` holds a sentence that says what is wrong and what
 * exists; `size` is at least 256. */
int sma_device_choose(const char *name, int port, struct sma_devices *devices, char *error, size_t size);

/* All devices with an InfiniBand port that has QP0: of each the first such port, and the further ones, in the
 * order of names and numbers. Errors as sma_device_choose. */
int sma_device_all(struct sma_devices *devices, char *error, size_t size);

/* After a failed choice, or a second time, too. */
void sma_devices_free(struct sma_devices *devices);

#endif
