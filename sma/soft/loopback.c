// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/soft/dm/devmgt.h"
#include "sma/soft/loopback.h"

/* An end port that is open. */
struct loopback_end {
	struct transport transport;
	SLIST_ENTRY(loopback_end) link;
	struct loopback *loopback;
	struct mailbox *box;
	unsigned port;
};

static void post(const struct loopback_end *end, const uint8_t *mad, uint16_t slid, int status)
{
	struct mail mail = {.kind = MAIL_MAD, .status = status, .slid = slid, .size = MAD_SIZE};

	memcpy(mail.mad, mad, MAD_SIZE);
	mailbox_put(end->box, &mail);
}

/* Nothing is behind the ports: a directed route leads to the own SMA when it has no hops. */
static bool arrives(const struct loopback_end *end, const struct packet *packet)
{
	const struct soft_state *state = end->loopback->responder->state;
	unsigned base = state_get(state, end->port, SMA_PortInfo_LID);
	unsigned count = 1U << state_get(state, end->port, SMA_PortInfo_LMC);

	if (packet->mad[MAD_AT_CLASS] == MAD_CLASS_SM_DIRECTED)
		return packet->mad[SMP_AT_HOP_COUNT] == 0;
	return base && packet->lid >= base && packet->lid - base < count;
}

static bool ask_sm(const struct loopback_end *end, const uint8_t *mad)
{
	struct simwire *sim = *end->loopback->sim;

	return sim && simwire_ask_sm(sim, end->port, mad) == 0;
}

/* The node reads itself: no key is asked for. */
static enum verdict ask(const struct loopback_end *end, const struct packet *packet, uint8_t *response)
{
	const struct arrival arrival = {
		.port = end->port,
		.slid = packet->lid,
		.now = *end->loopback->now,
		.trusted = true,
		.any_hop_pointer = true,
	};

	struct responder *responder = end->loopback->responder;

	if (!arrives(end, packet))
		return VERDICT_DROP;
	switch (packet->mad[MAD_AT_CLASS]) {
	case MAD_CLASS_SM:
	case MAD_CLASS_SM_DIRECTED:
		return responder_answer(responder, &arrival, packet->mad, response);
	case MAD_CLASS_DEVICE:
		return responder->devmgt ? devmgt_answer(responder->devmgt, &arrival, packet->mad, response)
		                         : VERDICT_DROP;
	default:
		return VERDICT_DROP;
	}
}

static int loopback_send(struct transport *transport, const struct packet *packet, unsigned timeout_ms)
{
	const struct loopback_end *end = (const struct loopback_end *)transport;
	uint8_t response[MAD_SIZE];
	enum verdict verdict = ask(end, packet, response);

	if (verdict == VERDICT_ANSWER || verdict == VERDICT_HOLD)
		post(end, response, packet->lid, 0);
	else if (timeout_ms && (verdict == VERDICT_DROP || !ask_sm(end, packet->mad)))
		post(end, packet->mad, 0, ETIMEDOUT);
	return 0;
}

static void loopback_close(struct transport *transport)
{
	struct loopback_end *end = (struct loopback_end *)transport;

	SLIST_REMOVE(&end->loopback->ends, end, loopback_end, link);
	free(end);
}

static const struct transport_ops ops = {.send = loopback_send, .close = loopback_close};

int loopback_open(struct loopback *loopback, unsigned port, struct mailbox *box, struct transport **transport)
{
	const struct soft_state *state = loopback->responder->state;
	struct loopback_end *end;

	if (port > state->ports || !state_is_end_port(state, port))
		return -ENODEV;
	end = malloc(sizeof(*end));
	if (!end)
		return -ENOMEM;
	*end = (struct loopback_end){.transport.ops = &ops, .loopback = loopback, .box = box, .port = port};
	SLIST_INSERT_HEAD(&loopback->ends, end, link);
	*transport = &end->transport;
	return 0;
}

static int open_port(void *arg, unsigned number, struct mailbox *box, struct transport **transport,
                     char *error, size_t size)
{
	int rc = loopback_open(arg, number, box, transport);

	if (rc < 0)
		snprintf(error, size, "cannot reach the SMA of port %u: %s", number, strerror(-rc));
	return rc;
}

static int add_port(struct loopback *loopback, struct mad_ports *ports, unsigned number,
                    const struct engine_config *config, char *error, size_t size)
{
	int rc = mad_ports_add(ports, number, config, open_port, loopback, error, size);

	if (rc == 0)
		ports->list[ports->count - 1].trusted = true;
	return rc;
}

int loopback_open_ports(struct loopback *loopback, unsigned first, const struct engine_config *config,
                        struct mad_ports **ports_out, char *error, size_t size)
{
	const struct soft_state *state = loopback->responder->state;
	struct mad_ports *ports = mad_ports_new(loopback->responder->endpoint_count);
	int rc;

	if (!ports) {
		rc = -errno;
		snprintf(error, size, "cannot open the ports of the node: %s", strerror(-rc));
		return rc;
	}
	rc = add_port(loopback, ports, first, config, error, size);
	for (unsigned port = 1; rc == 0 && port <= state->ports; port++) {
		if (port != first && state_is_end_port(state, port))
			rc = add_port(loopback, ports, port, config, error, size);
	}
	if (rc < 0)
		mad_ports_close(ports);
	else
		*ports_out = ports;
	return rc;
}

void loopback_answered(void *arg, unsigned port, const uint8_t mad[MAD_SIZE])
{
	const struct loopback *loopback = arg;
	const struct loopback_end *end;

	SLIST_FOREACH(end, &loopback->ends, link)
	{
		if (end->port == port)
			post(end, mad, 0, 0);
	}
}
