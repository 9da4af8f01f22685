// SPDX-License-Identifier: BSD-2-Clause
/* The clients of a simulator wire. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/log.h"
#include "sma/soft/event_traps.h"
#include "sma/soft/wire/clients.h"

static const struct soft_state *state_of(const struct clients *clients)
{
	return clients->responder->state;
}

/* ---- slots ---- */

unsigned clients_sm(const struct clients *clients, unsigned port)
{
	unsigned slot = 0;

	while (slot < SIMWIRE_CLIENTS && !(clients->client[slot].is_sm && clients->client[slot].port == port))
		slot++;
	return slot;
}

unsigned clients_manager(const struct clients *clients, unsigned port)
{
	unsigned slot = 0;

	while (slot < SIMWIRE_CLIENTS &&
	       !(clients->client[slot].is_manager && clients->client[slot].port == port))
		slot++;
	return slot;
}

void clients_set_manager(struct clients *clients, unsigned slot)
{
	unsigned before = clients_manager(clients, clients->client[slot].port);

	if (before != SIMWIRE_CLIENTS)
		clients->client[before].is_manager = false;
	clients->client[slot].is_manager = true;
}

int clients_set_sm(struct clients *clients, unsigned slot, bool on)
{
	struct client *client = &clients->client[slot];

	if (client->is_sm == on)
		return 0;
	if (on && clients_sm(clients, client->port) != SIMWIRE_CLIENTS)
		return -EBUSY;
	client->is_sm = on;
	return event_traps_capability(clients->responder, client->port, SMA_PortInfo_IsSM, on);
}

void clients_detach(struct clients *clients, unsigned slot)
{
	struct client *client = &clients->client[slot];

	if (!client->attached)
		return;
	clients_set_sm(clients, slot, false);
	sma_log(SMA_LOG_DEBUG, WIRE_TOPIC, "client %u, process %u, leaves port %u", slot, client->process,
	        client->port);
	*client = (struct client){0};
	if (clients->responder->held)
		held_forget(clients->responder->held, clients, slot);
	clients->io->close(clients->arg, slot);
}

/* A client that was killed does not disconnect. */
static void detach_dead(struct clients *clients, uint32_t newcomer)
{
	for (unsigned slot = 0; slot < SIMWIRE_CLIENTS; slot++) {
		const struct client *client = &clients->client[slot];

		if (client->attached &&
		    (client->process == newcomer || !clients->io->is_alive(clients->arg, slot)))
			clients_detach(clients, slot);
	}
}

static unsigned free_slot(const struct clients *clients)
{
	unsigned slot = 0;

	while (slot < SIMWIRE_CLIENTS && clients->client[slot].attached)
		slot++;
	return slot;
}

/* ---- attaching ---- */

size_t clients_node_name(const struct clients *clients, char name[CONTROL_NODE_SIZE])
{
	size_t length = strnlen((const char *)state_of(clients)->description, CONTROL_NODE_SIZE - 1);

	memset(name, 0, CONTROL_NODE_SIZE);
	memcpy(name, state_of(clients)->description, length);
	return length;
}

static bool is_this_node(const struct clients *clients, const char *wanted, size_t length)
{
	char name[CONTROL_NODE_SIZE];

	return length == 0 ||
	       (length == clients_node_name(clients, name) && memcmp(wanted, name, length) == 0);
}

/* "", "description", "description:port" or ":port". -ENODEV: no such node or port. */
static int find_port(const struct clients *clients, const char *wanted, unsigned *port)
{
	const char *colon = strrchr(wanted, ':');
	unsigned long number;
	char *end;

	*port = state_is_switch(state_of(clients)) ? 0 : 1;
	if (is_this_node(clients, wanted, strlen(wanted)))
		return 0;
	if (!colon || !is_this_node(clients, wanted, (size_t)(colon - wanted)))
		return -ENODEV;
	number = strtoul(colon + 1, &end, 10);
	if (colon[1] < '0' || colon[1] > '9' || *end || number > SMA_MAX_PORTS ||
	    !state_is_end_port(state_of(clients), (unsigned)number))
		return -ENODEV;
	*port = (unsigned)number;
	return 0;
}

/* The slot of a new client, or -errno. */
static int open_slot(struct clients *clients, const struct control_connect *wanted, unsigned port)
{
	unsigned slot;
	int rc;

	detach_dead(clients, wanted->process);
	slot = free_slot(clients);
	if (slot == SIMWIRE_CLIENTS)
		return -ENOSPC;
	if (wanted->is_sm && clients_sm(clients, port) != SIMWIRE_CLIENTS)
		return -EBUSY;
	rc = clients->io->open(clients->arg, slot, wanted->process);
	return rc < 0 ? rc : (int)slot;
}

int clients_attach(struct clients *clients, const struct control_connect *wanted)
{
	unsigned port;
	int rc = find_port(clients, wanted->node, &port);

	if (rc == 0)
		rc = open_slot(clients, wanted, port);
	if (rc < 0)
		return rc;
	clients->client[rc] = (struct client){.attached = true, .port = port, .process = wanted->process};
	sma_log(SMA_LOG_DEBUG, WIRE_TOPIC, "client %d, process %u, attaches to port %u", rc, wanted->process,
	        port);
	clients_set_sm(clients, (unsigned)rc, wanted->is_sm != 0);
	return rc;
}
