/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SMA-MIB over the Subnet Management Agents of nodes, each under an SNMP context, and IBSMAD-MIB over the
 * state of the daemon, served through Net-SNMP's agent library.
 *
 * A request is answered at once where the blocks it needs are known and fresh; otherwise it is delegated and
 * answered when they have come, at the latest MIB_ANSWER_MS after it arrived. What is not known by then, as
 * it was never asked for or is on its way yet, is answered with genErr: only what the SMA refused, or did not
 * answer in all its tries, is missing.
 */
#ifndef MIB_MIB_H
#define MIB_MIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sma/notice/notice.h"

enum {
	MIB_STALE_MS = 80,   /* after this a last good value is taken where there is one */
	MIB_AHEAD_MS = 200,  /* after this blocks behind the first of a table are requested as well */
	MIB_ANSWER_MS = 800, /* after this what is not known is an error: snmpd gives up after 1 s */
};

struct mib;

/* Values of SMA-MIB since a view was opened. */
struct mib_counters {
	uint64_t hits;   /* given at once, from known blocks */
	uint64_t misses; /* that had to wait */
};

/* What IBSMAD-MIB says of a view. */
struct mib_view {
	uint32_t id;         /* 1.., its own as long as it lives */
	const char *context; /* its first SNMP context */
	const char *alias;   /* its second, "" for none */
	const char *device;  /* that it is read through; "" for the software SMA */
	unsigned port;       /* likewise */
	bool remote;         /* it is none of this host */
	uint64_t guid;       /* NodeGUID; 0: not known yet */
	unsigned type;       /* NodeInfo.NodeType; 0: likewise */
	unsigned lid;        /* of its management port; 0: it has none */
	const char *path;    /* the directed route in use, "0,1,17"; "" for none */
	const char *description;
	unsigned ports;
	unsigned ports_up; /* that are Active, as far as is known */
	enum mib_view_state {
		MIB_VIEW_UNKNOWN, /* nothing was read yet */
		MIB_VIEW_ANSWERING,
		MIB_VIEW_SILENT,
		MIB_VIEW_UNREACHABLE, /* no way leads to it */
	} state;
	uint64_t last; /* when it has answered last; 0: never */
	struct sma_condition sma;
	struct sma_counters smps;
	struct mib_counters values;
	enum sources_state notices;
};

/* What IBSMAD-MIB says of the sweeps of the fabric. */
struct mib_sweep {
	uint64_t count; /* that have ended */
	bool running;
	uint64_t completed; /* when the last has ended; 0: none has */
	uint64_t nodes;     /* that are reachable */
	uint64_t links;     /* between them */
	uint64_t smps;
};

enum { MIB_DATE_SIZE = 11 };

/* What IBSMAD-MIB says of the daemon. What is pointed to must last until the next one is asked for. */
struct mib_daemon {
	uint64_t now; /* on the clock of all times here */
	uint64_t started;
	const char *version;
	const char *error;                 /* the last line of trouble, "" for none */
	uint8_t error_date[MIB_DATE_SIZE]; /* DateAndTime of it (SNMPv2-TC, RFC 2579) */
	struct sma_counters smps;
	struct mib_counters values;
	struct sources_counters notices;
	uint64_t sent; /* notifications, likewise below */
	uint64_t held_back;
	uint64_t dropped;
	uint64_t queued; /* at present */
	struct mib_sweep sweep;
	unsigned view_count;
	/* the view with the lowest id >= `from`; NULL: none. Valid until the next call */
	const struct mib_view *(*view)(void *arg, uint32_t from);
	void *view_arg;
};

struct mib_config {
	bool expose_keys;        /* show M_Key and SM_Key */
	unsigned window;         /* blocks fetched ahead while a table is walked, 1.. */
	uint64_t (*clock)(void); /* milliseconds of the clock that the engines are called with */
	void (*daemon)(void *arg, struct mib_daemon *daemon); /* fills in all; NULL: no IBSMAD-MIB */
	void *daemon_arg;
	/* a subtree is registered in a context, or no longer; NULL: nobody wants to know */
	void (*registered)(void *arg, const char *context, const unsigned long *oid, size_t length, bool on);
	void *registered_arg;
};

/* Register IBSMAD-MIB, and its entry in sysORTable, in the default context of the agent. 0, -ENOMEM, or
 * -EEXIST when the registration was refused. */
int mib_open(const struct mib_config *config, struct mib **mib_out);

/* Hide all nodes, unregister and free; requests that wait are dropped. NULL is allowed. */
void mib_close(struct mib *mib);

struct mib_shown; /* a node that is shown */

/* Show a node, in no context yet: with SMA-MIB, and with `dm` with IB-DM-MIB. The node must outlive it, and
 * can be shown once. -ENOMEM. */
int mib_show(struct mib *mib, struct sma_node *node, bool dm, struct mib_shown **shown);

/* Show it with IB-DM-MIB from now on, or without. Errors as of mib_name. */
int mib_show_dm(struct mib_shown *shown, bool dm);

/* Register it in an SNMP context of up to 255 octets, "" for the default one. -EEXIST: there is another node;
 * -ENOMEM. */
int mib_name(struct mib_shown *shown, const char *name);

/* Register it in a context no more; what waits for an answer there is dropped. */
void mib_unname(struct mib_shown *shown, const char *name);

/* Unregister it; requests that wait for it are dropped. */
void mib_hide(struct mib_shown *shown);

/* Of one node, since it is shown. */
void mib_shown_count(const struct mib_shown *shown, struct mib_counters *counters);

/* Of all. */
void mib_count(const struct mib *mib, struct mib_counters *counters);

/* Show M_Key and SM_Key from now on, or do not: an M_Key then has no instance, an SM_Key reads as zeros. */
void mib_expose_keys(struct mib *mib, bool expose);

/* Answer requests whose time is up. To be called after engine_process, which takes what has come until now.
 * Returns when to call again, UINT64_MAX for never. */
uint64_t mib_run(struct mib *mib, uint64_t now);

struct variable_list; /* of Net-SNMP: netsnmp_variable_list */

/* Build the notification of a notice: snmpTrapOID.0 and the objects of its OBJECTS clause in order, then
 * ibSmaNodePortNum.0 for trap 259. The M_Key of trap 256 is zeros unless `expose_keys`. Free it with
 * snmp_free_varbind. -ENOENT: no notification for its trap; -ERANGE: a value has no place in its object's
 * range, as port 0 of traps 129 to 131; -ENOMEM. */
int mib_notification(const struct sma_notice *notice, bool expose_keys, struct variable_list **varbinds);

/* Which node a notification is of. */
struct mib_issuer {
	const char *context; /* the first of the view that shows it */
	uint64_t guid;       /* NodeGUID */
	const char *description;
};

/* Append ibsmadNotifyNodeGuid, ibsmadNotifyNodeString and ibsmadNotifyContext to a notification. -ENOMEM. */
int mib_notification_issuer(const struct mib_issuer *issuer, struct variable_list *varbinds);

/* What became of a notification. */
enum mib_outcome {
	MIB_SENT,    /* the master agent has accepted it */
	MIB_REFUSED, /* the master agent has answered with an error */
	MIB_UNSENT,  /* the way to it ended before it answered */
};

typedef void mib_notified(void *arg, enum mib_outcome outcome);

/* How notifications get to the master agent, whatever lies between. */
struct mib_sender {
	/* Whether one can be sent now; `*uptime` is its sysUpTime then, in hundredths of a second. */
	bool (*is_ready)(uint32_t *uptime);
	/* Send one of a context, "" for the default one: `varbinds` begin with sysUpTime.0 or snmpTrapOID.0
	 * and stay the caller's. `done` is called once, before `send` returns where the outcome is known at
	 * once, or later. -EAGAIN: not now; -EINVAL: it cannot be encoded; -ENOMEM. With an error `done` is
	 * not called. */
	int (*send)(const char *context, const struct variable_list *varbinds, mib_notified *done, void *arg);
};

/* The name of a trap's notification, NULL if it has none. */
const char *mib_notification_name(unsigned trap);

#endif
