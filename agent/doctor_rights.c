// SPDX-License-Identifier: BSD-2-Clause
/* Rights are given up before snmpd is connected, as the daemon does: its socket may be closed to that user.
 */
#include <string.h>
#include <unistd.h>

#include "agent/doctor_parts.h"
#include "agent/privilege.h"

static void mend(struct doctor *d, char *error)
{
	char *advice = strstr(error, "; ");

	if (advice) {
		*advice = '\0';
		doctor_mend(d, "%s", advice + strlen("; "));
	} else if (strncmp(error, "agentGroup", strlen("agentGroup")) == 0) {
		doctor_mend(d, "groupadd --system %s", d->config->group);
	} else {
		doctor_mend(d, "useradd --system --no-create-home %s", d->config->user);
	}
}

enum finding doctor_check_rights(struct doctor *d)
{
	char error[DOCTOR_TEXT_SIZE];

	if (privilege_drop(d->config->user, d->config->group, error, sizeof(error)) == 0)
		return doctor_say(d, FINDING_OK, "goes on with user id %u, group id %u", geteuid(),
		                  getegid());
	mend(d, error);
	return doctor_say(d, FINDING_FAIL, "%s", error);
}
