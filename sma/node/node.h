/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Subnet Management Agent of one node, read with SMPs.
 *
 * A node is one InfiniBand device: a channel adapter, router or switch. Its attributes are kept as the
 * blocks of up to 64 bytes that SubnGet returned, and are decoded when somebody asks for a component.
 * Nothing here waits: a block that is not there is requested, and the listener is told when it came.
 *
 * Results are 0 or -errno unless said otherwise. Times are milliseconds of one monotonic clock that the
 * caller reads. A node belongs to one thread.
 */
#ifndef SMA_NODE_H
#define SMA_NODE_H

#include "sma/clock.h"
#include "sma/iba/iba.h"
#include "sma/mad/mad.h"
#include "sma/node/key.h"

struct sma_node;

struct sma_config {
	unsigned timeout_ms; /* how long one try may take, 1.. */
	unsigned retries;    /* further tries; a block is given up after timeout_ms x (retries + 1) */
	unsigned window;     /* SMPs outstanding at once, 1.. */
	unsigned background; /* SMPs a second of a local port to other nodes that nobody waits for, 1.. */
	uint64_t m_key;      /* M_Key put into each SMP for an SMA of the node */
	unsigned age_ms[SMA_READ_COUNT]; /* how long a block counts as fresh */
};

/* The defaults: 250 ms, 1 retry, window 16, 50 SMPs a second, M_Key 0, ages by attribute. */
void sma_config_init(struct sma_config *config);

/* Set the age of the attributes of a group: node, switch, port, guid, pkey, sl2vl, vlarb, lft, rft, mft, sm,
 * diag, led, iou, ioc, service, devdiag. -ENOENT: no such group. */
int sma_config_set_age(struct sma_config *config, const char *group, unsigned age_ms);

/* The names of all age groups, separated by blanks. */
const char *sma_config_groups(void);

/* What became of the blocks of a node since it was opened. */
struct sma_counters {
	uint64_t sent;      /* SMPs, retries included */
	uint64_t answered;  /* good blocks */
	uint64_t timed_out; /* requests that ended without an answer */
	uint64_t refused;   /* answers with an error status */
	uint64_t strange;   /* MADs that were no answer to anything outstanding */
};

/* The configuration of the engine of a local port, but for the port's number, as it follows from that of a
 * node. */
struct engine_config sma_config_engine(const struct sma_config *config);

/* A node that reaches no SMA yet; `port` is its management port (0 for a switch). -ENOMEM. */
int sma_node_new(const struct sma_config *config, unsigned port, struct sma_node **node_out);

/* Use other time-outs, ages and M_Key; the window stays. */
void sma_node_configure(struct sma_node *node, const struct sma_config *config);

/* Ask the SMA of local port `port` through its engine, which must outlive the node. `trusted`: it shows its
 * M_Key to this node whatever the protection level, as it is the software SMA of this process. -ENOMEM. */
int sma_node_attach(struct sma_node *node, unsigned port, struct engine *engine, bool trusted);

/*
 * Ask the SMA of port `port` of a node elsewhere (0 for a switch), whose NodeGUID is `guid`, at an address,
 * with at most `limit` requests in flight. Whatever answers there may be another node by now: an answer
 * counts only when NodeInfo, asked for afterwards, shows that NodeGUID, and on a channel adapter or router
 * that port. Where it does not, the stranger is reported, and nothing is asked for 5 s. -ENOMEM.
 */
int sma_node_attach_remote(struct sma_node *node, unsigned port, struct engine *engine,
                           const struct engine_address *address, uint64_t guid, unsigned limit);

/* That SMA is at another address now. What was answered from the one before and is not certain yet does not
 * count. */
void sma_node_move(struct sma_node *node, unsigned port, const struct engine_address *address);

/* The SMA of a port is reached no more: its requests end, and what was read through it is not there. No
 * effect where it is not reached. */
void sma_node_detach(struct sma_node *node, unsigned port);

/* Be told, from within engine_process, that another node has answered than the one that is attached. */
typedef void sma_stranger(void *arg, unsigned port, uint64_t guid);
void sma_node_on_stranger(struct sma_node *node, sma_stranger *stranger, void *arg);

/* End its requests and free the node; the engines stay. NULL is allowed. */
void sma_node_close(struct sma_node *node);

/* What its keys follow from. */
const struct sma_id *sma_node_id(const struct sma_node *node);

/* The management port: the local port that the node's scalars describe, 0 for a switch. */
unsigned sma_node_port(const struct sma_node *node);

/* Whether the SMA behind a local port can be asked by SMPs of its own. */
bool sma_node_reaches(const struct sma_node *node, unsigned port);

/* The engine of a local port. NULL: the node does not reach its SMA. */
struct engine *sma_node_engine(const struct sma_node *node, unsigned port);

/* The SMA of a port, to share its limit, and to see where it is; the node's. NULL: it is not reached. */
struct peer *sma_node_peer(const struct sma_node *node, unsigned port);

/* The M_Key that goes with each SMP for an SMA of the node. */
uint64_t sma_node_m_key(const struct sma_node *node);

/* Whether the SMA of the management port is trusted. */
bool sma_node_is_trusted(const struct sma_node *node);

/* The time as of the engine of the management port. */
uint64_t sma_node_now(const struct sma_node *node);

/* Be told, from within engine_process, of each block that was answered or given up. */
typedef void sma_listener(void *arg, const struct sma_key *key);
void sma_node_listen(struct sma_node *node, sma_listener *listener, void *arg);

/* Take nothing that was read until now of some attributes, bits 1 << enum sma_attr, for fresh any more. */
void sma_node_expire(struct sma_node *node, unsigned attrs);

void sma_node_counters(const struct sma_node *node, struct sma_counters *counters);

/* How well a node can be read. */
struct sma_condition {
	enum sma_state {
		SMA_UNKNOWN, /* nothing was answered or found lost yet */
		SMA_ANSWERING,
		SMA_SILENT, /* the SMA is asked once in a while only, until it answers again */
	} state;
	uint64_t oldest; /* when the oldest block that is kept came; 0: there is none */
	uint64_t last;   /* when an SMA of it has answered last; 0: never */
	struct {
		uint64_t good; /* blocks that came */
		uint64_t last; /* when the last of them came; 0: never */
		unsigned lost; /* blocks whose last request failed; not those that the node does not have */
	} attrs[SMA_READ_COUNT];
};

/* The state alone. */
enum sma_state sma_node_state(const struct sma_node *node);

void sma_node_condition(const struct sma_node *node, struct sma_condition *condition);

/* ---- reading ---- */

/* How much a reader insists on fresh blocks. */
enum sma_patience {
	SMA_FRESH, /* ask for what is missing or too old, and wait for it */
	SMA_STALE, /* take the last answer where there is one, wait for the rest */
	SMA_FINAL, /* take what is there, ask for nothing */
};

/* One evaluation over the blocks of a node. A block that has to be waited for is requested, and makes the
 * result of the whole evaluation provisional: see `missed`. */
struct sma_reader {
	struct sma_node *node;
	uint64_t now;
	uint64_t since;     /* when the evaluation was asked for: what was answered since then is fresh */
	bool force_refresh; /* only that is fresh, whatever the ages say; what was lost is still held for 5 s
	                     */
	bool unsolicited;   /* no manager waits for it: an SMA that is silent is left alone */
	enum sma_patience patience;
	unsigned budget;          /* blocks it may still request */
	unsigned lost_budget;     /* likewise as soon as one was found lost: there may be more of them */
	bool missed;              /* a block was not there: evaluate again when `waits_for` has come */
	bool unknown;             /* a block is not known, and not waited for: no evaluation is possible */
	struct sma_key waits_for; /* the first block that was missed */
	bool exact;         /* the caller's own: what it looks for is nowhere else than where it begins */
	uint32_t place;     /* the caller's own: where it is */
	uint32_t missed_at; /* where it was when it missed the first block */
	unsigned ahead;     /* blocks it may still look at; set when the first is missed */
};

/*
 * Find a block of subnet management: `*data` points to SMA_BLOCK_SIZE bytes (bytes beyond the attribute's
 * size are zero) that stay valid until the next engine_process. -ENOENT     the node does not have it -EIO it
 * was asked for, and the SMA refused it or let all tries expire -ETIMEDOUT  nothing is known of it: it was
 * never asked for, or its answer did not come in time, or the SMA is silent; stop here, and say nothing
 *   -EAGAIN     it was requested; further blocks may be tried
 *   -EBUSY      a block is missing and the budget is used up; stop here
 */
int sma_read_block(struct sma_reader *reader, const struct sma_key *key, const uint8_t **data);

/* Read one component of the block `key`, which must be one of the component's attribute. Errors as
 * sma_read_block. */
int sma_read(struct sma_reader *reader, const struct sma_key *key, enum sma_component component,
             uint64_t *value);

/* ---- device management (IBA 16.3) ---- */

/*
 * Find the block of an attribute SMA_DM_... of the I/O unit that the management port has: `modifier` is its
 * AttributeModifier. `*data` points to sma_attr_size bytes. Errors as sma_read_block; -ENOENT also where the
 * port has no device management or no LID, and where the slot is empty.
 *
 * What is found of controllers belongs to what IOUnitInfo says, whatever came or went meanwhile: once a
 * controller has been read, IOUnitInfo is read again, and after a change of it nothing counts that was read
 * before.
 */
int sma_dm_read(struct sma_reader *reader, enum sma_attr attr, uint32_t modifier, const uint8_t **data);

/* Counts the changes of IOUnitInfo: two results of sma_dm_read belong together if it is the same after both.
 */
unsigned sma_dm_turn(const struct sma_node *node);

/* ---- what a node has ---- */

/*
 * The extent of each table by the capability rules of IBA, and the block that holds an entry. Entries count
 * from 0. A port is a data port 1..254, or 0: port 0 of a switch, and on a CA or router the management port.
 * Extents of what the node does not have are 0. Errors as sma_read_block.
 */

/* Whether the node is a switch: its management port is port 0. */
bool sma_is_switch(const struct sma_node *node);

/* NodeInfo.NumPorts, at most SMA_MAX_PORTS. */
int sma_port_count(struct sma_reader *reader, unsigned *count);

/* GUIDs of an end port, 0..255 (PortInfo.GUIDCap). */
int sma_guid_count(struct sma_reader *reader, unsigned port, unsigned *count);

/* P_Keys: NodeInfo.PartitionCap of port 0, SwitchInfo.PartitionEnforcementCap of a switch's data port. */
int sma_pkey_count(struct sma_reader *reader, unsigned port, unsigned *count);

/* Whether ports have an SL to VL mapping (CapabilityMask.IsSLMappingSupported). */
int sma_has_sl2vl(struct sma_reader *reader, bool *has);

/* Entries of the high or low priority VL arbitration list of a data port, 0..64. */
int sma_vlarb_count(struct sma_reader *reader, unsigned port, bool high, unsigned *count);

/* Linear forwarding: LinearFDBTop + 1, at most LinearFDBCap and 49152; 0 without a linear table. */
int sma_lft_count(struct sma_reader *reader, unsigned *count);

/* Random forwarding: RandomFDBCap. */
int sma_rft_count(struct sma_reader *reader, unsigned *count);

/* Multicast forwarding: MLIDs, limited by MulticastFDBTop where the node has it. */
int sma_mft_count(struct sma_reader *reader, unsigned *count);

/* Positions that the masks of the multicast forwarding table have: 16 ports each, port 0 included. */
int sma_mft_positions(struct sma_reader *reader, unsigned *count);

#endif
