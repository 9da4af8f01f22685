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
#ifndef SMA_H
#define SMA_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sma/component.h"
#include "sma/log.h"

/* ---- a node ---- */

struct sma_node;
struct sma_soft;
struct sma_qp0;
struct sma_mailbox;

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

/* Start a thread that takes no signals: they are for the loop. 0 or -errno. */
int sma_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

/* The earlier of two times, of which UINT64_MAX is never. */
static inline uint64_t sma_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Who is called so late, in milliseconds, was stopped or busy elsewhere; the readers then take so long to
 * pass on what has come meanwhile, and no time is judged before. */
enum { SMA_STALL_MS = 50, SMA_GRACE_MS = 50 };

struct sma_config {
	unsigned timeout_ms; /* how long one try may take, 1.. */
	unsigned retries;    /* further tries; a block is given up after timeout_ms x (retries + 1) */
	unsigned window;     /* SMPs outstanding at once, 1.. */
	uint64_t m_key;      /* M_Key put into each SMP for an SMA of the node */
	unsigned age_ms[SMA_ATTR_COUNT]; /* how long a block counts as fresh */
};

/* The defaults: 250 ms, 1 retry, window 16, M_Key 0, ages by attribute. */
void sma_config_init(struct sma_config *config);

/* Set the age of the attributes of a group: node, switch, port, guid, pkey, sl2vl, vlarb, lft, rft, mft, sm,
 * diag, led. -ENOENT: no such group. */
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

enum { SMA_DEVICE_NAME_SIZE = 64 }; /* as in the kernel */

/* A port whose QP1 may be used. */
struct sma_gsi {
	char name[SMA_DEVICE_NAME_SIZE];
	unsigned port;
};

/* A device that umad shows, and the port of it that QP0 is used on. Most have QP1 as well; an XDR adapter
 * shows each port by two devices, one with QP0 and one with QP1, which have its GUID in common. */
struct sma_device {
	char name[SMA_DEVICE_NAME_SIZE];
	unsigned port;                      /* 0 for a switch */
	unsigned others[SMA_MAX_PORTS + 1]; /* further InfiniBand ports of the device */
	unsigned other_count;
	struct sma_gsi gsi[2]; /* where QP1 of the port may be, the likelier first */
	unsigned gsi_count;
};

/* Devices with a port each, the best first. */
struct sma_devices {
	struct sma_device *list;
	unsigned count;
};

/* A port of an RDMA device, as the kernel tells of it. */
struct sma_port {
	const char *device;
	int error; /* 0, or the -errno with which the ports of the device cannot be listed: nothing below is
	              set */
	unsigned number;
	char link_layer[32]; /* in the kernel's words */
	bool infiniband;     /* whether that is InfiniBand */
	bool sm_disabled; /* CapabilityMask.IsSMDisabled: it has no QP0, but another device with its GUID */
	unsigned state;   /* PortInfo.PortState and PortPhysicalState; 0: unknown */
	unsigned phys_state;
};

/* Be told of all ports of all devices, in the order of names and numbers; `port` is valid during the call. 0,
 * or -errno when the devices cannot be listed. */
typedef void sma_port_visit(void *arg, const struct sma_port *port);
int sma_device_list(sma_port_visit *visit, void *arg);

/* Choose devices and ports as the InfiniBand tools do: first those in state Active whose link layer is
 * InfiniBand, then those that are physically up, then the others; and at the end those with IsSMDisabled.
 * `name` NULL and `port` < 0 leave the choice open; a port that is named is taken in any state, and with it
 * the same port of another device that has QP0 in its place. Devices that cannot be read are passed over with
 * a warning. On success there is at least one, to be freed by sma_devices_free. On failure (-ENODEV, -ENOENT,
 * -ERANGE, or why the devices cannot be read) `error` holds a sentence that says what is wrong and what
 * exists; `size` is at least 256. */
int sma_device_choose(const char *name, int port, struct sma_devices *devices, char *error, size_t size);

/* After a failed choice, or a second time, too. */
void sma_devices_free(struct sma_devices *devices);

/* Open QP0 of the first device that can be used, through umad, and start reading it; `*device` becomes that
 * one. Where a management class is refused, or libibumad has no room for a device, that is logged and the
 * next one is tried. The node is the caller's to close. On failure `error` says which device failed, why, and
 * how to fix it; on success it says that of the device that was tried before, or is empty. */
int sma_node_open(const struct sma_devices *devices, const struct sma_config *config,
                  struct sma_node **node_out, const struct sma_device **device, char *error, size_t size);

/* A node without any transport, for sma_node_attach; `port` is its management port (0 for a switch). -errno:
 * there is no memory or descriptor. */
int sma_node_new(const struct sma_config *config, unsigned port, struct sma_node **node_out);

/* Go on with other time-outs, ages and M_Key; the window stays. */
void sma_node_configure(struct sma_node *node, const struct sma_config *config);

/* Use `qp0` for the SMA behind local port `port`. The node owns qp0 from now on. */
void sma_node_attach(struct sma_node *node, unsigned port, struct sma_qp0 *qp0);

/* Where the transports of a node put the MADs they receive. */
struct sma_mailbox *sma_node_mailbox(struct sma_node *node);

/* Close everything and free the node. NULL is allowed. */
void sma_node_close(struct sma_node *node);

/* The management port: the local port that the node's scalars describe, 0 for a switch. */
unsigned sma_node_port(const struct sma_node *node);

/* Whether the SMA behind a local port can be asked by SMPs of its own. */
bool sma_node_reaches(const struct sma_node *node, unsigned port);

/* Whether the SMA of the management port shows its M_Key to this node whatever the protection level: it is
 * the software SMA of this process. */
bool sma_node_is_trusted(const struct sma_node *node);

/* A descriptor that becomes readable when sma_node_process has MADs to take. */
int sma_node_fd(const struct sma_node *node);

/* Be told, from within sma_node_process, of each block that was answered or given up. */
typedef void sma_listener(void *arg, const struct sma_key *key);
void sma_node_listen(struct sma_node *node, sma_listener *listener, void *arg);

/* Take received MADs, send what waits, give up what is overdue. Returns the time at which it wants to be
 * called again, UINT64_MAX for never. */
uint64_t sma_node_process(struct sma_node *node, uint64_t now);

/* Why the device is lost for good, after some seconds without a sign of it: a positive errno; 0: it is not.
 */
int sma_node_lost(const struct sma_node *node);

/* Take nothing that was read until now of some attributes, bits 1 << enum sma_attr, for fresh any more. */
enum { SMA_ALL_ATTRS = (1 << SMA_ATTR_COUNT) - 1 };
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
	struct {
		uint64_t good; /* blocks that came */
		uint64_t last; /* when the last of them came; 0: never */
		unsigned lost; /* blocks whose last request failed; not those that the node does not have */
	} attrs[SMA_ATTR_COUNT];
};

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
	uint64_t since;   /* when the evaluation was asked for: what was answered since then is fresh */
	bool anew;        /* only that is fresh, whatever the ages say; what was lost is still held for 5 s */
	bool unsolicited; /* no manager waits for it: an SMA that is silent is left alone */
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
 * Find a block: `*data` points to SMA_BLOCK_SIZE bytes (bytes beyond the attribute's size are zero) that stay
 * valid until the next sma_node_process.
 *   -ENOENT     the node does not have it
 *   -EIO        it was asked for, and the SMA refused it or let all tries expire
 *   -ETIMEDOUT  nothing is known of it: it was never asked for, or its answer did not come in time, or the
 *               SMA is silent; stop here, and say nothing
 *   -EAGAIN     it was requested; further blocks may be tried
 *   -EBUSY      a block is missing and the budget is used up; stop here
 */
int sma_read_block(struct sma_reader *reader, const struct sma_key *key, const uint8_t **data);

/* Read one component of the block `key`, which must be one of the component's attribute. Errors as
 * sma_read_block. */
int sma_read(struct sma_reader *reader, const struct sma_key *key, enum sma_component component,
             uint64_t *value);

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

struct sma_key sma_key_node(const struct sma_node *node, enum sma_attr attr); /* NodeInfo, SwitchInfo, ... */
struct sma_key sma_key_port(const struct sma_node *node, unsigned port);      /* PortInfo */
struct sma_key sma_key_guid(const struct sma_node *node, unsigned port, unsigned entry);
struct sma_key sma_key_pkey(const struct sma_node *node, unsigned port, unsigned entry);
struct sma_key sma_key_sl2vl(const struct sma_node *node, unsigned out, unsigned in);
struct sma_key sma_key_vlarb(const struct sma_node *node, unsigned port, bool high, unsigned entry);
struct sma_key sma_key_lft(const struct sma_node *node, unsigned lid);
struct sma_key sma_key_rft(const struct sma_node *node, unsigned entry);
struct sma_key sma_key_mft(const struct sma_node *node, unsigned mlid, unsigned position);
struct sma_key sma_key_sm_info(const struct sma_node *node, unsigned port);
struct sma_key sma_key_diag(const struct sma_node *node, unsigned port, unsigned index);
struct sma_key sma_key_led(const struct sma_node *node, unsigned port);

/* ---- notices ---- */

/* The trap numbers of the subnet management class that the SMA of a node raises (IBA 14.2.5.1). */
enum {
	SMA_TRAP_LINK_STATE = 128,
	SMA_TRAP_LINK_INTEGRITY = 129,
	SMA_TRAP_BUFFER_OVERRUN = 130,
	SMA_TRAP_FLOW_CONTROL = 131,
	SMA_TRAP_CAPABILITY = 144,
	SMA_TRAP_SYSTEM_GUID = 145,
	SMA_TRAP_BAD_M_KEY = 256,
	SMA_TRAP_BAD_P_KEY = 257,
	SMA_TRAP_BAD_Q_KEY = 258,
	SMA_TRAP_BAD_P_KEY_SWITCH = 259,
	SMA_TRAP_COUNT = 10,
};

/* Components of the DataDetails of those traps, as IBA names them. */
enum sma_notice_part {
	SMA_NOTICE_LIDADDR, /* LIDADDR1 of 257 to 259 */
	SMA_NOTICE_PORTNO,
	SMA_NOTICE_OTHERLOCALCHANGES,
	SMA_NOTICE_CAPABILITYMASK,
	SMA_NOTICE_CHANGEFLAGS,
	SMA_NOTICE_SYSTEMIMAGEGUID,
	SMA_NOTICE_METHOD,
	SMA_NOTICE_ATTRIBUTEID,
	SMA_NOTICE_ATTRIBUTEMODIFIER,
	SMA_NOTICE_KEY, /* M_KEY of 256, KEY of 257 and 258, PKEY of 259 */
	SMA_NOTICE_LIDADDR2,
	SMA_NOTICE_SL,
	SMA_NOTICE_QP1,
	SMA_NOTICE_QP2,
	SMA_NOTICE_GIDADDR1, /* 16 bytes: sma_notice_gid */
	SMA_NOTICE_GIDADDR2, /* likewise */
	SMA_NOTICE_SWLIDADDR,
	SMA_NOTICE_DATAVALID,
	SMA_NOTICE_PART_COUNT
};

/* How a notice became known. */
enum sma_notice_source {
	SMA_NOTICE_SOFT, /* the software SMA of this process raised it */
	SMA_NOTICE_SA,   /* a Report of subnet administration */
	SMA_NOTICE_TRAP, /* a Trap that was sent to QP0 of this port */
	SMA_NOTICE_POLL, /* a change that was seen by reading */
	SMA_NOTICE_SOURCE_COUNT
};

struct sma_notice {
	uint8_t data[SMA_BLOCK_SIZE]; /* the Notice attribute, of one of the ten traps (IBA 13.4.8.2) */
	enum sma_notice_source source;
	bool own;      /* issued by an SMA of the node that is watched */
	uint64_t when; /* when it became known */
};

/* The trap number of a notice. */
unsigned sma_notice_trap(const uint8_t data[SMA_BLOCK_SIZE]);

/* Whether a trap is about a state, of which the last notice says all, and not about something that happened:
 * 128, 144 and 145 are. */
bool sma_trap_is_state(unsigned trap);

/* The LID of the port whose SMA issued a notice. */
uint16_t sma_notice_issuer(const uint8_t data[SMA_BLOCK_SIZE]);

/* A component of a notice's details, in host order. -ENOENT: its trap has no such component of up to 64 bits.
 */
int sma_notice_get(const uint8_t data[SMA_BLOCK_SIZE], enum sma_notice_part part, uint64_t *value);

/* The 16 bytes of GIDADDR1 or GIDADDR2, within `data`; NULL: its trap has none. */
const uint8_t *sma_notice_gid(const uint8_t data[SMA_BLOCK_SIZE], enum sma_notice_part part);

/* ---- watching a node ---- */

/*
 * A watch gives the notices of a node, or of its subnet, from whatever source has them: each event once.
 * What a notice says has changed is read anew when it is asked for next.
 */
struct sma_watch;

struct sma_watch_config {
	bool off;            /* no notices at all */
	bool subnet;         /* notices of other nodes as well */
	bool subscribe;      /* ask subnet administration for Reports */
	bool take_traps;     /* take the Traps that are sent to this port, where it is the subnet manager's */
	unsigned poll_ms;    /* how often to look for changes; 0: never */
	unsigned refresh_ms; /* a subscription is renewed after this, 1.. */
	unsigned repeat_ms;  /* what is heard again from outside within this is not given again; 0: it is */
};

/* The defaults: of the own node, by subscription and polling each 10 s; 60 s; 15 s. */
void sma_watch_config_init(struct sma_watch_config *config);

/* What became of the notices since the watch was opened. */
struct sma_watch_counters {
	uint64_t found[SMA_NOTICE_SOURCE_COUNT]; /* by source */
	uint64_t given;                          /* to the sink */
	uint64_t repeated;                       /* heard before */
	uint64_t foreign;                        /* of other nodes, which were not asked for */
	uint64_t unwanted; /* of vendors, other classes or numbers; without a new mask */
	uint64_t malformed;
};

/* Takes each notice, from within sma_watch_process or sma_soft_process. */
typedef void sma_notice_sink(void *arg, const struct sma_notice *notice);

/* Watch `node`: the software SMA `soft` when it is not NULL, else the port that `device` names. Both must
 * outlive the watch. Of a device QP1 is opened whatever the configuration says, as later there may be no
 * rights to. A source that cannot be used is logged, and the others go on. -ENOMEM, or -errno for want of a
 * descriptor. */
int sma_watch_open(struct sma_node *node, const struct sma_device *device, struct sma_soft *soft,
                   const struct sma_watch_config *config, sma_notice_sink *sink, void *arg,
                   struct sma_watch **watch);

/* Go on with another configuration: begins anew with the sources, unless nothing is changed. What was about
 * to be told is told, and what was told is still known unless `repeat_ms` is changed. On -ENOMEM the watch
 * is off. */
int sma_watch_configure(struct sma_watch *watch, const struct sma_watch_config *config);

/* A descriptor that becomes readable when sma_watch_process has something to do. */
int sma_watch_fd(const struct sma_watch *watch);

/* Go on; in each round, after sma_node_process. Returns when to call again, UINT64_MAX for never. */
uint64_t sma_watch_process(struct sma_watch *watch, uint64_t now);

void sma_watch_count(const struct sma_watch *watch, struct sma_watch_counters *counters);

/* Where notices come from at present; looking for changes goes on besides. */
enum sma_watch_state {
	SMA_WATCH_OFF,
	SMA_WATCH_SOFT,         /* from the software SMA */
	SMA_WATCH_SUBSCRIBED,   /* from subnet administration, which has confirmed the subscription */
	SMA_WATCH_TRAPS,        /* not subscribed: from the Traps that come to this port */
	SMA_WATCH_UNSUBSCRIBED, /* none of these */
};
enum sma_watch_state sma_watch_state(const struct sma_watch *watch);

/* End subscriptions and free. NULL is allowed. */
void sma_watch_close(struct sma_watch *watch);

/* ---- the software SMA ---- */

/*
 * A node that this process is itself: described by a node file (ibsmad-node(5)), answering SMPs by the rules
 * of IBA, reached from inside the process and, as wanted, by simulator clients or through a real QP0.
 */

/* Make a node from a node file, with what its NVRAM file, FILE.nvram, kept. `error` as in sma_device_choose,
 * at least 1024 bytes. */
int sma_soft_open(const char *file, struct sma_soft **soft, char *error, size_t size);

/* Close the wires and free the node. NULL is allowed. */
void sma_soft_close(struct sma_soft *soft);

/* The management port: 0 of a switch, else the first port that is active, else 1. */
unsigned sma_soft_port(const struct sma_soft *soft);

/* Let `node`, made for the management port, read the SMAs of all end ports. Attributes that change are read
 * anew. The soft node must outlive the last sma_soft_process, and `node` too. */
int sma_soft_attach(struct sma_soft *soft, struct sma_node *node);

/* Serve programs that run with libumad2sim.so, under the socket name `name`: those of root and of the user of
 * this process. */
int sma_soft_serve_sim(struct sma_soft *soft, const char *name, char *error, size_t size);

/* Serve those of one more user from now on; SMA_NOBODY: of no one else. */
#define SMA_NOBODY ((uid_t)-1)
void sma_soft_permit_user(struct sma_soft *soft, uid_t user);

/* Serve QP0 of the first device that can be used, as sma_node_open. */
int sma_soft_serve_qp0(struct sma_soft *soft, const struct sma_devices *devices, char *error, size_t size);

/* A descriptor that becomes readable when sma_soft_process has something to do. */
int sma_soft_fd(const struct sma_soft *soft);

/* Answer what came over the wires, send the traps that are due, keep the NVRAM. Returns when to be called
 * again. */
uint64_t sma_soft_process(struct sma_soft *soft, uint64_t now);

/* Why a device whose QP0 is served is lost for good, as sma_node_lost. */
int sma_soft_lost(const struct sma_soft *soft);

enum {
	SMA_SOFT_LINE_SIZE = 1024,       /* bytes of a line, its NUL included */
	SMA_SOFT_REPLY_SIZE = 64 * 1024, /* of a reply */
};

/* Do what a line of the console says (CONSOLE in ibsmad(8)): any `length` bytes without their newline; from
 * SMA_SOFT_LINE_SIZE on it is too long, and not looked at. `reply` takes the output and, as its last line,
 * "ok" or "error: " and a sentence. 0, or -errno with an error. */
int sma_soft_command(struct sma_soft *soft, const char *line, size_t length, char *reply, size_t size);

#endif
