// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/notice/ready_receiver.h"

#define TOPIC "trapagent"

/* The Notice of device management has the GID of its issuer behind (IBA 16.3.3.2). */
enum { GID_AT = SMA_BLOCK_SIZE };

struct ready_receiver {
	struct engine *engine;
	notice_found *found;
	void *arg;
};

static void take(void *arg, const struct engine_received *trap)
{
	struct ready_receiver *receiver = arg;
	const uint8_t *notice = trap->mad + mad_class_find(MAD_CLASS_DEVICE)->data_at;
	int rc;

	if (trap->head.attribute != dm_attr_info(DM_Notice)->id)
		return;
	rc = engine_reply(receiver->engine, trap, MAD_TRAP_REPRESS);
	if (rc < 0)
		sma_log(SMA_LOG_DEBUG, TOPIC, "TrapRepress to LID %u was not sent: %s", trap->slid,
		        strerror(-rc));
	receiver->found(receiver->arg, SMA_NOTICE_TRAP, notice, SMA_BLOCK_SIZE, notice + GID_AT,
	                (uint32_t)trap->head.tid);
}

struct ready_receiver *ready_receiver_new(struct engine *engine, notice_found *found, void *arg)
{
	struct ready_receiver *receiver = malloc(sizeof(*receiver));
	int rc;

	if (!receiver)
		return NULL;
	*receiver = (struct ready_receiver){.engine = engine, .found = found, .arg = arg};
	rc = engine_listen(engine, MAD_CLASS_DEVICE, MAD_TRAP, take, receiver);
	if (rc < 0 && rc != -ENOTSUP)
		sma_log(SMA_LOG_NOTICE, TOPIC, "no Traps of device management: %s", strerror(-rc));
	return receiver;
}

void ready_receiver_free(struct ready_receiver *receiver)
{
	if (!receiver)
		return;
	engine_listen(receiver->engine, MAD_CLASS_DEVICE, MAD_TRAP, NULL, NULL);
	free(receiver);
}
