/* SPDX-License-Identifier: BSD-2-Clause */
/* The last warning or error, which IBSMAD-MIB shows. For any thread. */
#ifndef AGENT_LAST_ERROR_H
#define AGENT_LAST_ERROR_H

#include <stdint.h>

struct last_error {
	char text[256];   /* with its topic; what is longer is cut off; "": there was none */
	uint64_t wall_ms; /* since 1970 */
};

/* The topic of lines about the way to a session with the master agent, which are no errors any more for
 * whoever can ask: at each boot there may be such lines. */
#define LAST_ERROR_CONNECT "connect"

/* Remember a line of level WARNING or ERROR, with the time of now, unless its topic is LAST_ERROR_CONNECT. */
void last_error_note(const char *topic, const char *line);

void last_error_get(struct last_error *error);

#endif
