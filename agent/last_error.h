/* SPDX-License-Identifier: BSD-2-Clause */
/* The last warning or error, which IBSMAD-MIB shows. For any thread. */
#ifndef AGENT_LAST_ERROR_H
#define AGENT_LAST_ERROR_H

#include <stdint.h>

struct last_error {
	char text[256];   /* with its topic, perhaps cut short; "": there was none */
	uint64_t wall_ms; /* since 1970 */
};

/* The topic of messages about connecting to the master agent, which are no error any more for whoever can
 * read this: each boot may log some. */
#define LAST_ERROR_CONNECT "connect"

/* Remember a message of level WARNING or ERROR and the time, unless its topic is LAST_ERROR_CONNECT. */
void last_error_note(const char *topic, const char *line);

/* Copy the last one. */
void last_error_get(struct last_error *error);

#endif
