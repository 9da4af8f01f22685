// SPDX-License-Identifier: BSD-2-Clause
/* The console: words, replies, and which command a line is. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sma/log.h"
#include "sma/soft/console/command_parts.h"

enum {
	ENDING_SIZE = 128, /* of a reply, kept free for its last line when the output is cut */
	NAMES_SIZE = 256,
};

/* ---- replies ---- */

/* Add lines to the reply, or nothing of them and of what comes later. */
void __attribute__((format(printf, 2, 3))) console_print(struct console *c, const char *format, ...)
{
	size_t room = c->size - ENDING_SIZE - c->used;
	va_list args;
	int length;

	if (c->cut)
		return;
	va_start(args, format);
	length = vsnprintf(c->reply + c->used, room, format, args);
	va_end(args);
	if (length < 0 || (size_t)length >= room)
		c->cut = true;
	else
		c->used += (size_t)length;
	c->reply[c->used] = '\0';
}

/* End the reply with an error. Gives `rc`. */
int __attribute__((format(printf, 3, 4))) console_fail(struct console *c, int rc, const char *format, ...)
{
	char sentence[COMMAND_ERROR_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence) - sizeof("error: \n"), format, args);
	va_end(args);
	sma_make_printable(sentence); /* it repeats words of the line, or parts of them */
	snprintf(c->reply + c->used, c->size - c->used, "error: %s\n", sentence);
	return rc;
}

/* ---- words ---- */

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

/* Cut the word at `*at` out of the line and move `*at` behind it. NULL: a quotation mark is missing. */
static const char *take_word(char **at)
{
	bool quoted = **at == '"';
	char *word = *at + quoted;
	char *from = word;
	char *to = word;

	while (*from && (quoted ? *from != '"' : !is_blank(*from))) {
		if (quoted && *from == '\\' && (from[1] == '"' || from[1] == '\\'))
			from++;
		*to++ = *from++;
	}
	if (quoted && *from != '"')
		return NULL;
	*at = *from ? from + 1 : from;
	*to = '\0';
	return word;
}

static int check_text(struct console *c, const char *line, size_t length)
{
	if (length >= sizeof(c->line))
		return console_fail(c, -EINVAL, "the line is too long: expected at most %zu bytes",
		                    sizeof(c->line) - 1);
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)line[i];

		if ((byte < ' ' && !is_blank(line[i])) || byte == 0x7F)
			return console_fail(c, -EINVAL, "expected text, not the byte 0x%02x", byte);
	}
	return 0;
}

static int split(struct console *c, const char *line, size_t length)
{
	char *at = c->line;
	int rc = check_text(c, line, length);

	if (rc < 0)
		return rc;
	memcpy(c->line, line, length);
	while (c->count < CONSOLE_WORDS) {
		at += strspn(at, " \t\r");
		if (*at == '\0' || *at == '#')
			break;
		c->words[c->count] = take_word(&at);
		if (!c->words[c->count++])
			return console_fail(c, -EINVAL, "expected a quotation mark at the end of the text");
	}
	return 0;
}

static int out_of_range(struct console *c, const char *noun, const char *word, uint64_t low, uint64_t high)
{
	if (low == high)
		return console_fail(c, -ERANGE, "%s %.40s: expected %" PRIu64, noun, word, low);
	if (high <= UINT16_MAX)
		return console_fail(c, -ERANGE, "%s %.40s: expected %" PRIu64 " to %" PRIu64, noun, word, low,
		                    high);
	return console_fail(c, -ERANGE, "%s %.40s: expected 0x%" PRIx64 " to 0x%" PRIx64, noun, word, low,
	                    high);
}

int console_number(struct console *c, const char *noun, const char *word, struct bounds bounds,
                   uint64_t *value)
{
	const char *at = word;
	bool is_number = nodefile_number(&at, value) && *at == '\0';

	if (is_number && *value >= bounds.low && *value <= bounds.high)
		return 0;
	out_of_range(c, noun, word, bounds.low, bounds.high);
	return is_number ? -ERANGE : -EINVAL;
}

int console_choice(struct console *c, const char *word, const char *yes, const char *no, bool *value)
{
	*value = strcasecmp(word, yes) == 0;
	if (*value || strcasecmp(word, no) == 0)
		return 0;
	return console_fail(c, -EINVAL, "%.40s: expected %s or %s", word, yes, no);
}

/* ---- ports ---- */

unsigned console_first_port(const struct console *c)
{
	return state_is_switch(c->state) ? 0 : 1;
}

struct bounds console_end_ports(const struct console *c)
{
	return (struct bounds){console_first_port(c), state_is_switch(c->state) ? 0 : c->state->ports};
}

struct bounds console_data_ports(const struct console *c)
{
	return (struct bounds){1, c->state->ports};
}

struct bounds console_all_ports(const struct console *c)
{
	return (struct bounds){console_first_port(c), c->state->ports};
}

/* The first argument as a port. */
int console_port(struct console *c, struct bounds bounds, unsigned *port)
{
	uint64_t value;
	int rc = console_number(c, "port", c->args[0], bounds, &value);

	*port = rc == 0 ? (unsigned)value : 0;
	return rc;
}

/* ---- the commands ---- */

static void print_usages(struct console *c, const struct command *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		console_print(c, "%-28s%s\n", table[i].usage, table[i].purpose);
}

int console_help(struct console *c)
{
	print_usages(c, console_commands, console_command_count);
	print_usages(c, console_subjects, console_subject_count);
	return 0;
}

static int unknown(struct console *c, const char *word, const struct command *table, size_t count)
{
	char names[NAMES_SIZE] = "";
	size_t used = 0;

	for (size_t i = 0; i < count && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
		                         table[i].name);
	return console_fail(c, -EINVAL, "%.40s: expected one of %s", word, names);
}

static int run_command(struct console *c, const struct command *command)
{
	c->command = command;
	if (command->at_switch && !state_is_switch(c->state))
		return console_fail(c, -ENOTSUP, "%s: expected a switch, which this node is not",
		                    command->usage);
	if (c->arg_count < command->least || c->arg_count > command->most)
		return console_fail(c, -EINVAL, "%s: expected %s", command->name, command->usage);
	return command->run(c);
}

/* Carry out the words from the one at `first` on, which names a row of the table. */
int console_dispatch(struct console *c, unsigned first, const struct command *table, size_t count)
{
	c->args = &c->words[first + 1];
	c->arg_count = c->count - first - 1;
	for (size_t i = 0; i < count; i++) {
		if (strcasecmp(table[i].name, c->words[first]) == 0)
			return run_command(c, &table[i]);
	}
	return unknown(c, c->words[first], table, count);
}

int command_run(struct responder *responder, const char *line, size_t length, char *reply, size_t size)
{
	struct console c = {.responder = responder, .state = responder->state, .reply = reply, .size = size};
	int rc;

	reply[0] = '\0';
	rc = split(&c, line, length);
	if (rc == 0 && c.count)
		rc = console_dispatch(&c, 0, console_commands, console_command_count);
	if (rc == 0 && c.cut)
		return console_fail(&c, -ENOSPC,
		                    "the output has more than %zu bytes: expected to be asked for less",
		                    size - ENDING_SIZE);
	if (rc == 0 && c.count)
		snprintf(reply + c.used, size - c.used, "ok\n");
	return rc;
}
