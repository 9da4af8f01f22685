// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_types.h>

#include "sma/mad/umad.h"
#include "sma/mad/umadbox.h"

enum { PERMISSIVE_LID = 0xFFFF }; /* DLID of a directed route */

struct umad_qp0 {
	struct sma_qp0 qp0;
	struct umadbox mail;
	int agent;     /* of the directed-route class */
	int lid_agent; /* of the LID-routed class */
	bool traps;    /* which receives Traps */
};

static const struct umadport_agent directed = {.class = UMAD_CLASS_SUBN_DIRECTED_ROUTE, .class_version = 1};

/* Traps are LID-routed (IBA 13.4.9). */
static const struct umadport_agent lid_routed[] = {
	[false] = {.class = UMAD_CLASS_SUBN_LID_ROUTED, .class_version = 1},
	[true] = {.class = UMAD_CLASS_SUBN_LID_ROUTED, .class_version = 1, .methods = 1 << UMAD_METHOD_TRAP},
};

static int qp0_send(struct sma_qp0 *qp0, const uint8_t mad[SMA_MAD_SIZE], unsigned timeout_ms)
{
	struct umad_qp0 *u = (struct umad_qp0 *)qp0;
	struct umad_buffer buffer = {0};

	memcpy(umad_get_mad(&buffer), mad, SMA_MAD_SIZE);
	umad_set_addr(&buffer, PERMISSIVE_LID, 0, 0, 0);
	return umadport_send(&u->mail.port, u->agent, &buffer, timeout_ms);
}

/* A simulator delivers by class, to the agent that registered last, and crashes when there is none: the class
 * has one agent at any time. */
static int qp0_listen(struct sma_qp0 *qp0, bool traps)
{
	struct umad_qp0 *u = (struct umad_qp0 *)qp0;
	int rc;

	if (traps == u->traps)
		return 0;
	umadport_unregister(&u->mail.port, u->lid_agent);
	rc = umadport_register(&u->mail.port, &lid_routed[traps]);
	u->traps = traps && rc >= 0;
	u->lid_agent = rc >= 0 ? rc : umadport_register(&u->mail.port, &lid_routed[false]);
	return rc < 0 ? rc : 0;
}

static int qp0_respond(struct sma_qp0 *qp0, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid, unsigned sl)
{
	struct umad_qp0 *u = (struct umad_qp0 *)qp0;
	struct umad_buffer buffer = {0};

	memcpy(umad_get_mad(&buffer), mad, SMA_MAD_SIZE);
	umad_set_addr(&buffer, dlid, 0, (int)sl, 0);
	return umadport_send(&u->mail.port, u->lid_agent, &buffer, 0);
}

static const struct umadport_events events = {
	.shortest = SMA_MAD_SIZE, .received = umadbox_received, .state = umadbox_state};

static void qp0_close(struct sma_qp0 *qp0)
{
	struct umad_qp0 *u = (struct umad_qp0 *)qp0;

	umadport_close(&u->mail.port);
	free(u);
}

static const struct sma_qp0_ops umad_ops = {
	.send = qp0_send, .listen = qp0_listen, .respond = qp0_respond, .close = qp0_close};

static const char *remedy(int error)
{
	if (error == EPROTONOSUPPORT || error == EOPNOTSUPP)
		return "the device has no QP0; on an XDR adapter another one has it, which this makes: rdma "
		       "dev add smi1 type SMI parent DEVICE";
	if (error == EPERM || error == EACCES)
		return "does a security module forbid it? (SELinux: infiniband_endport, manage_subnet)";
	return "is another program the SMA of this port? End it, or: modprobe -r ib_umad && modprobe "
	       "ib_umad";
}

static int register_class(struct umad_qp0 *u, const struct umadport_agent *agent, int *number,
                          const char *device, char *error, size_t size)
{
	struct umadport *port = &u->mail.port;
	int rc = umadport_register(port, agent);

	*number = rc;
	return rc >= 0 ? 0
	               : umadport_refused(port, "use QP0", device, agent->class, rc, remedy(-rc), error,
	                                  size);
}

/* Both SM classes are registered: a MAD of a class that is not may not be
 * delivered to anyone. */
static int start(struct umad_qp0 *u, const char *device, char *error, size_t size)
{
	int rc = register_class(u, &lid_routed[false], &u->lid_agent, device, error, size);

	if (rc == 0)
		rc = register_class(u, &directed, &u->agent, device, error, size);
	if (rc < 0)
		return rc;
	rc = umadport_start(&u->mail.port, &events, &u->mail);
	if (rc < 0)
		snprintf(error, size, "cannot read QP0 of %s port %u: %s", device, u->mail.port.number,
		         strerror(-rc));
	return rc;
}

int umad_qp0_open(const char *device, unsigned port, struct sma_mailbox *box, struct sma_qp0 **qp0,
                  char *error, size_t size)
{
	struct umad_qp0 *u = calloc(1, sizeof(*u));
	int rc;

	if (!u) {
		snprintf(error, size, "out of memory");
		return -ENOMEM;
	}
	u->qp0.ops = &umad_ops;
	u->mail.box = box;
	rc = umadport_open(&u->mail.port, device, port, error, size);
	if (rc < 0) {
		free(u);
		return rc;
	}
	rc = start(u, device, error, size);
	if (rc < 0) {
		qp0_close(&u->qp0);
		return rc;
	}
	*qp0 = &u->qp0;
	return 0;
}
