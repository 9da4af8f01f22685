// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/mad/umadrole.h"

static const char *manager_remedy(int error)
{
	if (error == EPROTONOSUPPORT || error == EOPNOTSUPP)
		return "the device has no QP0; on an XDR adapter another one has it, which this makes: rdma "
		       "dev add smi1 type SMI parent DEVICE";
	if (error == EPERM || error == EACCES)
		return "does a security module forbid it? (SELinux: infiniband_endport, manage_subnet)";
	return "is another program the SMA of this port? End it, or: modprobe -r ib_umad && modprobe "
	       "ib_umad";
}

static const char *sma_remedy(int error)
{
	if (error == EINVAL || error == EPERM || error == EBUSY)
		return "another SMA or SM holds its QP0: stop the subnet manager there, or choose a device "
		       "that has no SMA in its driver or firmware";
	return "has the device an InfiniBand port with a QP0 for software?";
}

static const char *gsi_remedy(int error)
{
	if (error == EPROTONOSUPPORT || error == EOPNOTSUPP)
		return "the device has no QP1";
	return "is the device being removed?";
}

static const struct {
	const char *purpose;
	uint64_t methods;
	const char *(*remedy)(int error);
} roles[] = {
	[UMAD_MANAGER] = {"use QP0", 0, manager_remedy},
	[UMAD_SMA] = {"be the SMA", 1 << MAD_GET | 1 << MAD_SET | 1 << MAD_TRAP_REPRESS, sma_remedy},
	[UMAD_GSI] = {"use QP1", 0, gsi_remedy},
};

uint64_t umadrole_methods(enum umad_role role)
{
	return roles[role].methods;
}

int umadrole_refused(enum umad_role role, const char *device, unsigned port, uint8_t class, int rc,
                     char *error, size_t size)
{
	snprintf(error, size, "cannot %s of %s port %u: class 0x%02x is refused: %s; %s", roles[role].purpose,
	         device, port, class, strerror(-rc), roles[role].remedy(-rc));
	return -EPROTONOSUPPORT;
}
