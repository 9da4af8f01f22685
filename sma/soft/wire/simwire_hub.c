// SPDX-License-Identifier: BSD-2-Clause
/* The clients of a simulator wire. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/log.h"
#include "sma/soft/wire/simwire_hub.h"

static const struct sma_store *store_of(const struct hub *hub)
{
	return hub->responder->store;
}

/* ---- slots ---- */

unsigned hub_sm(const struct hub *hub, unsigned port)
{
	unsigned slot = 0;

	while (slot < SIMWIRE_CLIENTS && !(hub->clients[slot].is_sm && hub->clients[slot].port == port))
		slot++;
	return slot;
}

int hub_set_sm(struct hub *hub, unsigned slot, bool on)
{
	struct hub_client *client = &hub->clients[slot];

	if (client->is_sm == on)
		return 0;
	if (on && hub_sm(hub, client->port) != SIMWIRE_CLIENTS)
		return -EBUSY;
	client->is_sm = on;
	return responder_set_capability(hub->responder, client->port, SMA_PortInfo_IsSM, on);
}

void hub_detach(struct hub *hub, unsigned slot)
{
	struct hub_client *client = &hub->clients[slot];

	if (!client->attached)
		return;
	hub_set_sm(hub, slot, false);
	sma_log(SMA_LOG_DEBUG, HUB_TOPIC, "client %u, process %u, leaves port %u", slot, client->process,
	        client->port);
	*client = (struct hub_client){0};
	if (hub->responder->held)
		held_forget(hub->responder->held, hub, slot);
	hub->io->close(hub->arg, slot);
}

/* A client that was killed says no farewell. */
static void detach_dead(struct hub *hub, uint32_t newcomer)
{
	for (unsigned slot = 0; slot < SIMWIRE_CLIENTS; slot++) {
		const struct hub_client *client = &hub->clients[slot];

		if (client->attached && (client->process == newcomer || !hub->io->is_alive(hub->arg, slot)))
			hub_detach(hub, slot);
	}
}

static unsigned free_slot(const struct hub *hub)
{
	unsigned slot = 0;

	while (slot < SIMWIRE_CLIENTS && hub->clients[slot].attached)
		slot++;
	return slot;
}

/* ---- attaching ---- */

size_t hub_node_name(const struct hub *hub, char name[CONTROL_NODE_SIZE])
{
	size_t length = strnlen((const char *)store_of(hub)->description, CONTROL_NODE_SIZE - 1);

	memset(name, 0, CONTROL_NODE_SIZE);
	memcpy(name, store_of(hub)->description, length);
	return length;
}

static bool is_this_node(const struct hub *hub, const char *wanted, size_t length)
{
	char name[CONTROL_NODE_SIZE];

	return length == 0 || (length == hub_node_name(hub, name) && memcmp(wanted, name, length) == 0);
}

/* "", "description", "description:port" or ":port". -ENODEV: no such node or port. */
static int find_port(const struct hub *hub, const char *wanted, unsigned *port)
{
	const char *colon = strrchr(wanted, ':');
	unsigned long number;
	char *end;

	*port = store_is_switch(store_of(hub)) ? 0 : 1;
	if (is_this_node(hub, wanted, strlen(wanted)))
		return 0;
	if (!colon || !is_this_node(hub, wanted, (size_t)(colon - wanted)))
		return -ENODEV;
	number = strtoul(colon + 1, &end, 10);
	if (colon[1] < '0' || colon[1] > '9' || *end || number > SMA_MAX_PORTS ||
	    !store_is_end_port(store_of(hub), (unsigned)number))
		return -ENODEV;
	*port = (unsigned)number;
	return 0;
}

/* The slot of a new client, or -errno. */
static int open_slot(struct hub *hub, const struct control_connect *wanted, unsigned port)
{
	unsigned slot;
	int rc;

	detach_dead(hub, wanted->process);
	slot = free_slot(hub);
	if (slot == SIMWIRE_CLIENTS)
		return -ENOSPC;
	if (wanted->is_sm && hub_sm(hub, port) != SIMWIRE_CLIENTS)
		return -EBUSY;
	rc = hub->io->open(hub->arg, slot, wanted->process);
	return rc < 0 ? rc : (int)slot;
}

int hub_attach(struct hub *hub, const struct control_connect *wanted)
{
	unsigned port;
	int rc = find_port(hub, wanted->node, &port);

	if (rc == 0)
		rc = open_slot(hub, wanted, port);
	if (rc < 0)
		return rc;
	hub->clients[rc] = (struct hub_client){.attached = true, .port = port, .process = wanted->process};
	sma_log(SMA_LOG_DEBUG, HUB_TOPIC, "client %d, process %u, attaches to port %u", rc, wanted->process,
	        port);
	hub_set_sm(hub, (unsigned)rc, wanted->is_sm != 0);
	return rc;
}
