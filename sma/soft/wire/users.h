/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who may use a simulator wire: root, the user of this process, and one more. Whoever may can program the
 * node, and is told its keys as a subnet manager is.
 */
#ifndef SOFT_WIRE_USERS_H
#define SOFT_WIRE_USERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	USERS_LOGGED = 16,        /* users that a refusal was logged of */
	USERS_LOG_MS = 60 * 1000, /* how seldom of each */
};

struct users {
	uid_t user; /* besides the others; SMA_NOBODY: no one */
	struct {
		uid_t uid;
		uint64_t again_at; /* 0: nobody */
	} told[USERS_LOGGED];
};

/* Whether a user may use the wire `name`. A refusal is logged, as often as is good. */
bool users_allow(struct users *peers, uid_t uid, const char *name, uint64_t now);

#endif
