/* SPDX-License-Identifier: BSD-2-Clause */
/* Node files as text: beginnings that a test adds its line to, and the reading of it. */
#ifndef TESTS_SOFT_NODEFILE_FIXTURE_H
#define TESTS_SOFT_NODEFILE_FIXTURE_H

#include "sma/soft/file/nodefile.h"

#define CA     "nodeType ca\nports 2\nnodeGuid 0x1000\n"
#define ROUTER "nodeType router\nports 2\nnodeGuid 0x1000\n"
#define SWITCH                                                                                               \
	"nodeType switch\nports 20\nnodeGuid 0x1000\nlinearFDBCap 1024\nmulticastFDBCap 64\n"                \
	"partitionEnforcementCap 8\n"
#define RANDOM  "nodeType switch\nports 20\nnodeGuid 0x1000\nrandomFDBCap 16\n"
#define ONE_VL  CA "vlCap 1\n"
#define LETTERS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde" /* 63 */

#define BYTES_62 LETTERS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abc"

struct nodefile_fixture {
	struct soft_state *state; /* that the text made, or NULL */
	char error[NODEFILE_ERROR_SIZE];
};

/* Read a text as of a file named f, or a file: the results of nodefile_parse and nodefile_load. */
int nodefile_fixture_parse(struct nodefile_fixture *fixture, const char *text, size_t size);
int nodefile_fixture_load(struct nodefile_fixture *fixture, const char *path);

/* Free the state. */
void nodefile_fixture_close(struct nodefile_fixture *fixture);

/* The last line of a text, which tells cases with the same beginning apart. */
const char *nodefile_fixture_case(const char *text);

#endif
