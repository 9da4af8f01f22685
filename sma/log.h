/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SMA_LOG_H
#define SMA_LOG_H

#include <stdbool.h>

enum sma_level { SMA_LOG_ERROR, SMA_LOG_WARNING, SMA_LOG_NOTICE, SMA_LOG_INFO, SMA_LOG_DEBUG };

/* Where log lines go. `wants_debug` says whether debug lines of a topic are wanted; `write` gets a line
 * without its newline and without control characters. Both are called from the thread that logs. */
struct sma_log_sink {
	bool (*wants_debug)(const char *topic);
	void (*write)(enum sma_level level, const char *topic, const char *line);
};

/* Send all further log lines to `sink`, which must outlive its use; NULL restores the default: everything
 * but debug lines to standard error. */
void sma_log_to(const struct sma_log_sink *sink);

/* Log one line about `topic`, printf-like, at most 1023 bytes. Control characters in it are replaced. */
void sma_log(enum sma_level level, const char *topic, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Replace each byte of `text` that a terminal may take for a command by a question mark: control characters
 * (C0 with tab and newline, DEL, C1 as one byte and in UTF-8) and whatever else is not a character of UTF-8.
 * To be used for all that comes from outside and is shown to people. */
void sma_make_printable(char *text);

#endif
