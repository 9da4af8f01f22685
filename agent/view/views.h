/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The views: SMA endpoints, each with a node (sma/node/node.h) that is shown in SNMP contexts of its own.
 *
 * There is one for each InfiniBand port of the host, in context DEVICE:PORT, of which the chosen port has the
 * default context as well; and those of other nodes of the fabric that the configuration names or has
 * discovered. Devices of the host are followed as they appear and vanish, nodes of the fabric as the sweeps
 * find them (sma/fabric/fabric.h).
 *
 * Names of a view are its contexts. Of two views with the same name the first has it, until it is gone.
 */
#ifndef AGENT_VIEW_VIEWS_H
#define AGENT_VIEW_VIEWS_H

#include "agent/config.h"
#include "agent/notify.h"
#include "mib/mib.h"
#include "sma/fabric/fabric.h"

struct views;

/* Views of nothing yet. `config` must stay. `notify` takes the notices; NULL: there are no sources of them.
 * `mib` shows the views; NULL: none is shown. 0, -ENOMEM or another -errno. */
int views_open(const struct agent_config *config, struct mib *mib, struct notify *notify,
               struct views **views);

/* Show the ports of a device, or of the software node, whose first is the chosen port, and read the other
 * nodes through them. The ports are owned from now on, also on failure. 0 or -errno. */
int views_add_chosen(struct views *views, struct mad_ports *ports);

/* Follow the devices of this host: show their ports as they come and go. */
void views_follow_host(struct views *views);

/* Hide and free all views, and close the ports. NULL is allowed. */
void views_close(struct views *views);

/* The configuration has changed: renew what differs. -ENOMEM: not all of it. */
int views_configure(struct views *views);

/* A descriptor that is readable when views_receive has something to do. */
int views_fd(const struct views *views);

/* The three parts of a round, each of which returns when to call it again: take what has come, with which
 * what waits is answered; do what is due; send what was submitted meanwhile. */
uint64_t views_receive(void *arg, uint64_t now);
uint64_t views_work(void *arg, uint64_t now);
uint64_t views_begin(void *arg, uint64_t now);

/* Why the chosen port is lost for good while its device is still there, as engine_lost. */
int views_lost(const struct views *views);

/* Notices end: what waits in their sources is delivered now. */
void views_end_notices(struct views *views);

/* ---- what there is ---- */

/* The node of the chosen port, and the sources of its notices; NULL: it is not there at present. */
struct sma_node *views_chosen_node(const struct views *views);
struct sources *views_chosen_sources(const struct views *views);

unsigned views_count(const struct views *views);

/* The view with the lowest id >= `from`, as IBSMAD-MIB shows it: `view` of struct mib_daemon. NULL: there is
 * none. Valid until the next call. What is not known of a port of this host is asked for. */
const struct mib_view *views_describe(void *arg, uint32_t from);

/* What became of the SMPs of all ports, and of all notices. */
void views_count_smps(const struct views *views, struct sma_counters *counters);
void views_count_notices(const struct views *views, struct sources_counters *counters);

/* The sweeps of all ports, together: sums, and when the latest has ended. */
void views_progress(const struct views *views, struct fabric_progress *progress);

/* ---- nodes of this host ---- */

/* A node that is read through all ports of a device or of the software node, whose management port is the
 * one at `index`. The caller's to close before the ports. -ENOMEM. */
int views_local_node(const struct mad_ports *ports, unsigned index, const struct sma_config *config,
                     struct sma_node **node);

#endif
