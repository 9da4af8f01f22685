// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/session.h"
#include "agent/agentx/way.h"
#include "agent/clock.h"
#include "agent/stamp.h"
#include "mib/mib.h"
#include "sma/log.h"

enum {
	RETRY_MS = 1000, /* after the session has refused a notification */
	ATTEMPTS = 3,    /* to send one, each of which ended the session */
};

static unsigned trap_of(const struct way *way)
{
	return sma_notice_trap(way->notice.data);
}

static const char *name_of(const struct way *way)
{
	const char *name = mib_notification_name(trap_of(way));

	return name ? name : "no notification";
}

uint64_t way_age(const struct sma_notice *notice, uint64_t now)
{
	return now > notice->when ? now - notice->when : 0;
}

void way_take(struct way *way, const struct sma_notice *notice)
{
	way->taken = true;
	way->notice = *notice;
	way->attempts = 0;
}

/* ---- its end ---- */

static void drop(struct way *way)
{
	way->taken = false;
	way->dropped++;
}

static void arrive(struct way *way)
{
	way->taken = false;
	way->sent++;
	way->waited += way->late;
	sma_log(SMA_LOG_DEBUG, "notify", "%s was sent", name_of(way));
}

static void end(void *arg, enum session_outcome outcome)
{
	struct way *way = arg;

	way->busy = false;
	if (outcome == SESSION_SENT)
		arrive(way);
	else if (outcome == SESSION_REFUSED)
		drop(way);
	else
		way->attempts++;
}

static const char *reason(int error)
{
	static const struct {
		int error;
		const char *text;
	} reasons[] = {
		{-ENOENT, "the MIB has no notification for what it says"},
		{-ERANGE, "a value is out of its object's range"},
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].error == error)
			return reasons[i].text;
	}
	return strerror(-error);
}

static void drop_unsendable(struct way *way, int error)
{
	if (tally_add(&way->failed, trap_of(way)) == 1)
		sma_log(SMA_LOG_WARNING, "notify",
		        "trap %u (%s) cannot be sent: %s; further ones are dropped without a line",
		        trap_of(way), name_of(way), reason(error));
	drop(way);
}

/* That it was snmpd which restarted each time is not likely. */
static void give_up(struct way *way)
{
	sma_log(SMA_LOG_WARNING, "notify",
	        "trap %u (%s) is dropped: each of %d attempts to send it ended the session with snmpd",
	        trap_of(way), name_of(way), ATTEMPTS);
	drop(way);
}

/* ---- sending ---- */

/* What the session does not take now it may take later: the link may be about to fail. */
static void note_refusal(struct way *way, int error)
{
	bool is_odd = error != -EAGAIN;

	if (is_odd && !way->refused)
		sma_log(SMA_LOG_WARNING, "notify", "snmpd cannot be sent a notification: %s; trying again",
		        strerror(-error));
	way->refused = is_odd;
}

/* -EAGAIN: later. The session may tell the outcome before it returns. */
static int set_out(struct way *way, const struct variable_list *varbinds, uint64_t now)
{
	int rc;

	way->busy = true;
	way->late = way_age(&way->notice, now) >= STAMP_LATE_MS;
	rc = session_notify(varbinds, end, way);
	if (rc == 0) {
		way->refused = false;
		return 0;
	}
	way->busy = false;
	note_refusal(way, rc);
	return -EAGAIN;
}

static int encode_and_send(struct way *way, uint64_t now)
{
	netsnmp_variable_list *varbinds = NULL;
	int rc = mib_notification(&way->notice, way->expose_keys, &varbinds);

	if (rc < 0)
		return rc;
	rc = stamp_add(&varbinds, session_uptime(), way_age(&way->notice, now), clock_wall_ms());
	if (rc == 0)
		rc = set_out(way, varbinds, now);
	snmp_free_varbind(varbinds);
	return rc;
}

uint64_t way_send(struct way *way, uint64_t now)
{
	int rc;

	if (way->attempts >= ATTEMPTS) {
		give_up(way);
		return now;
	}
	rc = encode_and_send(way, now);
	if (rc == -EAGAIN)
		return now + RETRY_MS;
	if (rc < 0)
		drop_unsendable(way, rc);
	return way->busy ? UINT64_MAX : now;
}
