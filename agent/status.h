/* SPDX-License-Identifier: BSD-2-Clause */
/* One line that says how the daemon is. */
#ifndef AGENT_STATUS_H
#define AGENT_STATUS_H

#include "agent/serve.h"

/* Log it at level NOTICE. */
void status_log(const struct serving *serving);

#endif
