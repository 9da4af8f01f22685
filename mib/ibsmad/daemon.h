/* SPDX-License-Identifier: BSD-2-Clause */
/* What the maps of IBSMAD-MIB have in common. */
#ifndef MIB_IBSMAD_DAEMON_H
#define MIB_IBSMAD_DAEMON_H

#include "mib/map.h"
#include "mib/mib.h"

/* A DisplayString, cut to what the object holds. */
void daemon_text(const struct mib_daemon_cell *cell, struct mib_value *value, const char *text);

/* Seconds since `time`, for a Gauge32, which stays at its highest value. -ENOENT: it is 0, for never. */
int daemon_age(const struct mib_daemon_cell *cell, uint64_t time, struct mib_value *value);

/* The view with the lowest id >= `from`; NULL: there is none. Valid until the next call. */
const struct mib_view *daemon_view(const struct mib_daemon *daemon, uint32_t from);

#endif
