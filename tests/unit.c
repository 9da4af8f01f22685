// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>

#include "tests/unit.h"

enum { MAX_FAILURES = 20 /* shown of one test */ };

static unsigned reported;
static char current_case[256];

void unit_case(const char *format, ...)
{
	va_list args;

	current_case[0] = '\0';
	if (!format)
		return;
	va_start(args, format);
	vsnprintf(current_case, sizeof(current_case), format, args);
	va_end(args);
}

static bool record(bool good, const char *file, unsigned line, const char *condition)
{
	char text[768];

	/* CUnit keeps a record of failures only, and copies the text */
	snprintf(text, sizeof(text), "%s%s%s", current_case, current_case[0] ? ": " : "", condition);
	return CU_assertImplementation(good, line, text, file, "", CU_FALSE);
}

bool unit_check(bool good, const char *file, unsigned line, const char *condition)
{
	return record(good, file, line, condition);
}

bool unit_equal(uint64_t got, uint64_t wanted, const char *file, unsigned line, const char *expression)
{
	char text[512];

	snprintf(text, sizeof(text), "%s is %" PRId64 " (0x%" PRIx64 "), wanted %" PRId64 " (0x%" PRIx64 ")",
	         expression, (int64_t)got, got, (int64_t)wanted, wanted);
	return record(got == wanted, file, line, text);
}

bool unit_text(const char *got, const char *wanted, const char *file, unsigned line, const char *expression)
{
	char text[512];

	snprintf(text, sizeof(text), "%s is \"%.180s\", wanted \"%.180s\"", expression, got ? got : "(null)",
	         wanted);
	return record(got && strcmp(got, wanted) == 0, file, line, text);
}

static void print_octets(char *text, const uint8_t *octets, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sprintf(text + 2 * i, "%02x", octets[i]);
}

bool unit_octets(const void *got, const void *wanted, size_t size, const char *file, unsigned line,
                 const char *expression)
{
	size_t shown = size < 64 ? size : 64;
	char got_text[129] = "";
	char wanted_text[129] = "";
	char text[512];

	print_octets(got_text, got, shown);
	print_octets(wanted_text, wanted, shown);
	snprintf(text, sizeof(text), "%s is %s, wanted %s", expression, got_text, wanted_text);
	return record(memcmp(got, wanted, size) == 0, file, line, text);
}

unsigned unit_seed(void)
{
	static unsigned serial;
	const char *given = getenv("UNIT_SEED");
	unsigned seed = given ? (unsigned)strtoul(given, NULL, 10)
	                      : (unsigned)time(NULL) * 1000 + (unsigned)getpid() + serial++;

	srand(seed);
	return seed;
}

bool unit_folder(char path[UNIT_FOLDER_SIZE])
{
	const char *parent = getenv("TMPDIR");
	int length = snprintf(path, UNIT_FOLDER_SIZE, "%s/ibsmad-unit-XXXXXX", parent ? parent : P_tmpdir);

	return length < UNIT_FOLDER_SIZE && mkdtemp(path);
}

const char *unit_source(const char *name)
{
	static char path[1024];
	const char *folder = getenv("srcdir");

	snprintf(path, sizeof(path), "%s/%s", folder ? folder : ".", name);
	return path;
}

static void report(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failures)
{
	unsigned shown = 0;

	reported++;
	printf("%s %u - %s: %s\n", failures ? "not ok" : "ok", reported, suite->pName, test->pName);
	for (const CU_FailureRecord *f = failures; f && shown < MAX_FAILURES; f = f->pNext, shown++)
		printf("# %s:%u: %s\n", f->strFileName, f->uiLineNumber, f->strCondition);
	fflush(stdout);
	unit_case(NULL);
}

static bool add_tests(const char *name, const struct unit_test *tests, size_t count)
{
	CU_pSuite suite = CU_add_suite(name, NULL, NULL);

	for (size_t i = 0; suite && i < count; i++) {
		if (!CU_add_test(suite, tests[i].name, tests[i].run))
			return false;
	}
	return suite;
}

int unit_main(const char *suite, const struct unit_test *tests, size_t count)
{
	printf("1..%zu\n", count);
	fflush(stdout);
	if (CU_initialize_registry() != CUE_SUCCESS || !add_tests(suite, tests, count)) {
		printf("Bail out! CUnit: %s\n", CU_get_error_msg());
		return EXIT_FAILURE;
	}
	CU_set_test_complete_handler(report);
	CU_run_all_tests();
	CU_cleanup_registry();
	return reported == count ? EXIT_SUCCESS : EXIT_FAILURE;
}
