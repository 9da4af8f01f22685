// SPDX-License-Identifier: BSD-2-Clause
/* The node: a device's port whose SMA is asked, and what it says about the subnet manager; or a node file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/clock.h"
#include "agent/doctor/checks.h"
#include "agent/loop.h"
#include "agent/view/views.h"

/* ---- the umad device ---- */

static uint64_t process_ports(void *arg, uint64_t now)
{
	return mad_ports_process(arg, now);
}

/* A node that is read through the ports which were opened. 0 or -errno. */
static int open_node(struct doctor *d)
{
	int rc = views_local_node(d->ports, 0, &d->config->sma, &d->node);

	return rc < 0 ? rc : loop_add(d->ports->fd, process_ports, d->ports);
}

enum finding check_umad(struct doctor *d)
{
	const struct engine_config engine = sma_config_engine(&d->config->sma);
	int rc;
	char error[REPORT_TEXT_SIZE];
	const struct sma_gsi *gsi;
	char apart[128] = "";

	rc = mad_ports_open(&d->devices, &engine, &d->ports, error, sizeof(error));
	report_fix_of(error);
	if (rc < 0)
		return report_say(FINDING_FAIL, "%s", error);
	rc = open_node(d);
	if (rc < 0)
		return report_say(FINDING_FAIL, "a node cannot be made: %s", strerror(-rc));
	d->device = d->ports->device;
	gsi = &d->device->gsi[0];
	if (strcmp(gsi->name, d->device->name) != 0)
		snprintf(apart, sizeof(apart), ", QP1 is that of %s port %u", gsi->name, gsi->port);
	return report_say(error[0] ? FINDING_WARN : FINDING_OK, "QP0 of %s port %u is open%s%s%s",
	                  d->device->name, d->device->port, apart, error[0] ? "; " : "", error);
}

/* ---- reading ---- */

struct reading {
	struct sma_node *node;
	struct sma_key key;
	uint64_t since;
	uint8_t *block;
	int *rc;
};

static bool is_read(const void *arg)
{
	const struct reading *reading = arg;
	struct sma_reader reader = {.node = reading->node,
	                            .now = clock_ms(),
	                            .since = reading->since,
	                            .patience = SMA_FRESH,
	                            .budget = 1};
	const uint8_t *data;

	*reading->rc = sma_read_block(&reader, &reading->key, &data);
	if (*reading->rc == 0)
		memcpy(reading->block, data, SMA_BLOCK_SIZE);
	return *reading->rc != -EAGAIN;
}

/* Errors as sma_read_block; -EAGAIN: there was no answer in time. */
static int read_block(struct doctor *d, struct sma_key key, uint8_t block[SMA_BLOCK_SIZE])
{
	int rc = -EAGAIN;
	struct reading reading = {
		.node = d->node, .key = key, .since = clock_ms(), .block = block, .rc = &rc};

	loop_wait(is_read, &reading, CHECKS_WAIT_MS);
	return rc;
}

static enum finding report_silence(const struct doctor *d, const struct sma_counters *counters)
{
	if (counters->refused)
		return report_say(FINDING_FAIL, "the SMA refuses NodeInfo");
	if (d->config->sma.m_key)
		report_fix("ibsmad.conf: mKey KEY    (another than the present one: that of the subnet "
		           "manager)");
	else
		report_fix("ibsmad.conf: mKey KEY    (where the subnet manager protects ports by M_Keys)");
	report_fix("ibsmad.conf: smpTimeout 1000    (where the SMA is only slow)");
	return report_say(FINDING_FAIL,
	                  "NodeInfo was not answered, in %llu tries: the M_Key is wrong%s, or "
	                  "the SMA hangs",
	                  (unsigned long long)counters->sent, d->config->sma.m_key ? "" : " (none is set)");
}

static const char *type_name(uint64_t type)
{
	static const char *const names[] = {[SMA_NODE_CA] = "channel adapter",
	                                    [SMA_NODE_SWITCH] = "switch",
	                                    [SMA_NODE_ROUTER] = "router"};

	return type >= SMA_NODE_CA && type <= SMA_NODE_ROUTER ? names[type] : "node of a strange type";
}

enum finding check_qp0(struct doctor *d)
{
	uint8_t info[SMA_BLOCK_SIZE];
	struct sma_counters counters;

	if (read_block(d, sma_key_node(sma_node_id(d->node), SMA_NodeInfo), info) < 0) {
		sma_node_counters(d->node, &counters);
		return report_silence(d, &counters);
	}
	return report_say(FINDING_OK, "a %s with %u ports answers, node GUID 0x%016llx",
	                  type_name(sma_component_get(info, SMA_NodeInfo_NodeType)),
	                  (unsigned)sma_component_get(info, SMA_NodeInfo_NumPorts),
	                  (unsigned long long)sma_component_get(info, SMA_NodeInfo_NodeGUID));
}

/* ---- the subnet manager ---- */

enum finding check_sm(struct doctor *d)
{
	uint8_t info[SMA_BLOCK_SIZE];
	unsigned lid;
	unsigned sm_lid;

	if (read_block(d, sma_key_port(sma_node_id(d->node), d->device->port), info) < 0) {
		report_fix("ibsmad.conf: mKey KEY    (where the subnet manager protects ports by M_Keys)");
		return report_say(FINDING_WARN, "PortInfo was not answered: its objects will be missing");
	}
	lid = (unsigned)sma_component_get(info, SMA_PortInfo_LID);
	sm_lid = (unsigned)sma_component_get(info, SMA_PortInfo_MasterSMLID);
	d->has_sm = lid && sm_lid;
	d->is_active = sma_component_get(info, SMA_PortInfo_PortState) == SMA_PORT_ACTIVE;
	if (d->has_sm)
		return report_say(FINDING_OK, "LID %u, subnet manager at LID %u", lid, sm_lid);
	report_fix("systemctl start opensm    (on one node of the subnet)");
	return report_say(FINDING_WARN, "there is none: the LID of the port is %u, that of the manager %u",
	                  lid, sm_lid);
}

enum finding check_subscription(struct doctor *d)
{
	const struct sources_config *sources = &d->config->sources;

	if (sources->off)
		return report_say(FINDING_OK, "not wanted: notify off");
	if (!sources->subscribe)
		return report_say(FINDING_OK, "not wanted: notifySubscribe no");
	if (d->has_sm && d->is_active)
		return report_say(FINDING_OK, "possible, with the subnet administration of that manager");
	report_fix("nothing to do: it is made as soon as there is a subnet manager and the port is Active");
	return report_say(FINDING_WARN, "not possible yet: notifications of traps come from polling only");
}

/* ---- a node file ---- */

enum finding check_node_file(struct doctor *d)
{
	const struct engine_config engine = sma_config_engine(&d->config->sma);
	char error[REPORT_TEXT_SIZE];
	int rc = sma_soft_open(d->software, &d->soft, error, sizeof(error));

	if (rc == -ENOENT)
		report_fix("cp " IBSMAD_DATADIR "/ibsmad/nodes/ca.conf %s    (an example)", d->software);
	else if (rc < 0)
		report_fix("%s: the line as ibsmad-node(5) describes it", d->software);
	if (rc < 0)
		return report_say(FINDING_FAIL, "%s", error);
	rc = sma_soft_open_ports(d->soft, &engine, &d->ports, error, sizeof(error));
	if (rc < 0)
		return report_say(FINDING_FAIL, "%s: %s", d->software, error);
	rc = open_node(d);
	if (rc < 0)
		return report_say(FINDING_FAIL, "%s: %s", d->software, strerror(-rc));
	return report_say(FINDING_OK, "%s describes a %s", d->software,
	                  sma_is_switch(d->node) ? "switch" : "node with its SMA at each port");
}
