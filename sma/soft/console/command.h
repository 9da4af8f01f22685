/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The console of the software SMA: lines of text for what hardware would do by itself, after the manner of
 * ibsim's console. Their grammar is that of node files (sma/soft/text/line.h); CONSOLE in ibsmad(8) lists
 * them.
 */
#ifndef SOFT_CONSOLE_COMMAND_H
#define SOFT_CONSOLE_COMMAND_H

#include <stddef.h>
#include <stdint.h>

#include "sma/soft/responder.h"
#include "sma/soft/soft.h"

/* Every error fits into a reply of this size, all but the largest tables into one of SMA_SOFT_REPLY_SIZE. */
enum { COMMAND_ERROR_SIZE = 512 };

/* Carry out a line, of `length` bytes without its newline. `reply`, of `size` bytes (at least
 * COMMAND_ERROR_SIZE), takes whole lines, each with its newline: what the command prints, then "ok", or else
 * "error: " and a sentence that names what was wrong and what is expected, as those of node files. A line
 * without words is answered with nothing. No M_Key is ever shown.
 *
 * 0, or for an error -EINVAL: the line cannot be understood, or the node has no such port, entry or event;
 * -ENOSPC: the reply had no room for the output, and holds its beginning before the error. A line with an
 * error has changed nothing. */
int command_run(struct responder *responder, const char *line, size_t length, char *reply, size_t size);

#endif
