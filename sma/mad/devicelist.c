// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "sma/mad/host.h"
#include "sma/mad/sysfs.h"

static void visit_ports(const struct sysfs_device *ca, sma_port_visit *visit, void *arg)
{
	for (unsigned i = 0; i < ca->count; i++) {
		const struct sysfs_port *from = &ca->ports[i];
		struct sma_port port = {.device = ca->name,
		                        .number = from->number,
		                        .infiniband = sysfs_is_infiniband(from),
		                        .sm_disabled = from->sm_disabled,
		                        .state = from->state,
		                        .phys_state = from->phys_state};

		snprintf(port.link_layer, sizeof(port.link_layer), "%s", from->link_layer);
		visit(arg, &port);
	}
}

int sma_device_list(sma_port_visit *visit, void *arg)
{
	struct sysfs_names names;
	struct sysfs_device ca;
	int listed = sysfs_list(&names);

	for (int i = 0; i < names.count; i++) {
		const char *name = names.entries[i]->d_name;
		int rc = sysfs_read(name, true, &ca);

		if (rc < 0)
			visit(arg, &(struct sma_port){.device = name, .error = rc});
		else
			visit_ports(&ca, visit, arg);
	}
	sysfs_free(&names);
	return listed;
}
