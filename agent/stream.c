// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/stream.h"

/* Whether to try again, perhaps after a wait for room. */
static bool may_retry(const struct stream *stream)
{
	struct pollfd room = {.fd = stream->fd, .events = POLLOUT};

	if (errno == EAGAIN)
		return poll(&room, 1, -1) > 0 || errno == EINTR;
	return errno == EINTR;
}

static int write_all(struct stream *stream, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(stream->fd, bytes, length);

		if (written == 0)
			return -EIO;
		if (written < 0 && !may_retry(stream))
			return -errno;
		if (written < 0)
			continue;
		bytes += written;
		length -= (size_t)written;
		stream->cut = bytes[-1] != '\n';
	}
	return 0;
}

int stream_write(struct stream *stream, const char *text)
{
	int rc = stream->cut ? write_all(stream, "\n", 1) : 0;

	return rc < 0 ? rc : write_all(stream, text, strlen(text));
}

int stream_reopen(struct stream *stream, const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_CLOEXEC, 0666);

	if (fd < 0)
		return -errno;
	close(stream->fd);
	stream->fd = fd;
	stream->cut = false;
	return 0;
}
