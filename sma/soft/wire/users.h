/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who may use a simulator wire: root, the user of this process, and one more. They can program the node,
 * and are shown its keys as a subnet manager is.
 */
#ifndef SOFT_WIRE_USERS_H
#define SOFT_WIRE_USERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	USERS_LOGGED = 16,        /* users whose refusal is remembered */
	USERS_LOG_MS = 60 * 1000, /* one refusal of each is logged in that time */
};

struct users {
	uid_t user; /* besides the others; SMA_NOBODY: no one */
	struct {
		uid_t uid;
		uint64_t again_at; /* 0: nobody */
	} logged[USERS_LOGGED];
};

/* Whether a user may use the wire `name`. A refusal is logged, but not each of many. */
bool users_allow(struct users *users, uid_t uid, const char *name, uint64_t now);

#endif
