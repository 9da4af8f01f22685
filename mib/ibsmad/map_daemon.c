// SPDX-License-Identifier: BSD-2-Clause
/* IBSMAD-MIB: what the daemon says of itself. */
#include <errno.h>
#include <string.h>

#include "mib/ibsmad/daemon.h"
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

static void set_gauge(struct mib_value *value, uint64_t number)
{
	value_number(value, number < UINT32_MAX ? (uint32_t)number : UINT32_MAX);
}

static int gauge_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	set_gauge(value, number_of(cell));
	return 0;
}

void daemon_text(const struct mib_daemon_cell *cell, struct mib_value *value, const char *text)
{
	value_display(value, text, strnlen(text, cell->object->high));
}

static int version_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	daemon_text(cell, value, cell->daemon->version);
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
	daemon_text(cell, value, cell->daemon->error);
	return 0;
}

static int error_time_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	if (!cell->daemon->error[0])
		return -ENOENT;
	value_octets(value, cell->daemon->error_date, MIB_DATE_SIZE);
	return 0;
}

int daemon_age(const struct mib_daemon_cell *cell, uint64_t time, struct mib_value *value)
{
	if (!time)
		return -ENOENT;
	set_gauge(value, (cell->daemon->now - time) / MS_PER_SECOND);
	return 0;
}

const struct mib_view *daemon_view(const struct mib_daemon *daemon, uint32_t from)
{
	return daemon->view ? daemon->view(daemon->view_arg, from) : NULL;
}

static int oldest_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	const struct mib_daemon *daemon = cell->daemon;
	const struct mib_view *view;
	uint64_t oldest = 0;

	for (view = daemon_view(daemon, 1); view; view = daemon_view(daemon, view->id + 1)) {
		if (view->sma.oldest && (!oldest || view->sma.oldest < oldest))
			oldest = view->sma.oldest;
	}
	return daemon_age(cell, oldest, value);
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

/* ---- sweeps ---- */

static int sweep_running_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_truth(value, cell->daemon->sweep.running);
	return 0;
}

static int sweep_age_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	return daemon_age(cell, cell->daemon->sweep.completed, value);
}

MAP_NUMBER(ibsmadSweeps, counter_get, sweep.count);
MAP_DAEMON(ibsmadSweepRunning, sweep_running_get, 0);
MAP_DAEMON(ibsmadSweepAge, sweep_age_get, 0);
MAP_NUMBER(ibsmadNodes, gauge_get, sweep.nodes);
MAP_NUMBER(ibsmadLinks, gauge_get, sweep.links);
MAP_NUMBER(ibsmadSweepSmps, counter_get, sweep.smps);
