/* SPDX-License-Identifier: BSD-2-Clause */
/* The blocks of a node by their keys. */
#ifndef NODE_KEY_H
#define NODE_KEY_H

#include "sma/iba/iba.h"

/* What the keys of a node follow from: the management port, which is 0 for a switch, and for nothing else. */
struct sma_id {
	uint8_t port;
};

/* One block: the attribute, its modifier, and the local port whose SMA is asked. */
struct sma_key {
	enum sma_attr attr;
	uint8_t port;
	uint32_t modifier;
};

/* Whether two keys name the same block. */
static inline bool sma_key_is_same(const struct sma_key *a, const struct sma_key *b)
{
	return a->attr == b->attr && a->port == b->port && a->modifier == b->modifier;
}

/* The block that holds an entry; entries count from 0. A port is a data port 1..254, or 0: port 0 of a
 * switch, and on a CA or router the management port. */
struct sma_key sma_key_node(const struct sma_id *id, enum sma_attr attr); /* NodeInfo, SwitchInfo, ... */
struct sma_key sma_key_port(const struct sma_id *id, unsigned port);      /* PortInfo */
struct sma_key sma_key_guid(const struct sma_id *id, unsigned port, unsigned entry);
struct sma_key sma_key_pkey(const struct sma_id *id, unsigned port, unsigned entry);
struct sma_key sma_key_sl2vl(const struct sma_id *id, unsigned out, unsigned in);
struct sma_key sma_key_vlarb(const struct sma_id *id, unsigned port, bool high, unsigned entry);
struct sma_key sma_key_lft(const struct sma_id *id, unsigned lid);
struct sma_key sma_key_rft(const struct sma_id *id, unsigned entry);
struct sma_key sma_key_mft(const struct sma_id *id, unsigned mlid, unsigned position);
struct sma_key sma_key_sm_info(const struct sma_id *id, unsigned port);
struct sma_key sma_key_diag(const struct sma_id *id, unsigned port, unsigned index);
struct sma_key sma_key_led(const struct sma_id *id, unsigned port);

#endif
