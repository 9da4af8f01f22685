// SPDX-License-Identifier: BSD-2-Clause
/* The console: replies, and which command a line is. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sma/soft/console/command_parts.h"

enum { ENDING_SIZE = 128 }; /* of a reply, kept free for its last line when the output is cut */

/* ---- replies ---- */

void console_print(struct console *c, const char *format, ...)
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

static int finish(struct console *c, int rc)
{
	char *end = c->reply + c->used;
	size_t room = c->size - c->used;

	if (rc == 0 && c->cut) {
		rc = -ENOSPC;
		snprintf(c->error, sizeof(c->error), "the output exceeds %zu bytes: ask for less",
		         c->size - ENDING_SIZE);
	}
	if (rc < 0)
		snprintf(end, room, "error: %s\n", c->error);
	else if (c->statement.line.count)
		snprintf(end, room, "ok\n");
	return rc;
}

/* ---- the commands ---- */

unsigned console_first_port(const struct console *c)
{
	return state_is_switch(c->state) ? 0 : 1;
}

static void print_usages(struct console *c, const char *before, const struct command *table, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const struct syntax *syntax = &table[i].syntax;
		char usage[32];

		snprintf(usage, sizeof(usage), "%s%s%s%s", before, syntax->name, syntax->usage[0] ? " " : "",
		         syntax->usage);
		console_print(c, "%-28s%s\n", usage, table[i].purpose);
	}
}

int console_help(struct console *c)
{
	print_usages(c, "", console_commands, console_command_count);
	print_usages(c, "show ", console_subjects, console_subject_count);
	return 0;
}

int console_dispatch(struct console *c, unsigned head, const char *kind, const struct command *table,
                     unsigned count)
{
	int row;
	int rc;

	c->statement.line.head = head;
	row = arg_find_row(&c->statement, kind, table, sizeof(*table), count);
	if (row < 0)
		return row;
	c->command = &table[row];
	rc = arg_read_all(&c->statement, &c->command->syntax);
	return rc < 0 ? rc : c->command->run(c);
}

static int run_line(struct console *c, const char *text, size_t length)
{
	struct line *line = &c->statement.line;
	int rc;

	if (length >= SMA_SOFT_LINE_SIZE)
		return line_fail(line, NULL, "the line is too long: expected at most %d bytes",
		                 SMA_SOFT_LINE_SIZE - 1);
	rc = line_split(line, text, length);
	if (rc < 0 || line->count == 0)
		return rc;
	return console_dispatch(c, 0, "command", console_commands, console_command_count);
}

int command_run(struct responder *responder, const char *line, size_t length, char *reply, size_t size)
{
	struct console c = {.responder = responder, .state = responder->state, .reply = reply, .size = size};

	c.statement.state = c.state;
	c.statement.line.error = c.error;
	c.statement.line.error_size = sizeof(c.error) - sizeof("error: \n");
	reply[0] = '\0';
	return finish(&c, run_line(&c, line, length));
}
