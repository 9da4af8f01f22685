// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/agentlib.h"
#include "agent/agentx/connect.h"
#include "agent/agentx/credentials.h"
#include "agent/agentx/link.h"
#include "agent/agentx/liveness.h"
#include "agent/agentx/pdu.h"
#include "agent/agentx/retry.h"
#include "agent/agentx/session.h"
#include "agent/agentx/setup.h"
#include "agent/clock.h"
#include "agent/last_error.h"
#include "sma/log.h"

enum {
	GIVE_UP_MS = 60000, /* with a master agent on TCP that is frozen, or that keeps a notification */
	FLUSH_MS = 20,
	SHUTDOWN_MS = 500,
	ERRORS = 512, /* more than RFC 2741 has; higher ones count as the last */
};

enum stage { IDLE, CONNECTING, SETTING_UP, UP };

static struct {
	enum stage stage;
	struct address address;
	uid_t permitted;        /* to listen there besides */
	struct connect connect; /* CONNECTING */
	struct link link;       /* from SETTING_UP on */
	struct setup setup;
	struct liveness liveness;
	struct retry retry;
	uint64_t due;      /* IDLE: when to connect */
	uint64_t up_since; /* UP */
	struct {
		session_notified *done; /* NULL: none is on its way */
		void *arg;
		uint64_t sent_at;
		bool reported[ERRORS]; /* with which one was refused in this session, which was logged */
	} notification;
	char last_warning[512]; /* the last complaint; it is not repeated */
} self = {.permitted = CREDENTIALS_NOBODY};

static void warn_once(const char *topic, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn_once(const char *topic, const char *format, ...)
{
	char text[sizeof(self.last_warning)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (strcmp(text, self.last_warning) == 0)
		return;
	memcpy(self.last_warning, text, sizeof(text));
	sma_log(SMA_LOG_WARNING, topic, "%s", text);
}

/* ---- attempts ---- */

static void try_again_at(uint64_t due)
{
	self.stage = IDLE;
	self.due = due;
}

static void start_setup(void);

/* Use the connected socket, unless somebody else than snmpd listens. 0, or -errno; `why`: a special reason.
 */
static int use(int fd, char *why, size_t size)
{
	int rc = credentials_check(fd, &self.address, self.permitted, why, size);

	if (rc == 0)
		return link_open(&self.link, fd);
	close(fd);
	return rc;
}

/* An attempt to connect has come to `fd`, or to an error. */
static void take_connection(int fd, uint64_t now)
{
	char why[256] = "";

	if (fd == -EINPROGRESS) {
		self.stage = CONNECTING;
		return;
	}
	if (fd >= 0)
		fd = use(fd, why, sizeof(why));
	if (fd < 0) {
		if (!why[0])
			snprintf(why, sizeof(why), "%s; %s", strerror(-fd), connect_advice(fd));
		warn_once(LAST_ERROR_CONNECT, "no connection to snmpd at %s: %s", agentlib_address(), why);
		try_again_at(now + retry_absent(&self.retry, address_is_local(&self.address)));
		return;
	}
	retry_connected(&self.retry);
	start_setup();
}

static void connect_to_master(uint64_t now)
{
	int rc = address_parse(agentlib_address(), &self.address);

	take_connection(rc < 0 ? rc : connect_start(&self.connect, &self.address, now), now);
}

/* ---- the beginning ---- */

static void ask(netsnmp_pdu *pdu, netsnmp_callback respond)
{
	liveness_ask(&self.liveness, clock_ms());
	if (link_send(&self.link, pdu, respond, NULL) < 0)
		link_fail(&self.link, "a request cannot be sent");
}

static void log_connected(void)
{
	self.last_warning[0] = '\0';
	memset(self.notification.reported, 0, sizeof(self.notification.reported));
	sma_log(SMA_LOG_NOTICE, "agent", "AgentX subagent connected to snmpd at %s", agentlib_address());
}

static void finish_setup(void)
{
	self.stage = UP;
	self.up_since = clock_ms();
	retry_up(&self.retry, self.link.uptime, self.up_since);
	if (!retry_is_quiet(&self.retry))
		log_connected();
}

static int take_setup_response(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu,
                               void *arg);

static void continue_setup(void)
{
	netsnmp_pdu *pdu;

	if (setup_request(&self.setup, &pdu))
		ask(pdu, take_setup_response);
	else
		finish_setup();
}

static void start_setup(void)
{
	self.stage = SETTING_UP;
	self.liveness = (struct liveness){0};
	setup_restart(&self.setup);
	continue_setup();
}

static int take_setup_response(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu,
                               void *arg)
{
	char why[sizeof(self.link.fault)];

	(void)request;
	(void)arg;
	if (!link_is_response(&self.link, operation, pdu))
		return 1;
	liveness_answer(&self.liveness);
	if (!setup_respond(&self.setup, session, pdu, why, sizeof(why))) {
		link_fail(&self.link, "%s", why);
		return 1;
	}
	if (why[0])
		warn_once("agent", "snmpd at %s: %s", agentlib_address(), why);
	continue_setup();
	return 1;
}

/* ---- while it lasts ---- */

static void watch_age(uint64_t now)
{
	if (self.stage != UP || now < self.up_since + RETRY_SETTLED_MS)
		return;
	if (retry_is_quiet(&self.retry))
		log_connected();
	retry_settled(&self.retry);
}

static int take_pong(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *arg)
{
	(void)session;
	(void)request;
	(void)arg;
	if (!link_is_response(&self.link, operation, pdu))
		return 1;
	liveness_answer(&self.liveness);
	if (pdu->errstat == AGENTX_NOT_OPEN)
		link_fail(&self.link, "it knows nothing of the session");
	return 1;
}

static void watch_liveness(uint64_t now)
{
	switch (liveness_check(&self.liveness, self.link.heard, agentlib_ping_ms(), now)) {
	case LIVENESS_FROZEN:
		sma_log(SMA_LOG_WARNING, "agent", "snmpd at %s does not answer", agentlib_address());
		break;
	case LIVENESS_ANSWERS:
		sma_log(SMA_LOG_NOTICE, "agent", "snmpd at %s answers again", agentlib_address());
		break;
	case LIVENESS_SAME:
		break;
	}
	if (self.stage == UP && liveness_wants_sign(&self.liveness, self.link.heard, agentlib_ping_ms(), now))
		ask(pdu_ping(), take_pong);
}

/* When the session is given up, whatever may yet come. Not with a frozen master agent on this machine's own
 * socket, which has the connection still when it goes on; that by TCP may be broken without a sign of it. */
static uint64_t given_up_at(void)
{
	if (self.liveness.frozen)
		return self.address.family == AF_UNIX ? UINT64_MAX : self.liveness.frozen_at + GIVE_UP_MS;
	return self.notification.done ? self.notification.sent_at + GIVE_UP_MS : UINT64_MAX;
}

static void watch(uint64_t now)
{
	watch_liveness(now);
	if (now >= given_up_at())
		link_fail(&self.link, "no answer for %d s", GIVE_UP_MS / 1000);
}

static uint64_t watch_due(uint64_t now)
{
	uint64_t due = liveness_due(&self.liveness, self.link.heard, agentlib_ping_ms());

	if (given_up_at() < due)
		due = given_up_at();
	if (self.stage == UP && retry_is_quiet(&self.retry) && self.up_since + RETRY_SETTLED_MS < due)
		due = self.up_since + RETRY_SETTLED_MS;
	return link_flush(&self.link) && due > now + FLUSH_MS ? now + FLUSH_MS : due;
}

/* ---- the end ---- */

static void report_outcome(enum session_outcome outcome)
{
	session_notified *done = self.notification.done;

	self.notification.done = NULL;
	if (done)
		done(self.notification.arg, outcome);
}

static void log_end(bool was_quiet)
{
	if (self.stage != UP)
		warn_once(LAST_ERROR_CONNECT, "no session with snmpd at %s: %s; trying again",
		          agentlib_address(), self.link.fault);
	else if (!retry_is_quiet(&self.retry))
		warn_once("agent", "the session with snmpd at %s has ended: %s", agentlib_address(),
		          self.link.fault);
	else if (!was_quiet)
		warn_once("agent",
		          "the session with snmpd at %s has ended: %s; %d in a row have ended soon, and "
		          "further ones are not logged until one lasts %d s",
		          agentlib_address(), self.link.fault, RETRY_LOGGED, RETRY_SETTLED_MS / 1000);
}

static void end(uint64_t now)
{
	bool was_quiet = retry_is_quiet(&self.retry);
	unsigned delay = retry_ended(&self.retry, self.stage == UP, self.link.uptime, now);

	log_end(was_quiet);
	link_close(&self.link);
	try_again_at(now + delay);
	report_outcome(SESSION_UNSENT);
}

uint64_t session_process(void *arg, uint64_t now)
{
	(void)arg;
	if (self.stage == IDLE && now >= self.due)
		connect_to_master(now);
	else if (self.stage == CONNECTING)
		take_connection(connect_continue(&self.connect, now), now);
	watch_age(now);
	if (self.stage >= SETTING_UP && !self.link.fault[0])
		watch(now);
	if (self.stage >= SETTING_UP && self.link.fault[0])
		end(now);
	if (self.stage == IDLE)
		return self.due;
	return self.stage == CONNECTING ? now + CONNECT_POLL_MS : watch_due(now);
}

bool session_is_up(void)
{
	return self.stage == UP && !self.liveness.frozen && !self.link.fault[0];
}

uint32_t session_uptime(void)
{
	return link_uptime(&self.link);
}

/* ---- notifications ---- */

static void log_refusal(long error)
{
	bool *reported = &self.notification.reported[error > 0 && error < ERRORS ? error : ERRORS - 1];

	if (*reported)
		return;
	*reported = true;
	sma_log(SMA_LOG_WARNING, "agent",
	        "snmpd at %s refuses a notification, which is dropped: %s (%ld); "
	        "further ones with this error are dropped without a line",
	        agentlib_address(), protocol_error_name(error), error);
}

static int take_notified(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *arg)
{
	(void)session;
	(void)request;
	(void)arg;
	if (!link_is_response(&self.link, operation, pdu))
		return 1;
	if (pdu->errstat == AGENTX_NOT_OPEN) {
		link_fail(&self.link, "it knows nothing of the session");
		return 1; /* and so it was not sent */
	}
	if (pdu->errstat != AGENTX_NO_ERROR)
		log_refusal(pdu->errstat);
	report_outcome(pdu->errstat == AGENTX_NO_ERROR ? SESSION_SENT : SESSION_REFUSED);
	return 1;
}

int session_notify(const struct variable_list *varbinds, session_notified *done, void *arg)
{
	int rc;

	if (!session_is_up() || self.notification.done)
		return -EAGAIN;
	rc = link_send(&self.link, pdu_notify(varbinds), take_notified, NULL);
	if (rc < 0)
		return rc;
	self.notification.done = done;
	self.notification.arg = arg;
	self.notification.sent_at = clock_ms();
	return 0;
}

/* ---- the process ---- */

void session_init(void)
{
	agentlib_init();
}

void session_set_address(const char *chosen_address)
{
	agentlib_set_address(chosen_address);
}

void session_permit_peer(uid_t user)
{
	self.permitted = user;
}

int session_serve(const unsigned long *oid_name, size_t length)
{
	return setup_serve(&self.setup, oid_name, length);
}

void session_start(void)
{
	agentlib_start();
	session_process(NULL, clock_ms());
}

void session_stop(void)
{
	if (self.stage >= SETTING_UP && !self.link.fault[0])
		link_shut_down(&self.link, SHUTDOWN_MS);
	if (self.stage >= SETTING_UP)
		link_close(&self.link);
	else if (self.stage == CONNECTING)
		connect_stop(&self.connect);
	self.stage = IDLE;
	report_outcome(SESSION_UNSENT);
	agentlib_stop();
}
