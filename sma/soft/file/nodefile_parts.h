/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The inside of the node file's reader. A token is a row of the table in nodefile_token.c: its syntax, and a
 * function of nodefile_set.c that applies its values. Results are 0, or a negative errno with a sentence in
 * the statement's error.
 */
#ifndef SOFT_FILE_NODEFILE_PARTS_H
#define SOFT_FILE_NODEFILE_PARTS_H

#include "sma/soft/file/nodefile.h"
#include "sma/soft/text/bounds.h"

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
	SIZE_IOU_SLOTS,
	SIZE_COUNT
};

struct nodefile;

/* Applies a line that has been read; see `set` of struct token. */
typedef int nodefile_set(struct nodefile *file);

struct token {
	struct syntax syntax;
	int what; /* for `set`: a size or a component */
	nodefile_set *set;
};

struct nodefile {
	char name[LOAD_NAME_SIZE];
	struct statement statement;
	const struct token *token;      /* of the line */
	uint64_t size[SIZE_COUNT];      /* values of the size tokens, or their defaults */
	unsigned size_line[SIZE_COUNT]; /* where they stand; 0: nowhere */
	struct soft_state *state;       /* NULL while sizes are read */
};

/* The number, or choice, that is an argument of the line. */
static inline uint64_t nodefile_number(const struct nodefile *file, unsigned i)
{
	return file->statement.value[i].first;
}

/* ---- nodefile_set.c: what the tokens do ---- */

nodefile_set nodefile_set_size, nodefile_set_type;
nodefile_set nodefile_set_node, nodefile_set_node_component, nodefile_set_description, nodefile_set_diag,
	nodefile_set_vendor_range;
nodefile_set nodefile_set_port_guid, nodefile_set_link, nodefile_set_lid, nodefile_set_gid_prefix,
	nodefile_set_m_key, nodefile_set_port_component, nodefile_set_extended, nodefile_set_led;
nodefile_set nodefile_set_guid, nodefile_set_pkey, nodefile_set_sl2vl, nodefile_set_arbitration;
nodefile_set nodefile_set_linear, nodefile_set_random, nodefile_set_multicast;

/* ---- nodefile_unit.c: what the tokens of the I/O unit do ---- */

nodefile_set nodefile_set_option_rom, nodefile_set_ioc, nodefile_set_profile, nodefile_set_service,
	nodefile_set_diag_timeout, nodefile_set_ioc_diag;

/* Give the state the unit that the sizes ask for, if any. 0 or -ENOMEM. */
int nodefile_make_unit(struct nodefile *file);

/* The unit as it is at the start, whatever the lines did one after the other. */
void nodefile_finish_unit(struct nodefile *file);

/* ---- nodefile_token.c ---- */

/* The tokens in the order of ibsmad-node(5). */
extern const struct token nodefile_tokens[];
extern const unsigned nodefile_token_count;

/* Whether a token sets a size. */
bool nodefile_is_size(const struct token *token);

#endif
