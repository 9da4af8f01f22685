// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/clock.h"
#include "agent/in_flight.h"
#include "agent/notify_time.h"
#include "mib/mib.h"
#include "sma/log.h"

enum {
	RETRY_MS = 1000, /* after the session has refused a notification */
	ATTEMPTS = 3,    /* to send one, each of which ended the session */
};

static unsigned trap_of(const struct in_flight *in_flight)
{
	return notice_trap(in_flight->notice.data);
}

static const char *name_of(const struct in_flight *in_flight)
{
	const char *name = mib_notification_name(trap_of(in_flight));

	return name ? name : "no notification";
}

uint64_t in_flight_age(const struct sma_notice *notice, uint64_t now)
{
	return now > notice->when ? now - notice->when : 0;
}

void in_flight_take(struct in_flight *in_flight, const struct sma_notice *notice)
{
	in_flight->taken = true;
	in_flight->notice = *notice;
	in_flight->attempts = 0;
}

/* ---- outcomes ---- */

static void drop(struct in_flight *in_flight)
{
	in_flight->taken = false;
	in_flight->dropped++;
}

static void take_outcome(void *arg, enum mib_outcome outcome)
{
	struct in_flight *in_flight = arg;

	in_flight->busy = false;
	switch (outcome) {
	case MIB_SENT:
		in_flight->taken = false;
		in_flight->sent++;
		in_flight->waited += in_flight->late;
		sma_log(SMA_LOG_DEBUG, "notify", "%s was sent", name_of(in_flight));
		break;
	case MIB_REFUSED:
		drop(in_flight);
		break;
	case MIB_UNSENT:
		in_flight->attempts++;
		break;
	}
}

static const char *reason(int error)
{
	switch (error) {
	case -ENOENT:
		return "the MIB has no notification for what it reports";
	case -ERANGE:
		return "a value is out of the range of its object";
	default:
		return strerror(-error);
	}
}

/* ---- sending ---- */

/* What the session does not accept now it may accept later: the link may be about to fail. */
static void log_refusal(struct in_flight *in_flight, int error)
{
	bool is_fault = error != -EAGAIN;

	if (is_fault && !in_flight->refused)
		sma_log(SMA_LOG_WARNING, "notify", "a notification cannot be sent to snmpd: %s; trying again",
		        strerror(-error));
	in_flight->refused = is_fault;
}

/* -EAGAIN: later. The session may report the outcome before it returns. */
static int start_sending(struct in_flight *in_flight, const struct mib_sender *sender,
                         const struct variable_list *varbinds, uint64_t now)
{
	int rc;

	in_flight->busy = true;
	in_flight->late = in_flight_age(&in_flight->notice, now) >= NOTIFY_TIME_LATE_MS;
	rc = sender->send("", varbinds, take_outcome, in_flight);
	if (rc == 0) {
		in_flight->refused = false;
		return 0;
	}
	in_flight->busy = false;
	log_refusal(in_flight, rc);
	return -EAGAIN;
}

static int encode_and_send(struct in_flight *in_flight, const struct mib_sender *sender, uint32_t uptime,
                           uint64_t now)
{
	netsnmp_variable_list *varbinds = NULL;
	int rc = mib_notification(&in_flight->notice, in_flight->expose_keys, &varbinds);

	if (rc < 0)
		return rc;
	rc = notify_time_add(&varbinds, uptime, in_flight_age(&in_flight->notice, now), clock_wall_ms());
	if (rc == 0)
		rc = start_sending(in_flight, sender, varbinds, now);
	snmp_free_varbind(varbinds);
	return rc;
}

uint64_t in_flight_send(struct in_flight *in_flight, const struct mib_sender *sender, uint32_t uptime,
                        uint64_t now)
{
	int rc;

	if (in_flight->attempts >= ATTEMPTS) {
		/* it is unlikely that snmpd was restarted each time */
		sma_log(SMA_LOG_WARNING, "notify",
		        "trap %u (%s) is dropped: each of %d attempts to send it ended the session with "
		        "snmpd",
		        trap_of(in_flight), name_of(in_flight), ATTEMPTS);
		drop(in_flight);
		return now;
	}
	rc = encode_and_send(in_flight, sender, uptime, now);
	if (rc == -EAGAIN)
		return now + RETRY_MS;
	if (rc < 0) {
		if (trap_counts_add(&in_flight->failed, trap_of(in_flight)) == 1)
			sma_log(SMA_LOG_WARNING, "notify",
			        "trap %u (%s) cannot be sent: %s; further ones are dropped without a message",
			        trap_of(in_flight), name_of(in_flight), reason(rc));
		drop(in_flight);
	}
	return in_flight->busy ? UINT64_MAX : now;
}
