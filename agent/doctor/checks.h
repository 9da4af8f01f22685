/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of --check, and what they share. */
#ifndef AGENT_DOCTOR_CHECKS_H
#define AGENT_DOCTOR_CHECKS_H

#include <stdbool.h>

#include "agent/config.h"
#include "agent/doctor/report.h"
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

enum { CHECKS_WAIT_MS = 2000 /* for an SMA, a master agent or snmpd to answer */ };

struct doctor {
	const struct agent_config *config;
	const char *software;  /* node file; NULL: a device is read */
	char first_device[64]; /* with an InfiniBand port, and that port */
	unsigned first_port;
	struct sma_devices devices;      /* what may be used, once the choice is made */
	const struct sma_device *device; /* of these */
	struct sma_soft *soft;
	struct mad_ports *ports; /* NULL: not yet open */
	struct sma_node *node;   /* which is read through them; NULL: not yet */
	bool has_sm;             /* the port has a LID, and that of a subnet manager */
	bool is_active;          /* the port is Active */
	struct mib *mib;         /* of the node, for snmpd to ask */
	struct snmpd_conf conf;
	bool knows_snmpd;              /* all of `conf` was read, and it is that of the snmpd in use */
	const struct answers *answers; /* to a community that can read SMA-MIB; NULL: there is none */
};

/* Each check says what it found, and what fixes it (report.h); in the order in which they run. */
enum finding check_devices(struct doctor *d);
enum finding check_port(struct doctor *d);
enum finding check_umad(struct doctor *d);
enum finding check_qp0(struct doctor *d);
enum finding check_sm(struct doctor *d);
enum finding check_subscription(struct doctor *d);
enum finding check_node_file(struct doctor *d);
enum finding check_rights(struct doctor *d);
enum finding check_agentx(struct doctor *d);
enum finding check_snmpd_conf(struct doctor *d);
enum finding check_notifications(struct doctor *d);
enum finding check_sma_mib(struct doctor *d);
enum finding check_daemon_mib(struct doctor *d);
enum finding check_system(struct doctor *d);
enum finding check_names(struct doctor *d);

/* Whether snmpd should be on this machine, and is not. */
bool check_snmpd_is_missing(void);

/* Before agentlib_start: have the library look for MIB modules where managers do. */
void check_names_prepare(void);

#endif
