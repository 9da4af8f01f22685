// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/config_token.h"
#include "agent/view/view_config.h"

enum { WORD_SIZE = 512 };

#define NO_MEMORY "less, as there is no memory"

/* ---- life ---- */

struct view_config *view_config_new(void)
{
	struct view_config *config = calloc(1, sizeof(*config));

	return config ? view_config_ref(config) : NULL;
}

struct view_config *view_config_ref(struct view_config *config)
{
	config->users++;
	return config;
}

void view_config_unref(struct view_config *config)
{
	if (!config || --config->users)
		return;
	free(config->globs);
	free(config->lines);
	free(config);
}

/* ---- words ---- */

/* The next word of a value, which may be quoted; what follows it, NULL at the end. "": there is none. */
static const char *next_word(const char *value, char word[WORD_SIZE])
{
	memset(word, 0, WORD_SIZE);
	return value && *value ? copy_nword_const(value, word, WORD_SIZE) : NULL;
}

/* Names are contexts, which an snmpd.conf and a command line have to hold as they are. */
static bool is_name(const char *word)
{
	size_t length = strlen(word);

	if (length == 0 || length > VIEW_NAME_MOST)
		return false;
	for (; *word; word++) {
		if (!isgraph((unsigned char)*word) || strchr("\"'\\#", *word))
			return false;
	}
	return true;
}

static bool parse_number(const char *text, int base, unsigned long high, unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(text, &end, base);
	return !errno && isxdigit((unsigned char)text[0]) && !*end && *number <= high;
}

/* With or without 0x, and with or without colons. */
static bool parse_guid(const char *word, uint64_t *guid)
{
	char digits[WORD_SIZE];
	size_t count = 0;

	if (strncasecmp(word, "0x", 2) == 0)
		word += 2;
	for (; *word; word++) {
		if (*word != ':')
			digits[count++] = *word;
	}
	digits[count] = '\0';
	return count <= 16 && config_token_hex(digits, guid) == 0 && *guid != 0;
}

static bool parse_lid(const char *word, uint16_t *lid)
{
	unsigned long number;

	if (!parse_number(word, 0, MAD_LAST_LID, &number) || number == 0)
		return false;
	*lid = (uint16_t)number;
	return true;
}

/* Output ports behind a zero, as in 0,1,17. */
static bool parse_path(char *word, struct view_line *line)
{
	char *rest = word;
	const char *hop = strsep(&rest, ",");
	unsigned long number;

	if (!parse_number(hop, 10, 0, &number))
		return false;
	while ((hop = strsep(&rest, ","))) {
		if (line->hops == MAD_MAX_HOPS || !parse_number(hop, 10, SMA_MAX_PORTS, &number) ||
		    number == 0)
			return false;
		line->path[++line->hops] = (uint8_t)number;
	}
	return true;
}

static bool parse_via(char *word, struct view_via *via)
{
	char *colon = strrchr(word, ':');
	unsigned long number;

	if (!colon || colon == word || colon - word >= SMA_DEVICE_NAME_SIZE ||
	    !parse_number(colon + 1, 10, SMA_MAX_PORTS, &number))
		return false;
	*colon = '\0';
	memcpy(via->device, word, (size_t)(colon - word) + 1);
	via->port = (unsigned)number;
	return true;
}

/* What may follow: [via DEVICE:PORT]. NULL: it is right. */
static const char *take_via(const char *rest, struct view_via *via)
{
	static const char expected[] = "nothing more, or via DEVICE:PORT of this host";
	char word[WORD_SIZE];

	rest = next_word(rest, word);
	if (!word[0])
		return NULL;
	if (strcasecmp(word, "via") != 0)
		return expected;
	rest = next_word(rest, word);
	if (!parse_via(word, via))
		return expected;
	next_word(rest, word);
	return word[0] ? expected : NULL;
}

/* ---- lines ---- */

static const char *take_glob(struct view_config *config, bool includes, const char *rest)
{
	struct view_glob *grown;
	char word[WORD_SIZE];

	rest = next_word(rest, word);
	if (!word[0] || (rest && *rest) || strlen(word) >= sizeof(grown->pattern))
		return "include or exclude, and a pattern of DEVICE:PORT such as mlx5_*:1";
	grown = realloc(config->globs, (config->glob_count + 1) * sizeof(*grown));
	if (!grown)
		return NO_MEMORY;
	config->globs = grown;
	grown[config->glob_count].includes = includes;
	snprintf(grown[config->glob_count++].pattern, sizeof(grown->pattern), "%s", word);
	return NULL;
}

static bool is_taken(const struct view_config *config, const char *name)
{
	for (unsigned i = 0; i < config->line_count; i++) {
		if (strcmp(config->lines[i].name, name) == 0)
			return true;
	}
	return false;
}

/* NULL: it is right. */
static const char *take_place(struct view_line *line, const char *kind, char *word)
{
	if (strcasecmp(kind, "guid") == 0) {
		line->kind = VIEW_LINE_GUID;
		return parse_guid(word, &line->guid) ? NULL
		                                     : "a node GUID of up to 16 hexadecimal digits, not 0";
	}
	if (strcasecmp(kind, "lid") == 0) {
		line->kind = VIEW_LINE_LID;
		return parse_lid(word, &line->lid) ? NULL : "a unicast LID from 1 to 49151";
	}
	if (strcasecmp(kind, "path") == 0) {
		line->kind = VIEW_LINE_PATH;
		return parse_path(word, line) ? NULL
		                              : "a directed route such as 0,1,17: 0, and up to 63 output "
		                                "ports from 1 to 254";
	}
	return "behind the name one of guid GUID, lid LID and path 0,PORT,...";
}

static const char *append(struct view_config *config, const struct view_line *line)
{
	struct view_line *grown = realloc(config->lines, (config->line_count + 1) * sizeof(*grown));

	if (!grown)
		return NO_MEMORY;
	config->lines = grown;
	grown[config->line_count++] = *line;
	return NULL;
}

static const char *take_line(struct view_config *config, const char *name, const char *rest)
{
	struct view_line line;
	char kind[WORD_SIZE];
	char word[WORD_SIZE];
	const char *wrong;

	memset(&line, 0, sizeof(line)); /* so that lines can be compared as a whole */
	if (!is_name(name))
		return "a name of 1 to 255 printable characters, without blanks, quotes, \\ and #; or "
		       "include or "
		       "exclude";
	if (is_taken(config, name))
		return "a name that no other line has";
	snprintf(line.name, sizeof(line.name), "%s", name);
	rest = next_word(rest, kind);
	rest = next_word(rest, word);
	wrong = take_place(&line, kind, word);
	if (!wrong)
		wrong = take_via(rest, &line.via);
	return wrong ? wrong : append(config, &line);
}

const char *view_config_take_view(struct view_config *config, const char *value)
{
	char word[WORD_SIZE];
	const char *rest = next_word(value, word);

	if (strcasecmp(word, "include") == 0 || strcasecmp(word, "exclude") == 0)
		return take_glob(config, strcasecmp(word, "include") == 0, rest);
	return take_line(config, word, rest);
}

const char *view_config_take_views(struct view_config *config, const char *value)
{
	static const char *const names[] = {[VIEW_DISCOVER_OFF] = "off",
	                                    [VIEW_DISCOVER_SWITCHES] = "switches",
	                                    [VIEW_DISCOVER_CAS] = "cas",
	                                    [VIEW_DISCOVER_ALL] = "all"};
	static const char expected[] = "discover off, switches, cas or all";
	char word[WORD_SIZE];
	const char *rest = next_word(value, word);

	if (strcasecmp(word, "discover") != 0)
		return expected;
	rest = next_word(rest, word);
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(word, names[i]) == 0) {
			config->discover = i;
			memset(&config->discover_via, 0, sizeof(config->discover_via));
			return take_via(rest, &config->discover_via);
		}
	}
	return expected;
}

/* ---- what it says ---- */

static bool is_same_part(const void *a, const void *b, size_t size)
{
	return size == 0 || memcmp(a, b, size) == 0;
}

bool view_config_is_same(const struct view_config *a, const struct view_config *b)
{
	if (a->discover != b->discover || a->glob_count != b->glob_count || a->line_count != b->line_count ||
	    strcmp(a->discover_via.device, b->discover_via.device) != 0 ||
	    a->discover_via.port != b->discover_via.port)
		return false;
	for (unsigned i = 0; i < a->glob_count; i++) {
		if (a->globs[i].includes != b->globs[i].includes ||
		    strcmp(a->globs[i].pattern, b->globs[i].pattern) != 0)
			return false;
	}
	return is_same_part(a->lines, b->lines, a->line_count * sizeof(a->lines[0]));
}

bool view_config_shows(const struct view_config *config, const char *device, unsigned port)
{
	char text[SMA_DEVICE_NAME_SIZE + 16];
	bool shows = true;

	snprintf(text, sizeof(text), "%s:%u", device, port);
	for (unsigned i = 0; i < config->glob_count; i++) {
		if (fnmatch(config->globs[i].pattern, text, 0) == 0)
			shows = config->globs[i].includes;
	}
	return shows;
}
