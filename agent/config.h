/* SPDX-License-Identifier: BSD-2-Clause */
/* What the configuration file and the command line decide. */
#ifndef AGENT_CONFIG_H
#define AGENT_CONFIG_H

#include <stdbool.h>
#include <sys/types.h>

#include "agent/notify.h"
#include "sma/notice/notice.h"
#include "sma/soft/soft.h"

enum { CONFIG_NAME_SIZE = 64, CONFIG_ADDRESS_SIZE = 256 };

/* What an address of the master agent has to look like. */
#define CONFIG_ADDRESS_EXPECTED "the path of a socket, tcp:HOST:PORT or tcp6:HOST:PORT"

struct agent_config {
	char ca[CONFIG_NAME_SIZE];        /* "": the first that suits */
	char user[CONFIG_NAME_SIZE];      /* "": the user that started ibsmad */
	char group[CONFIG_NAME_SIZE];     /* "": the group of the user */
	char agentx[CONFIG_ADDRESS_SIZE]; /* address of the master agent; "": that of Net-SNMP */
	unsigned agentx_ping;             /* s, how long the master agent may be silent */
	unsigned agentx_timeout;          /* s, how long it is to wait for an answer; 0: as it likes */
	uid_t agentx_peer; /* as whom the master agent may listen besides; SESSION_NOBODY: no one */
	uid_t wire_user;   /* who may use the simulator wire besides; SMA_NOBODY: no one */
	int port;          /* negative: the first that suits */
	bool expose_keys;
	struct sma_config sma;
	struct sources_config sources;
	struct notify_config notify;
};

/* Set the defaults in `config`, which config_read reads into and which must outlive that. */
void config_init(struct agent_config *config);

/* Read `file`, or ibsmad.conf and ibsmad.local.conf on Net-SNMP's search path if NULL. Each mistake is
 * logged, with file and line and without keys. 0; -ENOENT or another errno: `file` cannot be read; -EINVAL: a
 * value is wrong, or a file on the search path cannot be read. */
int config_read(const char *file);

/* Read it again, from the defaults on; when that fails the configuration stays as it was. Errors as
 * config_read. */
int config_read_again(const char *file);

/* The tokens, with commas between them, that differ but have been taken once, at the start. Valid until the
 * next call. */
const char *config_kept(const struct agent_config *start, const struct agent_config *now);

/* Parse a whole number. -EINVAL: it is none, or not within low..high. */
int config_number(const char *text, long low, long high, long *number);

/* The limits of the numeric settings, which are options as well. */
enum {
	CONFIG_TIMEOUT_MAX = 60000, /* ms */
	CONFIG_RETRIES_MAX = 100,
	CONFIG_WINDOW_MAX = 256,
	CONFIG_AGE_MAX = 86400, /* s */
	CONFIG_RATE_MAX = 1000000,
	CONFIG_QUEUE_MAX = 1000000,
	CONFIG_AGENTX_TIMEOUT_MAX = 255, /* s */
};

#endif
