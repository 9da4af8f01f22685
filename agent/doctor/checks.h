/* SPDX-License-Identifier: BSD-2-Clause */
/* What the checks of the doctor share. */
#ifndef AGENT_DOCTOR_CHECKS_H
#define AGENT_DOCTOR_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/agentx.h"
#include "agent/config.h"
#include "agent/doctor/snmpd_conf.h"
#include "mib/mib.h"
#include "sma/node/node.h"
#include "sma/soft/soft.h"

#define CHECKS_MIB     "1.3.6.1.3.117.3"
#define CHECKS_SMA_MIB 1, 3, 6, 1, 3, 117, 3

/* Where MIB modules and examples are installed. */
#ifndef IBSMAD_DATADIR
#define IBSMAD_DATADIR "/usr/share"
#endif

enum {
	CHECKS_TEXT_SIZE = 1024,
	CHECKS_WAIT_MS = 2000, /* for an SMA or a master agent to answer */
};

/* FINDING_WARN: the MIB is readable, but something is missing. */
enum finding { FINDING_OK, FINDING_WARN, FINDING_FAIL, FINDING_SKIP };

/* An AgentX session with the master agent, as the daemon would have it. */
struct checks_session {
	struct link link;
	struct setup setup;
	bool open;       /* `link` is */
	bool registered; /* the master has taken the MIB's subtree */
	bool is_taken;   /* another subagent has it */
	char refusal[256];
};

struct doctor {
	const struct agent_config *config;
	const char *software;  /* NULL: a device is read */
	char first_device[64]; /* an InfiniBand port that there is */
	unsigned first_port;
	struct sma_devices devices;      /* what may be used, once the choice is made */
	const struct sma_device *device; /* of these */
	struct sma_soft *soft;
	struct sma_node *node; /* NULL: not yet open */
	bool has_sm;           /* the port has a LID, and that of a subnet manager */
	bool is_active;        /* the port is Active */
	struct mib *mib;       /* of the node, for the master agent to ask */
	struct snmpd_conf conf;
	bool knows_snmpd;              /* all of `conf` was read, and it is that of the snmpd in use */
	const struct answers *answers; /* to a community that reads SMA-MIB; NULL: there is none */
	struct checks_session agentx;

	/* of the check that is carried out */
	char text[CHECKS_TEXT_SIZE];
	char mends[CHECKS_TEXT_SIZE];
};

/* Say what was found; returns the finding. */
enum finding doctor_say(struct doctor *d, enum finding finding, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Add a line that mends it: a line of a file, or a command. */
void doctor_mend(struct doctor *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Let the loop go round until `is_over`, at most for CHECKS_WAIT_MS. Whether it was over. */
bool doctor_wait(bool (*is_over)(const void *arg), const void *arg);

/* Have the loop attend to the node and its MIB, once they are open. */
void doctor_follow_node(struct doctor *d);
void doctor_follow_mib(struct doctor *d);

/* Somebody whom the modes of files let in, or not. */
struct checks_user {
	uid_t uid;
	gid_t gid;
	gid_t groups[64];
	int group_count;
};

/* The one that this process is now. */
void checks_user_self(struct checks_user *user);

/* The one of that name; false: there is none. */
bool checks_user_find(struct checks_user *user, const char *name);

/* What keeps a user from a socket: the first folder on the way to it, or it itself, that is closed to that
 * user and has a name of at least `from` characters. Its length within `path`; 0: nothing that can be seen.
 */
size_t checks_user_barrier(const struct checks_user *user, const char *path, size_t from);

/* The checks, in order. */
enum finding check_devices(struct doctor *d);
enum finding check_port(struct doctor *d);
enum finding check_umad(struct doctor *d);
enum finding check_qp0(struct doctor *d);
enum finding check_sm(struct doctor *d);
enum finding check_notices(struct doctor *d);
enum finding check_file(struct doctor *d);
enum finding check_rights(struct doctor *d);
enum finding check_agentx(struct doctor *d);
enum finding check_snmpd_conf(struct doctor *d);
enum finding check_notifications(struct doctor *d);
enum finding check_sma_mib(struct doctor *d);
enum finding check_daemon_mib(struct doctor *d);
enum finding check_system(struct doctor *d);
enum finding check_names(struct doctor *d);

/* Whether snmpd should be on this machine and is not; and the package that has it. */
bool doctor_lacks_snmpd(void);
void doctor_mend_lack(struct doctor *d);

/* Before agentlib_start: have the library look for MIB modules where managers do. */
void doctor_prepare_names(void);

/* End the AgentX session. */
void doctor_end_agentx(struct doctor *d);

#endif
