/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes with something to keep across restarts, and a folder for the file that keeps it. */
#ifndef TESTS_NVRAM_BENCH_H
#define TESTS_NVRAM_BENCH_H

#include "sma/nvram.h"
#include "tests/unit.h"

enum {
	BENCH_PORTS = 2,
	BENCH_NODE_GUID = 0x1000,
	BENCH_PKEYS = 40, /* two lines of 16, and one of 8 */
	BENCH_PATH_SIZE = UNIT_FOLDER_SIZE + 16,
	BENCH_FILE_SIZE = 4096, /* more than any file of these tests */
};

struct nvram_bench {
	char folder[UNIT_FOLDER_SIZE];
	char path[BENCH_PATH_SIZE];         /* of the file */
	char damaged_path[BENCH_PATH_SIZE]; /* where it is set aside */
	char new_path[BENCH_PATH_SIZE];     /* where the next one is written */
	char error[NVRAM_ERROR_SIZE];       /* of the last nvram_bench_restore */
	/* three of nvram_bench_node */
	struct sma_store *store; /* to be kept */
	struct sma_store *again; /* to be restored */
	struct sma_store *fresh; /* stays as the node file has it */
};

/* The file is not there yet. Closing removes it, and whatever else the bench names. */
void nvram_bench_open(struct nvram_bench *bench);
void nvram_bench_close(struct nvram_bench *bench);

/* Stores, which the caller frees: a CA as its node file has it, that keeps all of port 1 and nothing of port
 * 2; a node of a type that keeps nothing. */
struct sma_store *nvram_bench_node(void);
struct sma_store *nvram_bench_store(unsigned type, uint64_t guid, unsigned pkeys);

/* Set what a port keeps. */
void nvram_bench_keep(struct sma_store *store, unsigned port, bool m_key, bool p_keys);

/* Leave a port as an SM does, in a state that is another for each seed; M_Key ends with the seed. */
void nvram_bench_program(struct sma_store *store, unsigned port, unsigned seed);

/* Whether two stores have the same in what can be kept: of a port, or of both ports of a CA. */
bool nvram_bench_same_m_key(const struct sma_store *a, const struct sma_store *b, unsigned port);
bool nvram_bench_same_p_keys(const struct sma_store *a, const struct sma_store *b, unsigned port);
bool nvram_bench_same(const struct sma_store *a, const struct sma_store *b);

/* Have a store kept and wait until it is. 0 or -errno of the writing; BENCH_NOTHING: there was nothing new.
 */
enum { BENCH_NOTHING = 1 };
int nvram_bench_await(struct nvram *nvram, const struct sma_store *store, uint64_t now);

/* Restoring, and keeping, of a daemon that has just started, with the bench's file: the results of
 * nvram_restore and nvram_bench_await. */
int nvram_bench_restore(struct nvram_bench *bench, struct sma_store *store);
int nvram_bench_sync(const struct nvram_bench *bench, const struct sma_store *store);

/* Files. Reading gives the size, 0 for a file that is not there. */
bool nvram_bench_exists(const char *name);
size_t nvram_bench_read(const char *name, char bytes[BENCH_FILE_SIZE]);
void nvram_bench_write(const struct nvram_bench *bench, const char *bytes, size_t size);

#endif
