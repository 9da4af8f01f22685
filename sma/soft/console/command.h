/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The console of the software SMA: lines of text for what hardware would do by itself, after the manner of
 * ibsim's console.
 *
 *   link PORT up|down               a cable comes or goes; 128 at a switch
 *   integrity PORT                  the threshold of local link errors is reached: 129
 *   overrun PORT                    the threshold of buffer overruns is reached: 130
 *   flowcontrol PORT                the flow control watchdog expires, at a switch: 131
 *   badpkey [KEY=VALUE ...]         a packet with a wrong P_Key: 257, at a data port of a switch 259
 *   badqkey [KEY=VALUE ...]         a packet with a wrong Q_Key: 258
 *   description "TEXT"              NodeDescription becomes TEXT, of at most 64 bytes: 144
 *   systemguid GUID                 SystemImageGUID changes: 145
 *   capability PORT NAME on|off     a bit of CapabilityMask of an end port, named as IBA names it: 144
 *   diag PORT CODE                  DiagCode becomes CODE
 *   led PORT on|off                 the LED of an end port
 *   show [node|switch|port N|pkeys N|lft [LID]|traps|counters]
 *   help
 *
 * Words count in any case of their letters and in full; the grammar is that of node files
 * (sma/soft/text/line.h). The keys of badpkey and badqkey, in any order, and what stands where one is left
 * out: port (the first end port), key (1), lid1 and lid2 (the port's LID), sl (0), qp1 and qp2 (1), gid1 and
 * gid2 (GID 0 of the port; IPv6 notation). A packet at a data port of a switch has by default the addresses
 * of port 0, and its trap needs IsPKeySwitchExternalPortTrapSupported.
 */
#ifndef SOFT_CONSOLE_COMMAND_H
#define SOFT_CONSOLE_COMMAND_H

#include <stddef.h>
#include <stdint.h>

#include "sma/soft/responder.h"

enum {
	COMMAND_LINE_SIZE = 1024,   /* the longest line, its final 0 included */
	COMMAND_ERROR_SIZE = 512,   /* every error fits into a reply of this size */
	COMMAND_REPLY_SIZE = 65536, /* and all but the largest tables into one of this size */
};

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
