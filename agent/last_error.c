// SPDX-License-Identifier: BSD-2-Clause
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "agent/clock.h"
#include "agent/last_error.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct last_error last;

void last_error_note(const char *topic, const char *line)
{
	if (strcmp(topic, LAST_ERROR_CONNECT) == 0)
		return;
	pthread_mutex_lock(&lock);
	last.wall_ms = clock_wall_ms();
	snprintf(last.text, sizeof(last.text), "%s: %s", topic, line);
	pthread_mutex_unlock(&lock);
}

void last_error_get(struct last_error *error)
{
	pthread_mutex_lock(&lock);
	*error = last;
	pthread_mutex_unlock(&lock);
}
