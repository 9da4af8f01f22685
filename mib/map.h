/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hand-written half of the MIB: which rows a table has, and where the value of an object comes from.
 *
 * The generated module names one mib_space for each table, one mib_map for each object that has values and
 * one mib_trap for each notification; the files map_*.c define them. The results of all functions are 0 or
 * one of
 *   -ENOENT  no such row, or the node has no such value
 *   -EIO     the value cannot be read at present
 *   -EAGAIN  a block was requested (see struct sma_reader)
 *   -EBUSY, -ETIMEDOUT
 *            a block is missing and no more may be requested, or not known: stop
 *
 * Who looks through blocks for a row says where he is, in `place` of the reader: a value such that no row is
 * below it. So a search that has to wait is not repeated. Where the reader is `exact`, a row is wanted for
 * `from` alone, and other blocks than its own are not looked at.
 */
#ifndef MIB_MAP_H
#define MIB_MAP_H

#include "mib/descriptor.h"
#include "sma/node/node.h"

enum {
	MIB_NO_DATA_PORT = 255, /* IbDataPortAndInvalid: the port that is no data port */
	MIB_MAX_OCTETS = 255,   /* the largest octet string of the MIBs */
};

struct mib_value {
	uint64_t number;                /* of an integer object */
	size_t length;                  /* of an octet string object */
	uint8_t octets[MIB_MAX_OCTETS]; /* likewise */
};

struct mib_daemon; /* mib/mib.h */

/* What rows and values are read from. */
enum mib_origin {
	MIB_OF_NODE,   /* the blocks of a node */
	MIB_OF_DAEMON, /* the state of the daemon, for IBSMAD-MIB */
	MIB_OF_NOTICE, /* a notice, and nothing else: only notifications have the object */
};

/* One instance that is being read: of a node, of the daemon, or of a notice for a notification. */
struct mib_cell {
	struct sma_reader *reader;
	const struct mib_object *object;
	uint32_t index[MIB_MAX_LEVELS];
	bool expose_keys;
};

struct mib_daemon_cell {
	const struct mib_daemon *daemon;
	const struct mib_object *object;
	uint32_t index[MIB_MAX_LEVELS];
};

struct mib_notice_cell {
	const uint8_t *notice; /* the Notice attribute */
	const struct mib_object *object;
	bool expose_keys;
};

/* Raw values of a component and what the MIB calls them. The last row has `name` 0. */
struct mib_name {
	uint32_t raw;
	uint32_t name;
};

struct mib_map {
	enum mib_origin origin;
	union {
		int (*of_node)(const struct mib_cell *cell, struct mib_value *value);
		int (*of_daemon)(const struct mib_daemon_cell *cell, struct mib_value *value);
	} get; /* nothing for MIB_OF_NOTICE */
	/* whether it stands in notifications, where in_notice reads it; of MIB_OF_NOTICE each does */
	bool notified;
	int (*in_notice)(const struct mib_notice_cell *cell, struct mib_value *value);
	enum sma_component component; /* for getters that read one */
	enum dm_component dm;         /* likewise of device management */
	enum notice_part part;        /* what in_notice reads */
	const struct mib_name *names; /* for map_named */
	uint32_t other; /* for map_named: a raw value without a name; for bits: those with one */
	size_t offset;  /* of IBSMAD-MIB: where the value stands in its structure */
};

/* Rows of the mapping: an object, how its value is got, and from what. */
#define MAP(object, getter) const struct mib_map object##_map = {.get.of_node = (getter)}
#define MAP_COMPONENT(object, getter, which)                                                                 \
	const struct mib_map object##_map = {.get.of_node = (getter), .component = (which)}
#define MAP_DAEMON(object, getter, at)                                                                       \
	const struct mib_map object##_map = {                                                                \
		.origin = MIB_OF_DAEMON, .get.of_daemon = (getter), .offset = (at)}
#define MAP_PART(object, getter, which)                                                                      \
	const struct mib_map object##_map = {                                                                \
		.origin = MIB_OF_NOTICE, .notified = true, .in_notice = (getter), .part = (which)}
#define MAP_NAMED(object, which, table, fallback)                                                            \
	const struct mib_map object##_map = {                                                                \
		.get.of_node = map_named, .component = (which), .names = (table), .other = (fallback)}

/* What a notification reports. */
struct mib_trap {
	unsigned number;
	/* follows the OBJECTS clause if its value is in its range; NULL: none */
	const struct mib_object *appended;
};

/* The rows of a table: the lowest value >= from that the index object `level` has below index[0..level-1]. At
 * the last level it names a row whose block can be read. */
struct mib_space {
	enum mib_origin origin;
	union {
		int (*of_node)(struct sma_reader *reader, const uint32_t *index, unsigned level,
		               uint32_t from, uint32_t *value);
		int (*of_daemon)(const struct mib_daemon *daemon, const uint32_t *index, unsigned level,
		                 uint32_t from, uint32_t *value);
	} next;
};

/* The component of the map, read from NodeInfo, SwitchInfo or the management port's PortInfo for a scalar,
 * and from the attribute of the port index[0] for a column. */
int map_read(const struct mib_cell *cell, enum sma_component component, uint64_t *value);

/* ---- getters that read the map's component ---- */

int map_number(const struct mib_cell *cell, struct mib_value *value);    /* as it is */
int map_clamped(const struct mib_cell *cell, struct mib_value *value);   /* at most the object's maximum */
int map_zero_over(const struct mib_cell *cell, struct mib_value *value); /* 0 for more than the maximum */
int map_truth(const struct mib_cell *cell, struct mib_value *value);     /* TruthValue of a bit */
int map_named(const struct mib_cell *cell, struct mib_value *value);     /* an enumeration, through `names` */
int map_octets(const struct mib_cell *cell, struct mib_value *value); /* big-endian, of the object's size */
int map_key(const struct mib_cell *cell, struct mib_value *value); /* map_octets, or zeros unless exposed */

/* ---- likewise its part of a notice ---- */

int map_part(const struct mib_notice_cell *cell, struct mib_value *value);        /* as it is */
int map_part_octets(const struct mib_notice_cell *cell, struct mib_value *value); /* as map_octets */

/* ---- spaces ---- */

/* Ports whose number the MIB gives as IbDataPortAndInvalid: MIB_NO_DATA_PORT is port 0 of a switch. */
unsigned map_port(uint32_t index);

/* The lowest data port >= from. */
int map_next_port(struct sma_reader *reader, uint32_t from, uint32_t *port);

/* The lowest data port >= from whose own SMA can be asked: all of a switch. */
int map_next_reachable(struct sma_reader *reader, uint32_t from, uint32_t *port);

/* The lowest port >= from that `next` gives and that `check` accepts with 0. */
int map_scan(struct sma_reader *reader, int (*next)(struct sma_reader *reader, uint32_t from, uint32_t *port),
             int (*check)(struct sma_reader *reader, unsigned port), uint32_t from, uint32_t *port);

/* 0 if PortInfo of a port can be read; the port as in map_port. */
int map_check_port(struct sma_reader *reader, unsigned port);

/* A list of entries in the blocks of one attribute. */
struct map_list {
	unsigned per_block;
	struct sma_key (*key)(const struct sma_id *id, unsigned port, unsigned entry);
	bool (*shown)(const uint8_t *block,
	              unsigned i); /* whether an entry of a block is a row; NULL: each is */
};

/* The lowest row >= from of a list of `count` entries, whose first entry has the number `first`: an entry
 * that is shown and whose block can be read. */
int map_list_next(struct sma_reader *reader, const struct map_list *list, unsigned port, unsigned count,
                  uint32_t first, uint32_t from, uint32_t *row);

/* The block of an entry; entries count from 0. */
int map_list_block(struct sma_reader *reader, const struct map_list *list, unsigned port, unsigned entry,
                   const uint8_t **block);

/* Whether a search for rows may continue behind a block that was read with `rc` and had none. */
bool map_may_go_on(const struct sma_reader *reader, int rc);

#endif
