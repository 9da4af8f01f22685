/* SPDX-License-Identifier: BSD-2-Clause */
/* A port whose QP0 cannot be read: for how long, and when its device is given up. */
#ifndef MAD_OUTAGE_H
#define MAD_OUTAGE_H

#include "sma/mad/sma_mailbox.h"

enum { OUTAGE_LOST_MS = 10 * 1000 }; /* a device that cannot be read, or takes nothing, for so long is lost */

/* All zeros: there is none. */
struct outage {
	int error;      /* a positive errno; 0: the port can be read */
	uint64_t since; /* when that was told */
};

/* Follow what the reader of the port tells, SMA_MAIL_BROKEN or SMA_MAIL_MENDED, at `now`; and log it. */
void outage_take(struct outage *outage, const struct sma_mail *mail, uint64_t now);

/* Why the device is lost at `now`: a positive errno; 0: it is not. */
int outage_lost(const struct outage *outage, uint64_t now);

/* When it is going to be lost, UINT64_MAX: there is no outage, or it is already. */
uint64_t outage_due(const struct outage *outage, uint64_t now);

#endif
