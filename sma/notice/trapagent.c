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
#include "sma/notice/trapagent.h"

#define TOPIC      "trapagent"
#define AT(member) offsetof(struct umad_smp, member)

enum { CLASS_VERSION = 1 };

struct trapagent {
	struct sma_node *node;
	struct sma_qp0 *qp0; /* NULL: the transport has no Traps */
	notice_found *found;
	void *arg;
	struct facts facts; /* as told last */
	bool active;
};

static void take(void *arg, const struct sma_mail *mail)
{
	trapagent_take(arg, mail);
}

struct trapagent *trapagent_new(struct sma_node *node, notice_found *found, void *arg)
{
	struct trapagent *agent = calloc(1, sizeof(*agent));
	struct sma_qp0 *qp0 = requests_qp0(node->requests, node->port);

	if (!agent)
		return NULL;
	*agent = (struct trapagent){.node = node, .found = found, .arg = arg};
	if (qp0 && qp0->ops->listen && qp0->ops->respond)
		agent->qp0 = qp0;
	node_on_trap(node, take, agent);
	return agent;
}

void trapagent_free(struct trapagent *agent)
{
	if (!agent)
		return;
	if (agent->active)
		agent->qp0->ops->listen(agent->qp0, false);
	node_on_trap(agent->node, NULL, NULL);
	free(agent);
}

/* ---- listening ---- */

static bool is_changed(const struct facts *a, const struct facts *b)
{
	return a->known != b->known || a->active != b->active || a->lid != b->lid || a->sm_lid != b->sm_lid;
}

static bool is_master(const struct facts *facts)
{
	return facts->known && facts->lid && facts->lid == facts->sm_lid;
}

static void tell_refused(int error)
{
	bool is_held = error == EINVAL || error == EPERM || error == EBUSY;

	sma_log(SMA_LOG_WARNING, TOPIC,
	        "no Traps on QP0: class 0x%02x is refused: %s%s; the other sources of notices go on",
	        UMAD_CLASS_SUBN_LID_ROUTED, strerror(error),
	        is_held ? ", as another program holds them, probably the subnet manager opensm on this port"
	                : "");
}

static void start(struct trapagent *agent)
{
	int rc = agent->qp0->ops->listen(agent->qp0, true);

	agent->active = rc == 0;
	if (agent->active)
		sma_log(SMA_LOG_NOTICE, TOPIC, "taking the Traps that are sent to LID %u", agent->facts.lid);
	else
		tell_refused(-rc);
}

static void stop(struct trapagent *agent)
{
	agent->qp0->ops->listen(agent->qp0, false);
	agent->active = false;
	sma_log(SMA_LOG_NOTICE, TOPIC, "no longer taking Traps: the master SM is elsewhere");
}

void trapagent_facts(struct trapagent *agent, const struct facts *facts)
{
	if (!agent->qp0 || !is_changed(facts, &agent->facts))
		return;
	agent->facts = *facts;
	if (is_master(facts) && !agent->active)
		start(agent);
	else if (!is_master(facts) && agent->active)
		stop(agent);
}

bool trapagent_is_active(const struct trapagent *agent)
{
	return agent->active;
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
static uint64_t m_key_for(const struct trapagent *agent, uint16_t lid)
{
	return lid == agent->facts.lid ? agent->node->config.m_key : 0;
}

static void repress(struct trapagent *agent, const struct sma_mail *mail)
{
	uint8_t mad[SMA_MAD_SIZE];
	int rc;

	mad_begin(mad, UMAD_CLASS_SUBN_LID_ROUTED, CLASS_VERSION, UMAD_METHOD_TRAP_REPRESS, UMAD_ATTR_NOTICE,
	          wire_get64(mail->mad + AT(tid)));
	wire_put64(mad + AT(mkey), m_key_for(agent, mail->slid));
	memcpy(mad + AT(data), mail->mad + AT(data), SMA_BLOCK_SIZE);
	rc = agent->qp0->ops->respond(agent->qp0, mad, mail->slid, mail->sl);
	if (rc < 0)
		sma_log(SMA_LOG_DEBUG, TOPIC, "TrapRepress to LID %u was not sent: %s", mail->slid,
		        strerror(-rc));
}

bool trapagent_take(struct trapagent *agent, const struct sma_mail *mail)
{
	if (!agent->active || mail->port != agent->node->port || !is_trap(mail))
		return false;
	repress(agent, mail);
	agent->found(agent->arg, SMA_NOTICE_TRAP, mail->mad + AT(data), SMA_BLOCK_SIZE, NULL,
	             (uint32_t)wire_get64(mail->mad + AT(tid)));
	return true;
}
