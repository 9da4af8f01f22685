// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "sma/clock.h"
#include "tests/fakes/fake_blocks.h"
#include "tests/fakes/fake_qp0.h"

enum {
	HEADER_SIZE = 24,
	METHOD_GET_RESPONSE = 0x81,
	METHOD_TRAP = 0x05,
	STATUS_NO_ATTRIBUTE = 0x0C,
	STATUS_NO_MODIFIER = 0x1C,
};

/* Offsets within a MAD. */
enum { AT_METHOD = 3, AT_ATTRIBUTE = 16, AT_MODIFIER = 20, AT_DATA = 64 };

struct answer {
	TAILQ_ENTRY(answer) link;
	struct mailbox *box;
	uint64_t due;
	uint64_t limit; /* after which it comes too late */
	uint8_t port;
	uint16_t slid;
	int status; /* of the transport */
	uint8_t mad[MAD_SIZE];
};

struct fake_qp0 {
	pthread_mutex_t lock;
	struct fake_blocks blocks;
	struct fake_rules rules;
	TAILQ_HEAD(answer_list, answer) answers; /* by due */
	unsigned pending;
	unsigned most_pending;
	unsigned open_count;
	struct mad_ports *ports; /* NULL: no node is attached */
	bool times_out;
	uint64_t stalled_until;
	uint64_t now;
	uint64_t (*clock)(void);
	uint8_t last[MAD_SIZE];
	uint16_t last_lid;
	fake_manager *manager;
	void *manager_arg;
};

/* The transport of one port. */
struct endpoint {
	struct transport transport;
	struct fake_qp0 *fake;
	struct mailbox *box;
	uint8_t port;
};

struct fake_qp0 *fake_qp0_new(void)
{
	struct fake_qp0 *fake = calloc(1, sizeof(*fake));

	if (!fake)
		abort();
	pthread_mutex_init(&fake->lock, NULL);
	TAILQ_INIT(&fake->answers);
	return fake;
}

static void drop(struct fake_qp0 *fake, struct answer *a)
{
	TAILQ_REMOVE(&fake->answers, a, link);
	fake->pending--;
	free(a);
}

void fake_qp0_free(struct fake_qp0 *fake)
{
	if (!fake)
		return;
	while (!TAILQ_EMPTY(&fake->answers))
		drop(fake, TAILQ_FIRST(&fake->answers));
	fake_blocks_free(&fake->blocks);
	pthread_mutex_destroy(&fake->lock);
	free(fake);
}

int fake_qp0_load(struct fake_qp0 *fake, const char *path)
{
	return fake_blocks_load(&fake->blocks, path);
}

unsigned fake_qp0_port(const struct fake_qp0 *fake)
{
	unsigned port = 0;

	while (port < FAKE_PORTS - 1 && !fake->blocks.ports[port])
		port++;
	return port;
}

unsigned fake_qp0_open_count(const struct fake_qp0 *fake)
{
	return fake->open_count;
}

void fake_qp0_set_clock(struct fake_qp0 *fake, uint64_t (*clock)(void))
{
	fake->clock = clock;
}

/* ---- rules ---- */

void fake_qp0_delay(struct fake_qp0 *fake, uint16_t attribute, unsigned delay_ms)
{
	pthread_mutex_lock(&fake->lock);
	fake_rules_own(&fake->rules, attribute)->delay_ms = delay_ms;
	pthread_mutex_unlock(&fake->lock);
}

static void set_fault(struct fake_qp0 *fake, uint16_t attribute, enum fake_fault fault, int times,
                      uint16_t status)
{
	struct fake_rule *rule;

	pthread_mutex_lock(&fake->lock);
	rule = fake_rules_own(&fake->rules, attribute);
	rule->fault = fault;
	rule->times = times;
	rule->status = status;
	pthread_mutex_unlock(&fake->lock);
}

void fake_qp0_fault(struct fake_qp0 *fake, uint16_t attribute, enum fake_fault fault, int times)
{
	set_fault(fake, attribute, fault, times, 0);
}

void fake_qp0_refuse(struct fake_qp0 *fake, uint16_t attribute, uint16_t status)
{
	set_fault(fake, attribute, FAKE_REFUSE, FAKE_FOREVER, status);
}

static struct fake_rule *rule_of(struct fake_block *block)
{
	block->ruled = true;
	return &block->rule;
}

void fake_qp0_delay_block(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier,
                          unsigned delay_ms)
{
	rule_of(fake_blocks_at(&fake->blocks, (uint8_t)port, attribute, modifier))->delay_ms = delay_ms;
}

void fake_qp0_fault_block(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier,
                          enum fake_fault fault, int times)
{
	struct fake_rule *rule = rule_of(fake_blocks_at(&fake->blocks, (uint8_t)port, attribute, modifier));

	rule->fault = fault;
	rule->times = times;
	rule->status = STATUS_NO_MODIFIER;
}

void fake_qp0_time_out(struct fake_qp0 *fake)
{
	fake->times_out = true;
}

/* ---- answers ---- */

static uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

void fake_qp0_manage(struct fake_qp0 *fake, fake_manager *manager, void *arg)
{
	fake->manager = manager;
	fake->manager_arg = arg;
}

/* Make a response of a request: its copy, with the R and D bits, a status and data. False: there is none. */
static bool respond(struct fake_qp0 *fake, uint8_t *mad, struct fake_block *block)
{
	uint16_t attribute = block->attribute;

	if (mad[MAD_AT_CLASS] == MAD_CLASS_DEVICE)
		return fake->manager && fake->manager(fake->manager_arg, mad, mad);
	mad[AT_METHOD] = METHOD_GET_RESPONSE;
	if (block->listed) {
		fake_set_status(mad, block->status);
		memcpy(mad + AT_DATA, block->data, FAKE_DATA_SIZE);
	} else {
		fake_set_status(mad, fake_blocks_has(&fake->blocks, block->port, attribute)
		                             ? STATUS_NO_MODIFIER
		                             : STATUS_NO_ATTRIBUTE);
	}
	return true;
}

static void give_up_late(struct answer *a)
{
	if (a->due <= a->limit)
		return;
	a->due = a->limit;
	a->status = ETIMEDOUT;
}

/* Answers that are due at the same time keep their order. */
static void insert(struct fake_qp0 *fake, struct answer *a)
{
	struct answer *later;

	give_up_late(a);
	later = TAILQ_FIRST(&fake->answers);
	while (later && later->due <= a->due)
		later = TAILQ_NEXT(later, link);
	if (later)
		TAILQ_INSERT_BEFORE(later, a, link);
	else
		TAILQ_INSERT_TAIL(&fake->answers, a, link);
}

static void enqueue(const struct endpoint *e, const uint8_t *mad, size_t size, int status, uint64_t due,
                    uint64_t limit)
{
	struct answer *a = calloc(1, sizeof(*a));

	if (!a)
		abort();
	*a = (struct answer){.box = e->box,
	                     .due = due,
	                     .limit = limit,
	                     .port = e->port,
	                     .slid = e->fake->last_lid,
	                     .status = status};
	memcpy(a->mad, mad, size);
	insert(e->fake, a);
	if (++e->fake->pending > e->fake->most_pending)
		e->fake->most_pending = e->fake->pending;
}

static void send_trap(const struct endpoint *e, const uint8_t *mad, uint64_t due)
{
	uint8_t trap[MAD_SIZE];

	memcpy(trap, mad, sizeof(trap));
	trap[AT_METHOD] = METHOD_TRAP;
	enqueue(e, trap, sizeof(trap), 0, due, UINT64_MAX);
}

static void answer(const struct endpoint *e, const uint8_t *request, struct fake_block *block,
                   const struct fake_rule *rule, enum fake_fault fault, uint64_t due, uint64_t limit)
{
	uint8_t mad[MAD_SIZE];

	memcpy(mad, request, sizeof(mad));
	if (!respond(e->fake, mad, block)) {
		enqueue(e, request, MAD_SIZE, ETIMEDOUT, due, UINT64_MAX);
		return;
	}
	if (fault == FAKE_REFUSE)
		fake_set_status(mad, rule->status);
	fake_spoil(mad, fault);
	if (fault == FAKE_TRAP_FIRST)
		send_trap(e, request, due);
	enqueue(e, mad, sizeof(mad), 0, due, limit);
	if (fault == FAKE_TWICE)
		enqueue(e, mad, sizeof(mad), 0, due, limit);
}

static uint64_t time_of(const struct fake_qp0 *fake)
{
	return fake->clock ? fake->clock() : fake->now;
}

void fake_qp0_stall(struct fake_qp0 *fake, unsigned ms)
{
	struct answer_list old = TAILQ_HEAD_INITIALIZER(old);
	struct answer *a;

	fake->stalled_until = time_of(fake) + ms;
	TAILQ_CONCAT(&old, &fake->answers, link);
	while ((a = TAILQ_FIRST(&old))) {
		TAILQ_REMOVE(&old, a, link);
		if (a->status == 0)
			a->due += ms;
		insert(fake, a);
	}
}

/* What becomes of a request. */
static int react(const struct endpoint *e, const uint8_t *mad, unsigned timeout_ms)
{
	struct fake_qp0 *fake = e->fake;
	uint16_t attribute = get16(mad + AT_ATTRIBUTE);
	uint32_t modifier = (uint32_t)get16(mad + AT_MODIFIER) << 16 | get16(mad + AT_MODIFIER + 2);
	struct fake_block *block = fake_blocks_at(&fake->blocks, e->port, attribute, modifier);
	struct fake_rule *rule = block->ruled ? &block->rule : fake_rules_find(&fake->rules, attribute);
	enum fake_fault fault;
	uint64_t now = time_of(fake);
	uint64_t begin = now < fake->stalled_until ? fake->stalled_until : now;

	fault = fake_rule_take(rule);
	block->asked++;
	if (fault == FAKE_SEND_FAILS)
		return -EIO;
	if (fault == FAKE_VANISH)
		return 0;
	if (fault == FAKE_SILENT)
		enqueue(e, mad, HEADER_SIZE, ETIMEDOUT, now + timeout_ms, UINT64_MAX);
	else if (fault == FAKE_LOST)
		enqueue(e, mad, MAD_SIZE, ETIMEDOUT, now, UINT64_MAX);
	else
		answer(e, mad, block, rule, fault, begin + (rule ? rule->delay_ms : 0),
		       fake->times_out ? now + timeout_ms : UINT64_MAX);
	return 0;
}

/* ---- the transport ---- */

static int endpoint_send(struct transport *transport, const struct packet *packet, unsigned timeout_ms)
{
	const struct endpoint *e = (struct endpoint *)transport;
	struct fake_qp0 *fake = e->fake;
	int rc;

	pthread_mutex_lock(&fake->lock);
	memcpy(fake->last, packet->mad, MAD_SIZE);
	fake->last_lid = packet->lid;
	rc = react(e, packet->mad, timeout_ms);
	pthread_mutex_unlock(&fake->lock);
	return rc;
}

static void endpoint_close(struct transport *transport)
{
	struct endpoint *e = (struct endpoint *)transport;
	struct fake_qp0 *fake = e->fake;
	struct answer *a;
	struct answer *next;

	pthread_mutex_lock(&fake->lock);
	for (a = TAILQ_FIRST(&fake->answers); a; a = next) {
		next = TAILQ_NEXT(a, link);
		if (a->box == e->box && a->port == e->port)
			drop(fake, a);
	}
	fake->open_count--;
	pthread_mutex_unlock(&fake->lock);
	free(e);
}

struct transport *fake_qp0_transport(struct fake_qp0 *fake, unsigned port, struct mailbox *box)
{
	static const struct transport_ops ops = {.send = endpoint_send, .close = endpoint_close};
	struct endpoint *e = calloc(1, sizeof(*e));

	if (!e)
		abort();
	*e = (struct endpoint){{&ops}, fake, box, (uint8_t)port};
	fake->open_count++;
	return &e->transport;
}

/* ---- ports ---- */

static int open_port(void *arg, unsigned number, struct mailbox *box, struct transport **transport,
                     char *error, size_t size)
{
	(void)error, (void)size;
	*transport = fake_qp0_transport(arg, number, box);
	return 0;
}

struct mad_ports *fake_qp0_open(struct fake_qp0 *fake, const struct sma_config *config)
{
	const struct engine_config engine = sma_config_engine(config);
	char error[256];

	fake->ports = mad_ports_new(FAKE_PORTS);
	if (!fake->ports)
		abort();
	for (unsigned number = 0; number < FAKE_PORTS; number++) {
		if (fake->blocks.ports[number] &&
		    mad_ports_add(fake->ports, number, &engine, open_port, fake, error, sizeof(error)) < 0)
			abort();
	}
	return fake->ports;
}

void fake_qp0_attach(struct fake_qp0 *fake, struct sma_node *node, const struct sma_config *config,
                     bool trusted)
{
	const struct mad_ports *ports = fake_qp0_open(fake, config);

	for (unsigned i = 0; i < ports->count; i++) {
		if (sma_node_attach(node, ports->list[i].number, ports->list[i].engine, trusted) < 0)
			abort();
	}
}

void fake_qp0_configure(struct fake_qp0 *fake, const struct sma_config *config)
{
	const struct engine_config engine = sma_config_engine(config);

	mad_ports_configure(fake->ports, &engine);
}

uint64_t fake_qp0_process(struct fake_qp0 *fake, uint64_t now)
{
	return mad_ports_process(fake->ports, now);
}

void fake_qp0_close(struct fake_qp0 *fake)
{
	mad_ports_close(fake->ports);
	fake->ports = NULL;
}

/* ---- time ---- */

static void post(const struct answer *a)
{
	struct mail mail = {.kind = MAIL_MAD, .status = a->status, .slid = a->slid, .size = MAD_SIZE};

	memcpy(mail.mad, a->mad, MAD_SIZE);
	mailbox_put(a->box, &mail);
}

unsigned fake_qp0_deliver(struct fake_qp0 *fake, uint64_t now)
{
	unsigned count = 0;
	struct answer *a;

	pthread_mutex_lock(&fake->lock);
	fake->now = now;
	while ((a = TAILQ_FIRST(&fake->answers)) && a->due <= now) {
		post(a);
		drop(fake, a);
		count++;
	}
	pthread_mutex_unlock(&fake->lock);
	return count;
}

uint64_t fake_qp0_due(struct fake_qp0 *fake)
{
	uint64_t due;

	pthread_mutex_lock(&fake->lock);
	due = TAILQ_EMPTY(&fake->answers) ? UINT64_MAX : TAILQ_FIRST(&fake->answers)->due;
	pthread_mutex_unlock(&fake->lock);
	return due;
}

/* ---- blocks and counts ---- */

void fake_qp0_set(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier,
                  const void *data, size_t size)
{
	memcpy(fake_qp0_data(fake, port, attribute, modifier), data, size);
}

uint8_t *fake_qp0_data(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier)
{
	struct fake_block *block = fake_blocks_at(&fake->blocks, (uint8_t)port, attribute, modifier);

	block->listed = true;
	block->status = 0;
	fake->blocks.ports[port] = true;
	return block->data;
}

void fake_qp0_set_status(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier,
                         uint16_t status)
{
	struct fake_block *block = fake_blocks_at(&fake->blocks, (uint8_t)port, attribute, modifier);

	block->listed = true;
	block->status = status;
	fake->blocks.ports[port] = true;
}

unsigned fake_qp0_count(struct fake_qp0 *fake, uint16_t attribute)
{
	unsigned count = 0;

	pthread_mutex_lock(&fake->lock);
	for (size_t i = 0; i < fake->blocks.count; i++) {
		if (attribute == FAKE_ANY || fake->blocks.all[i].attribute == attribute)
			count += fake->blocks.all[i].asked;
	}
	pthread_mutex_unlock(&fake->lock);
	return count;
}

unsigned fake_qp0_count_block(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier)
{
	return fake_blocks_at(&fake->blocks, (uint8_t)port, attribute, modifier)->asked;
}

unsigned fake_qp0_count_most(struct fake_qp0 *fake, uint16_t attribute)
{
	unsigned most = 0;

	for (size_t i = 0; i < fake->blocks.count; i++) {
		const struct fake_block *b = &fake->blocks.all[i];

		if ((attribute == FAKE_ANY || b->attribute == attribute) && b->asked > most)
			most = b->asked;
	}
	return most;
}

void fake_qp0_forget_counts(struct fake_qp0 *fake)
{
	for (size_t i = 0; i < fake->blocks.count; i++)
		fake->blocks.all[i].asked = 0;
	fake->most_pending = fake->pending;
}

unsigned fake_qp0_most_pending(struct fake_qp0 *fake)
{
	return fake->most_pending;
}

const uint8_t *fake_qp0_last(const struct fake_qp0 *fake)
{
	return fake->last;
}

uint16_t fake_qp0_last_lid(const struct fake_qp0 *fake)
{
	return fake->last_lid;
}
