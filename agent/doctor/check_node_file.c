// SPDX-License-Identifier: BSD-2-Clause
/* The node that ibsmad is itself. */
#include <errno.h>
#include <string.h>

#include "agent/doctor/checks.h"
#include "agent/serve.h"

enum finding check_file(struct doctor *d)
{
	char error[CHECKS_TEXT_SIZE];
	int rc = sma_soft_open(d->software, &d->soft, error, sizeof(error));

	if (rc == -ENOENT)
		doctor_mend(d, "cp " IBSMAD_DATADIR "/ibsmad/nodes/ca.conf %s    (an example)", d->software);
	else if (rc < 0)
		doctor_mend(d, "%s: the line as ibsmad-node(5) describes it", d->software);
	if (rc < 0)
		return doctor_say(d, FINDING_FAIL, "%s", error);
	rc = serve_soft(d->soft, d->config, &d->node);
	if (rc < 0)
		return doctor_say(d, FINDING_FAIL, "%s: %s", d->software, strerror(-rc));
	doctor_follow_node(d);
	return doctor_say(d, FINDING_OK, "%s describes a %s", d->software,
	                  sma_is_switch(d->node) ? "switch" : "node with its SMA at each port");
}
