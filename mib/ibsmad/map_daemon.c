// SPDX-License-Identifier: BSD-2-Clause
/* IBSMAD-MIB: what the daemon says of itself. */
#include <errno.h>
#include <string.h>

#include "mib/ibsmad/ibsmad_mib_gen.h"
#include "mib/map.h"
#include "mib/mib.h"
#include "mib/value.h"

enum { MS_PER_TICK = 10, MS_PER_SECOND = 1000 };

/* ---- getters of the daemon ---- */

static uint64_t number_of(const struct mib_daemon_cell *cell)
{
	return *(const uint64_t *)((const char *)cell->daemon + cell->object->map->offset);
}

/* Counter32 continues at 0 after its highest value. */
static int counter_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, (uint32_t)number_of(cell));
	return 0;
}

/* Gauge32 stays at its highest value. */
static void set_gauge(struct mib_value *value, uint64_t number)
{
	value_number(value, number < UINT32_MAX ? (uint32_t)number : UINT32_MAX);
}

static int gauge_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	set_gauge(value, number_of(cell));
	return 0;
}

static void set_text(const struct mib_daemon_cell *cell, struct mib_value *value, const char *text)
{
	value_display(value, text, strnlen(text, cell->object->high));
}

static int version_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	set_text(cell, value, cell->daemon->version);
	return 0;
}

static int up_time_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, (uint32_t)((cell->daemon->now - cell->daemon->started) / MS_PER_TICK));
	return 0;
}

static int views_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, cell->daemon->view_count);
	return 0;
}

static int error_text_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	set_text(cell, value, cell->daemon->error);
	return 0;
}

static int error_time_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	if (!cell->daemon->error[0])
		return -ENOENT;
	value_octets(value, cell->daemon->error_date, MIB_DATE_SIZE);
	return 0;
}

/* The age of what came at a time; 0: never. */
static int age_get(const struct mib_daemon_cell *cell, uint64_t time, struct mib_value *value)
{
	if (!time)
		return -ENOENT;
	set_gauge(value, (cell->daemon->now - time) / MS_PER_SECOND);
	return 0;
}

static int oldest_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	const struct mib_daemon *daemon = cell->daemon;
	uint64_t oldest = 0;

	for (unsigned i = 0; i < daemon->view_count; i++) {
		uint64_t time = daemon->views[i].sma.oldest;

		if (time && (!oldest || time < oldest))
			oldest = time;
	}
	return age_get(cell, oldest, value);
}

#define MAP_NUMBER(object, getter, field) MAP_DAEMON(object, getter, offsetof(struct mib_daemon, field))

MAP_DAEMON(ibsmadVersion, version_get, 0);
MAP_DAEMON(ibsmadUpTime, up_time_get, 0);
MAP_DAEMON(ibsmadViews, views_get, 0);
MAP_DAEMON(ibsmadLastErrorText, error_text_get, 0);
MAP_DAEMON(ibsmadLastErrorTime, error_time_get, 0);
MAP_NUMBER(ibsmadSmpsSent, counter_get, smps.sent);
MAP_NUMBER(ibsmadSmpsAnswered, counter_get, smps.answered);
MAP_NUMBER(ibsmadSmpsTimedOut, counter_get, smps.timed_out);
MAP_NUMBER(ibsmadSmpsRefused, counter_get, smps.refused);
MAP_NUMBER(ibsmadSmpsStrange, counter_get, smps.strange);
MAP_NUMBER(ibsmadCacheHits, counter_get, values.hits);
MAP_NUMBER(ibsmadCacheMisses, counter_get, values.misses);
MAP_DAEMON(ibsmadOldestBlockAge, oldest_get, 0);
MAP_NUMBER(ibsmadNotificationsSent, counter_get, sent);
MAP_NUMBER(ibsmadNotificationsHeldBack, counter_get, held_back);
MAP_NUMBER(ibsmadNotificationsDropped, counter_get, dropped);
MAP_NUMBER(ibsmadNoticesRepeated, counter_get, notices.repeated);
MAP_NUMBER(ibsmadNotificationQueueLength, gauge_get, queued);
MAP_NUMBER(ibsmadNoticesFromSoftware, counter_get, notices.found[SMA_NOTICE_SOFT]);
MAP_NUMBER(ibsmadNoticesFromReports, counter_get, notices.found[SMA_NOTICE_SA]);
MAP_NUMBER(ibsmadNoticesFromTraps, counter_get, notices.found[SMA_NOTICE_TRAP]);
MAP_NUMBER(ibsmadNoticesFromPolling, counter_get, notices.found[SMA_NOTICE_POLL]);
MAP_NUMBER(ibsmadNoticesForeign, counter_get, notices.foreign);
MAP_NUMBER(ibsmadNoticesUnwanted, counter_get, notices.unwanted);
MAP_NUMBER(ibsmadNoticesMalformed, counter_get, notices.malformed);

/* ---- views, which count from 1 ---- */

static int view_next(const struct mib_daemon *daemon, const uint32_t *index, unsigned level, uint32_t from,
                     uint32_t *value)
{
	(void)index;
	(void)level;
	*value = from ? from : 1;
	return *value <= daemon->view_count ? 0 : -ENOENT;
}

const struct mib_space ibsmadViewTable_space = {.origin = MIB_OF_DAEMON, .next.of_daemon = view_next};

static const struct mib_view *view_of(const struct mib_daemon_cell *cell)
{
	return &cell->daemon->views[cell->index[0] - 1];
}

static int context_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	set_text(cell, value, view_of(cell)->context);
	return 0;
}

static int device_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	set_text(cell, value, view_of(cell)->device);
	return 0;
}

static int port_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, view_of(cell)->port);
	return 0;
}

static int state_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	static const uint32_t states[] = {
		[SMA_UNKNOWN] = ibsmadViewState_unknown,
		[SMA_ANSWERING] = ibsmadViewState_answering,
		[SMA_SILENT] = ibsmadViewState_silent,
	};

	value_number(value, states[view_of(cell)->sma.state]);
	return 0;
}

static int notices_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	static const uint32_t states[] = {
		[SOURCES_OFF] = ibsmadViewNotices_off,
		[SOURCES_SOFT] = ibsmadViewNotices_software,
		[SOURCES_SUBSCRIBED] = ibsmadViewNotices_subscribed,
		[SOURCES_TRAPS] = ibsmadViewNotices_traps,
		[SOURCES_UNSUBSCRIBED] = ibsmadViewNotices_unsubscribed,
	};

	value_number(value, states[view_of(cell)->notices]);
	return 0;
}

MAP_DAEMON(ibsmadViewContext, context_get, 0);
MAP_DAEMON(ibsmadViewDevice, device_get, 0);
MAP_DAEMON(ibsmadViewPort, port_get, 0);
MAP_DAEMON(ibsmadViewState, state_get, 0);
MAP_DAEMON(ibsmadViewNotices, notices_get, 0);

/* ---- attributes of a view, by AttributeID ---- */

static int attribute_next(const struct mib_daemon *daemon, const uint32_t *index, unsigned level,
                          uint32_t from, uint32_t *value)
{
	int rc = -ENOENT;

	if (level == 0)
		return view_next(daemon, index, level, from, value);
	for (enum sma_attr attr = 0; attr < SMA_ATTR_COUNT; attr++) {
		uint32_t id = sma_attr_id(attr);

		if (id >= from && (rc < 0 || id < *value)) {
			*value = id;
			rc = 0;
		}
	}
	return rc;
}

const struct mib_space ibsmadAttributeTable_space = {.origin = MIB_OF_DAEMON,
                                                     .next.of_daemon = attribute_next};

/* Of a row that is there. */
static enum sma_attr attr_of(const struct mib_daemon_cell *cell)
{
	enum sma_attr attr = 0;

	while (sma_attr_id(attr) != cell->index[1])
		attr++;
	return attr;
}

static int name_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	set_text(cell, value, sma_attr_name(attr_of(cell)));
	return 0;
}

static int good_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, (uint32_t)view_of(cell)->sma.attrs[attr_of(cell)].good);
	return 0;
}

static int last_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	return age_get(cell, view_of(cell)->sma.attrs[attr_of(cell)].last, value);
}

static int lost_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, view_of(cell)->sma.attrs[attr_of(cell)].lost);
	return 0;
}

MAP_DAEMON(ibsmadAttributeName, name_get, 0);
MAP_DAEMON(ibsmadAttributeGoodReads, good_get, 0);
MAP_DAEMON(ibsmadAttributeLastGoodAge, last_get, 0);
MAP_DAEMON(ibsmadAttributeLostBlocks, lost_get, 0);
