// SPDX-License-Identifier: BSD-2-Clause
/* The NVRAM file: reading it. It is checked as a whole before anything of it reaches the state. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sma/iba/iba.h"
#include "sma/soft/file/nvram_file.h"

enum {
	MAX_NUMBERS = 2 + NVRAM_PKEYS_PER_LINE,
	MAX_PROTECT_BITS = 3,
	MAX_SIZE = 1 << 28, /* more than all P_Keys of all ports take */
	HEAD_SIZE = 64,
};

/* ---- lines ---- */

/* The numbers of the rest of a line. Their count, or 0 if something else stands there. */
static unsigned read_numbers(const char *at, uint64_t numbers[MAX_NUMBERS])
{
	unsigned count = 0;
	char *end;

	while (*at == ' ' && at[1] >= '0' && at[1] <= '9' && count < MAX_NUMBERS) {
		errno = 0;
		numbers[count++] = strtoull(at + 1, &end, 0);
		if (errno)
			return 0;
		at = end;
	}
	return *at == '\n' ? count : 0;
}

/* Put the numbers of a line into the state, unless there is none. False: there cannot be such a line. */
typedef bool reader(struct soft_state *state, const uint64_t *numbers, unsigned count);

static bool read_key(struct soft_state *state, const uint64_t *numbers, unsigned count)
{
	unsigned port = (unsigned)numbers[0];

	if (count != 1 + NVRAM_KEY_PARTS || numbers[2] > MAX_PROTECT_BITS || numbers[3] > UINT16_MAX)
		return false;
	for (unsigned i = 0; state && i < NVRAM_KEY_PARTS; i++) {
		if (nvram_keeps(state, port, SMA_PortInfo_IsMKeyNVRAM))
			state_set(state, port, nvram_key_parts[i], numbers[1 + i]);
	}
	return true;
}

/* The first line of a table has no entries, and clears it. */
static bool read_pkeys(struct soft_state *state, const uint64_t *numbers, unsigned count)
{
	struct state_port *to;

	for (unsigned i = 1; i < count; i++) {
		if (numbers[i] > UINT16_MAX)
			return false;
	}
	if (count < 2 || !state || !nvram_keeps(state, (unsigned)numbers[0], SMA_PortInfo_IsPKeyNVRAM))
		return count >= 2;
	to = &state->port[numbers[0]];
	if (count == 2)
		memset(to->pkeys, 0, to->pkey_count * 2UL);
	for (unsigned i = 2; i < count && numbers[1] + i - 2 < to->pkey_count; i++)
		wire_put16(to->pkeys + 2 * (numbers[1] + i - 2), (uint16_t)numbers[i]);
	return true;
}

static const struct {
	const char *word;
	reader *read;
} kinds[] = {{"m_key", read_key}, {"p_key", read_pkeys}};

static bool read_line(struct soft_state *state, const char *line)
{
	uint64_t numbers[MAX_NUMBERS];
	unsigned count;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t length = strlen(kinds[i].word);

		if (strncmp(line, kinds[i].word, length) != 0)
			continue;
		count = read_numbers(line + length, numbers);
		return count && numbers[0] <= SMA_MAX_PORTS && kinds[i].read(state, numbers, count);
	}
	return false;
}

/* Lines that each end with a newline; without a state they are only checked. NULL, or what is wrong. */
static const char *read_lines(struct soft_state *state, const char *lines)
{
	for (; *lines; lines = strchr(lines, '\n') + 1) {
		if (!read_line(state, lines))
			return "has a line that cannot be understood";
	}
	return NULL;
}

/* ---- the whole; NULL, or what is wrong with it ---- */

/* Take the checksum off. */
static const char *check_sum(char *text, size_t *size)
{
	char expected[NVRAM_CHECKSUM_SIZE + 1];
	char *last;

	if (*size < NVRAM_CHECKSUM_SIZE)
		return "has lost its end";
	last = text + *size - NVRAM_CHECKSUM_SIZE;
	snprintf(expected, sizeof(expected), NVRAM_CHECKSUM, nvram_checksum(text, (size_t)(last - text)));
	if (memcmp(last, expected, NVRAM_CHECKSUM_SIZE) != 0)
		return "has lost its end, or its checksum is wrong";
	*size -= NVRAM_CHECKSUM_SIZE;
	*last = '\0';
	if (strlen(text) != *size || (*size && last[-1] != '\n'))
		return "holds something else than lines of text";
	return NULL;
}

static const char *skip_head(const char **lines, uint64_t guid)
{
	char node[HEAD_SIZE];
	int length = snprintf(node, sizeof(node), NVRAM_NODE, guid);

	if (strncmp(*lines, NVRAM_FIRST_LINE, strlen(NVRAM_FIRST_LINE)) != 0)
		return "does not begin with \"ibsmad-nvram 1\"";
	*lines += strlen(NVRAM_FIRST_LINE);
	if (strncmp(*lines, node, (size_t)length) != 0)
		return "is of another node";
	*lines += length;
	return NULL;
}

static const char *read_text(struct soft_state *state, char *text, size_t size)
{
	const char *lines = text;
	const char *wrong = check_sum(text, &size);

	if (!wrong)
		wrong = skip_head(&lines, nvram_node_guid(state));
	if (!wrong)
		wrong = read_lines(NULL, lines);
	return wrong ? wrong : read_lines(state, lines);
}

/* ---- the file ---- */

/* All of a file, allocated, with a NUL behind it. To open a device may do something by itself, and a FIFO
 * would not let go, so that it is looked at first. */
static int load(const char *path, char **text, size_t *size)
{
	struct stat status;
	FILE *file;
	int rc = 0;

	if (stat(path, &status) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	file = fopen(path, "re");
	if (!file)
		return -errno;
	*text = status.st_size < MAX_SIZE ? calloc(1, (size_t)status.st_size + 1) : NULL;
	if (*text)
		*size = fread(*text, 1, (size_t)status.st_size, file);
	if (!*text || ferror(file))
		rc = *text ? -EIO : -ENOMEM;
	fclose(file);
	return rc;
}

static int set_aside(const char *path, const char *wrong, char *error, size_t size)
{
	char *new_path = malloc(strlen(path) + sizeof(".damaged"));
	int rc = -EBADMSG;

	if (!new_path)
		return -ENOMEM;
	stpcpy(stpcpy(new_path, path), ".damaged");
	if (rename(path, new_path) < 0) {
		rc = -errno;
		snprintf(error, size, "%.200s: the file %s, and cannot be set aside: %s", path, wrong,
		         strerror(-rc));
	} else {
		snprintf(error, size, "%.200s: the file %s; it is set aside as %.200s", path, wrong,
		         new_path);
	}
	free(new_path);
	return rc;
}

static int load_error(const char *path, int rc, char *error, size_t size)
{
	if (rc == -EINVAL)
		snprintf(error, size, "%.200s: expected a regular file or none; remove what is there", path);
	else
		snprintf(error, size, "%.200s: %s", path, strerror(-rc));
	return rc;
}

int nvram_read(const char *path, struct soft_state *state, char *error, size_t size)
{
	const char *wrong;
	char *text = NULL;
	size_t length = 0;
	int rc = load(path, &text, &length);

	if (rc == -ENOENT)
		return 0;
	wrong = rc == 0 ? read_text(state, text, length) : NULL;
	free(text);
	if (rc < 0)
		return load_error(path, rc, error, size);
	return wrong ? set_aside(path, wrong, error, size) : 0;
}
