/* SPDX-License-Identifier: BSD-2-Clause */
/* What is served: the SMA of a device, or the software SMA. */
#ifndef AGENT_TARGET_H
#define AGENT_TARGET_H

#include "agent/options.h"
#include "agent/serve.h"

/* Open it, and set the ports and the software SMA of `serving`. -errno: it cannot be opened, which
 * was logged. The caller calls target_close in any case, after serve_free. */
int target_open(const struct options *options, const struct agent_config *config, struct serving *serving);
void target_close(struct serving *serving);

#endif
