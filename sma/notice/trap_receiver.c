// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/mad/mad.h"
#include "sma/node/node.h"
#include "sma/node/node_parts.h"
#include "sma/notice/trap_receiver.h"

#define TOPIC      "trapagent"
#define AT(member) offsetof(struct umad_smp, member)

enum { CLASS_VERSION = 1 };

struct trap_receiver {
	struct sma_node *node;
	struct sma_qp0 *qp0; /* NULL: the transport has no Traps */
	notice_found *found;
	void *arg;
	struct local_port local; /* as of the last update */
	bool active;
};

static void take(void *arg, const struct sma_mail *mail)
{
	trap_receiver_take(arg, mail);
}

struct trap_receiver *trap_receiver_new(struct sma_node *node, notice_found *found, void *arg)
{
	struct trap_receiver *receiver = calloc(1, sizeof(*receiver));
	struct sma_qp0 *qp0 = requests_qp0(node->requests, node->port);

	if (!receiver)
		return NULL;
	*receiver = (struct trap_receiver){.node = node, .found = found, .arg = arg};
	if (qp0 && qp0->ops->listen && qp0->ops->respond)
		receiver->qp0 = qp0;
	node_on_trap(node, take, receiver);
	return receiver;
}

void trap_receiver_free(struct trap_receiver *receiver)
{
	if (!receiver)
		return;
	if (receiver->active)
		receiver->qp0->ops->listen(receiver->qp0, false);
	node_on_trap(receiver->node, NULL, NULL);
	free(receiver);
}

/* ---- listening ---- */

static bool is_changed(const struct local_port *a, const struct local_port *b)
{
	return a->known != b->known || a->active != b->active || a->lid != b->lid || a->sm_lid != b->sm_lid;
}

static bool is_master(const struct local_port *local)
{
	return local->known && local->lid && local->lid == local->sm_lid;
}

static void log_refusal(int error)
{
	bool is_held = error == EINVAL || error == EPERM || error == EBUSY;

	sma_log(SMA_LOG_WARNING, TOPIC,
	        "no Traps on QP0: class 0x%02x is refused: %s%s; the other sources of notices continue",
	        UMAD_CLASS_SUBN_LID_ROUTED, strerror(error),
	        is_held ? ", as another program holds them, probably the subnet manager opensm on this port"
	                : "");
}

static void start(struct trap_receiver *receiver)
{
	int rc = receiver->qp0->ops->listen(receiver->qp0, true);

	receiver->active = rc == 0;
	if (receiver->active)
		sma_log(SMA_LOG_NOTICE, TOPIC, "taking the Traps that are sent to LID %u",
		        receiver->local.lid);
	else
		log_refusal(-rc);
}

static void stop(struct trap_receiver *receiver)
{
	receiver->qp0->ops->listen(receiver->qp0, false);
	receiver->active = false;
	sma_log(SMA_LOG_NOTICE, TOPIC, "no longer taking Traps: the master SM is elsewhere");
}

void trap_receiver_update(struct trap_receiver *receiver, const struct local_port *local)
{
	if (!receiver->qp0 || !is_changed(local, &receiver->local))
		return;
	receiver->local = *local;
	if (is_master(local) && !receiver->active)
		start(receiver);
	else if (!is_master(local) && receiver->active)
		stop(receiver);
}

bool trap_receiver_is_active(const struct trap_receiver *receiver)
{
	return receiver->active;
}

/* ---- a Trap ---- */

static bool is_trap(const struct sma_mail *mail)
{
	const uint8_t *mad = mail->mad;

	return mail->kind == SMA_MAIL_MAD && mail->status == 0 &&
	       mad[AT(base_version)] == UMAD_BASE_VERSION &&
	       mad[AT(mgmt_class)] == UMAD_CLASS_SUBN_LID_ROUTED && mad[AT(class_version)] == CLASS_VERSION &&
	       mad[AT(method)] == UMAD_METHOD_TRAP && wire_get16(mad + AT(attr_id)) == UMAD_ATTR_NOTICE;
}

/* The M_Key is that of this node. A Trap comes from anywhere, and who sent it learns no key by its answer. */
static uint64_t m_key_for(const struct trap_receiver *receiver, uint16_t lid)
{
	return lid == receiver->local.lid ? receiver->node->config.m_key : 0;
}

static void repress(struct trap_receiver *receiver, const struct sma_mail *mail)
{
	uint8_t mad[SMA_MAD_SIZE];
	int rc;

	mad_begin(mad, UMAD_CLASS_SUBN_LID_ROUTED, CLASS_VERSION, UMAD_METHOD_TRAP_REPRESS, UMAD_ATTR_NOTICE,
	          wire_get64(mail->mad + AT(tid)));
	wire_put64(mad + AT(mkey), m_key_for(receiver, mail->slid));
	memcpy(mad + AT(data), mail->mad + AT(data), SMA_BLOCK_SIZE);
	rc = receiver->qp0->ops->respond(receiver->qp0, mad, mail->slid, mail->sl);
	if (rc < 0)
		sma_log(SMA_LOG_DEBUG, TOPIC, "TrapRepress to LID %u was not sent: %s", mail->slid,
		        strerror(-rc));
}

bool trap_receiver_take(struct trap_receiver *receiver, const struct sma_mail *mail)
{
	if (!receiver->active || mail->port != receiver->node->port || !is_trap(mail))
		return false;
	repress(receiver, mail);
	receiver->found(receiver->arg, SMA_NOTICE_TRAP, mail->mad + AT(data), SMA_BLOCK_SIZE, NULL,
	                (uint32_t)wire_get64(mail->mad + AT(tid)));
	return true;
}
