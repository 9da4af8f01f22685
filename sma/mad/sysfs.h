/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the kernel says about the ports of a device. libibumad reads it too, but gives up the whole device for
 * one odd file, needed or not, and does not tell about devices it cannot read.
 */
#ifndef MAD_SYSFS_H
#define MAD_SYSFS_H

#include <dirent.h>
#include <stdbool.h>

#include "sma/iba/iba.h"

struct sysfs_port {
	unsigned number;
	char link_layer[32];
	unsigned state;      /* 0: unknown */
	unsigned phys_state; /* likewise */
	uint64_t guid;       /* likewise */
	bool guid_is_zero;
	bool sm_disabled; /* CapabilityMask.IsSMDisabled: QP0 is not here but on another device, with the same
	                     GUID */
};

struct sysfs_device {
	const char *name; /* as given to sysfs_read */
	unsigned count;
	struct sysfs_port ports[SMA_MAX_PORTS + 1];
};

/* The names of all RDMA devices, in order. */
struct sysfs_names {
	struct dirent **entries;
	int count;
};

/* -errno, and there are none, when they cannot be listed; without such a folder there are none. */
int sysfs_list(struct sysfs_names *names);
void sysfs_free(struct sysfs_names *names);

/* Read the ports of a device. A port that cannot be read is left out, with a warning where `warns`. -errno
 * when the device's ports cannot be listed. */
int sysfs_read(const char *name, bool warns, struct sysfs_device *device);

/* The number of the umad device of a port; -ENODEV: it has none; or -errno. */
int sysfs_umad(const char *device, unsigned port);

/* Whether the link layer of a port is InfiniBand. */
bool sysfs_is_infiniband(const struct sysfs_port *port);

#endif
