// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "sma/iba/iba.h"
#include "sma/soft/event_traps.h"
#include "sma/soft/link.h"

/* ---- states ---- */

/* A switch reports what the SM did not command. */
static void note_state(struct responder *responder, unsigned port, bool by_sm)
{
	struct soft_state *state = responder->state;

	if (state_is_end_port(state, port) &&
	    state_get(state, port, SMA_PortInfo_PortState) != SMA_PORT_ACTIVE)
		trap_sender_clear(&responder_endpoint(responder, port)->traps);
	if (by_sm || !state_is_switch(state))
		return;
	state_set(state, 0, SMA_SwitchInfo_PortStateChange, 1);
	event_traps_link_state(responder, port);
}

static void set_state(struct responder *responder, unsigned port, unsigned logical, unsigned physical,
                      bool by_sm)
{
	struct soft_state *state = responder->state;
	bool changed = state_get(state, port, SMA_PortInfo_PortState) != logical;

	state_set(state, port, SMA_PortInfo_PortState, logical);
	state_set(state, port, SMA_PortInfo_PortPhysicalState, physical);
	if (changed)
		note_state(responder, port, by_sm);
}

/* A link trains again, or is down if there is no cable. */
static void retrain(struct responder *responder, unsigned port, bool by_sm)
{
	const struct soft_state *state = responder->state;

	if (port == 0) /* nothing but the switch itself is behind it */
		set_state(responder, port, SMA_PORT_INITIALIZE, SMA_PHYSICAL_NO_CHANGE, by_sm);
	else if (state->port[port].link)
		set_state(responder, port, SMA_PORT_INITIALIZE, SMA_PHYSICAL_LINK_UP, by_sm);
	else
		set_state(responder, port, SMA_PORT_DOWN,
		          state_get(state, port, SMA_PortInfo_LinkDownDefaultState), by_sm);
}

int link_set(struct responder *responder, unsigned port, bool up)
{
	struct soft_state *state = responder->state;

	if (!state_is_data_port(state, port))
		return -ERANGE;
	if (state->port[port].link == up)
		return 0;
	state->port[port].link = up;
	if (state_get(state, port, SMA_PortInfo_PortPhysicalState) != SMA_PHYSICAL_DISABLED)
		retrain(responder, port, false);
	return 0;
}

/* ---- commands of the SM ---- */

static bool has_states(const struct soft_state *state, unsigned port)
{
	return port || state_get(state, 0, SMA_SwitchInfo_EnhancedPort0);
}

static unsigned logical_command(const uint8_t *info)
{
	return (unsigned)sma_component_get(info, SMA_PortInfo_PortState);
}

/* Port 0 has no link that could be commanded. */
static unsigned physical_command(unsigned port, const uint8_t *info)
{
	return port ? (unsigned)sma_component_get(info, SMA_PortInfo_PortPhysicalState)
	            : SMA_PHYSICAL_NO_CHANGE;
}

bool link_is_valid_command(const struct soft_state *state, unsigned port, const uint8_t info[SMA_BLOCK_SIZE])
{
	unsigned logical = logical_command(info);
	unsigned physical = physical_command(port, info);
	unsigned now = state_get(state, port, SMA_PortInfo_PortState);

	if (!has_states(state, port))
		return true;
	if (physical > SMA_PHYSICAL_DISABLED || (physical && logical > SMA_PORT_DOWN))
		return false;
	switch (logical) {
	case SMA_PORT_NO_CHANGE:
	case SMA_PORT_DOWN:
		return true;
	case SMA_PORT_ARMED:
		return now == SMA_PORT_INITIALIZE || now == SMA_PORT_ARMED;
	case SMA_PORT_ACTIVE:
		return now == SMA_PORT_ARMED || now == SMA_PORT_ACTIVE;
	default:
		return false;
	}
}

void link_obey(struct responder *responder, unsigned port, const uint8_t info[SMA_BLOCK_SIZE])
{
	struct soft_state *state = responder->state;
	unsigned logical = logical_command(info);
	unsigned physical = physical_command(port, info);
	bool goes_down =
		logical == SMA_PORT_DOWN && state_get(state, port, SMA_PortInfo_PortState) != SMA_PORT_DOWN;

	if (!has_states(state, port))
		return;
	if (physical == SMA_PHYSICAL_SLEEP || physical == SMA_PHYSICAL_DISABLED)
		set_state(responder, port, SMA_PORT_DOWN, physical, true);
	else if (physical == SMA_PHYSICAL_POLLING || goes_down)
		retrain(responder, port, true);
	else if (logical != SMA_PORT_NO_CHANGE && logical != SMA_PORT_DOWN)
		state_set(state, port, SMA_PortInfo_PortState, logical);
}
