/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modules of the console share. */
#ifndef SOFT_CONSOLE_COMMAND_PARTS_H
#define SOFT_CONSOLE_COMMAND_PARTS_H

#include "sma/soft/console/command.h"
#include "sma/soft/file/nodefile_arg.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { CONSOLE_WORDS = 12 }; /* badpkey with all its keys, and more than enough */

/* One line that is being carried out. */
struct console {
	struct responder *responder;
	struct soft_state *state; /* the responder's */
	char *reply;
	size_t size;
	size_t used; /* of the reply */
	bool cut;    /* output had no room */
	char line[COMMAND_LINE_SIZE];
	const char *words[CONSOLE_WORDS]; /* within `line` */
	unsigned count;                   /* of words */
	const struct command *command;
	const char **args; /* the words after the command */
	unsigned arg_count;
};

struct command {
	const char *name;
	const char *usage;
	const char *purpose;
	int (*run)(struct console *console);
	unsigned least, most; /* arguments */
	unsigned trap;        /* that it raises, for `run` */
	bool at_switch;       /* other nodes have no such thing */
};

/* Add lines to the reply, or nothing of them and of what comes later. */
void console_print(struct console *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Replace the reply by an error; returns `rc`. */
int console_fail(struct console *c, int rc, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Words as values. 0, or console_fail's result. */
int console_number(struct console *c, const char *noun, const char *word, struct bounds bounds,
                   uint64_t *value);
int console_choice(struct console *c, const char *word, const char *yes, const char *no, bool *value);

/* The first argument as a port within bounds. */
int console_port(struct console *c, struct bounds bounds, unsigned *port);

/* Ports that commands take; the first is 0 on a switch. */
unsigned console_first_port(const struct console *c);
struct bounds console_end_ports(const struct console *c);
struct bounds console_data_ports(const struct console *c);
struct bounds console_all_ports(const struct console *c);

/* Carry out the words from the one at `first` on, which names a row of the table. */
int console_dispatch(struct console *c, unsigned first, const struct command *table, size_t count);

extern const struct command console_commands[];
extern const size_t console_command_count;
extern const struct command console_subjects[]; /* of show */
extern const size_t console_subject_count;

int console_show(struct console *c);
int console_help(struct console *c);

#endif
