// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "agent/config_message.h"
#include "sma/log.h"

enum { KEY_DIGITS = 9, SHOWN = 200 };

/* Whether this may be a key, or hold one: so many hexadecimal digits in a row. */
static bool may_hold_key(const char *value)
{
	unsigned run = 0;

	for (; *value && run < KEY_DIGITS; value++)
		run = isxdigit((unsigned char)*value) ? run + 1 : 0;
	return run == KEY_DIGITS;
}

void config_message_value(const struct configfile_line *line, const char *value, const char *expected)
{
	sma_log(SMA_LOG_ERROR, "config", "%s: line %u: %s%s%.*s: expected %s", line->file, line->number,
	        line->token, *value ? " " : "", SHOWN, may_hold_key(value) ? "..." : value, expected);
}

void config_message_blank(const struct configfile_line *line, unsigned length)
{
	sma_log(SMA_LOG_ERROR, "config",
	        "%s: line %u: %.*s...: expected a blank between a token and its value", line->file,
	        line->number, (int)length, line->token);
}

/* How much of a word may be shown: letters, but none behind "key", and not if all are hexadecimal digits. */
static size_t shown_length(const char *word)
{
	const char *key = strcasestr(word, "key");
	bool digits_only = true;
	size_t length = 0;

	for (; isalpha((unsigned char)word[length]) && (!key || word + length < key + strlen("key"));
	     length++)
		digits_only = digits_only && isxdigit((unsigned char)word[length]);
	return digits_only ? 0 : length;
}

void config_message_unknown(const struct configfile_line *line)
{
	size_t length = shown_length(line->token);

	sma_log(SMA_LOG_WARNING, "config", "%s: line %u: unknown token: %.*s%s", line->file, line->number,
	        (int)length, line->token, line->token[length] ? "..." : "");
}
