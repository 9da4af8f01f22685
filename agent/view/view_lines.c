// SPDX-License-Identifier: BSD-2-Clause
/* What the configuration says of views, and the files that it names. */
#include <stdlib.h>

#include "agent/view/views_parts.h"
#include "sma/log.h"

enum { ERROR_SIZE = 1024 };

/* ---- files ---- */

/* One that cannot be read leaves what was read before. */
static void read_map(struct views *views)
{
	const char *file = views->config->name_map;
	struct name_map *map = NULL;
	char error[ERROR_SIZE];

	if (*file && name_map_load(file, &map, error, sizeof(error)) < 0) {
		sma_log(SMA_LOG_ERROR, "view", "no names from the node name map: %s", error);
		return;
	}
	name_map_free(views->map);
	views->map = map;
}

static void read_keys(struct views *views)
{
	const char *file = views->config->key_file;
	struct key_file *keys = NULL;
	char error[ERROR_SIZE];

	if (*file && key_file_load(file, &keys, error, sizeof(error)) < 0) {
		sma_log(SMA_LOG_ERROR, "view", "no M_Keys for other nodes: %s", error);
		return;
	}
	key_file_free(views->keys);
	views->keys = keys;
}

/* ---- lines ---- */

static void drop_lines(struct views *views)
{
	struct view *view;
	struct view *next;

	for (view = TAILQ_FIRST(&views->list); view; view = next) {
		next = TAILQ_NEXT(view, link);
		if (view->kind == VIEW_REMOTE) {
			remote_view_drop_lines(view);
		} else if (view->kind == VIEW_PLACE) {
			place_view_lose(view);
			view_free(view);
		}
	}
}

static void add_lines(struct views *views)
{
	for (unsigned i = 0; i < views->lines->line_count; i++) {
		const struct view_line *line = &views->lines->lines[i];

		if (line->kind == VIEW_LINE_GUID)
			remote_view_add_line(views, line);
		else
			place_view_add_line(views, line);
	}
}

/* Nodes that were only named, or are of a type that is not shown any more. */
static void drop_unwanted(struct views *views)
{
	struct view *view;
	struct view *next;

	for (view = TAILQ_FIRST(&views->list); view; view = next) {
		next = TAILQ_NEXT(view, link);
		if (view->kind == VIEW_REMOTE && !view->remote.is_named &&
		    !(view->port && view->remote.node && subnet_shows(view->port, view->remote.node->type)))
			remote_view_leave(view);
	}
}

void view_lines_apply(struct views *views)
{
	struct view *view;

	read_map(views);
	read_keys(views);
	if (!views->lines || !view_config_is_same(views->lines, views->config->views)) {
		drop_lines(views);
		view_config_unref(views->lines);
		views->lines = view_config_ref(views->config->views);
		add_lines(views);
		drop_unwanted(views);
	}
	TAILQ_FOREACH (view, &views->list, link) {
		if (view->kind == VIEW_REMOTE)
			remote_view_configure(view);
		else if (view->kind == VIEW_PLACE)
			place_view_configure(view);
	}
}
