// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include <infiniband/umad_types.h>

#include "sma/log.h"
#include "sma/notice/report_receiver.h"

#define TOPIC "inform"

static unsigned data_at(void)
{
	return mad_class_find(MAD_CLASS_SA)->data_at;
}

/* A Report carries a Notice with IssuerGID behind it. */
static bool is_good(const struct report_receiver *receiver, const struct engine_received *report)
{
	return report->size >= data_at() + SMA_BLOCK_SIZE + SA_GID_SIZE && receiver->sm_lid &&
	       report->slid == receiver->sm_lid && report->head.attribute == UMAD_ATTR_NOTICE;
}

/* The answer is the Report itself: an SA sends it again until it has one. */
static void take(void *arg, const struct engine_received *report)
{
	struct report_receiver *receiver = arg;
	const uint8_t *notice = report->mad + data_at();
	int rc;

	if (!is_good(receiver, report)) {
		sma_log(SMA_LOG_DEBUG, TOPIC, "a Report of %u bytes from LID %u was dropped", report->size,
		        report->slid);
		return;
	}
	rc = engine_reply(receiver->engine, report, MAD_REPORT | MAD_RESPONSE);
	if (rc < 0)
		sma_log(SMA_LOG_DEBUG, TOPIC, "a Report was not answered: %s", strerror(-rc));
	receiver->found(receiver->arg, SMA_NOTICE_SA, notice, SMA_BLOCK_SIZE, notice + SMA_BLOCK_SIZE,
	                (uint32_t)report->head.tid);
}

int report_receiver_listen(struct report_receiver *receiver)
{
	int rc = 0;

	if (!receiver->listening)
		rc = engine_listen(receiver->engine, MAD_CLASS_SA, MAD_REPORT, take, receiver);
	receiver->listening = rc == 0;
	return rc;
}

void report_receiver_stop(struct report_receiver *receiver)
{
	if (receiver->listening)
		engine_listen(receiver->engine, MAD_CLASS_SA, MAD_REPORT, NULL, NULL);
	receiver->listening = false;
}
