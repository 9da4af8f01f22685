/* SPDX-License-Identifier: BSD-2-Clause */
/* One view: a node and the contexts in which it is shown, whatever it is a view of. */
#ifndef AGENT_VIEW_VIEW_H
#define AGENT_VIEW_VIEW_H

#include <sys/queue.h>

#include "agent/view/view_config.h"
#include "agent/view/views.h"
#include "sma/fabric/fabric.h"

struct host_port;

/* Where a name comes from. There may be several lines. */
enum view_name_kind { VIEW_NAME_DEFAULT, VIEW_NAME_LINE, VIEW_NAME_PORT, VIEW_NAME_GUID, VIEW_NAME_NODE };

struct view_name {
	STAILQ_ENTRY(view_name) link;
	enum view_name_kind kind;
	bool is_shown;
	bool is_refused; /* which was logged */
	char text[];
};

enum view_kind {
	VIEW_LOCAL,  /* a port of this host */
	VIEW_REMOTE, /* a node of the fabric, by its NodeGUID */
	VIEW_PLACE,  /* whatever node is at a LID or at the end of a directed route */
};

struct view {
	TAILQ_ENTRY(view) link;
	struct views *views;
	enum view_kind kind;
	uint32_t id;
	struct host_port *port; /* of this host, that it is read through; NULL: it is not there at present */
	struct sma_node *node;  /* NULL: there is no way to it yet */
	struct mib_shown *shown;
	STAILQ_HEAD(view_names, view_name) names;
	struct view_via via; /* which port that is; not of a port of this host itself */
	uint64_t guid;       /* NodeGUID; 0: not known */
	union {
		struct {
			struct fabric_node *node; /* NULL: never found */
			uint64_t lost_at;         /* 0: it is reachable */
			bool is_named;            /* by a line of the configuration: it stays */
			bool by_route;            /* its LID has failed, or it has none */
			bool was_silent;
		} remote;
		struct {
			struct engine_address address;
			struct peer *peer; /* of its SMA, to ask which node is there */
			bool is_stranger;  /* another node answers than before */
			bool is_asked;
			uint64_t ask_at;
		} place;
	};
};

/* A view without node and names, as the last of the list. NULL: there is no memory. */
struct view *view_new(struct views *views, enum view_kind kind);

/* Hide it, close its node and free it. */
void view_free(struct view *view);

/* How a node elsewhere is read: as the configuration says, with the M_Key that is known for it. */
struct sma_config view_sma_config(const struct view *view);

/* Show a node, which the view owns from now on, in all its contexts, in place of the one before. `dm`: with
 * IB-DM-MIB. 0, or -ENOMEM: it has none now. */
int view_show(struct view *view, struct sma_node *node, bool dm);

/* Hide and close the node; the names stay. */
void view_clear(struct view *view);

/* Have a name of a kind, instead of any other of that kind but VIEW_NAME_LINE; "" for none, unless it is
 * VIEW_NAME_DEFAULT. Without memory it goes without. */
void view_set_name(struct view *view, enum view_name_kind kind, const char *text);

/* Have no names of lines any more. */
void view_drop_lines(struct view *view);

/* Try once more for the names that another view had. */
void view_retry_names(struct view *view);

/* What a message calls it: its first name, or "the chosen port". */
const char *view_title(const struct view *view);

#endif
