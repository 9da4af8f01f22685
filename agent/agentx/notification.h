/* SPDX-License-Identifier: BSD-2-Clause */
/* The one notification that the master agent has been sent and has not answered yet. */
#ifndef AGENT_AGENTX_NOTIFICATION_H
#define AGENT_AGENTX_NOTIFICATION_H

#include "agent/agentx/link.h"
#include "agent/agentx/session.h"

enum { NOTIFICATION_ERRORS = 512 /* more than RFC 2741 has; higher ones count as the last */ };

/* Begins with zeros. */
struct notification {
	struct link *link;
	mib_notified *done; /* NULL: all have been answered */
	void *arg;
	uint64_t sent_at;
	bool logged[NOTIFICATION_ERRORS]; /* refusals with this error, in this session */
};

/* Send a notification, while none is unanswered; see session_notify. `link` outlives the answer. */
int notification_send(struct notification *notification, struct link *link, const char *context,
                      const struct variable_list *varbinds, mib_notified *done, void *arg);

/* Report the outcome of the one that is unanswered, if one is. */
void notification_end(struct notification *notification, enum mib_outcome outcome);

#endif
