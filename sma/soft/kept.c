// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/log.h"
#include "sma/soft/kept.h"

enum { KEPT_ATTRS = 1 << SMA_PortInfo | 1 << SMA_P_KeyTable /* NVRAM keeps parts of them */ };

static int init(struct nvram *nvram, const char *file, char *error, size_t size)
{
	char *path = NULL;
	int rc = asprintf(&path, "%s.nvram", file) < 0 ? -ENOMEM : nvram_init(nvram, path);

	free(path);
	if (rc < 0)
		snprintf(error, size, "%s: %s", file, strerror(-rc));
	return rc;
}

int kept_open(struct kept *kept, const char *file, struct soft_state *state, char *error, size_t size)
{
	int rc = init(&kept->nvram, file, error, size);

	if (rc < 0)
		return rc;
	kept->held.count = 0;
	rc = nvram_restore(&kept->nvram, state, error, size);
	state->changed = 0; /* until now there was nothing else */
	if (rc == 0)
		return 0;
	if (rc == -EBADMSG) {
		sma_log(SMA_LOG_ERROR, "soft", "%s", error);
		return 0;
	}
	nvram_finish(&kept->nvram);
	return rc;
}

int kept_fd(const struct kept *kept)
{
	return nvram_fd(&kept->nvram);
}

static void release(struct kept *kept)
{
	held_seal(&kept->held, kept->nvram.version);
	held_release(&kept->held, kept->nvram.settled);
}

uint64_t kept_process(struct kept *kept, struct soft_state *state, uint64_t now)
{
	uint64_t due = nvram_process(&kept->nvram, state, state->changed & KEPT_ATTRS, now);

	state->changed = 0;
	release(kept);
	return due;
}

void kept_close(struct kept *kept, struct soft_state *state, uint64_t now)
{
	nvram_process(&kept->nvram, state, state->changed & KEPT_ATTRS, now);
	nvram_stop(&kept->nvram);
	release(kept);
	nvram_finish(&kept->nvram);
}
