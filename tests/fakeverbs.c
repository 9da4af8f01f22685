// SPDX-License-Identifier: BSD-2-Clause
/*
 * libibverbs with one device, whose events come through a named pipe; linked with a test, or preloaded.
 *
 *   FAKEVERBS_DEVICE=NAME   the name of the device; without it there is none
 *   FAKEVERBS_EVENTS=PATH   the pipe: pairs of 32-bit numbers, an enum ibv_event_type and a port
 *   FAKEVERBS_ERRNO=N       the device cannot be opened
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <infiniband/verbs.h>

static struct ibv_device device;
static struct ibv_context context;

struct ibv_device **ibv_get_device_list(int *count)
{
	static struct ibv_device *list[2];

	list[0] = getenv("FAKEVERBS_DEVICE") ? &device : NULL;
	if (count)
		*count = list[0] != NULL;
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	(void)list;
}

const char *ibv_get_device_name(struct ibv_device *one)
{
	(void)one;
	return getenv("FAKEVERBS_DEVICE");
}

/* Open for writing as well, so that the pipe does not end when nobody has it open. */
struct ibv_context *ibv_open_device(struct ibv_device *one)
{
	const char *number = getenv("FAKEVERBS_ERRNO");

	errno = number ? atoi(number) : 0;
	if (errno)
		return NULL;
	context = (struct ibv_context){.device = one, .async_fd = open(getenv("FAKEVERBS_EVENTS"), O_RDWR)};
	return context.async_fd < 0 ? NULL : &context;
}

int ibv_close_device(struct ibv_context *open_context)
{
	return close(open_context->async_fd);
}

int ibv_get_async_event(struct ibv_context *open_context, struct ibv_async_event *event)
{
	uint32_t words[2];

	if (read(open_context->async_fd, words, sizeof(words)) != sizeof(words))
		return -1;
	event->event_type = (enum ibv_event_type)words[0];
	event->element.port_num = (int)words[1];
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	(void)event;
}
