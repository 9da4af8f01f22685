/* SPDX-License-Identifier: BSD-2-Clause */
/* AgentX: the session with snmpd (RFC 2741). What the rest of agent/ includes of this folder. */
#ifndef AGENT_AGENTX_AGENTX_H
#define AGENT_AGENTX_AGENTX_H

#include "agent/agentx/address.h"
#include "agent/agentx/agentlib.h"
#include "agent/agentx/session.h"

#endif
