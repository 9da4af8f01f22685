/* SPDX-License-Identifier: BSD-2-Clause */
/* What the configuration file and the command line decide. */
#ifndef AGENT_CONFIG_H
#define AGENT_CONFIG_H

#include <stdbool.h>
#include <sys/types.h>

#include "agent/notify.h"
#include "sma/sma.h"

enum { CONFIG_NAME_SIZE = 64 };

struct agent_config {
	char ca[CONFIG_NAME_SIZE];    /* "": the first that suits */
	char user[CONFIG_NAME_SIZE];  /* "": the user that started ibsmad */
	char group[CONFIG_NAME_SIZE]; /* "": the group of the user */
	uid_t agentx_peer;            /* as whom the master agent may listen besides; PEER_NOBODY: no one */
	uid_t wire_user;              /* who may use the simulator wire besides; SMA_NOBODY: no one */
	int port;                     /* negative: the first that suits */
	bool expose_keys;
	struct sma_config sma;
	struct sma_watch_config watch;
	struct notify_config notify;
};

/* Set the defaults and register the tokens with Net-SNMP, which reads them into `config`; it must outlive the
 * reading. */
void config_init(struct agent_config *config);

/* Read `file`, or ibsmad.conf on Net-SNMP's search path if NULL. Each mistake is logged with file and line.
 * 0; -ENOENT or another errno: `file` cannot be read; -EINVAL: a value in it is wrong. */
int config_read(const char *file);

/* Read it again, from the defaults on; when that fails the configuration stays as it was. The address of the
 * master agent stays in any case. Errors as config_read, and -ENOMEM. */
int config_read_again(const char *file);

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
};

#endif
