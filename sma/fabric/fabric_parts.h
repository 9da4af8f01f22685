/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modules of a fabric share. */
#ifndef FABRIC_FABRIC_PARTS_H
#define FABRIC_FABRIC_PARTS_H

#include <sys/queue.h>

#include "sma/fabric/fabric.h"

enum {
	NODE_SMPS = 2,    /* in flight for a node */
	FABRIC_SMPS = 64, /* submitted for all of them */
	PORT_WANTED = 1,  /* flags of a port: PortInfo is to be read, */
	PORT_LOOK = 2,    /* what is behind its link is to be looked at, */
	PORT_LOOKING = 4, /* which is under way, or will be tried again */
	PORT_TWIN = 8,    /* behind it is a node that is elsewhere as well, which was logged */
};

/* A node with what is the fabric's own. */
struct graph_node {
	struct fabric_node public; /* first */
	TAILQ_ENTRY(graph_node) link;
	TAILQ_ENTRY(graph_node) work; /* of those that have something to be read */
	TAILQ_ENTRY(graph_node) news; /* of those that the listener is to be told of */
	struct fabric *fabric;
	bool has_work;
	bool has_news;
	bool is_announced;      /* as found, and not as lost since */
	bool wants_description; /* to be read */
	bool is_prompt;         /* what is to be read is wanted soon */
	unsigned wanted;        /* ports with PORT_WANTED, and the description */
	unsigned to_look;       /* ports with PORT_LOOK */
	unsigned reading;       /* requests in flight for what was wanted */
	unsigned failures;      /* of them in a row */
	unsigned cursor;        /* the port to look for work at next */
	uint32_t swept;         /* in which sweep it was read */
	uint32_t visited;       /* in which search for routes it was reached, */
	unsigned hops;          /* and by how many */
	uint64_t pause_until;   /* it did not answer */
};

TAILQ_HEAD(graph_nodes, graph_node);

/* What is behind a link, in time. */
struct look {
	TAILQ_ENTRY(look) link;
	struct fabric *fabric;
	struct graph_node *node; /* NULL: this host's own node */
	unsigned port;
	struct peer *peer; /* NULL: it is to be asked at `due` */
	unsigned failures;
	uint64_t due;
};

TAILQ_HEAD(looks, look);

struct fabric {
	struct engine *engine;
	struct fabric_config config;
	fabric_heard *heard;
	void *heard_arg;
	struct graph_nodes nodes;
	struct graph_nodes work;
	struct graph_nodes news;
	struct looks looks;         /* under way, or to be tried again */
	void *by_guid;              /* of tsearch(3) */
	struct graph_node **by_lid; /* by LID, MAD_LAST_LID + 1 of them */
	struct graph_node *root;
	unsigned count;
	unsigned port_count;
	unsigned in_flight; /* requests */
	unsigned trying;    /* looks that have not failed so often that they count as silent */
	uint32_t sweep;     /* the number of the last */
	uint32_t round;     /* likewise of the last sweep or refresh, in which links are confirmed once */
	uint32_t search;    /* likewise of the last search for routes */
	bool is_sweeping;
	bool is_due;        /* a sweep, at once */
	bool has_lost_link; /* routes may be others */
	bool is_counted;    /* nodes and links, since they changed last */
	bool is_full;       /* which was logged */
	bool is_closing;
	uint64_t next_sweep;
	uint64_t now;
	struct fabric_progress progress;
};

static inline struct graph_node *graph_of(const struct fabric_node *node)
{
	return (struct graph_node *)node;
}

/* ---- graph.c: nodes and links ---- */

/* The node with a NodeGUID, made of its NodeInfo if it is new. NULL: there is no room. */
struct graph_node *graph_take(struct fabric *fabric, const uint8_t *info);

void graph_free(struct graph_node *node);

/* The last port that a node has an entry for. */
unsigned graph_last_port(const struct graph_node *node);

/* Whether there are nodes behind its links: a channel adapter or router passes on nothing, but the one that
 * all routes begin at. */
bool graph_passes_on(const struct graph_node *node);

/* The place of what is read of a whole node through one of its ports: port 0 of a switch. */
unsigned graph_entry(const struct graph_node *node, unsigned port);

/* There is a link between two ports, and none that they had to others. */
void graph_connect(struct graph_node *a, unsigned a_port, struct graph_node *b, unsigned b_port);
void graph_disconnect(struct graph_node *node, unsigned port);

/* A port has another LID or LMC. */
void graph_set_lid(struct graph_node *node, unsigned port, uint16_t lid, uint8_t lmc);

/* The listener is to be told of a node, as soon as what is wanted of it has been read. */
void graph_tell(struct graph_node *node);

/* ---- route.c ---- */

/* Have a node be reached through one of its ports along a route from now on. 0 or -ENOMEM. */
int route_set(struct graph_node *node, unsigned port, const struct engine_address *address);

/* A node is reached no more. */
void route_drop(struct graph_node *node);

/* The route to what is behind a port of a node. False: there is none, or too many hops. */
bool route_behind(const struct graph_node *node, unsigned port, struct engine_address *address);

/* Find the shortest routes along the links that there are. Nodes to which there is none are lost. */
void route_search(struct fabric *fabric);

/* ---- look.c ---- */

/* Ask what is behind a link, of a node or (NULL) of this host. Without memory later. */
void look_begin(struct fabric *fabric, struct graph_node *node, unsigned port);

/* Go on with those that are due. Returns when to call again. */
uint64_t look_run(struct fabric *fabric);

/* End that behind a link, or those behind all links of a node. */
void look_end_port(struct graph_node *node, unsigned port);
void look_end(struct fabric *fabric, const struct graph_node *node);
void look_end_all(struct fabric *fabric);

/* ---- read.c: what is read of a node ---- */

/* Read it all again, and what is behind its links. */
void read_node(struct graph_node *node, bool is_prompt);

/* Read PortInfo of a port of it. */
void read_port(struct graph_node *node, unsigned port);

/* Submit what there is room for, and look behind links. Returns when to call again. */
uint64_t read_run(struct fabric *fabric);

/* Nothing more is wanted of a node. */
void read_stop(struct graph_node *node);

/* ---- sweep.c ---- */

/* The priority of what belongs to a sweep: the first is wanted soon. */
enum engine_priority sweep_priority(const struct fabric *fabric);

#endif
