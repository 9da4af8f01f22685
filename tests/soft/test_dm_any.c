// SPDX-License-Identifier: BSD-2-Clause
/* What holds for any MAD of device management: whatever the fuzzer has found is harmless, and so is chance.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t input[4096];

static void run_file(const char *path)
{
	FILE *file = fopen(path, "rb");

	CHECK(file != NULL);
	if (!file)
		return;
	LLVMFuzzerTestOneInput(input, fread(input, 1, sizeof(input), file));
	fclose(file);
}

/* What does not hold aborts. */
static void test_corpus(void)
{
	glob_t found = {0};

	CHECK_EQUAL(glob(unit_source("tests/fuzz/dm/*"), 0, NULL, &found), 0);
	CHECK(found.gl_pathc >= 6);
	for (size_t i = 0; i < found.gl_pathc; i++)
		run_file(found.gl_pathv[i]);
	globfree(&found);
}

static void test_chance(void)
{
	printf("# seed %u\n", unit_seed());
	for (unsigned round = 0; round < 300; round++) {
		for (size_t i = 0; i < sizeof(input); i++)
			input[i] = (uint8_t)rand();
		LLVMFuzzerTestOneInput(input, sizeof(input));
	}
	CHECK(true);
}

static const struct unit_test tests[] = {
	{"the fuzzer's corpus", test_corpus},
	{"random MADs", test_chance},
};

int main(void)
{
	return UNIT_MAIN("dm_any", tests);
}
