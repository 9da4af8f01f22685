/* SPDX-License-Identifier: BSD-2-Clause */
/* Node files as text: beginnings that a test adds its line to, and the reading of it. */
#ifndef TESTS_NODEFILE_BENCH_H
#define TESTS_NODEFILE_BENCH_H

#include "sma/nodefile.h"

#define CA     "nodeType ca\nports 2\nnodeGuid 0x1000\n"
#define ROUTER "nodeType router\nports 2\nnodeGuid 0x1000\n"
#define SWITCH                                                                                               \
	"nodeType switch\nports 20\nnodeGuid 0x1000\nlinearFDBCap 1024\nmulticastFDBCap 64\n"                \
	"partitionEnforcementCap 8\n"
#define RANDOM  "nodeType switch\nports 20\nnodeGuid 0x1000\nrandomFDBCap 16\n"
#define ONE_VL  CA "vlCap 1\n"
#define LETTERS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde" /* 63 */

#define BYTES_62 LETTERS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abc"

struct nodefile_bench {
	struct sma_store *store; /* that the text made, or NULL */
	char error[NODEFILE_ERROR_SIZE];
};

/* Read a text as of a file named f, or a file: the results of nodefile_parse and nodefile_load. */
int nodefile_bench_parse(struct nodefile_bench *bench, const char *text, size_t size);
int nodefile_bench_load(struct nodefile_bench *bench, const char *path);

/* Free the store. */
void nodefile_bench_close(struct nodefile_bench *bench);

/* The last line of a text, which tells cases with the same beginning apart. */
const char *nodefile_bench_case(const char *text);

#endif
