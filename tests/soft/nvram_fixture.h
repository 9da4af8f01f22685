/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes with something to keep across restarts, and a folder for the file that keeps it. */
#ifndef TESTS_SOFT_NVRAM_FIXTURE_H
#define TESTS_SOFT_NVRAM_FIXTURE_H

#include "sma/soft/file/nvram.h"
#include "tests/unit.h"

enum {
	FIXTURE_PORTS = 2,
	FIXTURE_NODE_GUID = 0x1000,
	FIXTURE_PKEYS = 40, /* two lines of 16, and one of 8 */
	FIXTURE_PATH_SIZE = UNIT_FOLDER_SIZE + 16,
	FIXTURE_FILE_SIZE = 4096, /* more than any file of these tests */
};

struct nvram_fixture {
	char folder[UNIT_FOLDER_SIZE];
	char path[FIXTURE_PATH_SIZE];         /* of the file */
	char damaged_path[FIXTURE_PATH_SIZE]; /* where it is set aside */
	char new_path[FIXTURE_PATH_SIZE];     /* where the next one is written */
	char error[NVRAM_ERROR_SIZE];         /* of the last nvram_fixture_restore */
	/* three of nvram_fixture_node */
	struct soft_state *state; /* to be kept */
	struct soft_state *again; /* to be restored */
	struct soft_state *fresh; /* stays as the node file has it */
};

/* The file is not there yet. Closing removes it, and whatever else the fixture names. */
void nvram_fixture_open(struct nvram_fixture *fixture);
void nvram_fixture_close(struct nvram_fixture *fixture);

/* Stores, which the caller frees: a CA as its node file has it, that keeps all of port 1 and nothing of port
 * 2; a node of a type that keeps nothing. */
struct soft_state *nvram_fixture_node(void);
struct soft_state *nvram_fixture_state(unsigned type, uint64_t guid, unsigned pkeys);

/* Set what a port keeps. */
void nvram_fixture_keep(struct soft_state *state, unsigned port, bool m_key, bool p_keys);

/* Leave a port as an SM does, in a state that is another for each seed; M_Key ends with the seed. */
void nvram_fixture_program(struct soft_state *state, unsigned port, unsigned seed);

/* Whether two stores have the same in what can be kept: of a port, or of both ports of a CA. */
bool nvram_fixture_same_m_key(const struct soft_state *a, const struct soft_state *b, unsigned port);
bool nvram_fixture_same_p_keys(const struct soft_state *a, const struct soft_state *b, unsigned port);
bool nvram_fixture_same(const struct soft_state *a, const struct soft_state *b);

/* Have a state kept and wait until it is. 0 or -errno of the writing; NVRAM_NOTHING: there was nothing new.
 */
enum { NVRAM_NOTHING = 1 };
int nvram_fixture_await(struct nvram *nvram, const struct soft_state *state, uint64_t now);

/* Restoring, and keeping, of a daemon that has just started, with the fixture's file: the results of
 * nvram_restore and nvram_fixture_await. */
int nvram_fixture_restore(struct nvram_fixture *fixture, struct soft_state *state);
int nvram_fixture_sync(const struct nvram_fixture *fixture, const struct soft_state *state);

/* Files. Reading gives the size, 0 for a file that is not there. */
bool nvram_fixture_exists(const char *name);
size_t nvram_fixture_read(const char *name, char bytes[FIXTURE_FILE_SIZE]);
void nvram_fixture_write(const struct nvram_fixture *fixture, const char *bytes, size_t size);

#endif
