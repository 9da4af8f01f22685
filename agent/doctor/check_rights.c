// SPDX-License-Identifier: BSD-2-Clause
/* Rights are given up before snmpd is connected, as the daemon does: its socket may be closed to that user.
 * And whom the modes of folders and files let in. */
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/doctor/checks.h"
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

enum finding check_rights(struct doctor *d)
{
	char error[CHECKS_TEXT_SIZE];

	if (privilege_drop(d->config->user, d->config->group, error, sizeof(error)) == 0)
		return doctor_say(d, FINDING_OK, "goes on with user id %u, group id %u", geteuid(),
		                  getegid());
	mend(d, error);
	return doctor_say(d, FINDING_FAIL, "%s", error);
}

/* ---- modes ---- */

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

void checks_user_self(struct checks_user *user)
{
	user->uid = geteuid();
	user->gid = getegid();
	user->group_count = getgroups(COUNT(user->groups), user->groups);
}

bool checks_user_find(struct checks_user *user, const char *name)
{
	// cppcheck-suppress getpwnamCalled ; there is one thread that does
	const struct passwd *found = getpwnam(name);
	int count = COUNT(user->groups);

	if (!found)
		return false;
	user->uid = found->pw_uid;
	user->gid = found->pw_gid;
	user->group_count = getgrouplist(name, found->pw_gid, user->groups, &count) < 0 ? 0 : count;
	return true;
}

static bool is_in(const struct checks_user *user, gid_t group)
{
	for (int i = 0; i < user->group_count; i++) {
		if (user->groups[i] == group)
			return true;
	}
	return user->gid == group;
}

static bool may(const struct checks_user *user, const struct stat *file, unsigned right)
{
	unsigned shift = user->uid == file->st_uid ? 6 : is_in(user, file->st_gid) ? 3 : 0;

	return user->uid == 0 || (file->st_mode >> shift & right) == right;
}

static size_t next_place(const char *path, size_t length)
{
	return length + strcspn(path + length, "/");
}

size_t checks_user_barrier(const struct checks_user *user, const char *path, size_t from)
{
	char place[PATH_MAX];
	struct stat file;

	for (size_t length = next_place(path, from); length > 0; length = next_place(path, length + 1)) {
		snprintf(place, sizeof(place), "%.*s", (int)length, path);
		if (stat(place, &file) < 0)
			return 0;
		if (!may(user, &file, S_ISDIR(file.st_mode) ? S_IXOTH : S_IWOTH))
			return length;
		if (!path[length])
			return 0;
	}
	return 0;
}
