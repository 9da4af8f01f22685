// SPDX-License-Identifier: BSD-2-Clause
#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/fakes/fake_umad.h"

enum { QUEUE = 8, MESSAGE_SIZE = 4096, DESCRIPTOR = 1000, BRIEF_MS = 100, LIMIT_MS = 5000, FASTER = 10 };

/* As the kernel hands it out. */
struct message {
	struct ib_user_mad header;
	uint8_t data[MESSAGE_SIZE];
	size_t size;
};

struct device {
	struct message queue[QUEUE];
	unsigned first, last;
	bool is_waiting; /* its reader, for more */
	int error;       /* with which reading fails */
};

static struct fake_umad fake;
static struct device devices[FAKE_UMAD_PORTS];
static unsigned opened; /* since the start */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

struct fake_umad *fake_umad_reset(void)
{
	fake = (struct fake_umad){0};
	memset(devices, 0, sizeof(devices));
	opened = 0;
	return &fake;
}

static struct device *find(int descriptor)
{
	return &devices[descriptor - DESCRIPTOR];
}

static struct timespec after(int ms)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_sec += ms / 1000;
	time.tv_nsec += ms % 1000 * 1000000L;
	time.tv_sec += time.tv_nsec / 1000000000L;
	time.tv_nsec %= 1000000000L;
	return time;
}

/* Wait for a change. False: there was none until then. */
static bool wait_change(const struct timespec *until)
{
	return pthread_cond_timedwait(&changed, &lock, until) == 0;
}

static void put(struct device *device, const void *head, size_t head_size, size_t size, uint8_t byte,
                const struct ib_user_mad *header)
{
	struct message *m = &device->queue[device->last++ % QUEUE];

	*m = (struct message){.header = *header, .size = size};
	m->header.length = (uint32_t)(sizeof(m->header) + size);
	memset(m->data, byte, size);
	memcpy(m->data, head, head_size);
	pthread_cond_broadcast(&changed);
}

void fake_umad_put(const void *head, size_t head_size, size_t size, uint8_t byte, int status, uint16_t slid,
                   uint8_t sl)
{
	const struct ib_user_mad header = {.status = (uint32_t)status,
	                                   .addr = {.lid = htobe16(slid), .sl = sl}};
	const struct timespec until = after(LIMIT_MS);
	struct device *device = &devices[fake.target];

	pthread_mutex_lock(&lock);
	while (device->last - device->first == QUEUE && wait_change(&until))
		;
	put(device, head, head_size, size, byte, &header);
	pthread_mutex_unlock(&lock);
}

bool fake_umad_wait_taken(void)
{
	const struct timespec until = after(LIMIT_MS);
	const struct device *device = &devices[fake.target];
	bool taken;

	pthread_mutex_lock(&lock);
	do
		taken = device->first == device->last && device->is_waiting;
	while (!taken && wait_change(&until));
	pthread_mutex_unlock(&lock);
	return taken;
}

void fake_umad_break(int error)
{
	pthread_mutex_lock(&lock);
	devices[fake.target].error = error;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

bool fake_umad_wait_slept(unsigned ms)
{
	const struct timespec until = after(LIMIT_MS);
	bool slept;

	pthread_mutex_lock(&lock);
	do
		slept = fake.slept_ms >= ms;
	while (!slept && wait_change(&until));
	pthread_mutex_unlock(&lock);
	return slept;
}

/* ---- the C library ---- */

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): those there are reserved */
int nanosleep(const struct timespec *duration, struct timespec *left)
{
	const struct timespec until = after(1);

	(void)left;
	pthread_mutex_lock(&lock);
	fake.slept_ms += (unsigned)(duration->tv_sec * 1000 + duration->tv_nsec / 1000000);
	pthread_cond_broadcast(&changed);
	while (wait_change(&until)) /* lets others go on */
		;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* ---- libibumad ---- */

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
	if (opened == FAKE_UMAD_PORTS)
		return -EIO;
	fake.opened++;
	return DESCRIPTOR + (int)opened++;
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
	if (mgmt_class == fake.refused_class && (methods || fake.refused_always)) {
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

	*sent = (struct fake_umad_sent){.port = (unsigned)(portid - DESCRIPTOR),
	                                .agent = agentid,
	                                .length = length,
	                                .timeout_ms = timeout_ms,
	                                .retries = retries,
	                                .addr = *umad_get_mad_addr(umad)};
	memcpy(sent->mad, umad_get_mad(umad), MAD_SIZE);
	return 0;
}

static bool has_news(const struct device *device)
{
	return device->error || device->first != device->last;
}

static bool wait_news(struct device *device, int timeout_ms)
{
	const struct timespec until = after(timeout_ms / FASTER);

	device->is_waiting = true;
	pthread_cond_broadcast(&changed);
	while (!has_news(device) && wait_change(&until))
		;
	device->is_waiting = false;
	return has_news(device);
}

static void be_brief(struct device *device)
{
	static const uint8_t response[] = {1, 3, 2, 0x81};

	if (++fake.brief == fake.late_response)
		put(device, response, sizeof(response), MAD_SIZE, 0, &(struct ib_user_mad){0});
}

/* A message for which the buffer is too small stays in the queue, with its length told, as in the kernel. */
static int receive(struct device *device, void *umad, int *length, int timeout_ms)
{
	const struct message *m = &device->queue[device->first % QUEUE];
	int room = *length;

	if (timeout_ms < BRIEF_MS)
		be_brief(device);
	if (!wait_news(device, timeout_ms))
		return -ETIMEDOUT;
	if (device->error) {
		fake.failed++;
		return -device->error;
	}
	*length = (int)m->size;
	if (m->size > (size_t)room)
		return -ENOSPC;
	memcpy(umad, &m->header, sizeof(m->header));
	memcpy(umad_get_mad(umad), m->data, m->size);
	device->first++;
	pthread_cond_broadcast(&changed);
	return 0;
}

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	int rc;

	pthread_mutex_lock(&lock);
	rc = receive(find(portid), umad, length, timeout_ms);
	pthread_mutex_unlock(&lock);
	errno = -rc;
	return rc;
}
