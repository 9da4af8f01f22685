/* SPDX-License-Identifier: BSD-2-Clause */
/* Serving: the work of the loop for the views, their MIB, their notifications and the software SMA. */
#ifndef AGENT_SERVE_H
#define AGENT_SERVE_H

#include "agent/view/views.h"
#include "sma/soft/soft.h"

/* The views that are served, and whose notices leave as notifications. */
struct serving {
	struct mad_ports *ports; /* of the chosen device, or of the software SMA; NULL: they are the views' */
	struct sma_soft *soft;   /* NULL: the SMAs of devices are read */
	struct mib *mib;
	struct notify *notify;
	struct views *views;
	uint64_t started;
};

/* Show what is read through `serving->ports`, which the views own from now on, and what the configuration
 * says, take its notices, and add all to the loop. Errors as mib_open and views_open; the caller calls
 * serve_stop and serve_free in any case. */
int serve_start(struct serving *serving, const struct agent_config *config);

/* Send what still waits to snmpd, for at most 1 s, and stop; before the session is closed. */
void serve_stop(struct serving *serving);

/* Free what serve_start made; after the session is closed. */
void serve_free(struct serving *serving);

/* Apply a changed configuration. -ENOMEM: not all of it. */
int serve_configure(struct serving *serving, const struct agent_config *config);

#endif
