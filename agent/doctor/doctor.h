/* SPDX-License-Identifier: BSD-2-Clause */
/* The doctor: looks whether the MIB would be readable on this host, and says what stands in the way. */
#ifndef AGENT_DOCTOR_DOCTOR_H
#define AGENT_DOCTOR_DOCTOR_H

#include "agent/config.h"

/* Go through devices, QP0, subnet manager, snmpd and what it shows, and MIB names; print for each to standard
 * output what was found and the line that mends it. `software`: the node file of the software SMA, NULL for a
 * device. After session_init and the reading of the configuration, in place of the daemon: rights are given
 * up as the daemon does. 0: the MIB would be readable, else -EIO. */
int doctor_run(const struct agent_config *config, const char *software);

#endif
