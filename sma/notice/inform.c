// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_sa.h>
#include <infiniband/umad_types.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/notice/inform.h"

#define TOPIC      "inform"
#define AT(member) offsetof(struct umad_sa_packet, member)

enum {
	ANSWER_MS = 2000,
	MARGIN_MS = 1000, /* the transport reports a time-out itself; this is for one that got lost */
	BACKOFF_MIN_MS = 1000,
	BACKOFF_MAX_MS = 60 * 1000,
};

/* Components of InformInfo, as offsets, and their values (IBA 13.4.8.3). */
enum {
	II_GID = 0,
	II_LID_BEGIN = 16,
	II_IS_GENERIC = 22,
	II_SUBSCRIBE = 23,
	II_TYPE = 24,
	II_TRAP_NUMBER = 26,
	II_QPN_TIME = 28, /* 24 bits QPN, 3 reserved, 5 RespTimeValue */
	II_PRODUCER = 32, /* 8 bits reserved, 24 ProducerType */
	ANY_LID = 0xFFFF, /* likewise any Type and TrapNumber */
	ANY_PRODUCER = 0xFFFFFF,
	RESP_TIME = 18, /* 4.096 us * 2^18: one second */
	QP1 = 1,
};

/* A Report carries a Notice with IssuerGID behind it. */
enum { GID_SIZE = 16, REPORT_SIZE = AT(data) + SMA_BLOCK_SIZE + GID_SIZE };

/* What stands against a subscription, whatever the SA does. */
enum obstacle { NO_OBSTACLE, UNKNOWN, NOT_ACTIVE, NO_LID, NO_SM };

/* Between whom a subscription is. */
struct peers {
	uint16_t lid;
	uint16_t sm_lid;
	unsigned sm_sl;
	uint8_t gid[GID_SIZE];
};

struct inform {
	struct sma_qp1 *qp1;
	bool subnet;
	unsigned refresh_ms;
	notice_found *found;
	void *arg;
	enum obstacle obstacle;
	struct peers peers;  /* with no obstacle */
	bool held;           /* the SA may have a subscription of ours */
	bool active;         /* it has confirmed it */
	bool logged;         /* that it does not work */
	bool waiting;        /* for the answer to `tid` */
	uint64_t due;        /* of the next subscription, or the end of waiting */
	unsigned backoff_ms; /* waited after the last failure; 0: there was none */
	uint32_t tid;
	uint32_t last_tid;
};

struct inform *inform_new(struct sma_qp1 *qp1, bool subnet, unsigned refresh_ms, notice_found *found,
                          void *arg)
{
	static uint32_t births;
	struct inform *inform = calloc(1, sizeof(*inform));

	/* the kernel may still wait for answers to an earlier one's requests, whose ids it refuses */
	if (inform)
		*inform = (struct inform){.qp1 = qp1,
		                          .subnet = subnet,
		                          .refresh_ms = refresh_ms,
		                          .found = found,
		                          .arg = arg,
		                          .obstacle = UNKNOWN,
		                          .last_tid = births++ << 16};
	return inform;
}

bool inform_is_active(const struct inform *inform)
{
	return inform->active;
}

/* ---- InformInfo ---- */

static void build(const struct inform *inform, bool subscribe, uint8_t mad[SMA_MAD_SIZE])
{
	uint8_t *info = mad + AT(data);

	mad_begin(mad, QP1_CLASS_SA, UMAD_SA_CLASS_VERSION, UMAD_METHOD_SET, UMAD_ATTR_INFORM_INFO,
	          inform->last_tid);
	if (!inform->subnet)
		memcpy(info + II_GID, inform->peers.gid, GID_SIZE);
	wire_put16(info + II_LID_BEGIN, ANY_LID);
	info[II_IS_GENERIC] = 1;
	info[II_SUBSCRIBE] = subscribe;
	wire_put16(info + II_TYPE, ANY_LID);
	wire_put16(info + II_TRAP_NUMBER, ANY_LID);
	wire_put32(info + II_QPN_TIME, (subscribe ? 0 : QP1 << 8) | RESP_TIME);
	wire_put32(info + II_PRODUCER, ANY_PRODUCER);
}

/* Set(InformInfo) to the SA, with a new transaction id. 0 or -errno. */
static int send_set(struct inform *inform, bool subscribe, unsigned timeout_ms)
{
	const struct peers *peers = &inform->peers;
	uint8_t mad[SMA_MAD_SIZE];

	inform->last_tid++;
	build(inform, subscribe, mad);
	return inform->qp1->ops->send(inform->qp1, mad, peers->sm_lid, peers->sm_sl, timeout_ms);
}

static void unsubscribe(struct inform *inform)
{
	if (inform->held)
		send_set(inform, false, 0);
	inform->held = false;
}

void inform_free(struct inform *inform)
{
	if (!inform)
		return;
	unsubscribe(inform);
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

static struct peers peers_of(const struct local_port *local)
{
	struct peers peers = {.lid = local->lid, .sm_lid = local->sm_lid, .sm_sl = local->sm_sl};

	memcpy(peers.gid, local->gid, GID_SIZE);
	return peers;
}

static bool is_same(const struct peers *a, const struct peers *b)
{
	return a->lid == b->lid && a->sm_lid == b->sm_lid && a->sm_sl == b->sm_sl &&
	       memcmp(a->gid, b->gid, GID_SIZE) == 0;
}

/* An SA finds a subscription by the address of the subscriber: it can be taken back from the same LID only.
 */
static void leave(struct inform *inform, const struct peers *next)
{
	if (inform->obstacle == NO_OBSTACLE && inform->peers.sm_lid == next->sm_lid &&
	    inform->peers.lid == next->lid)
		unsubscribe(inform);
}

static void forget(struct inform *inform)
{
	inform->held = false;
	inform->active = false;
	inform->logged = false;
	inform->waiting = false;
	inform->backoff_ms = 0;
}

void inform_update(struct inform *inform, const struct local_port *local, uint64_t now)
{
	enum obstacle obstacle = obstacle_of(local);
	struct peers peers = peers_of(local);

	if (obstacle == inform->obstacle && (obstacle || is_same(&peers, &inform->peers)))
		return;
	if (obstacle)
		log_obstacle(obstacle);
	else
		leave(inform, &peers);
	forget(inform);
	inform->obstacle = obstacle;
	inform->peers = peers;
	inform->due = now;
}

/* ---- subscribing ---- */

static void failed(struct inform *inform, const char *reason, uint64_t now)
{
	if (!inform->logged)
		sma_log(SMA_LOG_WARNING, TOPIC,
		        "no subscription to traps with the SA at LID %u: %s; trying again until it works",
		        inform->peers.sm_lid, reason);
	inform->logged = true;
	inform->active = false;
	inform->waiting = false;
	inform->backoff_ms = inform->backoff_ms ? inform->backoff_ms * 2 : BACKOFF_MIN_MS;
	if (inform->backoff_ms > BACKOFF_MAX_MS)
		inform->backoff_ms = BACKOFF_MAX_MS;
	inform->due = now + inform->backoff_ms;
}

static void subscribed(struct inform *inform, uint64_t now)
{
	if (!inform->active)
		sma_log(SMA_LOG_NOTICE, TOPIC, "subscribed to traps with the SA at LID %u",
		        inform->peers.sm_lid);
	inform->active = true;
	inform->logged = false;
	inform->waiting = false;
	inform->backoff_ms = 0;
	inform->due = now + inform->refresh_ms;
}

static void subscribe(struct inform *inform, uint64_t now)
{
	int rc = send_set(inform, true, ANSWER_MS);

	if (rc == -EBUSY)
		failed(inform, "another program on this port takes the Reports", now);
	else if (rc < 0)
		failed(inform, strerror(-rc), now);
	if (rc < 0)
		return;
	inform->held = true;
	inform->waiting = true;
	inform->tid = inform->last_tid;
	inform->due = now + ANSWER_MS + MARGIN_MS;
}

void inform_confirm(struct inform *inform, uint64_t now)
{
	if (inform->active && !inform->waiting)
		inform->due = now;
}

void inform_restart(struct inform *inform, uint64_t now)
{
	inform->waiting = false;
	inform->backoff_ms = 0;
	inform->due = now;
}

uint64_t inform_run(struct inform *inform, uint64_t now)
{
	if (inform->obstacle)
		return UINT64_MAX;
	if (now >= inform->due && inform->waiting)
		failed(inform, "no answer", now);
	else if (now >= inform->due)
		subscribe(inform, now);
	return inform->due;
}

/* ---- what came in ---- */

/* What the status of an answer of the SA means; the upper byte is the class's own. */
static const char *status_text(uint16_t status)
{
	static const char *const texts[] = {
		[UMAD_SA_STATUS_NO_RESOURCES] = "no resources",
		[UMAD_SA_STATUS_REQ_INVALID] = "request invalid",
		[UMAD_SA_STATUS_NO_RECORDS] = "no records",
		[UMAD_SA_STATUS_TOO_MANY_RECORDS] = "too many records",
		[UMAD_SA_STATUS_INVALID_GID] = "invalid GID",
		[UMAD_SA_STATUS_INSUF_COMPS] = "insufficient components",
		[UMAD_SA_STATUS_REQ_DENIED] = "request denied",
		[UMAD_SA_STATUS_PRI_SUGGESTED] = "priority suggested",
	};
	unsigned own = status >> 8;

	if (own && own < sizeof(texts) / sizeof(texts[0]))
		return texts[own];
	return smp_status_text(status);
}

static void refused(struct inform *inform, uint16_t status, uint64_t now)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "status 0x%04x (%s)", status, status_text(status));
	inform->held = false;
	failed(inform, reason, now);
}

static bool take_answer(struct inform *inform, const struct sma_mail *mail, uint64_t now)
{
	const uint8_t *mad = mail->mad;
	uint16_t status = wire_get16(mad + AT(mad_hdr.status));

	if (!inform->waiting || (uint32_t)wire_get64(mad + AT(mad_hdr.tid)) != inform->tid ||
	    wire_get16(mad + AT(mad_hdr.attr_id)) != UMAD_ATTR_INFORM_INFO)
		return false;
	if (mail->status == 0 && mad[AT(mad_hdr.method)] != UMAD_METHOD_GET_RESP)
		return false;
	if (mail->status)
		failed(inform, mail->status == ETIMEDOUT ? "no answer" : strerror(mail->status), now);
	else if (status)
		refused(inform, status, now);
	else
		subscribed(inform, now);
	return true;
}

static bool is_good_report(const struct inform *inform, const struct sma_mail *mail)
{
	return mail->size >= REPORT_SIZE && inform->obstacle == NO_OBSTACLE &&
	       mail->slid == inform->peers.sm_lid &&
	       wire_get16(mail->mad + AT(mad_hdr.attr_id)) == UMAD_ATTR_NOTICE;
}

/* The answer is the Report itself: an SA sends it again until it has one. */
static void answer_report(struct inform *inform, const struct sma_mail *mail)
{
	uint8_t mad[SMA_MAD_SIZE];
	int rc;

	memcpy(mad, mail->mad, SMA_MAD_SIZE);
	mad[AT(mad_hdr.method)] = UMAD_METHOD_REPORT_RESP;
	wire_put16(mad + AT(mad_hdr.status), 0);
	rc = inform->qp1->ops->send(inform->qp1, mad, mail->slid, mail->sl, 0);
	if (rc < 0)
		sma_log(SMA_LOG_DEBUG, TOPIC, "a Report was not answered: %s", strerror(-rc));
}

static void take_report(struct inform *inform, const struct sma_mail *mail)
{
	const uint8_t *notice = mail->mad + AT(data);

	if (!is_good_report(inform, mail)) {
		sma_log(SMA_LOG_DEBUG, TOPIC, "a Report of %u bytes from LID %u was dropped", mail->size,
		        mail->slid);
		return;
	}
	answer_report(inform, mail);
	inform->found(inform->arg, SMA_NOTICE_SA, notice, SMA_BLOCK_SIZE, notice + SMA_BLOCK_SIZE,
	              (uint32_t)wire_get64(mail->mad + AT(mad_hdr.tid)));
}

bool inform_take(struct inform *inform, const struct sma_mail *mail, uint64_t now)
{
	const uint8_t *mad = mail->mad;

	if (mail->kind != SMA_MAIL_MAD || mad[AT(mad_hdr.base_version)] != UMAD_BASE_VERSION ||
	    mad[AT(mad_hdr.mgmt_class)] != QP1_CLASS_SA ||
	    mad[AT(mad_hdr.class_version)] != UMAD_SA_CLASS_VERSION)
		return false;
	if (mail->status || mad[AT(mad_hdr.method)] != UMAD_METHOD_REPORT)
		return take_answer(inform, mail, now);
	take_report(inform, mail);
	return true;
}
