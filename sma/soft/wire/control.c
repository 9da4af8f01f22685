// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/soft/wire/control.h"

enum { FIRMWARE_VERSION = 1 /* as ibsim reports it: a node file has none */ };

static const struct soft_state *state_of(const struct clients *clients)
{
	return clients->responder->state;
}

/* Each fills in the data of its answer. 0, or -errno for an answer that says error. */
typedef int handler(struct clients *clients, unsigned slot, uint8_t *data);

static int do_connect(struct clients *clients, unsigned unused, uint8_t *data)
{
	struct control_connect connect;
	int slot;

	(void)unused;
	memcpy(&connect, data, sizeof(connect));
	connect.node[CONTROL_NODE_SIZE - 1] = '\0';
	slot = clients_attach(clients, &connect);
	if (slot < 0)
		return slot;
	/* a name that the client gave comes back as it was: it prints a notice when it gets another */
	if (!connect.node[0])
		clients_node_name(clients, connect.node);
	connect.process = (uint32_t)slot;
	memcpy(data, &connect, sizeof(connect));
	return 0;
}

static int do_disconnect(struct clients *clients, unsigned slot, uint8_t *data)
{
	(void)data;
	clients_detach(clients, slot);
	return 0;
}

static int get_port(struct clients *clients, unsigned slot, uint8_t *data)
{
	unsigned port = clients->client[slot].port;
	const struct control_port answer = {
		.lid = (uint16_t)state_get(state_of(clients), port, SMA_PortInfo_LID),
		.state = (uint8_t)state_get(state_of(clients), port, SMA_PortInfo_PortState),
	};

	memcpy(data, &answer.lid, sizeof(answer.lid));
	data[offsetof(struct control_port, state)] = answer.state;
	return 0;
}

static int get_vendor(struct clients *clients, unsigned slot, uint8_t *data)
{
	struct control_vendor answer;

	(void)slot;
	/* the padding goes out too */
	memset(&answer, 0, sizeof(answer));
	answer.vendor = state_get(state_of(clients), 0, SMA_NodeInfo_VendorID);
	answer.device = state_get(state_of(clients), 0, SMA_NodeInfo_DeviceID);
	answer.revision = state_get(state_of(clients), 0, SMA_NodeInfo_Revision);
	answer.firmware = FIRMWARE_VERSION;
	memcpy(data, &answer, sizeof(answer));
	return 0;
}

static int get_gid(struct clients *clients, unsigned slot, uint8_t *data)
{
	unsigned port = clients->client[slot].port;

	wire_put64(data, sma_component_get(state_of(clients)->port[port].info, SMA_PortInfo_GidPrefix));
	wire_put64(data + sizeof(uint64_t), state_port_guid(state_of(clients), port));
	return 0;
}

static int get_guid(struct clients *clients, unsigned slot, uint8_t *data)
{
	(void)slot;
	wire_put64(data, sma_component_get(state_of(clients)->node_info, SMA_NodeInfo_NodeGUID));
	return 0;
}

static int get_node_info(struct clients *clients, unsigned slot, uint8_t *data)
{
	unsigned port = clients->client[slot].port;

	memcpy(data, state_of(clients)->node_info, SMA_BLOCK_SIZE);
	sma_component_set(data, SMA_NodeInfo_PortGUID, state_port_guid(state_of(clients), port));
	sma_component_set(data, SMA_NodeInfo_LocalPortNum, port);
	return 0;
}

/* The client makes its copy of sysfs of it, where there is no place for keys. */
static int get_port_info(struct clients *clients, unsigned slot, uint8_t *data)
{
	const struct soft_state *state = state_of(clients);
	unsigned own = clients->client[slot].port;
	unsigned port = data[0] == 0 || data[0] > state->ports ? own : data[0];

	memcpy(data, state->port[port].info, SMA_BLOCK_SIZE);
	sma_component_set(data, SMA_PortInfo_LocalPortNum, own);
	sma_component_set(data, SMA_PortInfo_M_Key, 0);
	return 0;
}

static int do_set_sm(struct clients *clients, unsigned slot, uint8_t *data)
{
	uint32_t on;

	memcpy(&on, data, sizeof(on));
	return clients_set_sm(clients, slot, on != 0);
}

static int get_pkeys(struct clients *clients, unsigned slot, uint8_t *data)
{
	const struct state_port *port = &state_of(clients)->port[clients->client[slot].port];
	unsigned count = port->pkey_count < SMA_PKEYS_PER_BLOCK ? port->pkey_count : SMA_PKEYS_PER_BLOCK;

	memset(data, 0, CONTROL_DATA_SIZE);
	if (port->pkeys)
		memcpy(data, port->pkeys, count * sizeof(uint16_t));
	return 0;
}

static const struct {
	handler *handle;
	bool for_anyone; /* whether the slot may be free */
} handlers[CONTROL_TYPES] = {
	[CONTROL_CONNECT] = {do_connect, true},
	/* twice is once: the slot may have been freed in between */
	[CONTROL_DISCONNECT] = {do_disconnect, true},
	[CONTROL_GET_PORT] = {get_port, false},
	[CONTROL_GET_VENDOR] = {get_vendor, false},
	[CONTROL_GET_GID] = {get_gid, false},
	[CONTROL_GET_GUID] = {get_guid, false},
	[CONTROL_GET_NODEINFO] = {get_node_info, false},
	[CONTROL_GET_PORTINFO] = {get_port_info, false},
	[CONTROL_SET_ISSM] = {do_set_sm, false},
	[CONTROL_GET_PKEYS] = {get_pkeys, false},
};

static int dispatch(struct clients *clients, struct control *control)
{
	bool is_connect = control->type == CONTROL_CONNECT;
	unsigned slot = is_connect ? 0 : control->client;

	if (control->type >= CONTROL_TYPES || !handlers[control->type].handle)
		return -EOPNOTSUPP;
	if (slot >= SIMWIRE_CLIENTS)
		return -ENOTCONN;
	if (!handlers[control->type].for_anyone && !clients->client[slot].attached)
		return -ENOTCONN;
	return handlers[control->type].handle(clients, slot, control->data);
}

bool control_answer(struct clients *clients, const uint8_t *message, size_t size, bool permitted,
                    uint8_t answer[CONTROL_SIZE])
{
	struct control control;
	int rc;

	if (message_decode_control(message, size, &control) < 0) {
		clients->responder->wire.malformed++;
		return false;
	}
	rc = permitted ? dispatch(clients, &control) : -EACCES;
	if (rc < 0) {
		sma_log(SMA_LOG_DEBUG, WIRE_TOPIC, "control message %u of client %u refused: %s",
		        control.type, control.client, strerror(-rc));
		clients->responder->wire.refused++;
		control.type = CONTROL_ERROR;
	}
	message_encode_control(&control, answer);
	return true;
}
