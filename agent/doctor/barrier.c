// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/doctor/barrier.h"
#include "agent/privilege.h"

static bool is_closed(const char *place)
{
	struct stat file;

	return stat(place, &file) == 0 && access(place, S_ISDIR(file.st_mode) ? X_OK : W_OK) < 0;
}

static size_t find(const char *path, size_t from)
{
	char place[PATH_MAX];
	size_t length = from;

	do {
		length += strcspn(path + length, "/");
		snprintf(place, sizeof(place), "%.*s", (int)length, path);
		if (is_closed(place))
			return length;
	} while (path[length++]);
	return 0;
}

size_t barrier_find(const char *user, const char *path, size_t from)
{
	char error[128];
	int status;
	pid_t child;

	if (!user)
		return find(path, from);
	child = fork();
	if (child == 0)
		_exit(privilege_drop(user, "", error, sizeof(error)) < 0 ? 0 : (int)find(path, from));
	if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
		return 0;
	return (size_t)WEXITSTATUS(status);
}
