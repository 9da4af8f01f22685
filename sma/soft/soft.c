// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sma/clock.h"
#include "sma/log.h"
#include "sma/mad/mad.h"
#include "sma/soft/console/command.h"
#include "sma/soft/dm/devmgt.h"
#include "sma/soft/file/nodefile.h"
#include "sma/soft/kept.h"
#include "sma/soft/loopback.h"
#include "sma/soft/responder.h"
#include "sma/soft/soft.h"
#include "sma/soft/wire/simwire.h"
#include "sma/soft/wire/umadwire.h"

struct sma_soft {
	struct soft_state *state;
	struct responder responder;
	struct devmgt devmgt; /* where there is an I/O unit */
	struct kept kept;
	bool keeps;          /* it is open */
	struct simwire *sim; /* NULL: not served, likewise below */
	struct umadwire *umad;
	struct loopback loopback;
	int poll_fd; /* watches the wires */
	sma_soft_changed *changed;
	void *changed_arg;
	sma_soft_raised *raised;
	void *raised_arg;
	uint64_t now;
};

/* ---- start and end ---- */

static int watch(struct sma_soft *soft, int fd, char *error, size_t size)
{
	struct epoll_event event = {.events = EPOLLIN};
	int rc;

	if (epoll_ctl(soft->poll_fd, EPOLL_CTL_ADD, fd, &event) == 0)
		return 0;
	rc = -errno;
	snprintf(error, size, "cannot watch a descriptor: %s", strerror(-rc));
	return rc;
}

static int open_devmgt(struct sma_soft *soft)
{
	if (!soft->state->unit)
		return 0;
	soft->responder.devmgt = &soft->devmgt;
	return devmgt_init(&soft->devmgt, soft->state, soft->state->unit);
}

/* What may lack memory or descriptors. */
static int open_parts(struct sma_soft *soft)
{
	int rc = responder_init(&soft->responder, soft->state);

	soft->responder.held = &soft->kept.held;
	soft->loopback =
		(struct loopback){.responder = &soft->responder, .sim = &soft->sim, .now = &soft->now};
	if (rc == 0)
		rc = open_devmgt(soft);
	if (rc < 0)
		return rc;
	soft->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	return soft->poll_fd < 0 ? -errno : 0;
}

static int start(struct sma_soft *soft, const char *file, char *error, size_t size)
{
	int rc = nodefile_load(file, &soft->state, error, size);

	if (rc < 0)
		return rc;
	rc = open_parts(soft);
	if (rc < 0) {
		snprintf(error, size, "%s: %s", file, strerror(-rc));
		return rc;
	}
	rc = kept_open(&soft->kept, file, soft->state, error, size);
	soft->keeps = rc == 0;
	return rc < 0 ? rc : watch(soft, kept_fd(&soft->kept), error, size);
}

int sma_soft_open(const char *file, struct sma_soft **soft_out, char *error, size_t size)
{
	struct sma_soft *soft = calloc(1, sizeof(*soft));
	int rc;

	if (!soft) {
		snprintf(error, size, "out of memory");
		return -ENOMEM;
	}
	soft->poll_fd = -1;
	rc = start(soft, file, error, size);
	if (rc < 0) {
		sma_soft_close(soft);
		return rc;
	}
	*soft_out = soft;
	return 0;
}

void sma_soft_close(struct sma_soft *soft)
{
	if (!soft)
		return;
	if (soft->keeps)
		kept_close(&soft->kept, soft->state, soft->now);
	simwire_close(soft->sim);
	umadwire_close(soft->umad);
	if (soft->poll_fd >= 0)
		close(soft->poll_fd);
	devmgt_finish(&soft->devmgt);
	responder_finish(&soft->responder);
	state_free(soft->state);
	free(soft);
}

unsigned sma_soft_port(const struct sma_soft *soft)
{
	if (state_is_switch(soft->state))
		return 0;
	for (unsigned port = 1; port <= soft->state->ports; port++) {
		if (state_get(soft->state, port, SMA_PortInfo_PortState) == SMA_PORT_ACTIVE)
			return port;
	}
	return 1;
}

int sma_soft_open_ports(struct sma_soft *soft, const struct engine_config *config, struct mad_ports **ports,
                        char *error, size_t size)
{
	return loopback_open_ports(&soft->loopback, sma_soft_port(soft), config, ports, error, size);
}

void sma_soft_on_change(struct sma_soft *soft, sma_soft_changed *changed, void *arg)
{
	soft->changed = changed;
	soft->changed_arg = arg;
}

/* ---- the wires to others ---- */

int sma_soft_serve_sim(struct sma_soft *soft, const char *name, char *error, size_t size)
{
	int rc = simwire_open(name, &soft->responder, &soft->sim, error, size);

	if (rc == 0)
		simwire_on_answer(soft->sim, loopback_answered, &soft->loopback);
	return rc < 0 ? rc : watch(soft, simwire_fd(soft->sim), error, size);
}

void sma_soft_permit_user(struct sma_soft *soft, uid_t user)
{
	if (soft->sim)
		simwire_permit_user(soft->sim, user);
}

static int open_umad(void *arg, const struct sma_device *device, char *error, size_t size)
{
	struct sma_soft *soft = arg;

	return umadwire_open(device, &soft->responder, &soft->umad, error, size);
}

int sma_soft_serve_qp0(struct sma_soft *soft, const struct sma_devices *devices, char *error, size_t size)
{
	const struct sma_device *device;
	int rc = device_open_first(devices, open_umad, soft, &device, error, size);

	return rc < 0 ? rc : watch(soft, umadwire_fd(soft->umad), error, size);
}

int sma_soft_fd(const struct sma_soft *soft)
{
	return soft->poll_fd;
}

static void send_traps(struct sma_soft *soft)
{
	uint8_t mad[MAD_SIZE];
	unsigned port;
	uint16_t dlid;
	unsigned sl;

	while (responder_next_trap(&soft->responder, soft->now, mad, &port, &dlid, &sl)) {
		if (soft->sim)
			simwire_trap(soft->sim, port, mad, dlid);
		if (soft->umad)
			umadwire_trap(soft->umad, port, mad, dlid, sl);
	}
}

static void send_dm_traps(struct sma_soft *soft)
{
	struct devmgt_trap trap = {0};

	while (soft->responder.devmgt && devmgt_next_trap(soft->responder.devmgt, soft->now, &trap)) {
		if (soft->sim)
			simwire_dm_trap(soft->sim, trap.port, trap.mad, trap.dlid);
	}
}

/* Let the reader see what has changed, and keep it. Returns when to be called again. */
static uint64_t follow_changes(struct sma_soft *soft)
{
	unsigned changed = soft->state->changed;
	uint64_t due = kept_process(&soft->kept, soft->state, soft->now);

	if (soft->changed)
		soft->changed(soft->changed_arg, changed);
	return due;
}

uint64_t sma_soft_process(struct sma_soft *soft, uint64_t now)
{
	uint64_t due = UINT64_MAX;

	soft->now = now;
	if (soft->sim)
		simwire_process(soft->sim, now);
	if (soft->umad)
		due = umadwire_process(soft->umad, now);
	send_traps(soft);
	send_dm_traps(soft);
	due = sma_earlier(due, follow_changes(soft));
	if (soft->responder.devmgt)
		due = sma_earlier(due, devmgt_due(soft->responder.devmgt));
	return sma_earlier(due, responder_due(&soft->responder));
}

int sma_soft_lost(const struct sma_soft *soft)
{
	return soft->umad ? umadwire_lost(soft->umad) : 0;
}

static void raise_notice(void *arg, const uint8_t *notice)
{
	const struct sma_soft *soft = arg;

	soft->raised(soft->raised_arg, soft->now, notice);
}

void sma_soft_on_notice(struct sma_soft *soft, sma_soft_raised *raised, void *arg)
{
	soft->raised = raised;
	soft->raised_arg = arg;
	soft->responder.raised = raised ? raise_notice : NULL;
	soft->responder.raised_arg = soft;
	if (soft->responder.devmgt) {
		soft->responder.devmgt->raised = soft->responder.raised;
		soft->responder.devmgt->raised_arg = soft;
	}
}

int sma_soft_command(struct sma_soft *soft, const char *line, size_t length, char *reply, size_t size)
{
	return command_run(&soft->responder, line, length, reply, size);
}
