/* SPDX-License-Identifier: BSD-2-Clause */
/* The last trouble, which IBSMAD-MIB shows. For any thread. */
#ifndef AGENT_TROUBLE_H
#define AGENT_TROUBLE_H

#include <stdint.h>

struct trouble {
	char text[256];   /* with its topic; what is longer is cut off; "": there was none */
	uint64_t wall_ms; /* since 1970 */
};

/* The topic of lines about the way to a session with the master agent, which are no trouble any more for
 * whoever can ask: at each boot there may be such lines. */
#define TROUBLE_CONNECT "connect"

/* Remember a line of level WARNING or ERROR, with the time of now, unless its topic is TROUBLE_CONNECT. */
void trouble_note(const char *topic, const char *line);

void trouble_last(struct trouble *last);

#endif
