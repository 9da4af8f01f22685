/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The inside of the node file's parser: lines of words, tokens as data, the kinds of their arguments.
 *
 * A token is a row of the table in nodefile_token.c: its arguments with their kinds and ranges, and a
 * function of nodefile_set.c that applies their values. Results are 0, or a negative errno with file->error
 * filled in.
 */
#ifndef SOFT_FILE_NODEFILE_ARG_H
#define SOFT_FILE_NODEFILE_ARG_H

#include "sma/soft/file/nodefile.h"

enum {
	MAX_ARGS = 6,
	MAX_WORDS = MAX_ARGS + 2, /* the token, its arguments, and one too many */
	WORD_SIZE = 256,
	PORT_NONE = 0xFF, /* egress port that stands for none */
};

struct line {
	unsigned number; /* from 1 */
	unsigned count;  /* words */
	char word[MAX_WORDS][WORD_SIZE];
};

/* The values of the lines that must be known before there is a state. */
enum size {
	SIZE_NODE_TYPE,
	SIZE_PORTS,
	SIZE_NODE_GUID,
	SIZE_GUID_CAP,
	SIZE_PARTITION_CAP,
	SIZE_ENFORCEMENT_CAP,
	SIZE_LINEAR_CAP,
	SIZE_RANDOM_CAP,
	SIZE_MULTICAST_CAP,
	SIZE_VL_CAP,
	SIZE_COUNT
};

struct nodefile;

/* Applies a line that has been read; see `set` of struct token. */
typedef int nodefile_set(struct nodefile *file);

/* None when low > high. */
struct bounds {
	uint64_t low, high;
};

enum arg_kind {
	ARG_NUMBER,        /* first */
	ARG_SECRET,        /* first; a number that no message repeats */
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
};

struct arg {
	enum arg_kind kind;
	const char *noun; /* what messages say was expected; NULL: no such argument */
	uint64_t low, high;
	struct bounds (*bounds)(const struct nodefile *file); /* in place of low and high, where not NULL */
	const char *const *choices;                           /* ends with NULL */
	bool optional;
};

struct value {
	uint64_t first, last;
	const char *text;
	uint8_t bytes[SMA_BLOCK_SIZE];
	unsigned size;
	bool ports[SMA_MAX_PORTS + 1];
};

/* What a node must have for a token to make sense. */
enum need { NEED_NOTHING, NEED_SWITCH, NEED_LINEAR, NEED_RANDOM, NEED_MULTICAST, NEED_VLS };

struct token {
	const char *name;
	const char *usage; /* its arguments, as ibsmad-node(5) writes them */
	enum need need;
	int what; /* for `set`: a size or a component */
	nodefile_set *set;
	struct arg args[MAX_ARGS];
};

struct nodefile {
	char name[NODEFILE_NAME_SIZE];
	char *error;
	size_t error_size;
	struct line line;
	const struct token *token;      /* of the line */
	struct value value[MAX_ARGS];   /* its arguments; zero where one was left out */
	unsigned value_count;           /* how many of them there are so far */
	uint64_t size[SIZE_COUNT];      /* values of the size tokens, or their defaults */
	unsigned size_line[SIZE_COUNT]; /* where they stand; 0: nowhere */
	struct soft_state *state;       /* NULL while sizes are read */
};

/* ---- nodefile_word.c ---- */

/* The name of a file as messages show it: of a long path its end, so that there is room for what is wrong. */
void nodefile_show_name(char shown[NODEFILE_NAME_SIZE], const char *path);

/* Say what is wrong with `word` of the current line; NULL: with the line as a whole. -EINVAL. */
int nodefile_fail(struct nodefile *file, const char *word, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Split a text without newlines into the words of file->line. */
int nodefile_split(struct nodefile *file, const char *text, size_t length);

/* Read a number or range, decimal or with 0x, and move `*at` behind it. False: there is none. */
bool nodefile_number(const char **at, uint64_t *number);
bool nodefile_range(const char **at, uint64_t *first, uint64_t *last);

/* The name most like `word`, of those that `name_of` gives for 0 to count - 1 (NULL: none), and how many
 * letters would have to change. */
const char *nodefile_nearest(const char *word, const char *(*name_of)(const void *context, unsigned i),
                             const void *context, unsigned count, unsigned *distance);

/* ---- nodefile_arg.c ---- */

/* Read the words of file->line after the token into file->value, as the arguments of file->token. */
int nodefile_read_args(struct nodefile *file);

/* ---- nodefile_bounds.c: ranges that depend on the node and on the arguments before ---- */

struct bounds nodefile_end_ports(const struct nodefile *file);
struct bounds nodefile_data_ports(const struct nodefile *file);
struct bounds nodefile_ports(const struct nodefile *file);
struct bounds nodefile_input_ports(const struct nodefile *file);
struct bounds nodefile_guids(const struct nodefile *file);       /* after a port */
struct bounds nodefile_pkeys(const struct nodefile *file);       /* after ports */
struct bounds nodefile_arbitration(const struct nodefile *file); /* after ports, priority */
struct bounds nodefile_lids(const struct nodefile *file);
struct bounds nodefile_randoms(const struct nodefile *file);
struct bounds nodefile_mlids(const struct nodefile *file);
struct bounds nodefile_component(const struct nodefile *file); /* after the component */

/* What sets a component that no line may set by its name; NULL: nothing does. */
const char *nodefile_setter(enum sma_component component);

/* What `need` asks for and the node has not got; NULL: all is there. */
const char *nodefile_lacks(const struct nodefile *file, enum need need);

/* ---- nodefile_set.c: what the tokens do ---- */

nodefile_set nodefile_set_size, nodefile_set_type;
nodefile_set nodefile_set_node, nodefile_set_node_component, nodefile_set_description, nodefile_set_diag,
	nodefile_set_vendor_range;
nodefile_set nodefile_set_port_guid, nodefile_set_link, nodefile_set_lid, nodefile_set_gid_prefix,
	nodefile_set_m_key, nodefile_set_port_component, nodefile_set_extended, nodefile_set_led;
nodefile_set nodefile_set_guid, nodefile_set_pkey, nodefile_set_sl2vl, nodefile_set_arbitration;
nodefile_set nodefile_set_linear, nodefile_set_random, nodefile_set_multicast;

/* ---- nodefile_token.c ---- */

/* The tokens in the order of ibsmad-node(5); NULL beyond the last. */
const struct token *nodefile_token(unsigned i);

/* Whether a token sets a size. */
bool nodefile_is_size(const struct token *token);

#endif
