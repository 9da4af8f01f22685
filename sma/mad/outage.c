// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sma/log.h"
#include "sma/mad/host.h"
#include "sma/mad/outage.h"

void outage_take(struct outage *outage, const struct sma_mail *mail, uint64_t now)
{
	if (mail->kind == SMA_MAIL_BROKEN)
		sma_log(SMA_LOG_ERROR, "sma", "QP0 of port %u cannot be read: %s; trying again every second",
		        mail->port, strerror(mail->status));
	else
		sma_log(SMA_LOG_NOTICE, "sma", "QP0 of port %u can be read again", mail->port);
	outage->since = now;
	outage->error = mail->kind == SMA_MAIL_BROKEN ? mail->status : 0;
}

int outage_lost(const struct outage *outage, uint64_t now)
{
	return now - outage->since >= OUTAGE_LOST_MS ? outage->error : 0;
}

uint64_t outage_due(const struct outage *outage, uint64_t now)
{
	uint64_t lost_at = outage->since + OUTAGE_LOST_MS;

	return outage->error && now < lost_at ? lost_at : UINT64_MAX;
}
