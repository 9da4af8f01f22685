/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of nodes by NodeGUID, of a file as infiniband-diags and OpenSM read it: the node name map. */
#ifndef FABRIC_NAME_MAP_H
#define FABRIC_NAME_MAP_H

#include <stddef.h>
#include <stdint.h>

struct name_map;

/* Read a file. Lines are `GUID "NAME"`; of a GUID with two names the first counts. 0, or -errno, and what is
 * wrong in `error`: -ENOENT and the like: it cannot be read; -EINVAL: a line does not begin with a GUID, for
 * which the tools, too, do without the whole map; -ENOMEM. The map is the caller's to free. */
int name_map_load(const char *file, struct name_map **map, char *error, size_t size);

/* NULL is allowed. */
void name_map_free(struct name_map *map);

/* The name of a node, 1..255 bytes, in which bytes that are not printable ASCII have become blanks. NULL: it
 * has none, or `map` is NULL. */
const char *name_map_find(const struct name_map *map, uint64_t guid);

#endif
