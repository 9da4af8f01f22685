// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include "mib/handler.h"
#include "mib/sma/sma_mib_gen.h"
#include "tests/logged.h"
#include "tests/mib/agent_fixture.h"
#include "tests/unit.h"

enum {
	PASSES = 8,           /* over the sockets, until what one message brings about is done */
	AGENTX_VERSION = 192, /* of a PDU within Net-SNMP that came by AgentX */
};

/* The agent's end of the internal transport. */
extern int callback_master_num;

static const oid base[] = {SMA_MIB_OID};

static struct fixture fixture;
static struct mib *mib;
static uint64_t mib_due;
static netsnmp_session *manager;
static agent_fill *fill;
static agent_registered *registered;

int agent_init(void)
{
	setenv("MIBS", "", 1);
	snmp_disable_log();
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
	netsnmp_enable_subagent();
	init_agent("unit");
	manager = netsnmp_callback_open(callback_master_num, NULL, NULL, NULL);
	return manager ? 0 : -EIO;
}

static uint64_t virtual_clock(void)
{
	return fixture.now;
}

static int open_mib(bool expose_keys, struct mib **opened)
{
	const struct mib_config config = {.expose_keys = expose_keys,
	                                  .window = fixture.config.window,
	                                  .clock = virtual_clock,
	                                  .daemon = fill,
	                                  .registered = registered};

	return mib_open(&config, opened);
}

static struct fixture *serve(bool expose_keys)
{
	struct mib_shown *shown;

	logged_start(false);
	fixture_open(&fixture);
	CHECK_EQUAL(open_mib(expose_keys, &mib), 0);
	CHECK_EQUAL(agent_show(fixture.node, "", &shown), 0);
	return &fixture;
}

struct fixture *agent_begin(const char *node, bool expose_keys)
{
	fixture_init(&fixture, node);
	return serve(expose_keys);
}

struct fixture *agent_begin_with_age(const char *node, unsigned age_ms)
{
	fixture_init(&fixture, node);
	for (unsigned i = 0; i < SMA_ATTR_COUNT; i++)
		fixture.config.age_ms[i] = age_ms;
	return serve(false);
}

struct fixture *agent_begin_with_window(const char *node, unsigned window)
{
	fixture_init(&fixture, node);
	fixture.config.window = window;
	return serve(false);
}

struct fixture *agent_begin_with_daemon(const char *node, agent_fill *daemon)
{
	fill = daemon;
	return agent_begin(node, false);
}

void agent_on_registered(agent_registered *note)
{
	registered = note;
}

struct mib *agent_mib(void)
{
	return mib;
}

void agent_end(void)
{
	fill = NULL;
	mib_close(mib);
	fixture_close(&fixture);
	logged_stop();
}

int agent_show(struct sma_node *node, const char *context, struct mib_shown **shown)
{
	int rc = mib_show(mib, node, true, shown);

	if (rc < 0)
		return rc;
	rc = mib_name(*shown, context);
	if (rc < 0)
		mib_hide(*shown);
	return rc;
}

static struct part served;
static netsnmp_handler_registration *registration;

void agent_serve(const struct mib_module *module)
{
	served = (struct part){.mib = mib, .node = fixture.node, .module = module};
	registration = netsnmp_create_handler_registration(module->name, handler_handle, module->oid,
	                                                   module->length, HANDLER_CAN_RONLY);
	if (!CHECK(registration != NULL))
		return;
	registration->handler->myvoid = &served;
	CHECK_EQUAL(netsnmp_register_handler(registration), MIB_REGISTERED_OK);
}

void agent_withdraw(void)
{
	handler_forget(mib, registration);
	netsnmp_unregister_handler(registration);
}

/* ---- time ---- */

static void pump(void)
{
	for (unsigned i = 0; i < PASSES; i++)
		agent_check_and_process(0);
}

void agent_settle(void)
{
	unsigned mails;

	do {
		pump();
		mib_due = mib_run(mib, fixture.now);
		mails = fixture_settle(&fixture);
		pump();
	} while (mails || mib_due <= fixture.now);
}

void agent_pass(uint64_t ms)
{
	uint64_t stop = fixture.now + ms;

	agent_settle();
	while (fixture.now < stop) {
		uint64_t next = fake_qp0_due(fixture.fake);

		next = fixture.wake < next ? fixture.wake : next;
		next = mib_due < next ? mib_due : next;
		fixture.now = next < stop ? next : stop;
		agent_settle();
	}
}

uint64_t agent_due(void)
{
	return mib_due;
}

/* ---- PDUs ---- */

static int take_reply(int operation, netsnmp_session *session, int id, netsnmp_pdu *pdu, void *magic)
{
	static unsigned serial;
	struct reply *reply = magic;

	(void)session;
	(void)id;
	CHECK_EQUAL(operation, NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE);
	CHECK(reply->pdu == NULL);
	reply->pdu = snmp_clone_pdu(pdu);
	reply->at = fixture.now;
	reply->serial = ++serial;
	return 1;
}

void agent_add(netsnmp_pdu *pdu, const uint32_t *subid, size_t length)
{
	oid name[MAX_OID_LEN];

	memcpy(name, base, sizeof(base));
	for (size_t i = 0; i < length; i++)
		name[OID_LENGTH(base) + i] = subid[i];
	snmp_add_null_var(pdu, name, OID_LENGTH(base) + length);
}

void agent_send_pdu(netsnmp_pdu *pdu, struct reply *reply)
{
	*reply = (struct reply){0};
	pdu->version = AGENTX_VERSION;
	pdu->flags |= UCD_MSG_FLAG_ALWAYS_IN_VIEW;
	CHECK(snmp_async_send(manager, pdu, take_reply, reply) != 0);
	pump();
}

void agent_send_in(const char *context, int command, const uint32_t *subid, size_t length,
                   struct reply *reply)
{
	netsnmp_pdu *pdu = snmp_pdu_create(command);

	agent_add(pdu, subid, length);
	pdu->contextName = strdup(context);
	pdu->contextNameLen = strlen(context);
	agent_send_pdu(pdu, reply);
}

void agent_send(int command, const uint32_t *subid, size_t length, struct reply *reply)
{
	agent_send_in("", command, subid, length, reply);
}

void agent_warm(const uint32_t *subid, size_t length)
{
	struct reply reply;

	agent_send(SNMP_MSG_GET, subid, length, &reply);
	agent_settle();
	CHECK(reply.pdu != NULL);
	reply_free(&reply);
}

static const netsnmp_variable_list *varbind(const struct reply *reply, unsigned i)
{
	const netsnmp_variable_list *v = reply->pdu ? reply->pdu->variables : NULL;

	while (v && i--)
		v = v->next_variable;
	return v;
}

uint64_t agent_number(const netsnmp_variable_list *varbind)
{
	const struct counter64 *wide = varbind->val.counter64;

	if (varbind->type == ASN_COUNTER64)
		return (uint64_t)wide->high << 32 | wide->low;
	return (uint64_t)*varbind->val.integer;
}

int reply_type(const struct reply *reply, unsigned i)
{
	const netsnmp_variable_list *v = varbind(reply, i);

	return v ? v->type : REPLY_NOT_YET;
}

long reply_number(const struct reply *reply, unsigned i)
{
	const netsnmp_variable_list *v = varbind(reply, i);

	return v && v->val.integer ? *v->val.integer : REPLY_NOT_YET;
}

long reply_error(const struct reply *reply)
{
	return reply->pdu ? reply->pdu->errstat : REPLY_NOT_YET;
}

void reply_free(struct reply *reply)
{
	if (reply->pdu)
		snmp_free_pdu(reply->pdu);
	reply->pdu = NULL;
}
