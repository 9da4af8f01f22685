// SPDX-License-Identifier: BSD-2-Clause
/* Standard input as the console of the software SMA. */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/console.h"
#include "agent/loop.h"
#include "agent/output.h"
#include "agent/stream.h"
#include "sma/soft/soft.h"

enum {
	REPLIES_LIMIT = 1024 * 1024, /* bytes that nobody has read */
	FINISH_MS = 300,
};

static struct {
	struct sma_soft *soft;
	struct output *output;
	struct stream output_stream;
	char line[SMA_SOFT_LINE_SIZE]; /* what has been read of a line */
	size_t length;                 /* the size of `line`: the line is too long, and its rest is dropped */
	bool ended;
	char reply[SMA_SOFT_REPLY_SIZE];
} console;

/* That nobody reads the replies any more is no reason to end. */
static int write_reply(void *arg, int priority, const char *lines)
{
	(void)priority;
	return stream_write(arg, lines);
}

static const struct output_place replies = {
	.write = write_reply, .arg = &console.output_stream, .mark = "# "};

static void end_line(void)
{
	sma_soft_command(console.soft, console.line, console.length, console.reply, sizeof(console.reply));
	console.length = 0;
	output_put(console.output, 0, console.reply);
}

/* Whether a read would not block. O_NONBLOCK will not do, for other processes share the terminal. */
static bool is_readable(void)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&input, 1, 0) > 0;
}

/* One read in a round; what is left keeps the descriptor readable. The effects of a command are for the next
 * round, which is due at once. */
static uint64_t work(void *arg, uint64_t now)
{
	char bytes[SMA_SOFT_LINE_SIZE];
	ssize_t got;

	(void)arg;
	if (console.ended || !is_readable())
		return UINT64_MAX;
	got = read(STDIN_FILENO, bytes, sizeof(bytes));
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return UINT64_MAX;
	for (ssize_t i = 0; i < got; i++) {
		if (bytes[i] == '\n')
			end_line();
		else if (console.length < sizeof(console.line))
			console.line[console.length++] = bytes[i];
	}
	if (got <= 0) {
		if (console.length) /* a last line without a newline */
			end_line();
		console.ended = true;
		loop_forget_fd(STDIN_FILENO);
	}
	return now;
}

int console_start(struct sma_soft *soft)
{
	int rc;

	console.soft = soft;
	console.output_stream.fd = STDOUT_FILENO;
	console.output = output_new(&replies, REPLIES_LIMIT);
	if (!console.output)
		return -ENOMEM;
	rc = output_start(console.output);
	return rc < 0 ? rc : loop_add(STDIN_FILENO, work, NULL);
}

void console_finish(void)
{
	if (console.output)
		output_finish(console.output, FINISH_MS);
}
