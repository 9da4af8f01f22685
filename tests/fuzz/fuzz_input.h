/* SPDX-License-Identifier: BSD-2-Clause */
/* What the fuzzers have in common: their invariants, and taking their input apart. */
#ifndef TESTS_FUZZ_FUZZ_INPUT_H
#define TESTS_FUZZ_FUZZ_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/wire.h"

/* The input that is left. */
struct input {
	const uint8_t *at, *end;
};

/* An invariant. */
static inline void expect(bool condition)
{
	if (!condition)
		abort();
}

/* What is missing at the end of the input reads as zero. */
static inline void take(struct input *input, void *bytes, size_t size)
{
	size_t left = (size_t)(input->end - input->at);
	size_t taken = size < left ? size : left;

	memset(bytes, 0, size);
	memcpy(bytes, input->at, taken);
	input->at += taken;
}

static inline uint8_t take8(struct input *input)
{
	uint8_t byte;

	take(input, &byte, 1);
	return byte;
}

static inline unsigned take16(struct input *input)
{
	uint8_t bytes[2];

	take(input, bytes, sizeof(bytes));
	return wire_get16(bytes);
}

#endif
