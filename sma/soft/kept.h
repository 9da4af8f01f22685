/* SPDX-License-Identifier: BSD-2-Clause */
/* What a node keeps across restarts: its NVRAM, and the answers that wait until it is on the disk. */
#ifndef SOFT_KEPT_H
#define SOFT_KEPT_H

#include "sma/soft/file/nvram.h"
#include "sma/soft/held.h"

struct kept {
	struct nvram nvram;
	struct held held;
};

/* Put what FILE.nvram holds into a state that has just been read from the node file FILE. A damaged one is
 * set aside and logged. On another failure there is nothing to be closed; `error`, of at least
 * NVRAM_ERROR_SIZE bytes, says what it was. */
int kept_open(struct kept *kept, const char *file, struct soft_state *state, char *error, size_t size);

/* A descriptor that is readable while kept_process has something to do. */
int kept_fd(const struct kept *kept);

/* Write what has changed, clear `changed` of the state, and send answers whose time has come. Returns when to
 * be called again, UINT64_MAX for never. */
uint64_t kept_process(struct kept *kept, struct soft_state *state, uint64_t now);

/* Write what was set last, too, answer it, and free. */
void kept_close(struct kept *kept, struct soft_state *state, uint64_t now);

#endif
