// SPDX-License-Identifier: BSD-2-Clause
/* What holds for any request: it costs no allocation, and whatever the fuzzer has found is harmless. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/soft/soft_fixture.h"
#include "tests/unit.h"

static const char nodes[] = "csfr";

/* ---- no allocation ---- */

static unsigned allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
	allocations++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	allocations++;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	allocations++;
	return __real_realloc(old, size);
}

static void ask_all(struct soft_fixture *fixture)
{
	static const uint8_t methods[] = {GET, SET, 0x03, TRAP_REPRESS};
	static const uint32_t modifiers[] = {0, 1, 0x00010001, 0x10000000, UINT32_MAX};

	for (unsigned id = 0; id < 0x40; id++) {
		for (size_t m = 0; m < UNIT_COUNT(methods); m++) {
			for (size_t i = 0; i < UNIT_COUNT(modifiers); i++)
				soft_fixture_ask(fixture, methods[m], (uint16_t)id, modifiers[i], NULL);
		}
	}
}

static void raise_all(struct soft_fixture *fixture)
{
	const struct bad_key key = {.key = 1};
	uint8_t mad[MAD_SIZE];
	unsigned port, sl;
	uint16_t dlid;

	link_set(&fixture->responder, 1, true);
	event_traps_threshold(&fixture->responder, 1, 129);
	event_traps_bad_key(&fixture->responder, soft_fixture_port(fixture), 257, &key);
	event_traps_description(&fixture->responder, "other");
	responder_next_trap(&fixture->responder, 1000, mad, &port, &dlid, &sl);
}

static void test_no_allocation(void)
{
	for (const char *node = nodes; *node; node++) {
		struct soft_fixture fixture;
		unsigned before = allocations;

		soft_fixture_open(&fixture, *node);
		CHECK(allocations > before); /* they are counted at all */
		soft_fixture_activate(&fixture);
		before = allocations;
		ask_all(&fixture);
		raise_all(&fixture);
		CHECK(fixture.responder.counters.answered > 0);
		state_set(fixture.state, soft_fixture_port(&fixture), SMA_PortInfo_M_Key, 1);
		ask_all(&fixture);
		CHECK(fixture.responder.counters.bad_m_key > 0);
		unit_case("node %c", *node);
		CHECK_EQUAL(allocations, before);
		soft_fixture_close(&fixture);
	}
}

/* ---- the fuzzer's corpus ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run_file(const char *path)
{
	static uint8_t data[65536];
	FILE *file = fopen(path, "rb");

	CHECK(file != NULL);
	if (!file)
		return;
	LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof(data), file));
	fclose(file);
}

/* What does not hold aborts. */
static void test_corpus(void)
{
	glob_t found = {0};

	CHECK_EQUAL(glob(unit_source("tests/fuzz/responder/*"), 0, NULL, &found), 0);
	CHECK(found.gl_pathc >= 12);
	for (size_t i = 0; i < found.gl_pathc; i++)
		run_file(found.gl_pathv[i]);
	globfree(&found);
}

static const struct unit_test tests[] = {
	{"a request costs no allocation", test_no_allocation},
	{"the fuzzer's corpus", test_corpus},
};

int main(void)
{
	return UNIT_MAIN("responder_any", tests);
}
