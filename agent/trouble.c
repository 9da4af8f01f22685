// SPDX-License-Identifier: BSD-2-Clause
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "agent/clock.h"
#include "agent/trouble.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct trouble trouble;

void trouble_note(const char *topic, const char *line)
{
	if (strcmp(topic, TROUBLE_CONNECT) == 0)
		return;
	pthread_mutex_lock(&lock);
	trouble.wall_ms = clock_wall_ms();
	snprintf(trouble.text, sizeof(trouble.text), "%s: %s", topic, line);
	pthread_mutex_unlock(&lock);
}

void trouble_last(struct trouble *last)
{
	pthread_mutex_lock(&lock);
	*last = trouble;
	pthread_mutex_unlock(&lock);
}
