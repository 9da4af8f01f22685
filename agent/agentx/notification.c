// SPDX-License-Identifier: BSD-2-Clause

#include "agent/agentx/notification.h"
#include "agent/agentx/agentlib.h"
#include "agent/agentx/pdu.h"
#include "agent/agentx/protocol.h"
#include "agent/clock.h"
#include "sma/log.h"

void notification_end(struct notification *notification, enum mib_outcome outcome)
{
	mib_notified *done = notification->done;

	notification->done = NULL;
	if (done)
		done(notification->arg, outcome);
}

static void log_refusal(struct notification *notification, long error)
{
	bool *logged =
		&notification
			 ->logged[error > 0 && error < NOTIFICATION_ERRORS ? error : NOTIFICATION_ERRORS - 1];

	if (*logged)
		return;
	*logged = true;
	sma_log(SMA_LOG_WARNING, "agent",
	        "snmpd at %s refuses a notification, which is dropped: %s (%ld); "
	        "further ones with this error are dropped without a message",
	        agentlib_address(), protocol_error_name(error), error);
}

static int take_response(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *arg)
{
	struct notification *notification = arg;

	(void)session;
	(void)request;
	if (!link_is_response(notification->link, operation, pdu))
		return 1;
	if (pdu->errstat == AGENTX_NOT_OPEN) { /* so it was not sent */
		link_fail(notification->link, "it does not know the session");
		return 1;
	}
	if (pdu->errstat != AGENTX_NO_ERROR)
		log_refusal(notification, pdu->errstat);
	notification_end(notification, pdu->errstat == AGENTX_NO_ERROR ? MIB_SENT : MIB_REFUSED);
	return 1;
}

int notification_send(struct notification *notification, struct link *link, const char *context,
                      const struct variable_list *varbinds, mib_notified *done, void *arg)
{
	int rc = link_send(link, pdu_notify(context, varbinds), take_response, notification);

	if (rc < 0)
		return rc;
	notification->link = link;
	notification->done = done;
	notification->arg = arg;
	notification->sent_at = clock_ms();
	return 0;
}
