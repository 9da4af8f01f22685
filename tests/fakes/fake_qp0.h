/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A node's SMA in memory, behind the transport interface of an engine. It answers zero-hop SubnGets from its
 * blocks: an attribute without any block gives status 0x0C, a modifier that is not there 0x1C.
 *
 * Time is what fake_qp0_deliver was told last, or a real clock. Answers become due at a time and are posted
 * by the delivery that reaches it. Sending, delivering, faults and counts may happen in different threads.
 */
#ifndef TESTS_FAKES_FAKE_QP0_H
#define TESTS_FAKES_FAKE_QP0_H

#include "sma/node/node.h"
#include "tests/fakes/fake_rules.h"

struct fake_qp0;

struct fake_qp0 *fake_qp0_new(void);
void fake_qp0_free(struct fake_qp0 *fake);

/* Load a file of blocks (see fake_blocks.h). 0 or -errno; mistakes are reported on standard error. */
int fake_qp0_load(struct fake_qp0 *fake, const char *path);

/* The lowest port that has an SMA: the management port. */
unsigned fake_qp0_port(const struct fake_qp0 *fake);

/* A transport of one port, for an engine whose mailbox `box` is. */
struct transport *fake_qp0_transport(struct fake_qp0 *fake, unsigned port, struct mailbox *box);

/* Open the ports that have an SMA, each with an engine, for a node with the configuration `config`; the
 * management port is the first. */
struct mad_ports *fake_qp0_open(struct fake_qp0 *fake, const struct sma_config *config);

/* Likewise, and let `node` ask all of them. */
void fake_qp0_attach(struct fake_qp0 *fake, struct sma_node *node, const struct sma_config *config,
                     bool trusted);

/* Give the engines another configuration. */
void fake_qp0_configure(struct fake_qp0 *fake, const struct sma_config *config);

/* Let all engines do what is due. Returns when to call again. */
uint64_t fake_qp0_process(struct fake_qp0 *fake, uint64_t now);

/* Close the ports, after the nodes that use them. */
void fake_qp0_close(struct fake_qp0 *fake);

/* Transports that are open. */
unsigned fake_qp0_open_count(const struct fake_qp0 *fake);

/* Take the time from `clock` instead of from deliveries. */
void fake_qp0_set_clock(struct fake_qp0 *fake, uint64_t (*clock)(void));

/* ---- what it answers ---- */

/* Put data into a block that answers with them; bytes beyond `size` keep their values. */
void fake_qp0_set(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier,
                  const void *data, size_t size);

/* Answer one block with a status. */
void fake_qp0_set_status(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier,
                         uint16_t status);

/* The 64 bytes of a block, to be changed. */
uint8_t *fake_qp0_data(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier);

/* Make the answer to a request of device management; false: there is none. */
typedef bool fake_manager(void *arg, const uint8_t request[MAD_SIZE], uint8_t response[MAD_SIZE]);

/* Have such requests answered, at the time of their sending. Rules are the same as for the AttributeIDs of
 * SMPs, and so are the counts. Without a manager they get no answer. */
void fake_qp0_manage(struct fake_qp0 *fake, fake_manager *manager, void *arg);

/* ---- how it answers: by AttributeID or FAKE_ANY ---- */

/* Answer so much later than asked. */
void fake_qp0_delay(struct fake_qp0 *fake, uint16_t attribute, unsigned delay_ms);

/* Do this with the next `times` requests. */
void fake_qp0_fault(struct fake_qp0 *fake, uint16_t attribute, enum fake_fault fault, int times);

/* Refuse all further requests with a status. */
void fake_qp0_refuse(struct fake_qp0 *fake, uint16_t attribute, uint16_t status);

/* Likewise with one block, which then has a rule of its own. FAKE_REFUSE: with status 0x1C. */
void fake_qp0_delay_block(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier,
                          unsigned delay_ms);
void fake_qp0_fault_block(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier,
                          enum fake_fault fault, int times);

/* The SMA stands still for a while from now on: what it was asked and will be asked meanwhile is answered so
 * much later. */
void fake_qp0_stall(struct fake_qp0 *fake, unsigned ms);

/* Give up late answers as the kernel does: the request comes back with ETIMEDOUT when its time is up. */
void fake_qp0_time_out(struct fake_qp0 *fake);

/* ---- time ---- */

/* Post what is due at `now`. The number of MADs. */
unsigned fake_qp0_deliver(struct fake_qp0 *fake, uint64_t now);

/* When the next answer is due, UINT64_MAX for none. */
uint64_t fake_qp0_due(struct fake_qp0 *fake);

/* ---- what it saw ---- */

/* SMPs for an attribute, or all for FAKE_ANY; for one block; and start again from 0. */
unsigned fake_qp0_count(struct fake_qp0 *fake, uint16_t attribute);
unsigned fake_qp0_count_block(struct fake_qp0 *fake, unsigned port, uint16_t attribute, uint32_t modifier);
void fake_qp0_forget_counts(struct fake_qp0 *fake);

/* The most SMPs that any block of an attribute was asked with. */
unsigned fake_qp0_count_most(struct fake_qp0 *fake, uint16_t attribute);

/* The most requests that were unanswered at once. */
unsigned fake_qp0_most_pending(struct fake_qp0 *fake);

/* The last request, and the LID that it was sent to. */
const uint8_t *fake_qp0_last(const struct fake_qp0 *fake);
uint16_t fake_qp0_last_lid(const struct fake_qp0 *fake);

#endif
