/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sources in memory: the local port, QP1, the subscription, the trap receiver, polling, and the events of
 * the driver. They find nothing on their own: a test says what they are like, and sees what is
 * asked of them. A program that is linked with them uses none of sma/notice/local_port.c,
 * sma/notice/inform.c, sma/notice/change_poll.c, sma/notice/trap_receiver.c, sma/mad/umadtransport.c and
 * sma/mad/verbs.c.
 */
#ifndef TESTS_FAKES_FAKE_SOURCES_H
#define TESTS_FAKES_FAKE_SOURCES_H

#include "sma/iba/notice.h"
#include "sma/mad/verbs.h"
#include "sma/notice/found.h"
#include "sma/notice/local_port.h"

/* What a test sets comes first in each, then what it sees. */
struct fake_sources {
	unsigned open; /* how many are open, QP1 and the driver not among them */

	struct local_port local;
	uint64_t as_of;          /* the begin of the last reading of them */
	unsigned refreshed_now;  /* calls of local_port_refresh_now; likewise below */
	uint64_t refreshed_soon; /* as of when, for the last time */

	struct {
		bool fails; /* opening it gives -ENODEV, "umad9 is gone" */
		unsigned opened;
	} qp1;

	struct {
		bool fails;          /* it is out of memory */
		bool active;         /* confirmed by the SA */
		notice_found *found; /* what was given to it, and with which argument */
		void *arg;
		unsigned hurried, renewed;
	} inform;

	struct {
		bool active; /* Traps are listened to */
	} traps;

	struct {
		bool has_doubts;
		bool covered;   /* as of the last round */
		unsigned heard; /* the last trap of another source; 0: none */
		uint64_t heard_at;
		unsigned concluded;
	} poll;

	struct {
		int refusal;      /* opening it gives this, -errno, and "uverbs9 is closed"; 0: it opens */
		unsigned waiting; /* so many events wait, all of them `next` */
		struct verbs_event next;
		int end; /* what is taken when none waits: 0 or -errno */
		int fd;  /* an eventfd, readable when the test has written to it; -1: not open */
		unsigned opened;
	} verbs;
};

/* Start over, with nothing known of the port and nothing that fails. What is inside may be read and set at
 * any time. */
struct fake_sources *fake_sources_reset(void);

#endif
