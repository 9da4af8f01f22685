// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/address.h"
#include "agent/agentx/agentlib.h"
#include "agent/agentx/connect.h"
#include "agent/agentx/credentials.h"
#include "agent/agentx/link.h"
#include "agent/agentx/liveness.h"
#include "agent/agentx/notification.h"
#include "agent/agentx/pdu.h"
#include "agent/agentx/protocol.h"
#include "agent/agentx/retry.h"
#include "agent/agentx/session.h"
#include "agent/agentx/setup.h"
#include "agent/agentx/warning.h"
#include "agent/clock.h"
#include "agent/last_error.h"
#include "sma/clock.h"
#include "sma/log.h"

enum {
	GIVE_UP_MS =
		60000, /* on a master agent that is frozen and reached by TCP, or that keeps a notification */
	FLUSH_MS = 20,
	SHUTDOWN_MS = 500,
};

enum stage { IDLE, CONNECTING, SETTING_UP, UP };

static struct {
	enum stage stage;
	struct address address;
	uid_t permitted;        /* to listen there, see credentials_check */
	struct connect connect; /* CONNECTING */
	struct link link;       /* from SETTING_UP on */
	struct setup setup;
	struct notification notification;
	struct retry retry;
	struct session_failure failure;
	uint64_t due;      /* IDLE: when to connect */
	uint64_t up_since; /* UP */
} self = {.permitted = SESSION_NOBODY};

static void note_failure(enum session_failure_kind kind, int error, const char *why)
{
	self.failure.kind = kind;
	self.failure.error = error;
	snprintf(self.failure.text, sizeof(self.failure.text), "%s", why);
}

static void try_again_at(uint64_t due)
{
	self.stage = IDLE;
	self.due = due;
}

/* ---- connecting ---- */

static void log_connected(void)
{
	warning_forget();
	memset(self.notification.logged, 0, sizeof(self.notification.logged));
	sma_log(SMA_LOG_NOTICE, "agent", "AgentX subagent connected to snmpd at %s", agentlib_address());
}

static void come_up(void)
{
	self.stage = UP;
	self.up_since = clock_ms();
	self.failure.kind = SESSION_NOT_FAILED;
	retry_up(&self.retry, self.link.uptime, self.up_since);
	if (!retry_is_quiet(&self.retry))
		log_connected();
}

static void fail_to_connect(enum session_failure_kind kind, int error, const char *why, uint64_t now)
{
	note_failure(kind, error, why);
	warning_once(LAST_ERROR_CONNECT, "no connection to snmpd at %s: %s", agentlib_address(), why);
	try_again_at(now + retry_absent(&self.retry, address_is_local(&self.address)));
}

/* Set up a session on the connected socket, unless somebody other than snmpd listens. */
static void use_connection(int fd, uint64_t now)
{
	char why[256];
	int rc = credentials_check(fd, &self.address, self.permitted, why, sizeof(why));

	if (rc < 0) {
		close(fd);
		fail_to_connect(SESSION_NOT_PERMITTED, rc, why, now);
		return;
	}
	rc = link_open(&self.link, fd);
	if (rc < 0) {
		fail_to_connect(SESSION_NOT_CONNECTED, rc, strerror(-rc), now);
		return;
	}
	retry_connected(&self.retry);
	self.stage = SETTING_UP;
	setup_start(&self.setup, &self.link, come_up);
}

/* `fd`: the connected socket, or -errno. */
static void take_connection(int fd, uint64_t now)
{
	char why[256];

	if (fd == -EINPROGRESS) {
		self.stage = CONNECTING;
	} else if (fd < 0) {
		snprintf(why, sizeof(why), "%s; %s", strerror(-fd), connect_advice(fd));
		fail_to_connect(SESSION_NOT_CONNECTED, fd, why, now);
	} else {
		use_connection(fd, now);
	}
}

static void start_connecting(uint64_t now)
{
	int rc = address_parse(agentlib_address(), &self.address);

	take_connection(rc < 0 ? rc : connect_start(&self.connect, &self.address, now), now);
}

/* ---- watching ---- */

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
	if (link_is_answer(&self.link, operation, pdu) && pdu->errstat == AGENTX_NOT_OPEN)
		link_fail(&self.link, "it does not know the session");
	return 1;
}

/* When to give the session up, whatever may yet come. A frozen master agent on this machine still has the
 * connection when it resumes; one reached by TCP may have lost it without a sign. */
static uint64_t give_up_at(void)
{
	const struct liveness *liveness = &self.link.liveness;

	if (liveness->frozen)
		return self.address.family == AF_UNIX ? UINT64_MAX : liveness->frozen_at + GIVE_UP_MS;
	return self.notification.done ? self.notification.sent_at + GIVE_UP_MS : UINT64_MAX;
}

static void watch_liveness(uint64_t now)
{
	struct link *link = &self.link;

	switch (liveness_check(&link->liveness, link->heard, agentlib_ping_ms(), now)) {
	case LIVENESS_FROZEN:
		sma_log(SMA_LOG_WARNING, "agent", "snmpd at %s does not answer", agentlib_address());
		break;
	case LIVENESS_ANSWERS:
		sma_log(SMA_LOG_NOTICE, "agent", "snmpd at %s answers again", agentlib_address());
		break;
	case LIVENESS_SAME:
		break;
	}
	if (self.stage == UP && liveness_wants_ping(&link->liveness, link->heard, agentlib_ping_ms(), now))
		link_ask(link, pdu_ping(), take_pong, NULL);
	if (now >= give_up_at())
		link_fail(link, "no answer for %d s", GIVE_UP_MS / 1000);
}

static uint64_t watch_due(uint64_t now)
{
	uint64_t due = liveness_due(&self.link.liveness, self.link.heard, agentlib_ping_ms());

	due = sma_earlier(due, give_up_at());
	if (self.stage == UP && retry_is_quiet(&self.retry))
		due = sma_earlier(due, self.up_since + RETRY_SETTLED_MS);
	return link_flush(&self.link) ? sma_earlier(due, now + FLUSH_MS) : due;
}

/* ---- the end of a session ---- */

static void log_end(bool was_quiet)
{
	if (self.stage != UP)
		warning_once(LAST_ERROR_CONNECT, "no session with snmpd at %s: %s; trying again",
		             agentlib_address(), self.link.fault);
	else if (!retry_is_quiet(&self.retry))
		warning_once("agent", "the session with snmpd at %s has ended: %s", agentlib_address(),
		             self.link.fault);
	else if (!was_quiet)
		warning_once("agent",
		             "the session with snmpd at %s has ended: %s; %d in a row have ended early, and "
		             "further ones are not logged until one lasts %d s",
		             agentlib_address(), self.link.fault, RETRY_LOGGED, RETRY_SETTLED_MS / 1000);
}

static void end(uint64_t now)
{
	bool was_quiet = retry_is_quiet(&self.retry);
	unsigned delay = retry_ended(&self.retry, self.stage == UP, self.link.uptime, now);

	note_failure(self.setup.is_served ? SESSION_DUPLICATE : SESSION_ENDED, 0, self.link.fault);
	log_end(was_quiet);
	link_close(&self.link);
	try_again_at(now + delay);
	notification_end(&self.notification, MIB_UNSENT);
}

/* ---- for the daemon ---- */

uint64_t session_process(void *arg, uint64_t now)
{
	(void)arg;
	if (self.stage == IDLE && now >= self.due)
		start_connecting(now);
	else if (self.stage == CONNECTING)
		take_connection(connect_continue(&self.connect, now), now);
	watch_age(now);
	if (self.stage >= SETTING_UP && !self.link.fault[0])
		watch_liveness(now);
	if (self.stage == UP && !self.link.fault[0])
		registrar_run(&self.link);
	if (self.stage >= SETTING_UP && self.link.fault[0])
		end(now);
	if (self.stage == IDLE)
		return self.due;
	return self.stage == CONNECTING ? now + CONNECT_POLL_MS : watch_due(now);
}

bool session_is_up(void)
{
	return self.stage == UP && !self.link.liveness.frozen && !self.link.fault[0];
}

const struct session_failure *session_last_failure(void)
{
	return &self.failure;
}

uint32_t session_uptime(void)
{
	return link_uptime(&self.link);
}

int session_notify(const char *context, const struct variable_list *varbinds, mib_notified *done, void *arg)
{
	if (!session_is_up() || self.notification.done)
		return -EAGAIN;
	return notification_send(&self.notification, &self.link, context, varbinds, done, arg);
}

static bool is_ready(uint32_t *uptime)
{
	*uptime = session_uptime();
	return session_is_up();
}

const struct mib_sender session_sender = {.is_ready = is_ready, .send = session_notify};

void session_permit_peer(uid_t user)
{
	self.permitted = user;
}

void session_give_way(void)
{
	registrar_give_way();
}

int session_serve(const char *context, const unsigned long *oid_name, size_t length)
{
	return registrar_serve(context, oid_name, length);
}

void session_withdraw(const char *context, const unsigned long *oid_name, size_t length)
{
	registrar_withdraw(context, oid_name, length);
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
	notification_end(&self.notification, MIB_UNSENT);
	registrar_clear();
	agentlib_stop();
}
