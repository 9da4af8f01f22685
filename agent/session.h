/* SPDX-License-Identifier: BSD-2-Clause */
/* The AgentX session with the master agent, which Net-SNMP's library keeps. */
#ifndef AGENT_SESSION_H
#define AGENT_SESSION_H

/* Prepare this process as an AgentX subagent; before the configuration is read. */
void session_init(void);

/* Use this address of the master agent rather than the configured one. */
void session_set_address(const char *chosen_address);

/* Connect, or keep trying; after all registrations. */
void session_start(void);

/* Close the session. */
void session_stop(void);

#endif
