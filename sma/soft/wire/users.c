// SPDX-License-Identifier: BSD-2-Clause
#include <unistd.h>

#include "sma/log.h"
#include "sma/soft/wire/clients.h"
#include "sma/soft/wire/users.h"

static bool is_allowed(const struct users *users, uid_t uid)
{
	return uid != SMA_NOBODY && (uid == 0 || uid == geteuid() || uid == users->user);
}

/* Whether it is time to log a refusal: no more often than there is a place to remember it. */
static bool may_log(struct users *users, uid_t uid, uint64_t now)
{
	unsigned free = USERS_LOGGED;

	for (unsigned i = 0; i < USERS_LOGGED; i++) {
		bool is_old = now >= users->logged[i].again_at;

		if (!is_old && users->logged[i].uid == uid)
			return false;
		if (is_old)
			free = i;
	}
	if (free == USERS_LOGGED)
		return false;
	users->logged[free].uid = uid;
	users->logged[free].again_at = now + USERS_LOG_MS;
	return true;
}

bool users_allow(struct users *users, uid_t uid, const char *name, uint64_t now)
{
	if (is_allowed(users, uid))
		return true;
	if (may_log(users, uid, now))
		sma_log(SMA_LOG_WARNING, WIRE_TOPIC,
		        "user %u may not use the wire \"%s\", being neither root nor ibsmad's user (%u); to "
		        "permit it: "
		        "\"wireUser %u\" in ibsmad.conf",
		        uid, name, geteuid(), uid);
	return false;
}
