// SPDX-License-Identifier: BSD-2-Clause
/* Privileges are dropped before snmpd is connected, as the daemon does: its socket may be closed to that
 * user. */
#include <string.h>
#include <unistd.h>

#include "agent/doctor/checks.h"
#include "agent/privilege.h"

enum finding check_rights(struct doctor *d)
{
	const struct agent_config *config = d->config;
	char error[REPORT_TEXT_SIZE];

	if (privilege_drop(config->user, config->group, error, sizeof(error)) == 0)
		return report_say(FINDING_OK, "continues with user id %u, group id %u", geteuid(), getegid());
	if (report_fix_of(error))
		return report_say(FINDING_FAIL, "%s", error);
	if (strncmp(error, "agentGroup", strlen("agentGroup")) == 0)
		report_fix("groupadd --system %s", config->group);
	else
		report_fix("useradd --system --no-create-home %s", config->user);
	return report_say(FINDING_FAIL, "%s", error);
}
