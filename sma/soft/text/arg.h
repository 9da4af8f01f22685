/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines as statements: a word that says what the line is, and arguments. What a statement takes is data, a
 * struct syntax with the kinds and ranges of its arguments; tokens of files and commands of the console are
 * rows with one. Results are 0, or -EINVAL with a sentence in the line's error. Numbers that are keys are not
 * repeated in it.
 */
#ifndef SOFT_TEXT_ARG_H
#define SOFT_TEXT_ARG_H

#include "sma/soft/state.h"
#include "sma/soft/text/line.h"

enum {
	MAX_ARGS = 6,
	PORT_NONE = 0xFF, /* egress port that stands for none */
};

/* None when low > high. */
struct bounds {
	uint64_t low, high;
};

struct statement;
typedef struct bounds arg_bounds(const struct statement *statement);

enum arg_kind {
	ARG_NUMBER,        /* first */
	ARG_SECRET,        /* first; a number that no error repeats */
	ARG_RANGE,         /* first, last: N or N-M */
	ARG_EGRESS,        /* first: a port, or none as PORT_NONE */
	ARG_PORTS,         /* ports: all, N and N-M with commas between */
	ARG_PORTS_OR_NONE, /* ports */
	ARG_CHOICE,        /* first: which of the choices, from 0 */
	ARG_TEXT,          /* text: UTF-8 of at most `high` bytes */
	ARG_HEX,           /* bytes, size: pairs of hexadecimal digits, at most `high` bytes */
	ARG_VLS,           /* bytes: SMA_SL_COUNT numbers with commas between */
	ARG_COMPONENT,     /* first: a component of the attribute `low` */
	ARG_CAPABILITY,    /* first: a bit of the capability masks, a component of PortInfo */
	ARG_PROFILE,       /* first: a component of IOControllerProfile */
	ARG_PROFILE_VALUE, /* its value, after it: first, or text and size */
	ARG_REST, /* any further words, which are left to who carries the line out; the last argument */
};

struct arg {
	enum arg_kind kind;
	const char *noun; /* what errors say was expected; NULL: no such argument */
	uint64_t low, high;
	arg_bounds *bounds;         /* in place of low and high, where not NULL */
	const char *const *choices; /* ends with NULL */
	bool optional;
};

/* Arguments in rows of a table. The formatter would spread each pair of braces over lines. */
/* clang-format off */
#define ARG(kind, noun, low, high)  {ARG_##kind, noun, low, high, NULL, NULL, false}
#define ARG_OPT(kind, noun, high)   {ARG_##kind, noun, 0, high, NULL, NULL, true}
#define ARG_BOUND(kind, noun, from) {ARG_##kind, noun, 0, 0, bounds_##from, NULL, false}
#define ARG_OF(noun, choices)       {ARG_CHOICE, noun, 0, 0, NULL, choices, false}
#define ARG_UP_TO(noun, high)       ARG(NUMBER, noun, 0, high)
/* clang-format on */

/* Choices that several tables have. */
extern const char *const arg_off_on[];
extern const char *const arg_down_up[];

struct value {
	uint64_t first, last;
	const char *text;
	uint8_t bytes[SMA_BLOCK_SIZE];
	unsigned size;
	bool ports[SMA_MAX_PORTS + 1];
};

/* What a node must have for a statement to make sense. */
enum need { NEED_NOTHING, NEED_SWITCH, NEED_LINEAR, NEED_RANDOM, NEED_MULTICAST, NEED_VLS, NEED_UNIT };

/* The first member of a row that describes a statement. */
struct syntax {
	const char *name;
	const char *usage; /* its arguments, as the manual pages write them */
	enum need need;
	struct arg args[MAX_ARGS];
};

/* A line that is being read. */
struct statement {
	struct line line;
	const struct soft_state *state; /* of the node; NULL while only what needs none is read */
	const struct syntax *syntax;
	struct value value[MAX_ARGS]; /* zero where an argument was left out */
	unsigned value_count;         /* how many of them there are so far */
};

/* The row of a table whose name is the head of the line. Each row is of `size` bytes and begins with a struct
 * syntax; `kind` is what errors call them. Its index, or -EINVAL. */
int arg_find_row(struct statement *statement, const char *kind, const void *rows, size_t size,
                 unsigned count);

/* Read all words behind the head into `value`, as the arguments of a syntax. */
int arg_read_all(struct statement *statement, const struct syntax *syntax);

/* Read one word, of any kind but ARG_REST. */
int arg_read(struct statement *statement, const struct arg *arg, const char *word, struct value *value);

#endif
