/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsmad --check: whether the MIB would be readable on this host, what prevents it, and what fixes that. */
#ifndef AGENT_DOCTOR_DOCTOR_H
#define AGENT_DOCTOR_DOCTOR_H

#include "agent/config.h"

/* Check devices, QP0, subnet manager, snmpd and what it shows, and MIB names, and print the result of each to
 * standard output. `software`: the node file of the software SMA, NULL for a device. After agentlib_init and
 * the reading of the configuration, in place of the daemon: privileges are dropped as the daemon does. 0: the
 * MIB would be readable, -EIO: it would not; or -ENOMEM. */
int doctor_run(const struct agent_config *config, const char *software);

#endif
