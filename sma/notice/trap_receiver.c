// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_types.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/mad/mad.h"
#include "sma/node/node.h"
#include "sma/notice/trap_receiver.h"

#define TOPIC "trapagent"

struct trap_receiver {
	struct engine *engine;
	const struct sma_node *node;
	notice_found *found;
	void *arg;
	struct local_port local; /* as of the last update */
	bool active;
};

struct trap_receiver *trap_receiver_new(struct engine *engine, const struct sma_node *node,
                                        notice_found *found, void *arg)
{
	struct trap_receiver *receiver = calloc(1, sizeof(*receiver));

	if (receiver)
		*receiver =
			(struct trap_receiver){.engine = engine, .node = node, .found = found, .arg = arg};
	return receiver;
}

bool trap_receiver_is_active(const struct trap_receiver *receiver)
{
	return receiver->active;
}

/* ---- a Trap ---- */

/* The M_Key is that of this node. A Trap comes from anywhere, and who sent it learns no key by its answer. */
static uint64_t m_key_for(const struct trap_receiver *receiver, uint16_t lid)
{
	return lid == receiver->local.lid ? sma_node_m_key(receiver->node) : 0;
}

static void repress(struct trap_receiver *receiver, const struct engine_received *trap, const uint8_t *notice)
{
	const struct mad_head head = {.class = MAD_CLASS_SM,
	                              .method = MAD_TRAP_REPRESS,
	                              .tid = trap->head.tid,
	                              .attribute = UMAD_ATTR_NOTICE};
	struct packet packet = {.lid = trap->slid, .sl = trap->sl};
	int rc;

	mad_build(packet.mad, &head);
	mad_set_key(packet.mad, m_key_for(receiver, trap->slid));
	memcpy(packet.mad + SMP_AT_DATA, notice, SMA_BLOCK_SIZE);
	rc = engine_send(receiver->engine, &packet, 0);
	if (rc < 0)
		sma_log(SMA_LOG_DEBUG, TOPIC, "TrapRepress to LID %u was not sent: %s", trap->slid,
		        strerror(-rc));
}

static void take(void *arg, const struct engine_received *trap)
{
	struct trap_receiver *receiver = arg;
	const uint8_t *notice = trap->mad + SMP_AT_DATA;

	if (trap->head.attribute != UMAD_ATTR_NOTICE)
		return;
	repress(receiver, trap, notice);
	receiver->found(receiver->arg, SMA_NOTICE_TRAP, notice, SMA_BLOCK_SIZE, NULL,
	                (uint32_t)trap->head.tid);
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
	        MAD_CLASS_SM, strerror(error),
	        is_held ? ", as another program holds them, probably the subnet manager opensm on this port"
	                : "");
}

/* A transport that has no Traps is nothing to log. */
static void start(struct trap_receiver *receiver)
{
	int rc = engine_listen(receiver->engine, MAD_CLASS_SM, MAD_TRAP, take, receiver);

	receiver->active = rc == 0;
	if (receiver->active)
		sma_log(SMA_LOG_NOTICE, TOPIC, "taking the Traps that are sent to LID %u",
		        receiver->local.lid);
	else if (rc != -ENOTSUP)
		log_refusal(-rc);
}

static void stop(struct trap_receiver *receiver)
{
	engine_listen(receiver->engine, MAD_CLASS_SM, MAD_TRAP, NULL, NULL);
	receiver->active = false;
}

void trap_receiver_update(struct trap_receiver *receiver, const struct local_port *local)
{
	if (!is_changed(local, &receiver->local))
		return;
	receiver->local = *local;
	if (is_master(local) && !receiver->active) {
		start(receiver);
	} else if (!is_master(local) && receiver->active) {
		stop(receiver);
		sma_log(SMA_LOG_NOTICE, TOPIC, "no longer taking Traps: the master SM is elsewhere");
	}
}

void trap_receiver_free(struct trap_receiver *receiver)
{
	if (receiver && receiver->active)
		stop(receiver);
	free(receiver);
}
