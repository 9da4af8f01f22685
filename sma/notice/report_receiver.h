/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports of subnet administration, and the ReportResp that stops their repetition (IBA 13.4.8.2, 13.4.11).
 */
#ifndef NOTICE_REPORT_RECEIVER_H
#define NOTICE_REPORT_RECEIVER_H

#include "sma/iba/iba.h"
#include "sma/mad/mad.h"
#include "sma/notice/found.h"

struct report_receiver {
	struct engine *engine;
	notice_found *found;
	void *arg;
	uint16_t sm_lid; /* from where Reports are taken; 0: from nowhere */
	bool listening;
};

/* Listen to Reports from now on, unless that is done already: each from the LID that is the receiver's
 * `sm_lid` is answered, and its Notice given to its `found`, from within engine_process. -errno as
 * engine_listen. */
int report_receiver_listen(struct report_receiver *receiver);

void report_receiver_stop(struct report_receiver *receiver);

#endif
