// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "sma/node/cache.h"
#include "tests/unit.h"

enum { MANY = 5000 };

static void test_find(void)
{
	struct cache cache = {0};
	const struct sma_key key = {SMA_PortInfo, 1, 17};
	struct block *block;

	CHECK(cache_find(&cache, &key) == NULL);
	block = cache_add(&cache, NULL, &key);
	CHECK(block != NULL);
	CHECK(cache_find(&cache, &key) == block);
	cache_free(&cache);
	CHECK(cache_find(&cache, &key) == NULL);
}

static void test_empty_block(void)
{
	struct cache cache = {0};
	const struct sma_key key = {SMA_PortInfo, 1, 17};
	const struct block *block = cache_add(&cache, NULL, &key);

	CHECK_EQUAL(block->outcome, BLOCK_NEVER);
	CHECK(!block->exchange);
	CHECK_EQUAL(block->good, 0);
	CHECK_EQUAL(block->key.attr, SMA_PortInfo);
	CHECK_EQUAL(block->key.port, 1);
	CHECK_EQUAL(block->key.modifier, 17);
	for (unsigned i = 0; i < SMA_BLOCK_SIZE; i++)
		CHECK_EQUAL(block->data[i], 0);
	cache_free(&cache);
}

/* Keys that differ in one part, and at the ends of its range, are different blocks. */
static void test_keys(void)
{
	static const struct sma_key keys[] = {
		{SMA_NodeDescription, 0, 0},
		{SMA_NodeInfo, 0, 0},
		{SMA_LedInfo, 0, 0},
		{SMA_NodeDescription, 1, 0},
		{SMA_NodeDescription, 254, 0},
		{SMA_NodeDescription, 255, 0},
		{SMA_NodeDescription, 0, 1},
		{SMA_NodeDescription, 0, 1U << 31},
		{SMA_NodeDescription, 0, UINT32_MAX},
		{SMA_NodeInfo, 1, UINT32_MAX},
		{SMA_LedInfo, 255, UINT32_MAX},
	};
	struct cache cache = {0};
	struct block *blocks[UNIT_COUNT(keys)];

	for (size_t i = 0; i < UNIT_COUNT(keys); i++) {
		unit_case("key %zu", i);
		CHECK(cache_find(&cache, &keys[i]) == NULL);
		blocks[i] = cache_add(&cache, NULL, &keys[i]);
	}
	for (size_t i = 0; i < UNIT_COUNT(keys); i++) {
		unit_case("key %zu", i);
		CHECK(cache_find(&cache, &keys[i]) == blocks[i]);
	}
	cache_free(&cache);
}

/* In an order without rule; the padding of a key does not count. */
static void test_many(void)
{
	struct cache cache = {0};

	for (uint32_t i = 0; i < MANY; i++) {
		struct sma_key key = {SMA_LinearForwardingTable, (uint8_t)(i % 7), i * 7919 % MANY};
		struct block *block = cache_add(&cache, NULL, &key);

		block->checked = i;
	}
	for (uint32_t i = 0; i < MANY; i++) {
		union {
			struct sma_key key;
			uint8_t octets[sizeof(struct sma_key)];
		} probe;
		const struct block *block;

		for (size_t j = 0; j < sizeof(probe); j++)
			probe.octets[j] = (uint8_t)rand();
		probe.key.attr = SMA_LinearForwardingTable;
		probe.key.port = (uint8_t)(i % 7);
		probe.key.modifier = i * 7919 % MANY;
		block = cache_find(&cache, &probe.key);
		if (CHECK(block != NULL))
			CHECK_EQUAL(block->checked, i);
		probe.key.port = 7;
		CHECK(cache_find(&cache, &probe.key) == NULL);
	}
	cache_free(&cache);
}

static const struct unit_test tests[] = {
	{"add and find", test_find},
	{"a new block is empty", test_empty_block},
	{"keys are told apart", test_keys},
	{"many blocks", test_many},
};

int main(void)
{
	return UNIT_MAIN("cache", tests);
}
