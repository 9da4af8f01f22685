/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether devices of this host come and go, as the kernel tells without being asked (uevents). */
#ifndef MAD_HOTPLUG_H
#define MAD_HOTPLUG_H

#include <stdbool.h>

struct hotplug;

/* 0, or -errno: there are no such events for this process, as in a container. */
int hotplug_open(struct hotplug **hotplug);

/* NULL is allowed. */
void hotplug_close(struct hotplug *hotplug);

/* A descriptor that is readable while events wait. */
int hotplug_fd(const struct hotplug *hotplug);

/* Take all events that wait. Whether one of them, or one that was lost, may be of an InfiniBand device. */
bool hotplug_take(struct hotplug *hotplug);

#endif
