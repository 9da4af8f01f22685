/* SPDX-License-Identifier: BSD-2-Clause */
/* A descriptor that lines are written to. */
#ifndef AGENT_STREAM_H
#define AGENT_STREAM_H

#include <stdbool.h>
#include <stddef.h>

struct stream {
	int fd;
	bool cut; /* the last line was not written to its end */
};

/* Write all of `text`, which ends a line, however long it takes; also where another process has made the
 * descriptor non-blocking. The rest of a line that was cut by an error is left out: the next one begins anew.
 * 0, or -errno: not all of it was written. */
int stream_write(struct stream *stream, const char *text);

/* Open a file to append to, made if it is missing. -errno: the stream stays as it was. */
int stream_reopen(struct stream *stream, const char *path);

#endif
