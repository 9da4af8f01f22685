// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_types.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/notice/inform.h"
#include "sma/notice/report_receiver.h"

#define TOPIC "inform"

enum {
	ANSWER_MS = 2000,
	BACKOFF_MIN_MS = 1000,
	BACKOFF_MAX_MS = 60 * 1000,
};

/* What stands against a subscription, whatever the SA does. */
enum obstacle { NO_OBSTACLE, UNKNOWN, NOT_ACTIVE, NO_LID, NO_SM };

/* Between whom a subscription is. */
struct parties {
	uint16_t lid;
	uint16_t sm_lid;
	uint8_t sm_sl;
	uint8_t gid[SA_GID_SIZE];
};

struct inform {
	struct engine *engine;
	bool subnet;
	unsigned refresh_ms;
	struct report_receiver reports;
	enum obstacle obstacle;
	struct parties parties; /* with no obstacle */
	struct peer *sa;        /* NULL: nothing was asked of it yet */
	bool held;              /* the SA may have a subscription of ours */
	bool active;            /* it has confirmed it */
	bool logged;            /* that it does not work */
	bool waiting;           /* for its answer */
	uint64_t due;           /* of the next subscription, where none is waited for */
	unsigned backoff_ms;    /* waited after the last failure; 0: there was none */
};

struct inform *inform_new(struct engine *engine, bool subnet, unsigned refresh_ms, notice_found *found,
                          void *arg)
{
	struct inform *inform = calloc(1, sizeof(*inform));

	if (inform)
		*inform = (struct inform){.engine = engine,
		                          .subnet = subnet,
		                          .refresh_ms = refresh_ms,
		                          .reports = {.engine = engine, .found = found, .arg = arg},
		                          .obstacle = UNKNOWN};
	return inform;
}

bool inform_is_active(const struct inform *inform)
{
	return inform->active;
}

/* ---- the SA ---- */

static int open_sa(struct inform *inform)
{
	const struct engine_address address = {
		.route = ENGINE_LID, .lid = inform->parties.sm_lid, .sl = inform->parties.sm_sl};

	if (!inform->sa)
		inform->sa = peer_open(inform->engine, MAD_CLASS_SA, &address, 1);
	return inform->sa ? 0 : -ENOMEM;
}

/* Drop the SA, and what it was asked. */
static void close_sa(struct inform *inform)
{
	struct peer *sa = inform->sa;

	inform->sa = NULL;
	inform->waiting = false;
	peer_close(sa);
}

static void build_request(const struct inform *inform, bool subscribe, uint8_t info[SA_INFORM_INFO_SIZE],
                          struct engine_request *request)
{
	sa_build_inform_info(info, inform->subnet ? NULL : inform->parties.gid, subscribe);
	*request = (struct engine_request){.method = MAD_SET,
	                                   .attribute = UMAD_ATTR_INFORM_INFO,
	                                   .data = info,
	                                   .size = SA_INFORM_INFO_SIZE,
	                                   .timeout_ms = ANSWER_MS,
	                                   .tries = 1};
}

static void unsubscribe(struct inform *inform)
{
	uint8_t info[SA_INFORM_INFO_SIZE];
	struct engine_request request;

	if (inform->held && open_sa(inform) == 0) {
		build_request(inform, false, info, &request);
		peer_send(inform->sa, &request);
	}
	inform->held = false;
}

void inform_free(struct inform *inform)
{
	if (!inform)
		return;
	unsubscribe(inform);
	close_sa(inform);
	report_receiver_stop(&inform->reports);
	free(inform);
}

/* ---- the port ---- */

static enum obstacle obstacle_of(const struct local_port *local)
{
	if (!local->known)
		return UNKNOWN;
	if (!local->active)
		return NOT_ACTIVE;
	if (!local->lid)
		return NO_LID;
	return local->sm_lid ? NO_OBSTACLE : NO_SM;
}

static void log_obstacle(enum obstacle obstacle)
{
	static const char *const texts[] = {
		[NOT_ACTIVE] = "the port is not active",
		[NO_LID] = "the port has no LID yet",
		[NO_SM] = "the port knows no subnet manager",
	};

	if (obstacle != UNKNOWN)
		sma_log(SMA_LOG_NOTICE, TOPIC, "no subscription to traps while %s", texts[obstacle]);
}

static struct parties parties_of(const struct local_port *local)
{
	struct parties parties = {.lid = local->lid, .sm_lid = local->sm_lid, .sm_sl = (uint8_t)local->sm_sl};

	memcpy(parties.gid, local->gid, SA_GID_SIZE);
	return parties;
}

static bool is_same(const struct parties *a, const struct parties *b)
{
	return a->lid == b->lid && a->sm_lid == b->sm_lid && a->sm_sl == b->sm_sl &&
	       memcmp(a->gid, b->gid, SA_GID_SIZE) == 0;
}

/* An SA finds a subscription by the address of the subscriber: it can be cancelled from the same LID only. */
static void leave(struct inform *inform, const struct parties *next)
{
	if (inform->obstacle == NO_OBSTACLE && inform->parties.sm_lid == next->sm_lid &&
	    inform->parties.lid == next->lid)
		unsubscribe(inform);
}

static void forget(struct inform *inform)
{
	close_sa(inform);
	inform->held = false;
	inform->active = false;
	inform->logged = false;
	inform->backoff_ms = 0;
}

void inform_update(struct inform *inform, const struct local_port *local, uint64_t now)
{
	enum obstacle obstacle = obstacle_of(local);
	struct parties parties = parties_of(local);

	if (obstacle == inform->obstacle && (obstacle || is_same(&parties, &inform->parties)))
		return;
	if (obstacle)
		log_obstacle(obstacle);
	else
		leave(inform, &parties);
	forget(inform);
	inform->obstacle = obstacle;
	inform->parties = parties;
	inform->reports.sm_lid = obstacle ? 0 : parties.sm_lid;
	inform->due = now;
}

/* ---- subscribing ---- */

static void failed(struct inform *inform, const char *reason, uint64_t now)
{
	if (!inform->logged)
		sma_log(SMA_LOG_WARNING, TOPIC,
		        "no subscription to traps with the SA at LID %u: %s; trying again until it works",
		        inform->parties.sm_lid, reason);
	inform->logged = true;
	inform->active = false;
	inform->backoff_ms = inform->backoff_ms ? inform->backoff_ms * 2 : BACKOFF_MIN_MS;
	if (inform->backoff_ms > BACKOFF_MAX_MS)
		inform->backoff_ms = BACKOFF_MAX_MS;
	inform->due = now + inform->backoff_ms;
}

static const char *error_text(int error)
{
	if (error == -EBUSY)
		return "another program on this port takes the Reports";
	return error == -ETIMEDOUT ? "no answer" : strerror(-error);
}

static void subscribed(struct inform *inform, uint64_t now)
{
	if (!inform->active)
		sma_log(SMA_LOG_NOTICE, TOPIC, "subscribed to traps with the SA at LID %u",
		        inform->parties.sm_lid);
	inform->active = true;
	inform->logged = false;
	inform->backoff_ms = 0;
	inform->due = now + inform->refresh_ms;
}

static void refused(struct inform *inform, uint16_t status, uint64_t now)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "status 0x%04x (%s)", status, sa_status_text(status));
	inform->held = false;
	failed(inform, reason, now);
}

static void done(void *arg, const struct engine_result *result)
{
	struct inform *inform = arg;
	uint64_t now = engine_now(inform->engine);

	if (result->error == -ECANCELED)
		return;
	inform->waiting = false;
	if (result->error)
		failed(inform, error_text(result->error), now);
	else if (result->status)
		refused(inform, result->status, now);
	else
		subscribed(inform, now);
}

static int submit(struct inform *inform, uint64_t now)
{
	uint8_t info[SA_INFORM_INFO_SIZE];
	struct engine_request request;
	int rc = report_receiver_listen(&inform->reports);

	if (rc == 0)
		rc = open_sa(inform);
	if (rc < 0)
		return rc;
	build_request(inform, true, info, &request);
	request.done = done;
	request.arg = inform;
	return peer_submit(inform->sa, &request, now, NULL);
}

static void subscribe(struct inform *inform, uint64_t now)
{
	int rc = submit(inform, now);

	inform->waiting = rc == 0;
	if (rc < 0)
		failed(inform, error_text(rc), now);
	else
		inform->held = true;
}

void inform_confirm(struct inform *inform, uint64_t now)
{
	if (inform->active && !inform->waiting)
		inform->due = now;
}

void inform_restart(struct inform *inform, uint64_t now)
{
	close_sa(inform);
	inform->backoff_ms = 0;
	inform->due = now;
}

uint64_t inform_run(struct inform *inform, uint64_t now)
{
	if (inform->obstacle || inform->waiting)
		return UINT64_MAX;
	if (now < inform->due)
		return inform->due;
	subscribe(inform, now);
	return inform->waiting ? UINT64_MAX : inform->due;
}
