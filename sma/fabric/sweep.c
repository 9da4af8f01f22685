// SPDX-License-Identifier: BSD-2-Clause
/* Sweeps: when they begin and end, and what is told of them. */
#include <errno.h>
#include <stdlib.h>

#include "sma/clock.h"
#include "sma/fabric/fabric_parts.h"

enum { SOON_MS = 5 * 1000 /* after the end of a sweep, when another is wanted */ };

/* ---- life ---- */

int fabric_open(struct engine *engine, const struct fabric_config *config, struct fabric **fabric_out)
{
	struct fabric *fabric = calloc(1, sizeof(*fabric));

	if (fabric)
		fabric->by_lid = calloc(MAD_LAST_LID + 1, sizeof(struct graph_node *));
	if (!fabric || !fabric->by_lid) {
		free(fabric);
		return -ENOMEM;
	}
	fabric->engine = engine;
	fabric->config = *config;
	fabric->is_due = true;
	fabric->next_sweep = UINT64_MAX;
	TAILQ_INIT(&fabric->nodes);
	TAILQ_INIT(&fabric->work);
	TAILQ_INIT(&fabric->news);
	TAILQ_INIT(&fabric->looks);
	*fabric_out = fabric;
	return 0;
}

void fabric_close(struct fabric *fabric)
{
	struct graph_node *node;

	if (!fabric)
		return;
	look_end_all(fabric);
	while ((node = TAILQ_FIRST(&fabric->nodes))) {
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what was freed is not in the list any more */
		graph_free(node);
	}
	free(fabric->by_lid);
	free(fabric);
}

static uint64_t sweep_after(const struct fabric *fabric)
{
	if (!fabric->progress.completed || !fabric->config.sweep_ms)
		return UINT64_MAX;
	return fabric->progress.completed + fabric->config.sweep_ms;
}

void fabric_configure(struct fabric *fabric, const struct fabric_config *config)
{
	struct graph_node *node;

	fabric->config = *config;
	if (!fabric->is_sweeping)
		fabric->next_sweep = sma_earlier(fabric->next_sweep, sweep_after(fabric));
	TAILQ_FOREACH (node, &fabric->nodes, link) {
		for (unsigned i = 0; config->m_key && i <= graph_last_port(node); i++) {
			if (node->public.ports[i].mad_peer)
				peer_set_key(node->public.ports[i].mad_peer,
				             config->m_key(config->arg, node->public.guid));
		}
	}
}

void fabric_listen(struct fabric *fabric, fabric_heard *heard, void *arg)
{
	fabric->heard = heard;
	fabric->heard_arg = arg;
}

/* ---- sweeps ---- */

enum engine_priority sweep_priority(const struct fabric *fabric)
{
	return fabric->is_sweeping && fabric->progress.completed ? ENGINE_BACKGROUND : ENGINE_PROMPT;
}

static void begin(struct fabric *fabric)
{
	fabric->is_due = false;
	fabric->is_sweeping = true;
	fabric->sweep++;
	fabric->round++;
	fabric->next_sweep = UINT64_MAX;
	look_begin(fabric, NULL, 0);
}

static bool is_over(const struct fabric *fabric)
{
	return fabric->is_sweeping && !fabric->trying && TAILQ_EMPTY(&fabric->work) && !fabric->in_flight;
}

/* Routes may be shorter by links that were found late. */
static void end(struct fabric *fabric)
{
	fabric->is_sweeping = false;
	fabric->progress.completed = fabric->now;
	fabric->progress.sweeps++;
	fabric->next_sweep = fabric->is_due ? fabric->now + SOON_MS : sweep_after(fabric);
	fabric->is_due = false;
	route_search(fabric);
}

void fabric_sweep(struct fabric *fabric)
{
	if (fabric->is_sweeping)
		fabric->is_due = true;
	else
		fabric->next_sweep = sma_earlier(
			fabric->next_sweep,
			fabric->progress.completed ? fabric->progress.completed + SOON_MS : fabric->now);
}

void fabric_refresh(struct fabric *fabric, struct fabric_node *node)
{
	if (!node->reachable)
		return;
	fabric->round++;
	read_node(graph_of(node), true);
}

/* ---- news ---- */

static void tell(struct fabric *fabric, struct graph_node *node)
{
	bool was = node->is_announced;
	enum fabric_event event = !node->public.reachable ? FABRIC_LOST : was ? FABRIC_CHANGED : FABRIC_FOUND;

	node->is_announced = node->public.reachable;
	if ((was || event == FABRIC_FOUND) && fabric->heard)
		fabric->heard(fabric->heard_arg, event, &node->public);
}

/* A node is told of when what was wanted of it has been read. */
static void tell_news(struct fabric *fabric)
{
	struct graph_node *node = TAILQ_FIRST(&fabric->news);
	struct graph_node *next;

	for (; node; node = next) {
		next = TAILQ_NEXT(node, news);
		if (node->public.reachable && (node->wanted || node->reading))
			continue;
		TAILQ_REMOVE(&fabric->news, node, news);
		node->has_news = false;
		tell(fabric, node);
	}
}

uint64_t fabric_run(struct fabric *fabric, uint64_t now)
{
	uint64_t due;

	fabric->now = now;
	if (!fabric->is_sweeping && (fabric->is_due || now >= fabric->next_sweep))
		begin(fabric);
	if (fabric->has_lost_link)
		route_search(fabric);
	due = look_run(fabric);
	due = sma_earlier(due, read_run(fabric));
	if (is_over(fabric))
		end(fabric);
	tell_news(fabric);
	if (fabric->has_lost_link)
		return now;
	return fabric->is_sweeping ? due : sma_earlier(due, fabric->next_sweep);
}

/* ---- what there is ---- */

void fabric_drop(struct fabric_node *node)
{
	if (!node->reachable)
		graph_free(graph_of(node));
}

struct fabric_node *fabric_root(const struct fabric *fabric)
{
	return fabric->root ? &fabric->root->public : NULL;
}

static struct fabric_node *public_of(struct graph_node *node)
{
	return node ? &node->public : NULL;
}

struct fabric_node *fabric_first(const struct fabric *fabric)
{
	return public_of(TAILQ_FIRST(&fabric->nodes));
}

struct fabric_node *fabric_next(const struct fabric_node *node)
{
	return public_of(TAILQ_NEXT(graph_of(node), link));
}

static unsigned count_links(const struct graph_node *node)
{
	unsigned ends = 0;

	for (unsigned i = 0; i <= graph_last_port(node); i++) {
		const struct fabric_port *port = &node->public.ports[i];

		ends += port->peer && port->peer->reachable;
	}
	return ends;
}

static void count(struct fabric *fabric)
{
	const struct graph_node *node;
	unsigned ends = 0;

	fabric->progress.nodes = 0;
	TAILQ_FOREACH (node, &fabric->nodes, link) {
		fabric->progress.nodes += node->public.reachable;
		ends += node->public.reachable ? count_links(node) : 0;
	}
	fabric->progress.links = ends / 2;
	fabric->is_counted = true;
}

void fabric_progress(struct fabric *fabric, struct fabric_progress *progress)
{
	const struct look *look;

	if (!fabric->is_counted)
		count(fabric);
	*progress = fabric->progress;
	progress->running = fabric->is_sweeping;
	progress->silent = 0;
	TAILQ_FOREACH (look, &fabric->looks, link)
		progress->silent++;
	progress->silent -= fabric->trying;
}
