/* SPDX-License-Identifier: BSD-2-Clause */
/* Net-SNMP's agent library in this process: the start, the end, and what the configuration says for AgentX.
 */
#ifndef AGENT_AGENTLIB_H
#define AGENT_AGENTLIB_H

#include <stdint.h>

/* Prepare for a subagent, which the library does not connect itself; before the configuration is read. */
void agentlib_init(void);

/* End the reading of configuration. */
void agentlib_start(void);

/* Drop the requests that are not answered, and what the library has. */
void agentlib_stop(void);

/* The address of the master agent (agentXSocket). */
void agentlib_set_address(const char *address);
const char *agentlib_address(void);

/* How long the master agent may be silent (agentXPingInterval), in milliseconds. */
uint64_t agentlib_ping_ms(void);

/* How long it is to wait for an answer (agentXTimeout), in seconds, 0 to 255; 0: as it likes. */
unsigned agentlib_timeout(void);

#endif
