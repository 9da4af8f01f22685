/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A way to snmpd (struct mib_sender), which does what a test says and remembers what snmpd took.
 */
#ifndef TESTS_FAKES_FAKE_SESSION_H
#define TESTS_FAKES_FAKE_SESSION_H

#include "mib/mib.h"

enum { FAKE_SESSION_KEPT = 12000 /* notifications that are remembered */, FAKE_SESSION_DATE_SIZE = 11 };

struct fake_session_sent {
	unsigned lid;    /* ibSmaNodeLid.0, which is its third variable: which notice it was */
	uint32_t uptime; /* sysUpTime.0, its first */
	bool dated;      /* its last is ibsmadNoticeTime.0 */
	char context[32];
	uint8_t date[FAKE_SESSION_DATE_SIZE];
};

struct fake_session {
	/* what the test says */
	bool up;
	int refusal;     /* the result of `send`, if not 0 */
	bool at_once;    /* snmpd takes it before `send` returns */
	uint32_t uptime; /* in hundredths of a second */
	/* what has come */
	unsigned tried;               /* calls of `send` */
	mib_notified *done;           /* of the one on its way; NULL: none is */
	void *arg;                    /* for `done` */
	struct fake_session_sent way; /* the last that was accepted */
	unsigned count;               /* those that snmpd has taken */
	struct fake_session_sent sent[FAKE_SESSION_KEPT];
};

extern struct fake_session fake_session;

extern const struct mib_sender fake_session_sender;

/* Start over, with a session that is not up, of an snmpd with an uptime of 1000000. */
void fake_session_reset(void);

/* The way of the one that is on it ends: snmpd takes it or refuses it, or the session ends too. */
void fake_session_end_notification(enum mib_outcome outcome);

#endif
