// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/privilege.h"

/* Whom to become. */
struct identity {
	uid_t uid;
	gid_t gid;
	const char *name; /* of the user; NULL: it is in no database */
};

static int __attribute__((format(printf, 3, 4))) fail(char *error, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, size, format, args);
	va_end(args);
	return -EINVAL;
}

static bool is_number(const char *text, unsigned *number)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	/* to the system calls the highest number means no change */
	if (!isdigit((unsigned char)text[0]) || *end || errno || value >= UINT_MAX)
		return false;
	*number = (unsigned)value;
	return true;
}

static int find_user(const char *user, struct identity *who, char *error, size_t size)
{
	const struct passwd *entry;
	unsigned number = 0;

	if (!*user)
		return 0;
	/* not thread-safe, but no other thread looks up users */
	// cppcheck-suppress[getpwuidCalled,getpwnamCalled]
	entry = is_number(user, &number) ? getpwuid(number) : getpwnam(user);
	if (!entry && !number)
		return fail(error, size, "agentUser %s: there is no such user", user);
	who->uid = entry ? entry->pw_uid : number;
	who->gid = entry ? entry->pw_gid : who->gid;
	who->name = entry ? entry->pw_name : NULL;
	return 0;
}

int privilege_user_id(const char *user, uid_t *uid)
{
	struct identity who = {0};
	char error[128];
	int rc = *user ? find_user(user, &who, error, sizeof(error)) : -EINVAL;

	*uid = who.uid;
	return rc;
}

static int find_group(const char *group, struct identity *who, char *error, size_t size)
{
	const struct group *entry;
	unsigned number = 0;

	if (!*group)
		return 0;
	// cppcheck-suppress[getgrgidCalled,getgrnamCalled]
	entry = is_number(group, &number) ? getgrgid(number) : getgrnam(group);
	if (!entry && !number)
		return fail(error, size, "agentGroup %s: there is no such group", group);
	who->gid = entry ? entry->gr_gid : number;
	return 0;
}

static bool is_now(const struct identity *who)
{
	return getuid() == who->uid && geteuid() == who->uid && getgid() == who->gid && getegid() == who->gid;
}

static int become(const struct identity *who)
{
	int rc;

	if (is_now(who))
		return 0;
	rc = who->name ? initgroups(who->name, who->gid) : setgroups(0, NULL);
	if (rc == 0)
		rc = setresgid(who->gid, who->gid, who->gid);
	if (rc == 0)
		rc = setresuid(who->uid, who->uid, who->uid);
	if (rc < 0)
		return -errno;
	return is_now(who) ? 0 : -EPERM;
}

static bool has_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3] = {{0}};
	uint32_t any = 0;

	if (syscall(SYS_capget, &header, held) < 0)
		return true;
	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		any |= held[i].effective | held[i].permitted | held[i].inheritable;
	return any != 0;
}

/* Not even those are kept that a service manager or a file gave to the user. */
static int clear_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

	if (geteuid() == 0 || !has_capabilities()) /* root was not asked to become another user */
		return 0;
	return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}

int privilege_forbid_new(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0;
}

int privilege_drop(const char *user, const char *group, char *error, size_t size)
{
	struct identity who = {.uid = getuid(), .gid = getgid()};
	int rc = find_user(user, &who, error, size);

	if (rc == 0)
		rc = find_group(group, &who, error, size);
	if (rc == 0 && *user && !who.name && !*group)
		rc = fail(error, size, "agentUser %s is in no database: give an agentGroup as well", user);
	if (rc < 0)
		return rc;
	rc = become(&who);
	if (rc == 0)
		rc = clear_capabilities();
	if (rc < 0)
		fail(error, size,
		     "cannot become agentUser %s, agentGroup %s: %s; start as root, or without them", user,
		     group, strerror(-rc));
	return rc;
}
