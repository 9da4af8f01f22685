/* SPDX-License-Identifier: BSD-2-Clause */
/* The status of the daemon in one line. */
#ifndef AGENT_STATUS_H
#define AGENT_STATUS_H

#include "agent/serve.h"

/* Log it at level NOTICE. */
void status_log(const struct serving *serving);

#endif
