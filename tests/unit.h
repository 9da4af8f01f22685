/* SPDX-License-Identifier: BSD-2-Clause */
/* Unit tests of one program, run by CUnit and reported in TAP on standard output. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unit_test {
	const char *name;
	void (*run)(void);
};

/* Run the tests in order, one TAP line each. The exit status: 0 when all ran, whether or not they passed. */
int unit_main(const char *suite, const struct unit_test *tests, size_t count);

#define UNIT_COUNT(array)       (sizeof(array) / sizeof((array)[0]))
#define UNIT_MAIN(suite, tests) unit_main(suite, tests, UNIT_COUNT(tests))

/* Name the case that the checks to come are about; it stands in their diagnostics. NULL: none. */
void unit_case(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Checks record a failure and go on; their result says whether they passed. */
bool unit_check(bool good, const char *file, unsigned line, const char *condition);
bool unit_equal(uint64_t got, uint64_t wanted, const char *file, unsigned line, const char *expression);
bool unit_text(const char *got, const char *wanted, const char *file, unsigned line, const char *expression);
bool unit_octets(const void *got, const void *wanted, size_t size, const char *file, unsigned line,
                 const char *expression);

#define CHECK(condition)                unit_check(condition, __FILE__, __LINE__, #condition)
#define CHECK_EQUAL(got, wanted)        unit_equal((uint64_t)(got), (uint64_t)(wanted), __FILE__, __LINE__, #got)
#define CHECK_TEXT(got, wanted)         unit_text(got, wanted, __FILE__, __LINE__, #got)
#define CHECK_OCTETS(got, wanted, size) unit_octets(got, wanted, size, __FILE__, __LINE__, #got)

/* Begin a random sequence: of the seed UNIT_SEED in the environment, else of one that no other run has. The
 * seed, for the diagnostics. */
unsigned unit_seed(void);

/* Make an empty folder below TMPDIR; `path` takes its name. Removing it is the caller's. False: it cannot be
 * made, or its name is too long. */
enum { UNIT_FOLDER_SIZE = 80 };
bool unit_folder(char path[UNIT_FOLDER_SIZE]);

/* The path of a file of the source tree; valid until the next call. */
const char *unit_source(const char *name);

#endif
