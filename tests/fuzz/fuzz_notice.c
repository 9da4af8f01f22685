// SPDX-License-Identifier: BSD-2-Clause
/* Notices that come in one after the other. The input begins with the window in units of 16 ms; each notice
 * is followed by its TID and the time since the last one, in ms. What is left at the end is too short for
 * one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/notice.h"
#include "sma/notice/duplicates.h"
#include "tests/fuzz/fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEP_SIZE = SMA_BLOCK_SIZE + 2, WINDOW_UNIT = 16 };

struct fuzz {
	struct duplicates *duplicates;
	unsigned window;
	uint64_t now;
	uint64_t steps;
	uint64_t heard; /* that were not new */
	uint64_t again; /* of which the memory said so */
};

/* ---- one notice ---- */

/* Each component of a wanted notice is there as a number, as octets, or not at all. */
static unsigned read_parts(const uint8_t *data)
{
	unsigned parts = 0;

	for (enum notice_part part = 0; part < NOTICE_PART_COUNT; part++) {
		uint64_t value;
		int rc = notice_get(data, part, &value);
		const uint8_t *octets = notice_octets(data, part);

		expect(rc == 0 || rc == -ENOENT);
		expect(!octets || (rc && octets > data && octets + NOTICE_GID_SIZE <= data + SMA_BLOCK_SIZE));
		parts |= (unsigned)(rc == 0 || octets) << part;
	}
	return parts;
}

static void check_essence(const uint8_t *data)
{
	uint8_t essence[SMA_BLOCK_SIZE];

	notice_essence(data, essence);
	expect(notice_is_same(data, essence) && notice_is_same(essence, data));
	expect(notice_trap(essence) == notice_trap(data));
	expect(notice_issuer(essence) == notice_issuer(data));
	expect(read_parts(essence) == read_parts(data));
}

/* What is written as it was read reports the same. */
static void check_set(const uint8_t *data)
{
	uint8_t copy[SMA_BLOCK_SIZE];

	notice_build(copy, notice_trap(data), SMA_NODE_CA, notice_issuer(data));
	for (enum notice_part part = 0; part < NOTICE_PART_COUNT; part++) {
		bool is_path = part == NOTICE_DRNOTICERETURNPATH;
		const uint8_t *octets = notice_octets(data, part);
		uint64_t value;

		if (notice_get(data, part, &value) == 0)
			notice_set(copy, part, value);
		if (octets)
			notice_set_octets(copy, part, octets, is_path ? NOTICE_PATH_SIZE : NOTICE_GID_SIZE);
	}
	expect(notice_is_same(data, copy));
}

static bool is_wanted(const uint8_t *data)
{
	enum notice_verdict verdict = notice_judge(data, SMA_BLOCK_SIZE);
	unsigned trap = notice_trap(data);
	bool is_known = read_parts(data) >> NOTICE_LIDADDR & 1;

	expect(verdict < NOTICE_VERDICT_COUNT);
	expect(verdict != NOTICE_WANTED || is_known);
	expect(verdict != NOTICE_OTHER || !is_known);
	expect(notice_name(trap)[0] && notice_changes(trap) >> SMA_READ_COUNT == 0);
	check_essence(data);
	check_set(data);
	return verdict == NOTICE_WANTED;
}

/* ---- one after the other ---- */

static void end_windows(struct fuzz *f)
{
	struct sma_notice notice;
	uint64_t again;
	bool due;

	while (duplicates_ended(f->duplicates, f->now, &notice, &again, &due)) {
		expect(again > 0);
		expect(!due || (notice_trap(notice.data) == SMA_TRAP_LINK_STATE && notice.when == f->now));
		f->again += again;
	}
	expect(duplicates_due(f->duplicates) > f->now);
}

static void run_step(struct fuzz *f, const uint8_t *step)
{
	struct sma_notice notice = {.source = SMA_NOTICE_TRAP, .when = f->now};
	uint32_t tid = step[SMA_BLOCK_SIZE];

	f->now += step[SMA_BLOCK_SIZE + 1];
	memcpy(notice.data, step, SMA_BLOCK_SIZE);
	if (is_wanted(step)) {
		if (!duplicates_is_new(f->duplicates, &notice, tid, f->now))
			f->heard++;
		expect(f->window == 0 || !duplicates_is_new(f->duplicates, &notice, tid, f->now));
		f->heard += f->window != 0;
		f->steps++;
	}
	if (step[SMA_BLOCK_SIZE + 1] & 1)
		end_windows(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = {.now = 1000};
	const uint8_t *end = data + size;

	if (size == 0)
		return 0;
	f.window = *data++ * WINDOW_UNIT;
	f.duplicates = duplicates_new(f.window);
	expect(f.duplicates != NULL);
	for (; end - data >= STEP_SIZE; data += STEP_SIZE)
		run_step(&f, data);
	if (end - data < SMA_BLOCK_SIZE)
		expect(notice_judge(data, (size_t)(end - data)) == NOTICE_MALFORMED);
	for (unsigned i = 0; i < 2; i++) { /* what was due has a window of its own */
		f.now += f.window;
		end_windows(&f);
	}
	expect(f.steps > DUPLICATES_KEPT || f.again == f.heard);
	expect(duplicates_due(f.duplicates) == UINT64_MAX);
	duplicates_free(f.duplicates);
	return 0;
}
