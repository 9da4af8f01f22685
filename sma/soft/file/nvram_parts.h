/* SPDX-License-Identifier: BSD-2-Clause */
/* What writing and reading the NVRAM share. */
#ifndef SOFT_FILE_NVRAM_PARTS_H
#define SOFT_FILE_NVRAM_PARTS_H

#include "sma/soft/file/nvram.h"

/* Whether a port keeps what a bit of its CapabilityMask stands for. */
bool nvram_keeps(const struct soft_state *state, unsigned port, enum sma_component bit);

uint64_t nvram_node_guid(const struct soft_state *state);

/* As nvram_restore: put what a file holds into a state. `is_old`: it is as the first release wrote them. */
int nvram_read(const char *path, struct soft_state *state, bool *is_old, char *error, size_t size);

#endif
