// SPDX-License-Identifier: BSD-2-Clause
/* What notices say of the fabric. */
#include "agent/view/views_parts.h"

/* One that is not known yet, and whatever else has changed, is found by a sweep. */
static void hear_change(void *arg, unsigned trap, uint16_t issuer_lid)
{
	const struct host_port *port = arg;
	struct fabric_node *issuer = port->fabric ? fabric_find_lid(port->fabric, issuer_lid) : NULL;

	(void)trap;
	if (issuer)
		fabric_refresh(port->fabric, issuer);
	else if (port->fabric)
		fabric_sweep(port->fabric);
}

void issuer_attach(struct host_port *port)
{
	sources_on_change(port->sources, hear_change, port);
}
