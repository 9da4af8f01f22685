// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sma/mad/umadtransport.h"
#include "sma/notice/change_poll.h"
#include "sma/notice/inform.h"
#include "sma/notice/trap_receiver.h"
#include "tests/fakes/fake_sources.h"

enum { LOCAL_PORT_MS = 5000, INFORM_MS = 1000, POLL_MS = 10000 /* when to call again */ };

static struct fake_sources fake;

struct fake_sources *fake_sources_reset(void)
{
	fake = (struct fake_sources){.verbs.fd = -1};
	return &fake;
}

/* All sources are this one to the sources, which cannot look into them. */
static void *open_one(void)
{
	fake.open++;
	return &fake;
}

static void close_one(const void *source)
{
	fake.open -= source != NULL;
}

/* ---- the local port ---- */

struct local_port_reader *local_port_new(struct sma_node *node, unsigned interval_ms)
{
	(void)node, (void)interval_ms;
	return open_one();
}

void local_port_free(struct local_port_reader *reader)
{
	close_one(reader);
}

uint64_t local_port_run(struct local_port_reader *reader, uint64_t now)
{
	(void)reader;
	return now + LOCAL_PORT_MS;
}

void local_port_refresh_now(struct local_port_reader *reader)
{
	(void)reader;
	fake.refreshed_now++;
}

void local_port_refresh_soon(struct local_port_reader *reader, uint64_t when)
{
	(void)reader;
	fake.refreshed_soon = when;
}

bool local_port_is_current(const struct local_port_reader *reader, uint64_t when)
{
	(void)reader;
	return fake.as_of >= when;
}

const struct local_port *local_port_get(const struct local_port_reader *reader)
{
	(void)reader;
	return &fake.local;
}

bool local_port_has_lid(const struct local_port_reader *reader, uint16_t lid, uint64_t now)
{
	(void)reader, (void)now;
	return lid == fake.local.lid;
}

/* ---- QP1, through which these sources send nothing ---- */

int umadtransport_open(const char *device, unsigned port, enum umad_role role, struct mailbox *box,
                       struct transport **transport, char *error, size_t size)
{
	(void)device, (void)port, (void)role, (void)box, (void)transport, (void)error, (void)size;
	return -ENODEV;
}

int umadtransport_open_qp1(struct transport *transport, const char *device, unsigned port, char *error,
                           size_t size)
{
	(void)transport, (void)device, (void)port;
	if (fake.qp1.fails) {
		snprintf(error, size, "umad9 is gone");
		return -ENODEV;
	}
	fake.qp1.opened++;
	return 0;
}

/* ---- the subscription ---- */

struct inform *inform_new(struct engine *engine, bool subnet, unsigned refresh_ms, notice_found *found,
                          void *arg)
{
	(void)engine, (void)subnet, (void)refresh_ms;
	fake.inform.found = found;
	fake.inform.arg = arg;
	return fake.inform.fails ? NULL : open_one();
}

void inform_free(struct inform *inform)
{
	close_one(inform);
}

void inform_update(struct inform *inform, const struct local_port *local, uint64_t now)
{
	(void)inform, (void)local, (void)now;
}

uint64_t inform_run(struct inform *inform, uint64_t now)
{
	(void)inform;
	return now + INFORM_MS;
}

void inform_confirm(struct inform *inform, uint64_t now)
{
	(void)inform, (void)now;
	fake.inform.hurried++;
}

void inform_restart(struct inform *inform, uint64_t now)
{
	(void)inform, (void)now;
	fake.inform.renewed++;
}

bool inform_is_active(const struct inform *inform)
{
	(void)inform;
	return fake.inform.active;
}

/* ---- the trap receiver ---- */

struct trap_receiver *trap_receiver_new(struct engine *engine, const struct sma_node *node,
                                        notice_found *found, void *arg)
{
	(void)engine, (void)node, (void)found, (void)arg;
	return open_one();
}

void trap_receiver_free(struct trap_receiver *receiver)
{
	close_one(receiver);
}

void trap_receiver_update(struct trap_receiver *receiver, const struct local_port *local)
{
	(void)receiver, (void)local;
}

bool trap_receiver_is_active(const struct trap_receiver *receiver)
{
	(void)receiver;
	return fake.traps.active;
}

/* ---- polling ---- */

struct change_poll *change_poll_new(struct sma_node *node, struct engine *engine, unsigned qp1_port,
                                    unsigned interval_ms, notice_found *found, void *arg)
{
	(void)node, (void)engine, (void)qp1_port, (void)interval_ms, (void)found, (void)arg;
	return open_one();
}

void change_poll_free(struct change_poll *poll)
{
	close_one(poll);
}

void change_poll_heard(struct change_poll *poll, unsigned trap, uint64_t now)
{
	(void)poll;
	fake.poll.heard = trap;
	fake.poll.heard_at = now;
}

bool change_poll_wants_check(struct change_poll *poll)
{
	(void)poll;
	return fake.poll.has_doubts;
}

void change_poll_flush(struct change_poll *poll)
{
	(void)poll;
	fake.poll.concluded++;
}

uint64_t change_poll_run(struct change_poll *poll, const struct local_port *local, bool covered, uint64_t now)
{
	(void)poll, (void)local;
	fake.poll.covered = covered;
	return now + POLL_MS;
}

/* ---- the driver ---- */

int verbs_open(const char *device, unsigned port, struct verbs **verbs, char *error, size_t size)
{
	(void)device, (void)port;
	if (fake.verbs.refusal < 0) {
		snprintf(error, size, "uverbs9 is closed");
		return fake.verbs.refusal;
	}
	fake.verbs.opened++;
	fake.verbs.fd = eventfd(0, EFD_NONBLOCK);
	*verbs = (struct verbs *)&fake;
	return 0;
}

void verbs_close(struct verbs *verbs)
{
	if (!verbs)
		return;
	close(fake.verbs.fd);
	fake.verbs.fd = -1;
}

int verbs_fd(const struct verbs *verbs)
{
	(void)verbs;
	return fake.verbs.fd;
}

int verbs_take(struct verbs *verbs, struct verbs_event *event)
{
	(void)verbs;
	if (!fake.verbs.waiting)
		return fake.verbs.end;
	fake.verbs.waiting--;
	*event = fake.verbs.next;
	return 1;
}
