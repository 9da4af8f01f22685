// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/view/views_parts.h"
#include "sma/log.h"

/* ---- names ---- */

static void show_name(struct view *view, struct view_name *name)
{
	int rc;

	if (!view->shown || name->is_shown)
		return;
	rc = mib_name(view->shown, name->text);
	name->is_shown = rc == 0;
	if (rc < 0 && !name->is_refused)
		sma_log(SMA_LOG_WARNING, "view", "no context \"%s\" for the view of %s: %s", name->text,
		        view_title(view),
		        rc == -EEXIST ? "another one has that name; a node name map or a view line can give "
		                        "it one of its own"
		                      : strerror(-rc));
	name->is_refused = rc < 0;
}

static void drop_name(struct view *view, struct view_name *name)
{
	STAILQ_REMOVE(&view->names, name, view_name, link);
	if (name->is_shown) {
		mib_unname(view->shown, name->text);
		view->views->freed_name = true;
	}
	free(name);
}

static struct view_name *find_name(const struct view *view, enum view_name_kind kind)
{
	struct view_name *name;

	STAILQ_FOREACH (name, &view->names, link) {
		if (name->kind == kind)
			return name;
	}
	return NULL;
}

static bool has_name(const struct view *view, const char *text)
{
	const struct view_name *name;

	STAILQ_FOREACH (name, &view->names, link) {
		if (strcmp(name->text, text) == 0)
			return true;
	}
	return false;
}

/* They stand in the order of their kinds. */
static void insert_name(struct view *view, struct view_name *name)
{
	struct view_name *before = NULL;
	struct view_name *other;

	STAILQ_FOREACH (other, &view->names, link) {
		if (other->kind <= name->kind)
			before = other;
	}
	if (before)
		STAILQ_INSERT_AFTER(&view->names, before, name, link);
	else
		STAILQ_INSERT_HEAD(&view->names, name, link);
}

static void add_name(struct view *view, enum view_name_kind kind, const char *text)
{
	struct view_name *name = calloc(1, sizeof(*name) + strlen(text) + 1);

	if (!name) {
		sma_log(SMA_LOG_ERROR, "view", "no memory for the name \"%s\"", text);
		return;
	}
	name->kind = kind;
	memcpy(name->text, text, strlen(text) + 1);
	insert_name(view, name);
	show_name(view, name);
}

void view_set_name(struct view *view, enum view_name_kind kind, const char *text)
{
	struct view_name *old = kind == VIEW_NAME_LINE ? NULL : find_name(view, kind);

	if (old && strcmp(old->text, text) == 0)
		return;
	if (old)
		drop_name(view, old);
	if (has_name(view, text) || (!*text && kind != VIEW_NAME_DEFAULT))
		return;
	add_name(view, kind, text);
}

void view_drop_lines(struct view *view)
{
	struct view_name *name;

	while ((name = find_name(view, VIEW_NAME_LINE)))
		drop_name(view, name);
}

void view_retry_names(struct view *view)
{
	struct view_name *name;

	STAILQ_FOREACH (name, &view->names, link)
		show_name(view, name);
}

const char *view_title(const struct view *view)
{
	const struct view_name *name;

	STAILQ_FOREACH (name, &view->names, link) {
		if (name->text[0])
			return name->text;
	}
	return "the chosen port";
}

/* ---- the node ---- */

struct sma_config view_sma_config(const struct view *view)
{
	struct sma_config config = view->views->config->sma;

	config.m_key = key_file_find(view->views->keys, view->guid);
	return config;
}

void view_clear(struct view *view)
{
	struct view_name *name;

	if (view->shown)
		mib_hide(view->shown);
	view->shown = NULL;
	STAILQ_FOREACH (name, &view->names, link) {
		view->views->freed_name = view->views->freed_name || name->is_shown;
		name->is_shown = false;
	}
	sma_node_close(view->node);
	view->node = NULL;
}

int view_show(struct view *view, struct sma_node *node, bool dm)
{
	int rc = 0;

	view_clear(view);
	view->node = node;
	if (view->views->mib)
		rc = mib_show(view->views->mib, node, dm, &view->shown);
	if (rc < 0)
		view_clear(view);
	else
		view_retry_names(view);
	return rc;
}

/* ---- life ---- */

struct view *view_new(struct views *views, enum view_kind kind)
{
	struct view *view = calloc(1, sizeof(*view));

	if (!view) {
		sma_log(SMA_LOG_ERROR, "view", "no memory for a view");
		return NULL;
	}
	view->views = views;
	view->kind = kind;
	view->id = ++views->last_id;
	STAILQ_INIT(&view->names);
	TAILQ_INSERT_TAIL(&views->list, view, link);
	views->count++;
	return view;
}

void view_free(struct view *view)
{
	struct views *views = view->views;
	struct view_name *name;

	view_clear(view);
	while ((name = STAILQ_FIRST(&view->names))) {
		STAILQ_REMOVE_HEAD(&view->names, link);
		free(name);
	}
	TAILQ_REMOVE(&views->list, view, link);
	views->count--;
	if (views->described == view)
		views->described = NULL;
	free(view);
}
