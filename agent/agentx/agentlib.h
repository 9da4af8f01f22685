/* SPDX-License-Identifier: BSD-2-Clause */
/* Net-SNMP's agent library in this process: its start, its stop, and what the configuration says about
 * AgentX. */
#ifndef AGENT_AGENTX_AGENTLIB_H
#define AGENT_AGENTX_AGENTLIB_H

#include <stdint.h>

/* Prepare for a subagent, which the library does not connect itself; before the configuration is read. The
 * library reads no configuration, and registers no tokens of its own that a file could contain. */
void agentlib_init(void);

/* Start. Tokens that were registered before are gone then. */
void agentlib_start(void);

/* Drop the requests that have not been answered, and free what the library holds. */
void agentlib_stop(void);

/* The address of the master agent (agentXSocket); Net-SNMP's default until it is set. */
void agentlib_set_address(const char *address);
const char *agentlib_address(void);

/* How long the master agent may be silent (agentXPingInterval, 1..), and how long it is to wait for an answer
 * (agentXTimeout, 0..255; 0: as it is configured itself), in seconds; 5 and 1 until they are set. */
void agentlib_set_times(unsigned ping, unsigned timeout);

/* The same; the first one in milliseconds. */
uint64_t agentlib_ping_ms(void);
unsigned agentlib_timeout(void);

#endif
