// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "sma/sma.h"

static bool stderr_wants_debug(const char *topic)
{
	(void)topic;
	return false;
}

static void stderr_write(enum sma_level level, const char *topic, const char *line)
{
	(void)level;
	fprintf(stderr, "%s: %s\n", topic, line);
}

static const struct sma_log_sink to_stderr = {.wants_debug = stderr_wants_debug, .write = stderr_write};

static const struct sma_log_sink *current = &to_stderr;

void sma_log_to(const struct sma_log_sink *sink)
{
	current = sink ? sink : &to_stderr;
}

void sma_log(enum sma_level level, const char *topic, const char *format, ...)
{
	char line[1024];
	va_list args;

	if (level == SMA_LOG_DEBUG && !current->wants_debug(topic))
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	current->write(level, topic, line);
}
