/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modules of the views share. */
#ifndef AGENT_VIEW_VIEWS_PARTS_H
#define AGENT_VIEW_VIEWS_PARTS_H

#include "agent/view/key_file.h"
#include "agent/view/view.h"
#include "agent/view/view_config.h"

enum { VIEW_SMPS = 2 /* in flight for a remote node, whoever asks */ };

/* An InfiniBand port of this host. */
struct host_port {
	struct host_device *device;
	unsigned index;          /* among the ports of the device */
	struct view *view;       /* NULL: it is excluded, and not the chosen one */
	struct sources *sources; /* of its notices; NULL: there are none */
	struct fabric *fabric;   /* behind it; NULL: nothing is discovered there */
};

struct host_device {
	TAILQ_ENTRY(host_device) link;
	struct views *views;
	struct mad_ports *ports;
	bool has_chosen; /* the first port is the chosen one */
	unsigned count;
	struct host_port list[];
};

struct views {
	const struct agent_config *config;
	struct view_config *lines; /* those that are followed */
	struct key_file *keys;     /* NULL: there are none */
	struct name_map *map;      /* NULL: there is none */
	struct mib *mib;
	struct notify *notify;
	int fd;
	TAILQ_HEAD(host_devices, host_device) devices;
	TAILQ_HEAD(view_list, view) list; /* by id */
	unsigned count;
	uint32_t last_id;
	bool freed_name;        /* a view that did without may have it now */
	struct view *described; /* the last one; NULL: none, or it is gone */
	char chosen[SMA_DEVICE_NAME_SIZE];
	unsigned chosen_port;
	struct hotplug *hotplug; /* NULL: devices are not followed, or without events */
	struct sma_devices seen; /* the devices of this host when they were looked at last */
	uint64_t look_at;        /* UINT64_MAX: devices are not followed */
	uint64_t tick_at;
	uint64_t now;
	struct { /* what was counted at ports that are not there any more */
		struct sma_counters smps;
		struct sources_counters notices;
	} gone;
};

static inline struct mad_port *host_port_mad(const struct host_port *port)
{
	return &port->device->ports->list[port->index];
}

static inline bool host_port_is_chosen(const struct host_port *port)
{
	return port->device->has_chosen && port->index == 0;
}

/* Have views_fd be readable while `fd` is. 0 or -errno. */
int views_watch(const struct views *views, int fd);

/* ---- host.c: devices ---- */

/* Show the ports of a device; they are owned from now on, also on failure. 0, or -errno. */
int host_add(struct views *views, struct mad_ports *ports, bool has_chosen);

/* Hide what is read through a device, and close it. */
void host_remove(struct host_device *device);

/* Open what is there by now, close what is not. */
void host_look(struct views *views);

/* The port of this host that a line of the configuration names, "" for the chosen one; NULL: it is not there.
 */
struct host_port *host_find(const struct views *views, const char *name, unsigned number);

/* Apply what the configuration says of ports and their notices. 0 or -ENOMEM. */
int host_configure(struct views *views);

/* ---- local_view.c: a port ---- */

/* Show a port, unless it is excluded, and take its notices. 0 or -errno. */
int local_view_open(struct host_port *port);
void local_view_close(struct host_port *port);

/* Take the names of the configuration, or close it where it is excluded now. */
void local_view_configure(struct host_port *port);

/* The configuration of the sources of a port. */
struct sources_config local_view_sources(const struct host_port *port);

/* Read what describes it, where that is not known. */
void local_view_learn(struct view *view);

/* ---- subnet.c: the fabric behind a port ---- */

/* Begin, go on, or end to discover, as the configuration has it now. 0 or -ENOMEM. */
int subnet_configure(struct host_port *port);
void subnet_close(struct host_port *port);

/* Have it read again what a notice to the port reports as changed. */
void subnet_listen(struct host_port *port);

/* Whether nodes of a type are shown without being named. */
bool subnet_shows(const struct host_port *port, unsigned type);

/* ---- remote_view.c: a node of the fabric ---- */

/* A node was found, has changed, or is lost: what a fabric tells. */
void remote_view_update(struct host_port *port, struct fabric_node *node);
void remote_view_lose(struct fabric_node *node, uint64_t now);

/* Each second. The view may be gone then. */
void remote_view_tick(struct view *view, uint64_t now);

/* The M_Key or the name map may have changed. */
void remote_view_configure(struct view *view);

/* The fabric is about to be closed. The view may be gone then. */
void remote_view_leave(struct view *view);

/* Lines of the configuration, which name a GUID, are new, or all that there were are gone. */
void remote_view_add_line(struct views *views, const struct view_line *line);
void remote_view_drop_lines(struct view *view);

/* ---- place_view.c: what is at a LID or at the end of a route ---- */

void place_view_add_line(struct views *views, const struct view_line *line);
void place_view_tick(struct view *view, uint64_t now);
void place_view_configure(struct view *view);

/* The port it is read through is about to be closed. */
void place_view_lose(struct view *view);

/* ---- view_lines.c: what the configuration names ---- */

/* Read the files that the configuration names, and the views that it names, in place of those before. */
void view_lines_apply(struct views *views);

/* ---- count.c: counters ---- */

/* Have what was counted count on, before what counts it is closed. */
void count_retain_smps(const struct host_device *device);
void count_retain_notices(const struct host_port *port);

#endif
