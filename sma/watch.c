// SPDX-License-Identifier: BSD-2-Clause
/* Notices from all sources to one sink: which are wanted, whose they are, and each event once. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sma/facts.h"
#include "sma/inform.h"
#include "sma/mailbox.h"
#include "sma/node.h"
#include "sma/notice.h"
#include "sma/poll.h"
#include "sma/repeat.h"
#include "sma/soft.h"
#include "sma/trapagent.h"
#include "sma/umadqp1.h"

enum {
	FACTS_MS = 5 * 1000,
	LOG_MS = 60 * 1000, /* repeated notices are logged no more often */
};

struct sma_watch {
	struct sma_node *node;
	struct sma_soft *soft;    /* NULL: not the source, likewise below */
	struct sma_device device; /* where it is not */
	struct sma_watch_config config;
	sma_notice_sink *sink;
	void *arg;
	struct sma_mailbox *box; /* of QP1 */
	struct sma_qp1 *qp1;
	struct facts_reader *facts;
	struct inform *inform;
	struct trapagent *traps;
	struct poll *poll;
	struct repeats *repeats;
	uint64_t unlogged; /* repeats since the last log line */
	uint64_t log_at;
	bool mask_known;
	uint64_t mask; /* the node's CapabilityMask as it was told last */
	uint64_t now;
	struct sma_watch_counters counters;
};

/* ---- one notice ---- */

static bool is_own(const struct sma_watch *watch, const struct sma_notice *notice, const uint8_t *gid)
{
	const struct facts *facts;

	if (notice->source == SMA_NOTICE_SOFT || notice->source == SMA_NOTICE_POLL)
		return true;
	facts = facts_get(watch->facts);
	return facts_is_own_lid(facts, sma_notice_issuer(notice->data)) ||
	       (gid && facts->known && memcmp(gid, facts->gid, sizeof(facts->gid)) == 0);
}

/* Trap 144 tells of other local changes as well, with a mask that is the old one or not filled in. */
static bool has_news(struct sma_watch *watch, const struct sma_notice *notice)
{
	uint64_t others = 0;
	uint64_t mask = 0;
	bool news;

	if (sma_notice_trap(notice->data) != SMA_TRAP_CAPABILITY)
		return true;
	sma_notice_get(notice->data, SMA_NOTICE_OTHERLOCALCHANGES, &others);
	sma_notice_get(notice->data, SMA_NOTICE_CAPABILITYMASK, &mask);
	news = !others || (mask && !(notice->own && watch->mask_known && watch->mask == mask));
	if (news && notice->own) {
		watch->mask = mask;
		watch->mask_known = true;
	}
	return news;
}

static void hear_own(struct sma_watch *watch, const struct sma_notice *notice)
{
	if (watch->poll && notice->own && notice->source != SMA_NOTICE_POLL)
		poll_heard(watch->poll, sma_notice_trap(notice->data), watch->now);
}

static void give(struct sma_watch *watch, const struct sma_notice *notice)
{
	if (notice->own)
		sma_node_expire(watch->node, notice_changes(sma_notice_trap(notice->data)));
	watch->counters.given++;
	watch->sink(watch->arg, notice);
}

/* Whether a notice may be given; counts it where not. */
static bool is_wanted(struct sma_watch *watch, struct sma_notice *notice, const uint8_t *gid, uint32_t tid)
{
	uint64_t *reason = NULL;

	notice->own = is_own(watch, notice, gid);
	if (!notice->own && !watch->config.subnet) {
		reason = &watch->counters.foreign;
	} else if (!has_news(watch, notice)) {
		reason = &watch->counters.unwanted;
	} else {
		hear_own(watch, notice);
		if (!repeats_is_new(watch->repeats, notice, tid, watch->now))
			reason = &watch->counters.repeated;
	}
	if (reason)
		++*reason;
	return !reason;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The node and the software SMA find notices before this round of the watch. */
static uint64_t time_of(const struct sma_watch *watch)
{
	uint64_t now = later(watch->now, watch->node->now);

	return watch->soft ? later(now, soft_now(watch->soft)) : now;
}

static void take(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                 const uint8_t *issuer_gid, uint32_t tid)
{
	struct sma_watch *watch = arg;
	struct sma_notice notice = {.source = source, .when = time_of(watch)};
	enum notice_verdict verdict = notice_judge(data, size);

	watch->now = notice.when;
	watch->counters.found[source]++;
	if (verdict != NOTICE_WANTED) {
		++*(verdict == NOTICE_MALFORMED ? &watch->counters.malformed : &watch->counters.unwanted);
		sma_log(SMA_LOG_DEBUG, "watch", "a notice that is none of the ten was dropped");
		return;
	}
	memcpy(notice.data, data, SMA_BLOCK_SIZE);
	if (is_wanted(watch, &notice, issuer_gid, tid))
		give(watch, &notice);
}

static void take_own(void *arg, const uint8_t *notice)
{
	take(arg, SMA_NOTICE_SOFT, notice, SMA_BLOCK_SIZE, NULL, 0);
}

/* ---- repeats ---- */

/* The windows that end by `until`. */
static void end_windows(struct sma_watch *watch, uint64_t until)
{
	struct sma_notice notice;
	uint64_t again;
	bool due;

	while (repeats_ended(watch->repeats, until, &notice, &again, &due)) {
		watch->unlogged += again;
		notice.when = watch->now;
		if (due)
			give(watch, &notice);
	}
}

static void end_repeats(struct sma_watch *watch)
{
	end_windows(watch, watch->now);
	if (!watch->unlogged || watch->now < watch->log_at)
		return;
	sma_log(SMA_LOG_INFO, "watch", "notices that were heard again and not told again: %" PRIu64,
	        watch->unlogged);
	watch->unlogged = 0;
	watch->log_at = watch->now + LOG_MS;
}

/* The windows of the memory before end now. */
static int renew_repeats(struct sma_watch *watch, unsigned repeat_ms)
{
	struct repeats *repeats = repeats_new(repeat_ms);

	if (!repeats)
		return -ENOMEM;
	if (watch->repeats)
		end_windows(watch, UINT64_MAX);
	repeats_free(watch->repeats);
	watch->repeats = repeats;
	return 0;
}

static uint64_t repeats_next(const struct sma_watch *watch)
{
	uint64_t due = repeats_due(watch->repeats);

	return watch->unlogged && watch->log_at < due ? watch->log_at : due;
}

/* ---- sources ---- */

/* Whether it is wanted now or may be later. */
static void open_qp1(struct sma_watch *watch)
{
	const struct sma_watch_config *config = &watch->config;
	bool wanted = !config->off && (config->subscribe || config->poll_ms);
	char error[512];

	if (watch->qp1 || umad_qp1_open(watch->device.name, watch->device.port, watch->box, &watch->qp1,
	                                error, sizeof(error)) == 0)
		return;
	sma_log(wanted ? SMA_LOG_WARNING : SMA_LOG_DEBUG, "watch", "no subscription to traps: %s", error);
}

static bool open_facts(struct sma_watch *watch)
{
	watch->facts = facts_new(watch->node, FACTS_MS);
	return watch->facts;
}

static bool open_inform(struct sma_watch *watch)
{
	const struct sma_watch_config *config = &watch->config;

	if (!config->subscribe || !watch->qp1)
		return true;
	watch->inform = inform_new(watch->qp1, config->subnet, config->refresh_ms, take, watch);
	return watch->inform;
}

static bool open_traps(struct sma_watch *watch)
{
	if (watch->config.take_traps)
		watch->traps = trapagent_new(watch->node, take, watch);
	return watch->traps || !watch->config.take_traps;
}

static bool open_poll(struct sma_watch *watch)
{
	if (watch->config.poll_ms)
		watch->poll = poll_new(watch->node, watch->qp1, watch->config.poll_ms, take, watch);
	return watch->poll || !watch->config.poll_ms;
}

static bool open_device(struct sma_watch *watch)
{
	return open_facts(watch) && open_inform(watch) && open_traps(watch) && open_poll(watch);
}

static int open_sources(struct sma_watch *watch)
{
	if (!watch->soft)
		open_qp1(watch);
	if (watch->config.off)
		return 0;
	if (watch->soft)
		soft_on_notice(watch->soft, take_own, watch);
	else if (!open_device(watch))
		return -ENOMEM;
	return 0;
}

static void close_sources(struct sma_watch *watch)
{
	if (watch->soft)
		soft_on_notice(watch->soft, NULL, NULL);
	inform_free(watch->inform);
	trapagent_free(watch->traps);
	poll_free(watch->poll);
	facts_free(watch->facts);
	watch->inform = NULL;
	watch->traps = NULL;
	watch->poll = NULL;
	watch->facts = NULL;
}

/* ---- the watch ---- */

void sma_watch_config_init(struct sma_watch_config *config)
{
	*config = (struct sma_watch_config){
		.subscribe = true, .poll_ms = 10 * 1000, .refresh_ms = 60 * 1000, .repeat_ms = 15 * 1000};
}

int sma_watch_open(struct sma_node *node, const struct sma_device *device, struct sma_soft *soft,
                   const struct sma_watch_config *config, sma_notice_sink *sink, void *arg,
                   struct sma_watch **watch_out)
{
	struct sma_watch *watch = calloc(1, sizeof(*watch));
	int rc = -ENOMEM;

	if (!watch)
		return -ENOMEM;
	watch->node = node;
	watch->soft = soft;
	if (device)
		watch->device = *device;
	watch->config = *config;
	watch->sink = sink;
	watch->arg = arg;
	watch->box = sma_mailbox_new();
	if (watch->box)
		rc = renew_repeats(watch, config->repeat_ms);
	if (rc == 0)
		rc = open_sources(watch);
	if (rc < 0)
		sma_watch_close(watch);
	else
		*watch_out = watch;
	return rc;
}

int sma_watch_configure(struct sma_watch *watch, const struct sma_watch_config *config)
{
	const struct sma_watch_config *old = &watch->config;
	int rc = 0;

	if (old->off == config->off && old->subnet == config->subnet && old->subscribe == config->subscribe &&
	    old->take_traps == config->take_traps && old->poll_ms == config->poll_ms &&
	    old->refresh_ms == config->refresh_ms && old->repeat_ms == config->repeat_ms)
		return 0;
	if (watch->poll)
		poll_conclude(watch->poll);
	if (old->repeat_ms != config->repeat_ms || config->off)
		rc = renew_repeats(watch, config->repeat_ms);
	if (rc < 0)
		return rc;
	close_sources(watch);
	watch->config = *config;
	rc = open_sources(watch);
	if (rc < 0) {
		close_sources(watch);
		watch->config.off = true;
	}
	return rc;
}

void sma_watch_close(struct sma_watch *watch)
{
	if (!watch)
		return;
	close_sources(watch);
	if (watch->qp1)
		watch->qp1->ops->close(watch->qp1);
	sma_mailbox_free(watch->box);
	repeats_free(watch->repeats);
	free(watch);
}

int sma_watch_fd(const struct sma_watch *watch)
{
	return sma_mailbox_fd(watch->box);
}

void sma_watch_count(const struct sma_watch *watch, struct sma_watch_counters *counters)
{
	*counters = watch->counters;
}

enum sma_watch_state sma_watch_state(const struct sma_watch *watch)
{
	if (watch->config.off)
		return SMA_WATCH_OFF;
	if (watch->soft)
		return SMA_WATCH_SOFT;
	if (watch->inform && inform_is_active(watch->inform))
		return SMA_WATCH_SUBSCRIBED;
	return watch->traps && trapagent_is_active(watch->traps) ? SMA_WATCH_TRAPS : SMA_WATCH_UNSUBSCRIBED;
}

static void take_mail(struct sma_watch *watch)
{
	struct sma_mail mail;
	unsigned dropped;

	while (sma_mailbox_take(watch->box, &mail)) {
		if (mail.kind != SMA_MAIL_MAD)
			continue; /* QP0 of the same device tells of it */
		if (watch->inform && inform_take(watch->inform, &mail, watch->now))
			continue;
		if (watch->poll && poll_take(watch->poll, &mail, watch->now))
			continue;
		sma_log(SMA_LOG_DEBUG, "watch", "a MAD on QP1 that answers nothing was dropped");
	}
	dropped = sma_mailbox_dropped(watch->box);
	if (dropped)
		sma_log(SMA_LOG_WARNING, "watch",
		        "%u MADs on QP1 were dropped: they came faster than they were read", dropped);
}

/* The CapabilityMask before the first notice. */
static void learn_mask(struct sma_watch *watch)
{
	struct sma_key key = sma_key_port(watch->node, 0);
	struct sma_reader reader = {.node = watch->node, .now = watch->now, .budget = 1};

	if (!watch->mask_known && !watch->config.off)
		watch->mask_known = sma_read(&reader, &key, SMA_PortInfo_CapabilityMask, &watch->mask) == 0;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t run_sources(struct sma_watch *watch)
{
	uint64_t due = facts_run(watch->facts, watch->now);
	const struct facts *facts = facts_get(watch->facts);
	bool covered = false;

	if (watch->inform) {
		inform_facts(watch->inform, facts, watch->now);
		due = earlier(due, inform_run(watch->inform, watch->now));
		covered = inform_is_active(watch->inform);
	}
	if (watch->traps) {
		trapagent_facts(watch->traps, facts);
		covered = covered || trapagent_is_active(watch->traps);
	}
	if (watch->poll)
		due = earlier(due, poll_run(watch->poll, facts, covered, watch->now));
	if (watch->poll && watch->inform && poll_has_doubts(watch->poll)) {
		inform_hurry(watch->inform, watch->now);
		due = earlier(due, inform_run(watch->inform, watch->now));
	}
	return due;
}

uint64_t sma_watch_process(struct sma_watch *watch, uint64_t now)
{
	uint64_t due = UINT64_MAX;

	watch->now = later(watch->now, now);
	learn_mask(watch);
	take_mail(watch);
	if (watch->facts)
		due = run_sources(watch);
	end_repeats(watch);
	/* what the sources want to read has to be sent for in this round */
	return earlier(earlier(due, repeats_next(watch)), requests_run(watch->node->requests, now));
}
