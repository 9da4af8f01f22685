// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "sma/log.h"
#include "tests/logged.h"

enum { MAX_LINES = 4096 };

static struct {
	enum sma_level level;
	char text[256];
} lines[MAX_LINES];

static unsigned count;
static bool debug_wanted;

static bool wants_debug(const char *topic)
{
	(void)topic;
	return debug_wanted;
}

static void write_line(enum sma_level level, const char *topic, const char *line)
{
	if (count == MAX_LINES)
		return;
	lines[count].level = level;
	snprintf(lines[count].text, sizeof(lines[count].text), "%s: %s", topic, line);
	count++;
}

void logged_start(bool debug)
{
	static const struct sma_log_sink sink = {.wants_debug = wants_debug, .write = write_line};

	count = 0;
	debug_wanted = debug;
	sma_log_to(&sink);
}

void logged_stop(void)
{
	sma_log_to(NULL);
}

unsigned logged_level(enum sma_level level)
{
	unsigned found = 0;

	for (unsigned i = 0; i < count; i++)
		found += lines[i].level == level;
	return found;
}

unsigned logged_with(const char *text)
{
	unsigned found = 0;

	for (unsigned i = 0; i < count; i++)
		found += strstr(lines[i].text, text) != NULL;
	return found;
}
