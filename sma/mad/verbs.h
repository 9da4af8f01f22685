/* SPDX-License-Identifier: BSD-2-Clause */
/* What the driver of a device tells of a port on its own: libibverbs' asynchronous events. */
#ifndef MAD_VERBS_H
#define MAD_VERBS_H

#include <stdbool.h>
#include <stddef.h>

struct verbs;

/* What has to be done after an event. */
struct verbs_event {
	unsigned attrs; /* are to be read anew: as for sma_node_expire */
	bool subscribe; /* who subscribed to notices with the SA has to do so again (IBA 14.2.5.6,
	                   ClientReregister) */
};

/* Follow the events of port `port` of a device. -ENODEV: libibverbs has no such device, as a simulator's; or
 * -errno. `error` says which device and why. */
int verbs_open(const char *device, unsigned port, struct verbs **verbs, char *error, size_t size);

/* NULL is allowed. */
void verbs_close(struct verbs *verbs);

/* Readable while events are waiting. */
int verbs_fd(const struct verbs *verbs);

/* Take the oldest event that has to do with the port; never waits. 1; 0: none is left; -errno: there will be
 * none any more, as the device is gone. */
int verbs_take(struct verbs *verbs, struct verbs_event *event);

#endif
