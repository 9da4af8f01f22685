/* SPDX-License-Identifier: BSD-2-Clause */
/* The configuration, from file and command line. */
#ifndef AGENT_CONFIG_H
#define AGENT_CONFIG_H

#include <stdbool.h>
#include <sys/types.h>

#include "agent/notify.h"
#include "agent/view/view_config.h"
#include "sma/notice/notice.h"
#include "sma/soft/soft.h"

enum { CONFIG_NAME_SIZE = 64, CONFIG_ADDRESS_SIZE = 256 };

/* What is expected as an address of the master agent. */
#define CONFIG_ADDRESS_EXPECTED "the path of a socket, tcp:HOST:PORT or tcp6:HOST:PORT"

struct agent_config {
	char ca[CONFIG_NAME_SIZE];        /* "": the first that can be used */
	char user[CONFIG_NAME_SIZE];      /* "": the user that started ibsmad */
	char group[CONFIG_NAME_SIZE];     /* "": the group of the user */
	char agentx[CONFIG_ADDRESS_SIZE]; /* address of the master agent; "": that of Net-SNMP */
	unsigned agentx_ping;             /* s, how long the master agent may be silent */
	unsigned agentx_timeout; /* s, how long it is to wait for an answer; 0: as it is configured itself */
	uid_t agentx_peer; /* a further user as whom the master agent may listen; SESSION_NOBODY: none */
	uid_t wire_user;   /* a further user who may use the simulator wire; SMA_NOBODY: none */
	int port;          /* negative: the first that can be used */
	bool expose_keys;
	struct view_config *views; /* of the configuration that was read last; a copy does not own it */
	unsigned sweep_ms;         /* from the end of a sweep of the fabric to the next; 0: none by itself */
	char name_map[CONFIG_ADDRESS_SIZE]; /* the node name map; "": none */
	char key_file[CONFIG_ADDRESS_SIZE]; /* of the M_Keys of other nodes; "": none */
	struct sma_config sma;
	struct sources_config sources;
	struct notify_config notify;
};

/* Set the defaults in `config`, which is what config_read reads into, and must stay; free what it holds in
 * the end. -ENOMEM. */
int config_init(struct agent_config *config);

/* Read `file`, or if NULL ibsmad.conf and ibsmad.local.conf on Net-SNMP's search path. Each mistake is
 * logged, with file and line and without keys. 0; -ENOENT or another -errno: `file` cannot be read; -EINVAL:
 * a value is wrong, or a file on the search path cannot be read. */
int config_read(const char *file);

/* Read it again, starting from the defaults; on failure the configuration stays as it was. Errors as
 * config_read. */
int config_read_again(const char *file);
void config_free(void);

/* The tokens that differ, separated by commas, but are taken at the start only. Valid until the next call. */
const char *config_kept(const struct agent_config *start, const struct agent_config *now);

/* The limits of the numeric settings, which are options as well. */
enum {
	CONFIG_TIMEOUT_MAX = 60000, /* ms */
	CONFIG_RETRIES_MAX = 100,
	CONFIG_WINDOW_MAX = 256,
	CONFIG_AGE_MAX = 86400, /* s */
	CONFIG_RATE_MAX = 1000000,
	CONFIG_QUEUE_MAX = 1000000,
	CONFIG_BACKGROUND_MAX = 100000,  /* a second */
	CONFIG_AGENTX_TIMEOUT_MAX = 255, /* s */
};

#endif
