// SPDX-License-Identifier: BSD-2-Clause
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_sa.h>
#include <infiniband/umad_types.h>

#include "sma/log.h"
#include "sma/mad/host.h"
#include "sma/mad/umadbox.h"
#include "sma/mad/umadqp1.h"

enum { QP1 = 1 };

static const struct umadport_agent agents[] = {
	{QP1_CLASS_SA, UMAD_SA_CLASS_VERSION, UMAD_RMPP_VERSION, 1 << UMAD_METHOD_REPORT},
	{QP1_CLASS_PERF, 1, 0, 0},
};

enum { AGENT_COUNT = sizeof(agents) / sizeof(agents[0]) };

struct umad_qp1 {
	struct sma_qp1 qp1;
	struct umadbox mail;
	int numbers[AGENT_COUNT];  /* of the agents, or -errno */
	int refusals[AGENT_COUNT]; /* of the last attempt to register one, as it was logged; 0: there was none
	                            */
};

static int register_agent(struct umad_qp1 *u, unsigned i)
{
	int rc = umadport_register(&u->mail.port, &agents[i]);

	if (rc < 0 && rc != u->refusals[i])
		sma_log(SMA_LOG_NOTICE, "sma", "class 0x%02x is refused on QP1 of port %u: %s",
		        agents[i].class, u->mail.port.number, strerror(-rc));
	u->refusals[i] = rc < 0 ? rc : 0;
	u->numbers[i] = rc == -EINVAL || rc == -EPERM ? -EBUSY : rc;
	return u->numbers[i];
}

static int number_of(struct umad_qp1 *u, uint8_t class)
{
	for (unsigned i = 0; i < AGENT_COUNT; i++) {
		if (agents[i].class == class)
			return u->numbers[i] < 0 ? register_agent(u, i) : u->numbers[i];
	}
	return -EPROTONOSUPPORT;
}

static int qp1_send(struct sma_qp1 *qp1, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid, unsigned sl,
                    unsigned timeout_ms)
{
	struct umad_qp1 *u = (struct umad_qp1 *)qp1;
	int number = number_of(u, mad[offsetof(struct umad_hdr, mgmt_class)]);
	struct umad_buffer buffer = {0};

	if (number < 0)
		return number;
	memcpy(umad_get_mad(&buffer), mad, SMA_MAD_SIZE);
	umad_set_addr_net(&buffer, htobe16(dlid), htobe32(QP1), (int)sl, htobe32(UMAD_QKEY));
	umad_set_pkey(&buffer, 0);
	return umadport_send(&u->mail.port, number, &buffer, timeout_ms);
}

/* Responses of subnet administration may end with their attribute. */
static const struct umadport_events events = {
	.shortest = sizeof(struct umad_hdr), .received = umadbox_received, .state = umadbox_state};

static void qp1_close(struct sma_qp1 *qp1)
{
	struct umad_qp1 *u = (struct umad_qp1 *)qp1;

	umadport_close(&u->mail.port);
	free(u);
}

static const struct sma_qp1_ops umad_ops = {.send = qp1_send, .close = qp1_close};

static const char *remedy(int error)
{
	if (error == EPROTONOSUPPORT || error == EOPNOTSUPP)
		return "the device has no QP1";
	return "is the device being removed?";
}

/* Whether there is a QP1 is seen when an agent for answers is registered. One for requests is registered when
 * something is sent through it: until then another program may have them. */
static int start(struct umad_qp1 *u, const char *device, char *error, size_t size)
{
	struct umadport *port = &u->mail.port;
	int rc;

	for (unsigned i = 0; i < AGENT_COUNT; i++) {
		rc = agents[i].methods ? -EBUSY : umadport_register(port, &agents[i]);
		u->numbers[i] = rc;
		if (rc < 0 && !agents[i].methods)
			return umadport_refused(port, "use QP1", device, agents[i].class, rc, remedy(-rc),
			                        error, size);
	}
	rc = umadport_start(port, &events, &u->mail);
	if (rc < 0)
		snprintf(error, size, "cannot read QP1 of %s port %u: %s", device, port->number,
		         strerror(-rc));
	return rc;
}

int umad_qp1_open(const char *device, unsigned port, struct sma_mailbox *box, struct sma_qp1 **qp1,
                  char *error, size_t size)
{
	struct umad_qp1 *u = calloc(1, sizeof(*u));
	int rc;

	if (!u) {
		snprintf(error, size, "out of memory");
		return -ENOMEM;
	}
	u->qp1 = (struct sma_qp1){.ops = &umad_ops, .port = port};
	u->mail.box = box;
	rc = umadport_open(&u->mail.port, device, port, error, size);
	if (rc < 0) {
		free(u);
		return rc;
	}
	rc = start(u, device, error, size);
	if (rc < 0) {
		qp1_close(&u->qp1);
		return rc;
	}
	*qp1 = &u->qp1;
	return 0;
}
