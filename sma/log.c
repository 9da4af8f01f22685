// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>

#include "sma/log.h"

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
	sma_make_printable(line);
	current->write(level, topic, line);
}

/* The sequences of bytes that are characters (RFC 3629, section 4), but for C0, DEL and C1. */
static const struct character {
	unsigned char first_low, first_high;
	unsigned char length;
	unsigned char second_low, second_high;
} characters[] = {
	{' ', '~', 1, 0, 0},         {0xC2, 0xC2, 2, 0xA0, 0xBF}, /* lower ones are C1 */
	{0xC3, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF}, {0xE1, 0xEC, 3, 0x80, 0xBF},
	{0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF}, {0xF0, 0xF0, 4, 0x90, 0xBF},
	{0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

static bool is_character(const struct character *row, const unsigned char *p)
{
	if (p[0] < row->first_low || p[0] > row->first_high)
		return false;
	if (row->length > 1 && (p[1] < row->second_low || p[1] > row->second_high))
		return false;
	for (unsigned i = 2; i < row->length; i++) {
		if (p[i] < 0x80 || p[i] > 0xBF)
			return false;
	}
	return true;
}

/* The length of the printable character at `p`; 0: there is none. */
static unsigned character_length(const unsigned char *p)
{
	for (unsigned i = 0; i < sizeof(characters) / sizeof(characters[0]); i++) {
		if (is_character(&characters[i], p))
			return characters[i].length;
	}
	return 0;
}

void sma_make_printable(char *text)
{
	while (*text) {
		unsigned length = character_length((const unsigned char *)text);

		if (length == 0)
			*text = '?';
		text += length ? length : 1;
	}
}
