// SPDX-License-Identifier: BSD-2-Clause
/* IBSMAD-MIB: the views, and how well the attributes of each can be read. */
#include <errno.h>

#include "mib/ibsmad/daemon.h"
#include "mib/ibsmad/ibsmad_mib_gen.h"
#include "mib/map.h"
#include "mib/mib.h"
#include "mib/value.h"

/* ---- views, by their ids ---- */

static int view_next(const struct mib_daemon *daemon, const uint32_t *index, unsigned level, uint32_t from,
                     uint32_t *value)
{
	const struct mib_view *view = daemon_view(daemon, from);

	(void)index;
	(void)level;
	if (!view)
		return -ENOENT;
	*value = view->id;
	return 0;
}

const struct mib_space ibsmadViewTable_space = {.origin = MIB_OF_DAEMON, .next.of_daemon = view_next};

/* That of a row, which is there. */
static const struct mib_view *view_of(const struct mib_daemon_cell *cell)
{
	return daemon_view(cell->daemon, cell->index[0]);
}

static int context_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	daemon_text(cell, value, view_of(cell)->context);
	return 0;
}

static int device_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	daemon_text(cell, value, view_of(cell)->device);
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
		[MIB_VIEW_UNKNOWN] = ibsmadViewState_unknown,
		[MIB_VIEW_ANSWERING] = ibsmadViewState_answering,
		[MIB_VIEW_SILENT] = ibsmadViewState_silent,
		[MIB_VIEW_UNREACHABLE] = ibsmadViewState_unreachable,
	};

	value_number(value, states[view_of(cell)->state]);
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

static int alias_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	daemon_text(cell, value, view_of(cell)->alias);
	return 0;
}

static int view_guid_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	const uint64_t guid = view_of(cell)->guid;

	if (!guid)
		return -ENOENT;
	value_big_endian(value, guid, sizeof(guid));
	return 0;
}

/* The enumeration has the numbers of NodeInfo.NodeType. */
static int type_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	const unsigned type = view_of(cell)->type;

	if (type < SMA_NODE_CA || type > SMA_NODE_ROUTER)
		return -ENOENT;
	value_number(value, type);
	return 0;
}

static int string_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	daemon_text(cell, value, view_of(cell)->description);
	return 0;
}

static int lid_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, view_of(cell)->lid);
	return 0;
}

static int path_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	daemon_text(cell, value, view_of(cell)->path);
	return 0;
}

static int remote_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_truth(value, view_of(cell)->remote);
	return 0;
}

static int ports_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, view_of(cell)->ports);
	return 0;
}

static int ports_up_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, view_of(cell)->ports_up);
	return 0;
}

static int last_answer_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	return daemon_age(cell, view_of(cell)->last, value);
}

static int served_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	const struct mib_counters *values = &view_of(cell)->values;

	value_number(value, (uint32_t)(values->hits + values->misses));
	return 0;
}

static int view_sent_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, (uint32_t)view_of(cell)->smps.sent);
	return 0;
}

static int view_timed_out_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, (uint32_t)view_of(cell)->smps.timed_out);
	return 0;
}

MAP_DAEMON(ibsmadViewContext, context_get, 0);
MAP_DAEMON(ibsmadViewDevice, device_get, 0);
MAP_DAEMON(ibsmadViewPort, port_get, 0);
MAP_DAEMON(ibsmadViewState, state_get, 0);
MAP_DAEMON(ibsmadViewNotices, notices_get, 0);
MAP_DAEMON(ibsmadViewAlias, alias_get, 0);
MAP_DAEMON(ibsmadViewNodeGuid, view_guid_get, 0);
MAP_DAEMON(ibsmadViewNodeType, type_get, 0);
MAP_DAEMON(ibsmadViewNodeString, string_get, 0);
MAP_DAEMON(ibsmadViewLid, lid_get, 0);
MAP_DAEMON(ibsmadViewPath, path_get, 0);
MAP_DAEMON(ibsmadViewRemote, remote_get, 0);
MAP_DAEMON(ibsmadViewPorts, ports_get, 0);
MAP_DAEMON(ibsmadViewPortsUp, ports_up_get, 0);
MAP_DAEMON(ibsmadViewLastAnswer, last_answer_get, 0);
MAP_DAEMON(ibsmadViewObjectsServed, served_get, 0);
MAP_DAEMON(ibsmadViewSmpsSent, view_sent_get, 0);
MAP_DAEMON(ibsmadViewSmpsTimedOut, view_timed_out_get, 0);

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
	daemon_text(cell, value, sma_attr_name(attr_of(cell)));
	return 0;
}

static int good_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	value_number(value, (uint32_t)view_of(cell)->sma.attrs[attr_of(cell)].good);
	return 0;
}

static int last_get(const struct mib_daemon_cell *cell, struct mib_value *value)
{
	return daemon_age(cell, view_of(cell)->sma.attrs[attr_of(cell)].last, value);
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
