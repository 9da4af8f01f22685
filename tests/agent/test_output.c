// SPDX-License-Identifier: BSD-2-Clause
/* Lines for places that block, that fail, and that are opened again. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "agent/output.h"
#include "tests/unit.h"

enum { PATIENCE_MS = 60000, LIMIT = 4000, ENTRY = 64 /* more than what one short line takes */ };

/* A place in memory, which a test blocks and lets go on, and lets fail. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool blocked;
	bool waits;   /* a write is blocked */
	int error;    /* what writing returns */
	int priority; /* of the last write */
	char text[200000];
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static int write_memory(void *arg, int priority, const char *lines)
{
	int rc;

	(void)arg;
	pthread_mutex_lock(&memory.lock);
	memory.waits = memory.blocked;
	pthread_cond_broadcast(&memory.changed);
	while (memory.blocked)
		pthread_cond_wait(&memory.changed, &memory.lock);
	memory.waits = false;
	rc = memory.error;
	memory.priority = priority;
	if (rc == 0)
		strcat(memory.text, lines);
	pthread_mutex_unlock(&memory.lock);
	return rc;
}

static void reopen_memory(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&memory.lock);
	strcat(memory.text, "opened again\n");
	memory.error = 0;
	pthread_mutex_unlock(&memory.lock);
}

static void set_blocked(bool blocked)
{
	pthread_mutex_lock(&memory.lock);
	memory.blocked = blocked;
	pthread_cond_broadcast(&memory.changed);
	pthread_mutex_unlock(&memory.lock);
}

static void set_error(int error)
{
	pthread_mutex_lock(&memory.lock);
	memory.error = error;
	pthread_mutex_unlock(&memory.lock);
}

static void wait_for_write(void)
{
	pthread_mutex_lock(&memory.lock);
	while (!memory.waits)
		pthread_cond_wait(&memory.changed, &memory.lock);
	pthread_mutex_unlock(&memory.lock);
}

/* An output lasts as long as the process; here they are found when it ends. */
static struct output *outputs[32];
static unsigned output_count;

static struct output *begin(bool start)
{
	static const struct output_place place = {
		.write = write_memory, .reopen = reopen_memory, .mark = "- "};
	struct output *output = output_new(&place, LIMIT);

	if (CHECK(output_count < UNIT_COUNT(outputs)))
		outputs[output_count++] = output;
	memory.text[0] = '\0';
	if (start)
		CHECK_EQUAL(output_start(output), 0);
	return output;
}

/* An output whose thread hangs at its first line. */
static struct output *begin_blocked(void)
{
	struct output *output = begin(true);

	set_blocked(true);
	output_put(output, 6, "first\n");
	wait_for_write();
	return output;
}

static bool finish(struct output *output)
{
	set_blocked(false);
	return output_finish(output, PATIENCE_MS);
}

static void put_numbers(struct output *output, unsigned first, unsigned count)
{
	char line[16];

	for (unsigned i = first; i < first + count; i++) {
		snprintf(line, sizeof(line), "%u\n", i);
		output_put(output, 6, line);
	}
}

static void test_without_thread(void)
{
	struct output *output = begin(false);

	output_put(output, 3, "one\n");
	CHECK_EQUAL(memory.priority, 3);
	output_put(output, 6, "two\nthree\n");
	CHECK_TEXT(memory.text, "one\ntwo\nthree\n");
	set_error(-ENOSPC);
	output_put(output, 6, "four\nfive\n");
	set_error(0);
	output_put(output, 6, "six\n");
	CHECK_TEXT(memory.text,
	           "one\ntwo\nthree\n- 2 lines are missing here: No space left on device\nsix\n");
	CHECK(output_finish(output, 0));
}

static void test_order(void)
{
	struct output *output = begin(true);
	const char *p;
	unsigned number = 0;

	for (unsigned round = 0; round < 20; round++) {
		put_numbers(output, round * 20, 20);
		CHECK(output_finish(output, PATIENCE_MS));
	}
	for (p = memory.text; (p = strchr(p, '\n')) != NULL; p++)
		number++;
	CHECK_EQUAL(number, 400);
	CHECK(strncmp(memory.text, "0\n1\n2\n", 6) == 0 && strstr(memory.text, "\n398\n399\n"));
}

/* Whoever logs does not wait. What has room comes, and one line says how many had none. */
static void test_blocked(void)
{
	struct output *output = begin_blocked();
	unsigned kept = 0, missing = 0;
	char last[64];
	const char *p;

	put_numbers(output, 1, 1000);
	output_put(output, 6, "a\nb\n");
	CHECK(!output_finish(output, 1));
	CHECK(finish(output));
	put_numbers(output, 2000, 1);
	CHECK(finish(output));
	for (p = memory.text; (p = strchr(p, '\n')) != NULL; p++)
		kept++;
	kept -= 3; /* the first one, the one that says so, and the last one */
	CHECK(kept >= LIMIT / ENTRY && kept < 1000);
	p = strstr(memory.text, "- ");
	if (!CHECK(p != NULL))
		return;
	CHECK_EQUAL(sscanf(p, "- %u lines are missing here: this output was blocked\n2000\n", &missing), 1);
	CHECK_EQUAL(kept + missing, 1002);
	snprintf(last, sizeof(last), "\n%u\n- ", kept);
	CHECK(strstr(memory.text, last) != NULL); /* in order up to the place where lines are missing */
}

/* Lines come again as soon as it goes on, and are counted from 0 the next time. */
static void test_blocked_again(void)
{
	struct output *output = begin_blocked();
	char large[LIMIT];

	memset(large, 'x', sizeof(large));
	memcpy(large + sizeof(large) - 2, "\n", 2);
	output_put(output, 6, large);
	output_put(output, 6, "small\n"); /* there would be room, but not in its place */
	CHECK(finish(output));
	CHECK_TEXT(memory.text, "first\n- 2 lines are missing here: this output was blocked\n");
	set_blocked(true);
	output_put(output, 6, "second\n");
	wait_for_write();
	output_put(output, 6, large);
	CHECK(finish(output));
	CHECK_TEXT(memory.text, "first\n- 2 lines are missing here: this output was blocked\n"
	                        "second\n- 1 line is missing here: this output was blocked\n");
}

/* A line over the limit is written where nothing else waits. */
static void test_large(void)
{
	struct output *output = begin(true);
	char large[LIMIT + 1];

	memset(large, 'x', sizeof(large));
	memcpy(large + sizeof(large) - 2, "\n", 2);
	output_put(output, 6, large);
	CHECK(finish(output));
	CHECK_TEXT(memory.text, large);
}

/* The error of the last line that was not written is reported before the next one that is. */
static void test_errors(void)
{
	struct output *output = begin(true);

	set_error(-ENOSPC);
	put_numbers(output, 1, 3);
	CHECK(finish(output));
	set_error(-EFBIG);
	put_numbers(output, 4, 1);
	CHECK(finish(output));
	set_error(0);
	put_numbers(output, 5, 1);
	CHECK(finish(output));
	CHECK_TEXT(memory.text, "- 4 lines are missing here: File too large\n5\n");
	CHECK_EQUAL(memory.priority, 6);
}

/* What could not be reported while the place failed is reported with the rest. */
static void test_blocked_and_failing(void)
{
	struct output *output = begin_blocked();
	unsigned missing = 0;

	put_numbers(output, 1, 1000);
	set_error(-EIO);
	CHECK(finish(output));
	CHECK_TEXT(memory.text, "");
	set_error(0);
	put_numbers(output, 1001, 1);
	CHECK(finish(output));
	CHECK_EQUAL(sscanf(memory.text, "- %u lines are missing here: Input/output error\n1001\n", &missing),
	            1);
	CHECK_EQUAL(missing, 1001);
}

static void test_reopen(void)
{
	struct output *output = begin_blocked();

	output_put(output, 6, "old\n");
	output_reopen(output);
	output_put(output, 6, "new\n");
	CHECK(finish(output));
	CHECK_TEXT(memory.text, "first\nold\nopened again\nnew\n");
}

/* It reports at once what is missing: nobody may have another line to write. */
static void test_reopen_failing(void)
{
	struct output *output = begin(true);

	set_error(-EFBIG);
	put_numbers(output, 1, 2);
	output_reopen(output);
	CHECK(finish(output));
	CHECK_TEXT(memory.text, "opened again\n- 2 lines are missing here: File too large\n");
}

/* However full it is. */
static void test_reopen_full(void)
{
	struct output *output = begin_blocked();

	put_numbers(output, 1, 1000);
	output_reopen(output);
	CHECK(finish(output));
	CHECK(strstr(memory.text, "\nopened again\n") != NULL);
}

static const struct unit_test tests[] = {
	{"each line at once without a thread", test_without_thread},
	{"lines in order", test_order},
	{"a place that blocks", test_blocked},
	{"a place that blocks again", test_blocked_again},
	{"a line that is larger than what may wait", test_large},
	{"a place that fails", test_errors},
	{"a place that blocks, then fails", test_blocked_and_failing},
	{"a place that is opened again", test_reopen},
	{"a place that failed and is opened again", test_reopen_failing},
	{"a full place that is opened again", test_reopen_full},
};

int main(void)
{
	return UNIT_MAIN("output", tests);
}
