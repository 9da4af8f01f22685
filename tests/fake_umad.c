// SPDX-License-Identifier: BSD-2-Clause
#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/fake_umad.h"

enum { QUEUE = 8, MESSAGE_SIZE = 4096, DESCRIPTOR = 1000 };

/* As the kernel hands it out. */
struct message {
	struct ib_user_mad header;
	uint8_t data[MESSAGE_SIZE];
	size_t size;
};

static struct fake_umad fake;
static struct message queue[QUEUE];
static unsigned first, last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

struct fake_umad *fake_umad_reset(void)
{
	fake = (struct fake_umad){0};
	first = last = 0;
	return &fake;
}

void fake_umad_put(const void *head, size_t head_size, size_t size, uint8_t byte, int status, uint16_t slid,
                   uint8_t sl)
{
	struct message *m;

	pthread_mutex_lock(&lock);
	m = &queue[last++ % QUEUE];
	*m = (struct message){.size = size};
	m->header.status = (uint32_t)status;
	m->header.length = (uint32_t)(sizeof(m->header) + size);
	m->header.addr.lid = htobe16(slid);
	m->header.addr.sl = sl;
	memset(m->data, byte, size);
	memcpy(m->data, head, head_size);
	pthread_cond_broadcast(&arrived);
	pthread_mutex_unlock(&lock);
}

/* ---- the library ---- */

/* These three depend on what the kernel said when the device was opened. */
size_t umad_size(void)
{
	return sizeof(struct ib_user_mad);
}

void *umad_get_mad(void *umad)
{
	return ((struct ib_user_mad *)umad)->data;
}

int umad_set_pkey(void *umad, int pkey_index)
{
	((struct ib_user_mad *)umad)->addr.pkey_index = (uint16_t)pkey_index;
	return 0;
}

int umad_open_port(const char *ca_name, int portnum)
{
	(void)ca_name, (void)portnum;
	return DESCRIPTOR + (int)fake.opened++;
}

int umad_close_port(int portid)
{
	(void)portid;
	fake.opened--;
	return 0;
}

static uint64_t methods_of(const long mask[])
{
	uint64_t methods = 0;

	/* one long or two, of which a little-endian machine has the low one first */
	if (mask)
		memcpy(&methods, mask, sizeof(methods));
	return methods;
}

int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
                  long method_mask[16 / sizeof(long)])
{
	uint64_t methods = methods_of(method_mask);

	(void)portid;
	if (methods && mgmt_class == fake.refused_class) {
		errno = fake.refusal;
		return -EPERM;
	}
	fake.agents[fake.agent_count] =
		(struct fake_umad_agent){true, mgmt_class, mgmt_version, rmpp_version, methods};
	return (int)fake.agent_count++;
}

int umad_unregister(int portid, int agentid)
{
	(void)portid;
	if (agentid < 0 || !fake.agents[agentid].used)
		return -EINVAL;
	fake.agents[agentid].used = false;
	return 0;
}

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	struct fake_umad_sent *sent = &fake.sent[fake.sent_count++ % FAKE_UMAD_KEPT];

	(void)portid;
	*sent = (struct fake_umad_sent){agentid, length, timeout_ms, retries, *umad_get_mad_addr(umad), {0}};
	memcpy(sent->mad, umad_get_mad(umad), SMA_MAD_SIZE);
	return 0;
}

static bool wait_message(int timeout_ms)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += timeout_ms * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	while (first == last) {
		if (pthread_cond_timedwait(&arrived, &lock, &until))
			return false;
	}
	return true;
}

/* A message for which the buffer is too small stays in the queue, with its length told, as in the kernel. */
static int receive(void *umad, int *length, int timeout_ms)
{
	const struct message *m = &queue[first % QUEUE];
	int room = *length;

	if (!wait_message(timeout_ms))
		return -ETIMEDOUT;
	*length = (int)m->size;
	if (m->size > (size_t)room)
		return -ENOSPC;
	memcpy(umad, &m->header, sizeof(m->header));
	memcpy(umad_get_mad(umad), m->data, m->size);
	first++;
	return 0;
}

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	int rc;

	(void)portid;
	pthread_mutex_lock(&lock);
	rc = receive(umad, length, timeout_ms);
	pthread_mutex_unlock(&lock);
	errno = -rc;
	return rc;
}
