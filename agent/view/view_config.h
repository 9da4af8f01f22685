/* SPDX-License-Identifier: BSD-2-Clause */
/* What ibsmad.conf(5) says of views: which ports of this host are shown, and which nodes of the fabric. */
#ifndef AGENT_VIEW_VIEW_CONFIG_H
#define AGENT_VIEW_VIEW_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "sma/mad/mad.h"

enum { VIEW_NAME_MOST = 255 /* octets of an SNMP context */ };

/* A port of this host. */
struct view_via {
	char device[SMA_DEVICE_NAME_SIZE]; /* "": the chosen port */
	unsigned port;
};

/* A node that is named. */
struct view_line {
	char name[VIEW_NAME_MOST + 1];
	enum view_line_kind { VIEW_LINE_GUID, VIEW_LINE_LID, VIEW_LINE_PATH } kind;
	uint64_t guid;
	uint16_t lid;
	uint8_t hops;
	uint8_t path[MAD_PATH_SIZE]; /* output ports, from byte 1 on */
	struct view_via via;
};

/* Which ports of this host are shown; of those that match one the last counts. */
struct view_glob {
	bool includes;
	char pattern[SMA_DEVICE_NAME_SIZE + 8];
};

enum view_discover { VIEW_DISCOVER_OFF, VIEW_DISCOVER_SWITCHES, VIEW_DISCOVER_CAS, VIEW_DISCOVER_ALL };

/* It does not change any more when it has been read, and is freed with its last user. */
struct view_config {
	unsigned users;
	enum view_discover discover;
	struct view_via discover_via;
	unsigned glob_count;
	struct view_glob *globs;
	unsigned line_count;
	struct view_line *lines;
};

/* The defaults, with one user: each port of this host, and no other node. NULL: there is no memory. */
struct view_config *view_config_new(void);

/* One user more, and one less; NULL is allowed. */
struct view_config *view_config_ref(struct view_config *config);
void view_config_unref(struct view_config *config);

/* The value of a line "view VALUE" or "views VALUE". Returns what was expected instead, valid until the next
 * call; NULL: it is right. */
const char *view_config_take_view(struct view_config *config, const char *value);
const char *view_config_take_views(struct view_config *config, const char *value);

/* Whether both say the same. */
bool view_config_is_same(const struct view_config *a, const struct view_config *b);

/* Whether a port of this host is shown in a context of its own. */
bool view_config_shows(const struct view_config *config, const char *device, unsigned port);

#endif
