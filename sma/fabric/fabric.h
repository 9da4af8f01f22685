/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A subnet as it is reached from one local port: its nodes, their ports, the links between them, and a
 * directed route to each.
 *
 * It is read in sweeps, breadth first from the local port, with SMPs along directed routes, and kept from one
 * sweep to the next. What is behind a link is told by its NodeInfo alone: each sweep asks for it again behind
 * each link, so that a node is never taken for another one that was put into its place. Nothing here waits:
 * all goes on from the completions of the engine and from fabric_run.
 *
 * A link behind which nothing answers counts as before until it was found silent three times in a row; then
 * another link to the same node is used. What is silent is asked again in longer and longer intervals, also
 * between sweeps. A node to which no link leads any more is lost.
 *
 * Times are milliseconds of one monotonic clock. A fabric belongs to the thread of its engine.
 */
#ifndef SMA_FABRIC_H
#define SMA_FABRIC_H

#include "sma/fabric/name_map.h"
#include "sma/mad/mad.h"

/* What is kept at most; more is left out, and one line of the log. */
enum {
	FABRIC_MAX_NODES = 8192,
	FABRIC_MAX_PORTS = 512 * 1024,
};

struct fabric;
struct fabric_node;

struct fabric_config {
	unsigned sweep_ms;   /* from the end of a sweep to the next; 0: none but the first, and on demand */
	unsigned timeout_ms; /* of a try; 0: the engine's */
	unsigned tries;      /* of a request; 0: the engine's */
	/* The M_Key for reading a node; of GUID 0: of one that is not known yet. NULL: always 0. */
	uint64_t (*m_key)(void *arg, uint64_t guid);
	void *arg;
};

/* A port of a node: its base port 0 of a switch, and any other. What was not read is 0. */
struct fabric_port {
	struct fabric_node *peer; /* the node at the other end of the link; NULL: none is known */
	struct peer *mad_peer; /* that the fabric reads it with, along the route to it, with a limit of 2: of
	                          port 0 of a switch, of each reached port of another node. NULL: there is no
	                          route. For peer_share and peer_address */
	uint64_t guid;         /* not of external ports of a switch */
	bool has_dm;           /* PortInfo: device management is supported */
	uint16_t lid;          /* of port 0 for a whole switch */
	uint16_t sm_lid;       /* PortInfo.MasterSMLID */
	uint8_t lmc;
	uint8_t state;      /* PortInfo.PortState */
	uint8_t phys_state; /* PortInfo.PortPhysicalState */
	uint8_t peer_port;  /* the number of the port at the other end */
	struct {            /* the fabric's own */
		uint8_t flags;
		uint32_t confirmed;
	} own;
};

struct fabric_node {
	uint64_t guid;
	uint64_t system_guid;
	uint32_t vendor;
	uint16_t device_id;
	uint8_t type;              /* SMA_NODE_CA and the like */
	uint8_t port_count;        /* NodeInfo.NumPorts, 1..SMA_MAX_PORTS */
	bool reachable;            /* there is a route, or its loss is not certain yet */
	char description[65];      /* the bytes as they came, up to the first zero */
	uint64_t seen;             /* when anything of it was answered last */
	struct fabric_port *ports; /* 0..port_count; another array after FABRIC_CHANGED */
	void *owner;               /* for the user of this room */
};

/* 0 or -ENOMEM. The first sweep begins with the first fabric_run. */
int fabric_open(struct engine *engine, const struct fabric_config *config, struct fabric **fabric);

/* End what is under way, and free it with all nodes. Before the engine. NULL is allowed. */
void fabric_close(struct fabric *fabric);

void fabric_configure(struct fabric *fabric, const struct fabric_config *config);

enum fabric_event {
	FABRIC_FOUND,   /* a node is reachable, for the first time or again; what could be read of it, was */
	FABRIC_CHANGED, /* its route, a mad_peer, a LID, the description, device management, or what NodeInfo
	                 * says
	                 */
	FABRIC_LOST /* it is not reachable any more. It stays as it is, until it comes back or is dropped */
};

/* Be told of nodes, from within fabric_run. Nodes may be refreshed meanwhile, but not dropped. */
typedef void fabric_heard(void *arg, enum fabric_event event, struct fabric_node *node);
void fabric_listen(struct fabric *fabric, fabric_heard *heard, void *arg);

/* Do what is due, after engine_process. Returns when to call again, UINT64_MAX for never; but in any case
 * after the next engine_process. engine_begin is due afterwards. */
uint64_t fabric_run(struct fabric *fabric, uint64_t now);

/* A whole sweep is due: now, or some seconds after the end of the last. */
void fabric_sweep(struct fabric *fabric);

/* Read a node and what is behind its links again: for Traps 128, 144. No effect on one that is not reachable.
 */
void fabric_refresh(struct fabric *fabric, struct fabric_node *node);

/* Forget a node that is not reachable; `node` is gone then. Others stay. */
void fabric_drop(struct fabric_node *node);

/* The node that the local port belongs to; NULL: it has not answered yet. */
struct fabric_node *fabric_root(const struct fabric *fabric);

/* All nodes, also those that are not reachable, in the order in which they were found; NULL: no more. */
struct fabric_node *fabric_first(const struct fabric *fabric);
struct fabric_node *fabric_next(const struct fabric_node *node);

/* The node with a NodeGUID; the reachable node one of whose ports has a LID, by its LMC one of several, or a
 * port GUID. NULL: there is none. */
struct fabric_node *fabric_find(const struct fabric *fabric, uint64_t guid);
struct fabric_node *fabric_find_lid(const struct fabric *fabric, uint16_t lid);
struct fabric_node *fabric_find_port(const struct fabric *fabric, uint64_t port_guid);

/* The directed route to a port of a reachable node, for a switch to the whole of it. NULL: there is none. */
const struct engine_address *fabric_route(const struct fabric_node *node, unsigned port);

struct fabric_progress {
	unsigned nodes;     /* reachable */
	unsigned links;     /* between them */
	unsigned silent;    /* links that are up, behind which nothing answers */
	uint64_t smps;      /* requests since it was opened, but for tries after the first */
	bool running;       /* a sweep */
	uint64_t sweeps;    /* that have ended */
	uint64_t completed; /* when the last sweep ended: all has answered or is silent; 0: none has */
};

void fabric_progress(struct fabric *fabric, struct fabric_progress *progress);

#endif
