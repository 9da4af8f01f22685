/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AgentX: the session with snmpd (RFC 2741). What the rest of agent/ includes of this folder.
 *
 * The daemon uses the session (session.h) and the agent library's start and end (agentlib.h). `--check` makes
 * a session of its own, step by step: connect.h, credentials.h, link.h, setup.h.
 */
#ifndef AGENT_AGENTX_AGENTX_H
#define AGENT_AGENTX_AGENTX_H

#include "agent/agentx/address.h"
#include "agent/agentx/agentlib.h"
#include "agent/agentx/connect.h"
#include "agent/agentx/credentials.h"
#include "agent/agentx/link.h"
#include "agent/agentx/session.h"
#include "agent/agentx/setup.h"

#endif
