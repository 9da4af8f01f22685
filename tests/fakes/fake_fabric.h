/* SPDX-License-Identifier: BSD-2-Clause */
/* A fabric in memory behind a transport: SMPs along directed routes, or to LIDs, reach the nodes that are
 * there, and are answered at once, or are lost. */
#ifndef TESTS_FAKES_FAKE_FABRIC_H
#define TESTS_FAKES_FAKE_FABRIC_H

#include "tests/fakes/fake_transport.h"

enum { FAKE_FABRIC_NODES = 1200, FAKE_FABRIC_PORTS = 40 };

struct fake_link {
	int node; /* -1: the port is down */
	unsigned port;
};

struct fake_node {
	uint64_t guid;
	unsigned type; /* SMA_NODE_CA and the like */
	unsigned ports;
	char description[64];
	bool is_dead;                         /* its links are up, and it answers nothing */
	uint16_t lids[FAKE_FABRIC_PORTS + 1]; /* of port 0 of a switch, and of each of another node */
	struct fake_link links[FAKE_FABRIC_PORTS + 1];
	unsigned asked; /* SMPs that reached it */
};

struct fake_fabric {
	struct fake_transport base;
	unsigned count;
	struct fake_node *nodes; /* the first is this host's */
	unsigned local_port;     /* of it */
	unsigned lost_percent;   /* of the SMPs */
	unsigned seed;
	unsigned long sent;
};

/* Be what an engine reaches, with no nodes yet. */
void fake_fabric_open(struct fake_fabric *fabric, struct engine *engine);
void fake_fabric_close(struct fake_fabric *fabric);

/* Add a node without links, with GUID 0x1000 + its number, which is returned. */
int fake_fabric_add(struct fake_fabric *fabric, unsigned type, unsigned ports);

void fake_fabric_link(struct fake_fabric *fabric, int a, unsigned a_port, int b, unsigned b_port);
void fake_fabric_unlink(struct fake_fabric *fabric, int node, unsigned port);

#endif
