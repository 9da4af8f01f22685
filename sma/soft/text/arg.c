// SPDX-License-Identifier: BSD-2-Clause
/* The kinds of arguments. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sma/log.h"
#include "sma/soft/text/arg_parts.h"
#include "sma/soft/text/bounds.h"

const char *const arg_off_on[] = {"off", "on", NULL};
const char *const arg_down_up[] = {"down", "up", NULL};

static struct bounds bounds_of(const struct statement *statement, const struct arg *arg)
{
	return arg->bounds ? arg->bounds(statement) : (struct bounds){arg->low, arg->high};
}

static bool is_within(struct bounds bounds, uint64_t first, uint64_t last)
{
	return first >= bounds.low && last <= bounds.high;
}

/* Whether a key stands on the line, maybe in the wrong place. */
static bool is_secret(const struct statement *statement)
{
	const struct arg *args = statement->syntax->args;

	for (unsigned i = 0; i < MAX_ARGS; i++) {
		if ((args[i].noun && args[i].kind == ARG_SECRET) ||
		    (args[i].kind == ARG_COMPONENT && statement->value[i].first == SMA_PortInfo_M_Key))
			return true;
	}
	return false;
}

/* What was expected, with the range in the notation of the word. */
static int expected(struct statement *statement, const struct arg *arg, const char *word)
{
	struct bounds bounds = bounds_of(statement, arg);
	const char *repeated = is_secret(statement) ? "..." : word;

	if (bounds.low > bounds.high)
		return line_fail(&statement->line, repeated, "expected %s, but there are none", arg->noun);
	if (bounds.low == bounds.high)
		return line_fail(&statement->line, repeated, "expected %s, %" PRIu64 " only", arg->noun,
		                 bounds.low);
	if (strcasestr(word, "0x"))
		return line_fail(&statement->line, repeated, "expected %s, 0x%" PRIX64 " to 0x%" PRIX64,
		                 arg->noun, bounds.low, bounds.high);
	return line_fail(&statement->line, repeated, "expected %s, %" PRIu64 " to %" PRIu64, arg->noun,
	                 bounds.low, bounds.high);
}

static int read_number(struct statement *statement, const struct arg *arg, const char *word,
                       struct value *value)
{
	const char *at = word;

	if (!line_number(&at, &value->first) || *at ||
	    !is_within(bounds_of(statement, arg), value->first, value->first))
		return expected(statement, arg, word);
	return 0;
}

static int read_range(struct statement *statement, const struct arg *arg, const char *word,
                      struct value *value)
{
	const char *at = word;

	if (!line_range(&at, &value->first, &value->last) || *at ||
	    !is_within(bounds_of(statement, arg), value->first, value->last))
		return expected(statement, arg, word);
	return 0;
}

static int read_egress(struct statement *statement, const struct arg *arg, const char *word,
                       struct value *value)
{
	if (strcasecmp(word, "none") != 0)
		return read_number(statement, arg, word, value);
	value->first = PORT_NONE;
	return 0;
}

/* `all` are the data ports, or where only port 0 can be meant, that one. */
static bool take_ports(struct bounds bounds, const char **at, uint64_t *first, uint64_t *last)
{
	if (strncasecmp(*at, "all", 3) != 0)
		return line_range(at, first, last) && is_within(bounds, *first, *last);
	*at += 3;
	*first = bounds.high ? 1 : 0;
	*last = bounds.high;
	return true;
}

static int read_ports(struct statement *statement, const struct arg *arg, const char *word,
                      struct value *value)
{
	struct bounds bounds = bounds_of(statement, arg);
	const char *at = word;
	uint64_t first, last;

	do {
		if (!take_ports(bounds, &at, &first, &last))
			return expected(statement, arg, word);
		memset(value->ports + first, true, last - first + 1);
	} while (*at == ',' && at++);
	return *at ? expected(statement, arg, word) : 0;
}

static int read_ports_or_none(struct statement *statement, const struct arg *arg, const char *word,
                              struct value *value)
{
	return strcasecmp(word, "none") == 0 ? 0 : read_ports(statement, arg, word, value);
}

static int read_choice(struct statement *statement, const struct arg *arg, const char *word,
                       struct value *value)
{
	for (unsigned i = 0; arg->choices[i]; i++) {
		if (strcasecmp(arg->choices[i], word) == 0) {
			value->first = i;
			return 0;
		}
	}
	return line_fail(&statement->line, word, "expected %s", arg->noun);
}

/* Whether a word is UTF-8 without control characters. */
static bool is_text(const char *word)
{
	char printable[LINE_WORD_SIZE];

	snprintf(printable, sizeof(printable), "%s", word);
	sma_make_printable(printable);
	return strcmp(word, printable) == 0;
}

static int read_text(struct statement *statement, const struct arg *arg, const char *word,
                     struct value *value)
{
	value->text = word;
	value->size = (unsigned)strlen(word);
	if (value->size > arg->high || !is_text(word))
		return line_fail(&statement->line, word, "expected %s", arg->noun);
	return 0;
}

static int read_hex(struct statement *statement, const struct arg *arg, const char *word, struct value *value)
{
	size_t length = strlen(word);

	value->size = (unsigned)(length / 2);
	if (length % 2 || strspn(word, "0123456789abcdefABCDEF") != length || value->size > arg->high)
		return line_fail(&statement->line, word, "expected %s", arg->noun);
	for (unsigned i = 0; i < value->size; i++)
		sscanf(word + 2 * (size_t)i, "%2" SCNx8, &value->bytes[i]);
	return 0;
}

static int read_vls(struct statement *statement, const struct arg *arg, const char *word, struct value *value)
{
	const char *at = word;
	uint64_t vl;

	for (unsigned sl = 0; sl < SMA_SL_COUNT; sl++) {
		if ((sl && *at++ != ',') || !line_number(&at, &vl) || vl > arg->high)
			return line_fail(&statement->line, word, "expected %s", arg->noun);
		value->bytes[sl] = (uint8_t)vl;
	}
	return *at ? line_fail(&statement->line, word, "expected %s", arg->noun) : 0;
}

static arg_reader *const readers[] = {
	[ARG_NUMBER] = read_number,
	[ARG_SECRET] = read_number,
	[ARG_RANGE] = read_range,
	[ARG_EGRESS] = read_egress,
	[ARG_PORTS] = read_ports,
	[ARG_PORTS_OR_NONE] = read_ports_or_none,
	[ARG_CHOICE] = read_choice,
	[ARG_TEXT] = read_text,
	[ARG_HEX] = read_hex,
	[ARG_VLS] = read_vls,
	[ARG_COMPONENT] = arg_read_component,
	[ARG_CAPABILITY] = arg_read_component,
	[ARG_PROFILE] = arg_read_profile,
	[ARG_PROFILE_VALUE] = arg_read_profile_value,
};

int arg_read(struct statement *statement, const struct arg *arg, const char *word, struct value *value)
{
	return readers[arg->kind](statement, arg, word, value);
}

struct rows {
	const char *first;
	size_t size; /* of each */
};

static const char *row_name(const void *context, unsigned i)
{
	const struct rows *rows = context;

	return ((const struct syntax *)(rows->first + i * rows->size))->name;
}

int arg_find_row(struct statement *statement, const char *kind, const void *rows, size_t size, unsigned count)
{
	const struct rows table = {rows, size};
	struct line *line = &statement->line;

	for (unsigned i = 0; i < count; i++) {
		if (strcasecmp(row_name(&table, i), line->word[line->head]) == 0)
			return (int)i;
	}
	return line_unknown_head(line, kind, row_name, &table, count);
}

static int check_count(struct statement *statement)
{
	const struct syntax *syntax = statement->syntax;
	unsigned given = statement->line.count - statement->line.head - 1;
	unsigned least = 0, most = 0;

	for (unsigned i = 0; i < MAX_ARGS && syntax->args[i].noun; i++) {
		least += !syntax->args[i].optional;
		most = syntax->args[i].kind == ARG_REST ? LINE_WORDS : most + 1;
	}
	if (given < least || given > most)
		return line_fail(&statement->line, NULL, "expected %s%s%s%s%s",
		                 statement->line.head ? statement->line.word[0] : "",
		                 statement->line.head ? " " : "", syntax->name, syntax->usage[0] ? " " : "",
		                 syntax->usage);
	return 0;
}

int arg_read_all(struct statement *statement, const struct syntax *syntax)
{
	const char *lack = bounds_lack(statement->state, syntax->need);
	unsigned *count = &statement->value_count;
	unsigned first = statement->line.head + 1;
	int rc;

	statement->syntax = syntax;
	memset(statement->value, 0, sizeof(statement->value));
	*count = 0;
	if (lack)
		return line_fail(&statement->line, NULL, "expected only with %s", lack);
	rc = check_count(statement);
	for (; rc == 0 && first + *count < statement->line.count; ++*count) {
		const struct arg *arg = &syntax->args[*count];

		if (arg->kind == ARG_REST)
			break;
		rc = arg_read(statement, arg, statement->line.word[first + *count],
		              &statement->value[*count]);
	}
	return rc;
}
