// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_types.h>

#include "sma/log.h"
#include "sma/node/node_parts.h"

static enum block_outcome outcome_of(int result)
{
	if (result == 0)
		return BLOCK_GOOD;
	if (result == SMP_STATUS_METHOD || result == SMP_STATUS_METHOD_ATTRIBUTE)
		return BLOCK_ABSENT;
	return BLOCK_LOST;
}

static void learn(struct sma_node *node, struct block *block, int result, const uint8_t *data)
{
	enum block_outcome outcome = outcome_of(result);

	health_note(&node->health, block, outcome, result, node->now);
	block->outcome = outcome;
	block->checked = node->now;
	block->epoch = block->asked;
	block->began = block->asked_at;
	if (outcome == BLOCK_GOOD) {
		memcpy(block->data, data, SMA_BLOCK_SIZE);
		cache_renew(&node->cache, block, node->now);
	} else if (outcome == BLOCK_ABSENT) {
		cache_retire(&node->cache, block);
	}
}

static void block_done(void *arg, const struct sma_key *key, int result, const uint8_t *data)
{
	struct sma_node *node = arg;
	struct block *block = cache_find(&node->cache, key);

	if (!block)
		return;
	block->pending = false;
	if (result == -EHOSTDOWN)
		health_fall_silent(&node->health, key->port, node->now);
	else
		learn(node, block, result, data);
	if (node->listener)
		node->listener(node->listener_arg, key);
}

static void solicit(struct sma_node *node, struct block *block)
{
	if (!block->solicited)
		requests_solicit(node->requests, &block->key);
	block->solicited = true;
}

void node_request(struct sma_node *node, struct block *block, bool solicited, uint64_t now)
{
	if (block->pending && solicited)
		solicit(node, block);
	if (block->pending || requests_submit(node->requests, &block->key, solicited) < 0)
		return;
	block->pending = true;
	block->solicited = solicited;
	block->asked = node->epochs[block->key.attr];
	block->asked_at = now;
}

int sma_node_new(const struct sma_config *config, unsigned port, struct sma_node **node_out)
{
	struct sma_node *node = calloc(1, sizeof(*node));
	int rc = 0;

	if (!node)
		return -ENOMEM;
	node->config = *config;
	node->port = port;
	node->mailbox = sma_mailbox_new();
	if (!node->mailbox)
		rc = -errno;
	node->requests = requests_new(config, block_done, node);
	if (rc == 0 && !node->requests)
		rc = -ENOMEM;
	if (rc < 0) {
		sma_node_close(node);
		return rc;
	}
	*node_out = node;
	return 0;
}

void sma_node_close(struct sma_node *node)
{
	if (!node)
		return;
	requests_free(node->requests);
	sma_mailbox_free(node->mailbox);
	cache_free(&node->cache);
	free(node);
}

void sma_node_configure(struct sma_node *node, const struct sma_config *config)
{
	const unsigned window = node->config.window;

	if (node->config.m_key != config->m_key)
		health_forgive(&node->health);
	node->config = *config;
	node->config.window = window;
	requests_configure(node->requests, &node->config);
}

void sma_node_attach(struct sma_node *node, unsigned port, struct sma_qp0 *qp0)
{
	requests_attach(node->requests, port, qp0);
}

struct sma_mailbox *sma_node_mailbox(struct sma_node *node)
{
	return node->mailbox;
}

unsigned sma_node_port(const struct sma_node *node)
{
	return node->port;
}

bool sma_is_switch(const struct sma_node *node)
{
	return node->port == 0;
}

bool sma_node_reaches(const struct sma_node *node, unsigned port)
{
	return requests_reaches(node->requests, port);
}

bool sma_node_is_trusted(const struct sma_node *node)
{
	const struct sma_qp0 *qp0 = requests_qp0(node->requests, node->port);

	return qp0 && qp0->trusted;
}

int sma_node_fd(const struct sma_node *node)
{
	return sma_mailbox_fd(node->mailbox);
}

void sma_node_listen(struct sma_node *node, sma_listener *listener, void *arg)
{
	node->listener = listener;
	node->listener_arg = arg;
}

static bool is_trap(const struct sma_mail *mail)
{
	struct smp smp;

	return mail->status == 0 && smp_parse(mail->mad, &smp) == 0 && !smp.response &&
	       smp.method == UMAD_METHOD_TRAP;
}

/* The other ports are a bonus: the node goes on without them. */
static void note_state(struct sma_node *node, const struct sma_mail *mail)
{
	struct outage other = {0};

	outage_take(mail->port == node->port ? &node->outage : &other, mail, node->now);
}

int sma_node_lost(const struct sma_node *node)
{
	int lost = outage_lost(&node->outage, node->now);

	return lost ? lost : requests_lost(node->requests);
}

static void take_mail(struct sma_node *node, const struct sma_mail *mail)
{
	if (mail->kind == SMA_MAIL_MAD && node->on_trap && is_trap(mail))
		node->on_trap(node->on_trap_arg, mail);
	else if (mail->kind == SMA_MAIL_MAD)
		requests_take(node->requests, mail, node->now);
	else
		note_state(node, mail);
}

uint64_t sma_node_process(struct sma_node *node, uint64_t now)
{
	struct sma_mail mail;
	unsigned dropped;
	uint64_t lost_at;
	uint64_t due;

	node->now = now;
	while (sma_mailbox_take(node->mailbox, &mail))
		take_mail(node, &mail);
	dropped = sma_mailbox_dropped(node->mailbox);
	if (dropped)
		sma_log(SMA_LOG_WARNING, "sma",
		        "%u received MADs were dropped: they came faster than they were read", dropped);
	due = requests_run(node->requests, now);
	lost_at = outage_due(&node->outage, now);
	return lost_at < due ? lost_at : due;
}

void sma_node_expire(struct sma_node *node, unsigned attrs)
{
	for (unsigned attr = 0; attr < SMA_ATTR_COUNT; attr++)
		node->epochs[attr] += attrs >> attr & 1;
}

void node_on_trap(struct sma_node *node, node_trap *on_trap, void *arg)
{
	node->on_trap = on_trap;
	node->on_trap_arg = arg;
}

void sma_node_counters(const struct sma_node *node, struct sma_counters *counters)
{
	requests_count(node->requests, counters);
}

void sma_node_condition(const struct sma_node *node, struct sma_condition *condition)
{
	*condition = (struct sma_condition){
		.state = health_state(&node->health),
		.oldest = node->cache.oldest ? node->cache.oldest->good : 0,
	};
	for (unsigned i = 0; i < SMA_ATTR_COUNT; i++) {
		condition->attrs[i].good = node->health.attrs[i].good;
		condition->attrs[i].last = node->health.attrs[i].last_good;
		condition->attrs[i].lost = node->health.attrs[i].lost;
	}
}
