// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agent.h"
#include "agent/configfile.h"
#include "sma/log.h"

enum { SIZE_MAX_BYTES = 1 << 20 /* of a file; some have no end */ };

/* ---- lines ---- */

static char *skip_blanks(char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

static void take_line(struct configfile_line *line, char *text, configfile_take *take)
{
	char *end = text + strlen(text);
	char *value;

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	line->token = skip_blanks(text);
	if (*line->token == '\0' || *line->token == '#')
		return;
	value = line->token;
	while (*value && !isspace((unsigned char)*value))
		value++;
	if (*value)
		*value++ = '\0';
	line->value = skip_blanks(value);
	take(line);
}

/* `text` has `size` bytes, and a NUL behind them. */
static int take_lines(const char *file, char *text, size_t size, configfile_take *take)
{
	struct configfile_line line = {.file = file};
	const char *end = text + size;

	while (text < end) {
		char *newline = strchr(text, '\n');
		size_t length = newline ? (size_t)(newline - text) : strlen(text);

		line.number++;
		if (!newline && text + length < end) {
			sma_log(SMA_LOG_ERROR, "config", "%s: line %u: expected text, not the byte 0x00",
			        file, line.number);
			return -EINVAL;
		}
		text[length] = '\0';
		take_line(&line, text, take);
		text += length + 1;
	}
	return 0;
}

/* ---- files ---- */

/* A pipe can be read only once, and waiting for its writer would block the loop. /dev/null is allowed. */
static int check_kind(int fd, const char *file)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	if (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode))
		return 0;
	sma_log(SMA_LOG_ERROR, "config", "%s: expected a regular file, which can be read again after SIGHUP",
	        file);
	return -EINVAL;
}

/* Also for one that is closed to this user; leaves errno alone. */
static bool is_folder(const char *file)
{
	int before = errno;
	struct stat status;
	bool is = stat(file, &status) == 0 && S_ISDIR(status.st_mode);

	errno = before;
	return is;
}

/* Allocated, with a NUL behind it. */
static int read_bytes(int fd, char **text_out, size_t *size_out)
{
	char *text = malloc(SIZE_MAX_BYTES + 1);
	size_t size = 0;
	ssize_t got = 1;

	if (!text)
		return -ENOMEM;
	while (got > 0 && size < SIZE_MAX_BYTES) {
		got = read(fd, text + size, SIZE_MAX_BYTES - size);
		if (got > 0)
			size += (size_t)got;
	}
	if (got != 0) {
		free(text);
		return got < 0 ? -errno : -EFBIG;
	}
	text[size] = '\0';
	*text_out = text;
	*size_out = size;
	return 0;
}

int configfile_read(const char *file, configfile_take *take)
{
	int fd = open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char *text = NULL;
	size_t size = 0;
	int rc;

	if (fd < 0)
		return is_folder(file) ? -EISDIR : -errno;
	rc = check_kind(fd, file);
	if (rc == 0)
		rc = read_bytes(fd, &text, &size);
	close(fd);
	if (rc == 0)
		rc = take_lines(file, text, size, take);
	free(text);
	return rc;
}

/* ---- the search path ---- */

int configfile_each(const char *name, configfile_visit *visit, void *arg)
{
	static const char *const endings[] = {".conf", ".local.conf"};
	const char *from_environment = getenv("SNMPCONFPATH");
	char *path = strdup(from_environment ? from_environment : get_configuration_directory());
	char *state = NULL;
	int result = 0;

	if (!path)
		return -ENOMEM;
	for (const char *folder = strtok_r(path, ENV_SEPARATOR, &state); folder;
	     folder = strtok_r(NULL, ENV_SEPARATOR, &state)) {
		for (unsigned i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
			char file[PATH_MAX];
			int rc;

			snprintf(file, sizeof(file), "%s/%s%s", folder, name, endings[i]);
			rc = visit(arg, folder, file);
			if (rc < 0)
				result = rc;
		}
	}
	free(path);
	return result;
}

/* Whether a failure means that there is no file to read. */
static bool is_passed_over(int rc, const char *folder)
{
	return rc == 0 || rc == -ENOENT || rc == -ENOTDIR || (rc == -EACCES && access(folder, X_OK) < 0);
}

/* Root does not obey whoever may write to a home, and what was left out at the start stays left out. */
static bool is_forbidden(const char *folder)
{
	static enum { UNKNOWN, ROOT, OTHER } started_as;
	const char *home = getenv("HOME");
	char forbidden[PATH_MAX];

	if (getenv("SNMPCONFPATH"))
		return false;
	if (started_as == UNKNOWN)
		started_as = geteuid() == 0 ? ROOT : OTHER;
	if (!home || started_as != ROOT)
		return false;
	snprintf(forbidden, sizeof(forbidden), "%s/.snmp", home);
	return strcmp(folder, forbidden) == 0;
}

static int read_found(void *arg, const char *folder, const char *file)
{
	configfile_take *const *take = arg;
	int rc = is_forbidden(folder) ? 0 : configfile_read(file, *take);

	if (is_passed_over(rc, folder))
		return 0;
	if (rc != -EINVAL)
		sma_log(SMA_LOG_ERROR, "config", "%s cannot be read: %s%s", file, strerror(-rc),
		        rc == -EACCES ? "; let the user or group of " AGENT_NAME " read it" : "");
	return -EINVAL;
}

int configfile_search(const char *name, configfile_take *take)
{
	return configfile_each(name, read_found, &take);
}
