// SPDX-License-Identifier: BSD-2-Clause
/* The view of whatever node is at a LID, or at the end of a directed route: first its NodeInfo says which. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "agent/view/views_parts.h"
#include "sma/log.h"

enum { ASK_AGAIN_MS = 10 * 1000 };

/* ---- the node ---- */

static void note_stranger(void *arg, unsigned port, uint64_t guid)
{
	struct view *view = arg;

	(void)port;
	(void)guid;
	view->place.is_stranger = true;
	view->place.ask_at = 0;
}

static int attach(struct view *view, struct sma_node *node, unsigned number)
{
	struct engine *engine = host_port_mad(view->port)->engine;
	int rc = sma_node_attach_remote(node, number, engine, &view->place.address, view->guid, VIEW_SMPS);

	if (rc < 0)
		return rc;
	peer_share(sma_node_peer(node, number), view->place.peer);
	sma_node_on_stranger(node, note_stranger, view);
	return 0;
}

static void show(struct view *view, unsigned number)
{
	const struct sma_config config = view_sma_config(view);
	struct sma_node *node;
	int rc = sma_node_new(&config, number, &node);

	if (rc == 0) {
		rc = attach(view, node, number);
		if (rc == 0)
			rc = view_show(view, node, true);
		else
			sma_node_close(node);
	}
	if (rc < 0)
		sma_log(SMA_LOG_ERROR, "view", "the view of %s cannot be shown: %s", view_title(view),
		        strerror(-rc));
	else
		sma_log(SMA_LOG_INFO, "view", "the view of %s shows node 0x%016" PRIx64, view_title(view),
		        view->guid);
}

/* Blocks of the node before are not those of another one; of the same one they stay. */
static void take_node_info(struct view *view, const uint8_t *data)
{
	uint64_t guid = sma_component_get(data, SMA_NodeInfo_NodeGUID);
	unsigned type = (unsigned)sma_component_get(data, SMA_NodeInfo_NodeType);
	unsigned local = (unsigned)sma_component_get(data, SMA_NodeInfo_LocalPortNum);
	unsigned number = type == SMA_NODE_SWITCH ? 0 : local;

	view->place.is_stranger = false;
	if (view->node && view->guid == guid && sma_node_port(view->node) == number)
		return;
	view->guid = guid;
	show(view, number);
}

/* ---- which node it is ---- */

static void take_answer(void *arg, const struct engine_result *result)
{
	struct view *view = arg;

	if (result->error == -ECANCELED)
		return;
	view->place.is_asked = false;
	view->place.ask_at = view->views->now + ASK_AGAIN_MS;
	if (result->error == 0 && result->status == 0)
		take_node_info(view, result->data);
}

static void ask(struct view *view, uint64_t now)
{
	const struct engine_request request = {.method = MAD_GET,
	                                       .attribute = sma_attr_id(SMA_NodeInfo),
	                                       .priority = ENGINE_PROMPT,
	                                       .done = take_answer,
	                                       .arg = view};

	view->place.ask_at = now + ASK_AGAIN_MS;
	view->place.is_asked = peer_submit(view->place.peer, &request, now, NULL) == 0;
}

static void open_peer(struct view *view)
{
	view->port = host_find(view->views, view->via.device, view->via.port);
	if (!view->port)
		return;
	view->place.peer =
		peer_open(host_port_mad(view->port)->engine, MAD_CLASS_SM, &view->place.address, VIEW_SMPS);
	if (view->place.peer)
		peer_set_key(view->place.peer, key_file_find(view->views->keys, 0));
	view->place.ask_at = 0;
}

void place_view_tick(struct view *view, uint64_t now)
{
	if (!view->place.peer)
		open_peer(view);
	if (!view->place.peer || view->place.is_asked || (view->node && !view->place.is_stranger))
		return;
	if (now >= view->place.ask_at)
		ask(view, now);
}

/* ---- life ---- */

void place_view_lose(struct view *view)
{
	view_clear(view);
	peer_close(view->place.peer);
	view->place.peer = NULL;
	view->place.is_asked = false;
	view->port = NULL;
}

void place_view_add_line(struct views *views, const struct view_line *line)
{
	struct view *view = view_new(views, VIEW_PLACE);

	if (!view)
		return;
	view->via = line->via;
	if (line->kind == VIEW_LINE_LID) {
		view->place.address = (struct engine_address){.route = ENGINE_LID, .lid = line->lid};
	} else {
		view->place.address = (struct engine_address){.route = ENGINE_ROUTED, .hops = line->hops};
		memcpy(view->place.address.path, line->path, sizeof(view->place.address.path));
	}
	view_set_name(view, VIEW_NAME_LINE, line->name);
}

void place_view_configure(struct view *view)
{
	const struct sma_config config = view_sma_config(view);

	if (view->place.peer)
		peer_set_key(view->place.peer, key_file_find(view->views->keys, 0));
	if (view->node)
		sma_node_configure(view->node, &config);
}
