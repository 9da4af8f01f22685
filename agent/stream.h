/* SPDX-License-Identifier: BSD-2-Clause */
/* A descriptor to which lines are written. */
#ifndef AGENT_STREAM_H
#define AGENT_STREAM_H

#include <stdbool.h>

struct stream {
	int fd;
	bool cut; /* the last line was not written to its end */
};

/* Write all of `text`, which ends with a newline, however long it takes; also where another process has made
 * the descriptor non-blocking. After an error the rest is dropped, and the next text starts on a line of its
 * own. 0, or -errno: not all of it was written. */
int stream_write(struct stream *stream, const char *text);

/* Append to the file at `path` from now on, which is created if it is missing. -errno: the stream stays as it
 * was. */
int stream_reopen(struct stream *stream, const char *path);

#endif
