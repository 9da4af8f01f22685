// SPDX-License-Identifier: BSD-2-Clause
/* The queue of notices that wait for snmpd. */
#include "agent/queue.h"
#include "tests/unit.h"

static bool put_trap(struct queue *queue, unsigned trap, unsigned serial)
{
	struct sma_notice notice = {.when = serial, .data[SMA_BLOCK_SIZE - 1] = (uint8_t)serial};

	notice.data[4] = (uint8_t)(trap >> 8);
	notice.data[5] = (uint8_t)trap;
	return queue_put(queue, &notice);
}

static bool put(struct queue *queue, unsigned serial)
{
	return put_trap(queue, SMA_TRAP_BAD_P_KEY, serial);
}

/* Take out the oldest, which should be the notice `serial`. */
static void check_head(struct queue *queue, unsigned serial)
{
	const struct sma_notice *head = queue_head(queue);

	unit_case("notice %u", serial);
	if (CHECK(head != NULL)) {
		CHECK_EQUAL(head->when, serial);
		CHECK_EQUAL(head->data[SMA_BLOCK_SIZE - 1], (uint8_t)serial);
	}
	queue_drop(queue);
}

static void test_empty(void)
{
	struct queue *queue = queue_new(3);

	CHECK(queue_head(queue) == NULL);
	CHECK_EQUAL(queue_length(queue), 0);
	queue_drop(queue);
	CHECK_EQUAL(queue_length(queue), 0);
	CHECK(!put(queue, 7));
	CHECK_EQUAL(queue_length(queue), 1);
	check_head(queue, 7);
	CHECK(queue_head(queue) == NULL);
	queue_free(queue);
	queue_free(NULL);
}

/* First in, first out, wherever in the ring the oldest stands. */
static void test_order(void)
{
	struct queue *queue = queue_new(4);
	unsigned in = 0;
	unsigned out = 0;

	for (unsigned round = 0; round < 25; round++) {
		while (queue_length(queue) < 4)
			CHECK(!put(queue, in++));
		for (unsigned i = 0; i < 3; i++)
			check_head(queue, out++);
	}
	CHECK_EQUAL(queue_length(queue), 1);
	check_head(queue, out);
	queue_free(queue);
}

static void test_overflow(void)
{
	enum { SIZE = 5, PUT = 23 };
	struct queue *queue = queue_new(SIZE);

	for (unsigned i = 0; i < PUT; i++) {
		CHECK_EQUAL(put(queue, i), i >= SIZE);
		CHECK_EQUAL(queue_length(queue), i < SIZE ? i + 1 : SIZE);
	}
	for (unsigned i = PUT - SIZE; i < PUT; i++)
		check_head(queue, i);
	CHECK_EQUAL(queue_length(queue), 0);
	queue_free(queue);
}

static void test_one(void)
{
	struct queue *queue = queue_new(1);

	CHECK(!put(queue, 1));
	CHECK(put(queue, 2));
	CHECK(put(queue, 3));
	check_head(queue, 3);
	CHECK(!put(queue, 4));
	check_head(queue, 4);
	queue_free(queue);
}

/* The head is stable while it is being sent. */
static void test_head_stays(void)
{
	struct queue *queue = queue_new(2);

	put(queue, 1);
	put(queue, 2);
	CHECK(queue_head(queue) == queue_head(queue));
	CHECK_EQUAL(queue_length(queue), 2);
	check_head(queue, 1);
	check_head(queue, 2);
	queue_free(queue);
}

/* States and all others have places of their own, and one order. */
static void test_kinds(void)
{
	static const unsigned states[] = {128, 144, 145};
	enum { SIZE = 3, EVENTS = 10 };
	struct queue *queue = queue_new(SIZE);

	CHECK_EQUAL(queue_size(queue), SIZE);
	for (unsigned i = 0; i < SIZE; i++) {
		CHECK(!put_trap(queue, states[i], 100 + i));
		for (unsigned j = 0; j < EVENTS; j++)
			CHECK_EQUAL(put(queue, i * EVENTS + j), i * EVENTS + j >= SIZE);
	}
	CHECK_EQUAL(queue_length(queue), 2 * SIZE);
	for (unsigned i = 0; i < SIZE; i++)
		check_head(queue, 100 + i);
	for (unsigned i = SIZE; i > 0; i--)
		check_head(queue, SIZE * EVENTS - i);
	CHECK(queue_head(queue) == NULL);
	put(queue, 1);
	put_trap(queue, 144, 2);
	put(queue, 3);
	put_trap(queue, 128, 4);
	for (unsigned i = 1; i <= 4; i++)
		check_head(queue, i);
	for (unsigned i = 0; i <= SIZE; i++)
		CHECK_EQUAL(put_trap(queue, states[i % SIZE], i), i == SIZE);
	check_head(queue, 1);
	queue_free(queue);
}

static const struct unit_test tests[] = {
	{"empty", test_empty},
	{"order", test_order},
	{"the oldest gives way", test_overflow},
	{"a queue of one", test_one},
	{"states and others", test_kinds},
	{"looking at the head takes nothing", test_head_stays},
};

int main(void)
{
	return UNIT_MAIN("queue", tests);
}
