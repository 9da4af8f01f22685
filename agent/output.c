// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>

#include "agent/output.h"
#include "sma/thread.h"

struct entry {
	struct entry *next;
	int priority;
	bool reopens; /* without lines */
	char lines[];
};

struct output {
	struct output_place place;
	size_t limit;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t work;  /* something waits */
	pthread_cond_t idle;  /* nothing waits any more */
	struct entry *first;
	struct entry *last;
	size_t amount; /* bytes that wait or are being written */
	bool has_thread;
	bool busy;          /* it is writing */
	unsigned long over; /* lines that found no room, behind all that wait */
	/* of the thread */
	unsigned long lost; /* lines that were not written */
	int error;          /* why, as -errno */
};

static size_t size_of(const struct entry *entry)
{
	return sizeof(*entry) + strlen(entry->lines) + 1;
}

static unsigned long count_lines(const char *lines)
{
	unsigned long count = 0;

	for (const char *p = lines; (p = strchr(p, '\n')) != NULL; p++)
		count++;
	return count;
}

/* ---- writing ---- */

static int write_missing(const struct output *output, unsigned long count, const char *why)
{
	char line[160];

	snprintf(line, sizeof(line), "%s%lu %s missing here: %s\n", output->place.mark, count,
	         count == 1 ? "line is" : "lines are", why);
	return output->place.write(output->place.arg, LOG_WARNING, line);
}

/* Report what was lost before anything else is written. -errno: nothing can be written yet. */
static int write_lost(struct output *output)
{
	int rc = output->lost ? write_missing(output, output->lost, strerror(-output->error)) : 0;

	if (rc == 0)
		output->lost = 0;
	return rc;
}

static void write_lines(struct output *output, int priority, const char *lines)
{
	int rc = write_lost(output);

	if (rc == 0)
		rc = output->place.write(output->place.arg, priority, lines);
	if (rc == 0)
		return;
	output->lost += count_lines(lines);
	output->error = rc;
}

static void write_entry(struct output *output, const struct entry *entry)
{
	if (!entry->reopens) {
		write_lines(output, entry->priority, entry->lines);
		return;
	}
	output->place.reopen(output->place.arg);
	write_lost(output);
}

/* ---- the thread ---- */

/* The first of what waits; NULL: nothing waits but the count of lines that found no room. */
static struct entry *take_first(struct output *output, unsigned long *over)
{
	struct entry *entry = output->first;

	*over = 0;
	if (entry) {
		output->first = entry->next;
		return entry;
	}
	*over = output->over;
	output->over = 0;
	return NULL;
}

static void wait_for_work(struct output *output)
{
	output->busy = false;
	while (!output->first && !output->over) {
		pthread_cond_broadcast(&output->idle);
		pthread_cond_wait(&output->work, &output->lock);
	}
	output->busy = true;
}

static void *write_all(void *arg)
{
	struct output *output = arg;

	pthread_mutex_lock(&output->lock);
	for (;;) {
		unsigned long over;
		struct entry *entry;

		wait_for_work(output);
		entry = take_first(output, &over);
		pthread_mutex_unlock(&output->lock);
		if (entry)
			write_entry(output, entry);
		else if (write_lost(output) < 0 || write_missing(output, over, "this output was blocked") < 0)
			output->lost += over;
		pthread_mutex_lock(&output->lock);
		if (entry)
			output->amount -= size_of(entry);
		free(entry);
	}
	return NULL;
}

/* ---- for its users ---- */

/* Time limits are by a clock that nobody sets. */
static void init_locks(struct output *output)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_mutex_init(&output->lock, NULL);
	pthread_cond_init(&output->work, NULL);
	pthread_cond_init(&output->idle, &attributes);
	pthread_condattr_destroy(&attributes);
}

struct output *output_new(const struct output_place *place, size_t limit)
{
	struct output *output = calloc(1, sizeof(*output));

	if (!output)
		return NULL;
	output->place = *place;
	output->limit = limit;
	init_locks(output);
	return output;
}

int output_start(struct output *output)
{
	pthread_t thread;
	int rc;

	pthread_mutex_lock(&output->lock);
	rc = sma_thread_start(&thread, write_all, output);
	output->has_thread = rc == 0;
	pthread_mutex_unlock(&output->lock);
	if (rc == 0)
		pthread_detach(thread);
	return rc;
}

static void append(struct output *output, struct entry *entry)
{
	if (output->first)
		output->last->next = entry;
	else
		output->first = entry;
	output->last = entry;
	output->amount += size_of(entry);
	pthread_cond_signal(&output->work);
}

/* NULL: out of memory. */
static struct entry *new_entry(int priority, const char *lines)
{
	size_t length = strlen(lines);
	struct entry *entry = calloc(1, sizeof(*entry) + length + 1);

	if (entry) {
		entry->priority = priority;
		memcpy(entry->lines, lines, length + 1);
	}
	return entry;
}

/* Once lines are missing, so are all that follow until nothing waits: they are missing in one place. */
static void enqueue(struct output *output, int priority, const char *lines)
{
	struct entry *entry = output->over ? NULL : new_entry(priority, lines);

	if (entry && (output->amount == 0 || output->amount + size_of(entry) <= output->limit)) {
		append(output, entry);
		return;
	}
	free(entry);
	output->over += count_lines(lines);
	pthread_cond_signal(&output->work);
}

void output_put(struct output *output, int priority, const char *lines)
{
	pthread_mutex_lock(&output->lock);
	if (output->has_thread)
		enqueue(output, priority, lines);
	else
		write_lines(output, priority, lines);
	pthread_mutex_unlock(&output->lock);
}

void output_reopen(struct output *output)
{
	struct entry *entry = output->place.reopen ? new_entry(0, "") : NULL;

	if (!entry)
		return;
	entry->reopens = true;
	pthread_mutex_lock(&output->lock);
	append(output, entry);
	pthread_mutex_unlock(&output->lock);
}

static struct timespec after(unsigned ms)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_sec += ms / 1000;
	time.tv_nsec += ms % 1000 * 1000000L;
	if (time.tv_nsec >= 1000000000L) {
		time.tv_sec++;
		time.tv_nsec -= 1000000000L;
	}
	return time;
}

static bool is_idle(const struct output *output)
{
	return !output->first && !output->over && !output->busy;
}

bool output_finish(struct output *output, unsigned limit_ms)
{
	const struct timespec until = after(limit_ms);
	bool idle;
	int rc = 0;

	pthread_mutex_lock(&output->lock);
	while (!is_idle(output) && rc == 0)
		rc = pthread_cond_timedwait(&output->idle, &output->lock, &until);
	idle = is_idle(output);
	pthread_mutex_unlock(&output->lock);
	return idle;
}
