// SPDX-License-Identifier: BSD-2-Clause
/* Answers that wait for the disk. */
#include <errno.h>
#include <string.h>

#include "sma/soft/held.h"
#include "tests/unit.h"

enum { MAX_SENT = 2 * HELD_COUNT };

/* A wire that notes what it is to send. */
struct wire {
	bool is_blocked;
	unsigned sent[MAX_SENT];
	unsigned to[MAX_SENT];
	unsigned count;
};

static bool send(void *arg, unsigned to, const void *answer)
{
	struct wire *wire = arg;

	if (wire->is_blocked)
		return false;
	if (CHECK(wire->count < MAX_SENT)) {
		memcpy(&wire->sent[wire->count], answer, sizeof(wire->sent[0]));
		wire->to[wire->count++] = to;
	}
	return true;
}

static int add(struct held *held, struct wire *wire, unsigned to, unsigned number)
{
	return held_add(held, send, wire, to, &number, sizeof(number));
}

/* Each waits for its version, and they leave in order. */
static void test_order(void)
{
	static const unsigned order[] = {10, 11, 12, 13, 14};
	static const unsigned to[] = {1, 2, 3, 1, 1};
	struct wire wire = {0};
	struct held held = {0};

	held_release(&held, 5);
	add(&held, &wire, 1, 10);
	held_release(&held, 5);
	CHECK_EQUAL(wire.count, 0); /* nobody has said yet what it waits for */
	add(&held, &wire, 2, 11);
	held_seal(&held, 6);
	add(&held, &wire, 3, 12);
	held_seal(&held, 6);
	add(&held, &wire, 1, 13);
	held_seal(&held, 7);
	held_release(&held, 5);
	CHECK_EQUAL(wire.count, 0);
	held_release(&held, 6);
	CHECK_EQUAL(wire.count, 3);
	add(&held, &wire, 1, 14);
	held_seal(&held, 9);
	held_release(&held, 9);
	CHECK_OCTETS(wire.sent, order, sizeof(order));
	CHECK_OCTETS(wire.to, to, sizeof(to));
	CHECK_EQUAL(held.count, 0);
}

/* What cannot leave now keeps its place, and what is for others does not wait for it. */
static void test_blocked(void)
{
	struct wire blocked = {.is_blocked = true};
	struct wire other = {0};
	struct held held = {0};

	add(&held, &blocked, 0, 1);
	add(&held, &other, 0, 2);
	add(&held, &blocked, 0, 3);
	held_seal(&held, 1);
	held_release(&held, 1);
	CHECK_EQUAL(other.count, 1);
	CHECK_EQUAL(held.count, 2);
	blocked.is_blocked = false;
	held_release(&held, 1);
	CHECK_OCTETS(blocked.sent, ((const unsigned[]){1, 3}), 2 * sizeof(unsigned));
	CHECK_EQUAL(other.count, 1);
}

static void test_forget(void)
{
	struct wire wire = {0};
	struct wire other = {0};
	struct held held = {0};

	add(&held, &wire, 1, 1);
	add(&held, &wire, 2, 2);
	add(&held, &other, 1, 3);
	held_forget(&held, &wire, 1);
	add(&held, &wire, 1, 4); /* of the next one in its place */
	held_seal(&held, 1);
	held_release(&held, 1);
	CHECK_OCTETS(wire.sent, ((const unsigned[]){2, 4}), 2 * sizeof(unsigned));
	CHECK_EQUAL(other.count, 1);
	CHECK_EQUAL(held.count, 0);
}

static void test_full(void)
{
	static const uint8_t large[HELD_SIZE + 1];
	struct wire wire = {0};
	struct held held = {0};

	CHECK_EQUAL(held_add(&held, send, &wire, 0, large, sizeof(large)), -ENOBUFS);
	for (unsigned i = 0; i < HELD_COUNT; i++)
		CHECK_EQUAL(add(&held, &wire, 0, i), 0);
	CHECK_EQUAL(add(&held, &wire, 0, HELD_COUNT), -ENOBUFS);
	held_seal(&held, 1);
	held_release(&held, 1);
	CHECK_EQUAL(wire.count, HELD_COUNT);
	CHECK_EQUAL(wire.sent[HELD_COUNT - 1], HELD_COUNT - 1);
	CHECK_EQUAL(add(&held, &wire, 0, 0), 0);
}

static const struct unit_test tests[] = {
	{"order, and what each waits for", test_order},
	{"somebody who takes none", test_blocked},
	{"somebody who is gone", test_forget},
	{"as many as can be", test_full},
};

int main(void)
{
	return UNIT_MAIN("held", tests);
}
