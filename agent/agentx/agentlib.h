/* SPDX-License-Identifier: BSD-2-Clause */
/* Net-SNMP's agent library in this process: the start, the end, and what the configuration says for AgentX.
 */
#ifndef AGENT_AGENTX_AGENTLIB_H
#define AGENT_AGENTX_AGENTLIB_H

#include <stdint.h>

/* Prepare for a subagent, which the library does not connect itself. The library reads no configuration, and
 * has no tokens of its own, whoever reads one with its functions. */
void agentlib_init(void);

/* Begin. Tokens that were registered are gone then. */
void agentlib_start(void);

/* Drop the requests that are not answered, and what the library has. */
void agentlib_stop(void);

/* The address of the master agent (agentXSocket). */
void agentlib_set_address(const char *address);
const char *agentlib_address(void);

/* How long the master agent may be silent (agentXPingInterval, 1..) and how long it is to wait for an answer
 * (agentXTimeout, 0 to 255; 0: as it likes), in seconds; 5 and 1 until they are set. */
void agentlib_set_times(unsigned ping, unsigned timeout);

/* The same; the first one in milliseconds. */
uint64_t agentlib_ping_ms(void);
unsigned agentlib_timeout(void);

#endif
