// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>

#include "agent/agentx/agentx.h"
#include "agent/notify.h"
#include "agent/status.h"
#include "sma/log.h"

static uint64_t sum(const uint64_t *numbers, unsigned count)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < count; i++)
		total += numbers[i];
	return total;
}

void status_log(const struct serving *serving)
{
	struct sma_counters smps;
	struct sources_counters notices;
	struct notify_counters notifications;

	views_count_smps(serving->views, &smps);
	views_count_notices(serving->views, &notices);
	notify_count(serving->notify, &notifications);
	sma_log(SMA_LOG_NOTICE, "agent",
	        "status: snmpd %s; SMPs sent %" PRIu64 ", answered %" PRIu64 ", timed out %" PRIu64
	        ", refused %" PRIu64 "; notices found %" PRIu64 ", repeated %" PRIu64
	        "; notifications sent %" PRIu64 ", held back %" PRIu64 ", dropped %" PRIu64 ", waiting %u",
	        session_is_up() ? "connected" : "away", smps.sent, smps.answered, smps.timed_out,
	        smps.refused, sum(notices.found, SMA_NOTICE_SOURCE_COUNT), notices.repeated,
	        notifications.sent, notifications.held_back, notifications.dropped, notifications.queued);
}
