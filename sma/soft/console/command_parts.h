/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modules of the console share. */
#ifndef SOFT_CONSOLE_COMMAND_PARTS_H
#define SOFT_CONSOLE_COMMAND_PARTS_H

#include "sma/soft/console/command.h"
#include "sma/soft/text/bounds.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* One line that is being carried out. */
struct console {
	struct statement statement;
	struct responder *responder;
	struct soft_state *state; /* the responder's */
	char *reply;
	size_t size;
	size_t used; /* of the reply */
	bool cut;    /* output had no room */
	char error[COMMAND_ERROR_SIZE];
	const struct command *command;
};

struct command {
	struct syntax syntax;
	const char *purpose;
	int (*run)(struct console *console);
	unsigned trap; /* that it raises, for `run` */
};

/* Arguments that commands share. */
#define PORT      ARG_BOUND(NUMBER, "a port", ports)
#define END_PORT  ARG_BOUND(NUMBER, "a port with an SMA", end_ports)
#define SLOT      ARG_BOUND(NUMBER, "a slot", slots)
#define DATA_PORT ARG_BOUND(NUMBER, "a port", data_ports)

/* Add lines to the reply, or nothing of them and of what comes later. */
void console_print(struct console *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The number, or choice, that is an argument. */
static inline uint64_t console_number(const struct console *c, unsigned i)
{
	return c->statement.value[i].first;
}

/* The number of the port with the lowest one: 0 on a switch. */
unsigned console_first_port(const struct console *c);

/* Carry out the words from the one at `head` on, which names a row of the table; `kind` is what the rows are.
 */
int console_dispatch(struct console *c, unsigned head, const char *kind, const struct command *table,
                     unsigned count);

extern const struct command console_commands[];
extern const unsigned console_command_count;
extern const struct command console_subjects[]; /* of show */
extern const unsigned console_subject_count;

int console_ioc(struct console *c);
int console_ready(struct console *c);
int console_show_unit(struct console *c);
int console_show(struct console *c);
int console_help(struct console *c);

#endif
