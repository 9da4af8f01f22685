// SPDX-License-Identifier: BSD-2-Clause
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_types.h>

#include "sma/log.h"
#include "sma/mad/host.h"
#include "sma/mad/umadport.h"
#include "sma/mad/umadtransport.h"

enum { QP_COUNT = 2, AGENT_COUNT = 8 };

struct file {
	struct umadport port;
	char device[SMA_DEVICE_NAME_SIZE];
	struct umadtransport *owner;
};

/* The agent of a class. A simulator delivers by class, to the agent that registered last, and crashes when
 * there is none: a class has one agent at any time. */
struct agent {
	const struct mad_class *class; /* NULL: free */
	uint64_t methods;              /* that are listened to, as bits */
	int number;                    /* -errno: not registered */
	int refusal;                   /* -errno of the last attempt to register it, as it was logged */
};

struct umadtransport {
	struct transport transport;
	struct mailbox *box;
	struct file files[QP_COUNT];
	struct file *qps[QP_COUNT]; /* where each is; NULL: not open */
	struct agent agents[AGENT_COUNT];
};

/* ---- agents ---- */

static int register_agent(struct umadtransport *u, struct agent *agent)
{
	const struct umadport_agent wanted = {
		.class = agent->class->id,
		.class_version = agent->class->version,
		.rmpp_version = agent->class->id == MAD_CLASS_SA ? UMAD_RMPP_VERSION : 0,
		.methods = agent->methods,
	};

	agent->number = umadport_register(&u->qps[agent->class->qp]->port, &wanted);
	return agent->number < 0 ? agent->number : 0;
}

/* The same, when others may hold the class, and the loop goes on without it. */
static int try_register(struct umadtransport *u, struct agent *agent)
{
	int rc = register_agent(u, agent);

	if (rc < 0 && rc != agent->refusal)
		sma_log(SMA_LOG_NOTICE, "mad", "class 0x%02x is refused on QP%u of port %u: %s",
		        agent->class->id, agent->class->qp, u->qps[agent->class->qp]->port.number,
		        strerror(-rc));
	agent->refusal = rc;
	return rc == -EINVAL || rc == -EPERM ? -EBUSY : rc;
}

/* The agent of a class, registered or not. NULL: no such class is known, or its QP is not open. */
static struct agent *find_agent(struct umadtransport *u, uint8_t id)
{
	const struct mad_class *class = mad_class_find(id);
	unsigned i = 0;

	if (!class || !u->qps[class->qp])
		return NULL;
	while (i < AGENT_COUNT && u->agents[i].class && u->agents[i].class != class)
		i++;
	if (i == AGENT_COUNT)
		return NULL;
	if (!u->agents[i].class)
		u->agents[i] = (struct agent){.class = class, .number = -ENOENT};
	return &u->agents[i];
}

/* ---- the transport ---- */

static int umad_transport_send(struct transport *transport, const struct packet *packet, unsigned timeout_ms)
{
	struct umadtransport *u = (struct umadtransport *)transport;
	struct agent *agent = find_agent(u, packet->mad[offsetof(struct umad_hdr, mgmt_class)]);
	struct umad_buffer buffer = {0}; /* with P_Key index 0 */
	unsigned qp;
	int rc;

	if (!agent)
		return -EPROTONOSUPPORT;
	rc = agent->number < 0 ? try_register(u, agent) : 0;
	if (rc < 0)
		return rc;
	qp = agent->class->qp;
	memcpy(umad_get_mad(&buffer), packet->mad, MAD_SIZE);
	umad_set_addr(&buffer, packet->lid, (int)qp, packet->sl, qp ? (int)UMAD_QKEY : 0);
	return umadport_send(&u->qps[qp]->port, agent->number, &buffer, timeout_ms);
}

/* Register an agent for other methods than before, or as before when it is refused. */
static int change_methods(struct umadtransport *u, struct agent *agent, uint64_t methods)
{
	uint64_t before = agent->methods;
	int rc;

	if (agent->number >= 0)
		umadport_unregister(&u->qps[agent->class->qp]->port, agent->number);
	agent->methods = methods;
	rc = try_register(u, agent);
	if (rc == 0)
		return 0;
	agent->methods = before;
	register_agent(u, agent);
	return rc;
}

static int umad_transport_listen(struct transport *transport, uint8_t class, uint8_t method, bool on)
{
	struct umadtransport *u = (struct umadtransport *)transport;
	struct agent *agent = find_agent(u, class);
	const uint64_t bit = UINT64_C(1) << method;

	if (!agent)
		return -EPROTONOSUPPORT;
	if (agent->number >= 0 && !(agent->methods & bit) == !on)
		return 0;
	return change_methods(u, agent, on ? agent->methods | bit : agent->methods & ~bit);
}

static void umad_transport_close(struct transport *transport)
{
	struct umadtransport *u = (struct umadtransport *)transport;

	for (unsigned qp = 0; qp < QP_COUNT; qp++) {
		if (u->qps[qp] == &u->files[qp])
			umadport_close(&u->files[qp].port);
	}
	free(u);
}

static const struct transport_ops ops = {
	.send = umad_transport_send, .listen = umad_transport_listen, .close = umad_transport_close};

/* ---- what is received ---- */

/* No SMP is shorter than a MAD. Answers of other classes may end with their attribute. */
static bool is_cut(const uint8_t *mad, unsigned size)
{
	const struct mad_class *class = mad_class_find(mad[offsetof(struct umad_hdr, mgmt_class)]);

	return class && class->qp == 0 && size < MAD_SIZE;
}

static void take_mad(void *arg, struct umad_buffer *buffer)
{
	const struct file *file = arg;
	const ib_mad_addr_t *source = umad_get_mad_addr(buffer);
	const uint8_t *mad = umad_get_mad(buffer);
	struct mail mail = {
		.kind = MAIL_MAD,
		.status = umad_status(buffer),
		.slid = be16toh(source->lid),
		.sl = source->sl,
		.size = (uint16_t)buffer->size,
	};

	if (!mail.status && is_cut(mad, buffer->size))
		return;
	memcpy(mail.mad, mad, MAD_SIZE);
	mailbox_put(file->owner->box, &mail);
}

/* A file of its own for QP1 belongs to the same adapter, whose other file reports it. */
static void take_state(void *arg, int error)
{
	const struct file *file = arg;
	const struct mail mail = {.kind = error ? MAIL_BROKEN : MAIL_RESTORED, .status = error};

	if (file == &file->owner->files[0])
		mailbox_put(file->owner->box, &mail);
}

static const struct umadport_events events = {.received = take_mad, .state = take_state};

/* ---- opening ---- */

/* Open a device file for a QP, without reading it yet. */
static int open_file(struct umadtransport *u, unsigned qp, const char *device, unsigned port, char *error,
                     size_t size)
{
	struct file *file = &u->files[qp];
	int rc = umadport_open(&file->port, device, port, error, size);

	if (rc < 0)
		return rc;
	snprintf(file->device, sizeof(file->device), "%s", device);
	file->owner = u;
	u->qps[qp] = file;
	return 0;
}

static int start_file(struct file *file, unsigned qp, char *error, size_t size)
{
	int rc = umadport_start(&file->port, &events, file);

	if (rc < 0)
		snprintf(error, size, "cannot read QP%u of %s port %u: %s", qp, file->device,
		         file->port.number, strerror(-rc));
	return rc;
}

/* Register a class without which the QP is of no use. */
static int need_class(struct umadtransport *u, uint8_t class, enum umad_role role, char *error, size_t size)
{
	struct agent *agent = find_agent(u, class);
	const struct file *file = u->qps[agent->class->qp];
	int rc;

	agent->methods = umadrole_methods(role);
	rc = register_agent(u, agent);
	if (rc == 0)
		return 0;
	return umadrole_refused(role, file->device, file->port.number, class, rc, error, size);
}

/* A simulator's port with an SM gets requests of these classes, too, and its library crashes when nobody has
 * registered for them. */
static void register_neighbours(struct umadtransport *u)
{
	static const uint8_t classes[] = {MAD_CLASS_SA, MAD_CLASS_PERF, MAD_CLASS_DEVICE};

	u->qps[1] = u->qps[0];
	for (unsigned i = 0; i < sizeof(classes); i++)
		register_agent(u, find_agent(u, classes[i]));
}

static int open_qp0(struct umadtransport *u, const char *device, unsigned port, enum umad_role role,
                    char *error, size_t size)
{
	int rc = open_file(u, 0, device, port, error, size);

	if (rc == 0)
		rc = need_class(u, MAD_CLASS_SM, role, error, size);
	if (rc == 0)
		rc = need_class(u, MAD_CLASS_SM_DIRECTED, role, error, size);
	if (rc < 0)
		return rc;
	if (role == UMAD_SMA)
		register_neighbours(u);
	return start_file(u->qps[0], 0, error, size);
}

int umadtransport_open(const char *device, unsigned port, enum umad_role role, struct mailbox *box,
                       struct transport **transport, char *error, size_t size)
{
	struct umadtransport *u = calloc(1, sizeof(*u));
	int rc;

	if (!u) {
		snprintf(error, size, "out of memory");
		return -ENOMEM;
	}
	u->transport.ops = &ops;
	u->box = box;
	rc = open_qp0(u, device, port, role, error, size);
	if (rc < 0)
		umad_transport_close(&u->transport);
	else
		*transport = &u->transport;
	return rc;
}

static bool is_file(const struct file *file, const char *device, unsigned port)
{
	return strcmp(file->device, device) == 0 && file->port.number == port;
}

/* Whether there is a QP1 is seen when an agent for answers is registered. */
static int open_qp1(struct umadtransport *u, const char *device, unsigned port, char *error, size_t size)
{
	bool is_shared = is_file(u->qps[0], device, port);
	int rc;

	if (is_shared)
		u->qps[1] = u->qps[0];
	rc = is_shared ? 0 : open_file(u, 1, device, port, error, size);
	if (rc == 0)
		rc = need_class(u, MAD_CLASS_PERF, UMAD_GSI, error, size);
	if (rc == 0 && !is_shared)
		rc = start_file(u->qps[1], 1, error, size);
	return rc;
}

int umadtransport_open_qp1(struct transport *transport, const char *device, unsigned port, char *error,
                           size_t size)
{
	struct umadtransport *u = (struct umadtransport *)transport;
	int rc = open_qp1(u, device, port, error, size);

	if (rc == 0)
		return 0;
	if (u->qps[1] == &u->files[1])
		umadport_close(&u->files[1].port);
	u->qps[1] = NULL;
	return rc;
}
