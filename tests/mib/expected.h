/* SPDX-License-Identifier: BSD-2-Clause */
/* The expected tree of a crafted node, and questions to the tree under test in virtual time. */
#ifndef TESTS_MIB_EXPECTED_H
#define TESTS_MIB_EXPECTED_H

#include "mib/tree.h"
#include "tests/node/node_fixture.h"

enum { MAX_SUBIDS = MIB_MAX_SUBIDS + MIB_MAX_LEVELS };

struct row {
	uint32_t subid[MAX_SUBIDS]; /* below ibSmaMIB */
	size_t length;
	uint8_t type; /* ASN.1 tag */
	struct mib_value value;
};

struct expected {
	struct row *rows;
	size_t count;
};

/* Read tests/data/NAME.tree. */
void expected_load(struct expected *expected, const char *name);
void expected_free(struct expected *expected);

/* The row of an instance, NULL if there is none. */
const struct row *expected_find(const struct expected *expected, const uint32_t *subid, size_t length);

/* Compare OIDs as SNMP orders them. */
int compare_oids(const uint32_t *a, size_t a_length, const uint32_t *b, size_t b_length);

/* An OID as text; valid until the next call but one. */
const char *oid_text(const uint32_t *subid, size_t length);

/* Check that an answer is a row. */
bool check_row(const struct mib_answer *answer, const struct row *row);

/* GET and GETNEXT, waiting for blocks as long as it takes, with the window of the fixture's configuration. */
typedef int question_fn(const struct mib_question *question, const uint32_t *subid, size_t length,
                        struct mib_answer *answer);
int ask(struct fixture *fixture, question_fn *question, const uint32_t *subid, size_t length,
        struct mib_answer *answer);

/* Likewise, of another module than SMA-MIB. */
int ask_module(struct fixture *fixture, const struct mib_module *module, question_fn *question,
               const uint32_t *subid, size_t length, struct mib_answer *answer);

/* Walk a subtree, or everything for length 0. The number of instances. */
unsigned walk(struct fixture *fixture, const uint32_t *root, size_t length);

#endif
