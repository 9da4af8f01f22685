// SPDX-License-Identifier: BSD-2-Clause
/*
 * libibverbs with one device, whose events come through a named pipe; linked with a test, or preloaded.
 *
 *   FAKEVERBS_DEVICE=NAME   the name of the device; without it there is none
 *   FAKEVERBS_EVENTS=PATH   the pipe: pairs of 32-bit numbers, an enum ibv_event_type and a port
 *   FAKEVERBS_ERRNO=N       the device cannot be opened
 *   FAKEVERBS_LIST_ERRNO=N  the devices cannot be listed
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <infiniband/verbs.h>

static struct ibv_device only_device;
static struct ibv_context only_context;

struct ibv_device **ibv_get_device_list(int *num_devices)
{
	static struct ibv_device *list[2];
	const char *number = getenv("FAKEVERBS_LIST_ERRNO");

	errno = number ? atoi(number) : 0;
	if (errno)
		return NULL;
	list[0] = getenv("FAKEVERBS_DEVICE") ? &only_device : NULL;
	if (num_devices)
		*num_devices = list[0] != NULL;
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	(void)list;
}

const char *ibv_get_device_name(struct ibv_device *device)
{
	(void)device;
	return getenv("FAKEVERBS_DEVICE");
}

/* Open for writing as well, so that the pipe does not end when nobody has it open. */
struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	const char *number = getenv("FAKEVERBS_ERRNO");
	const char *path = getenv("FAKEVERBS_EVENTS");

	errno = number ? atoi(number) : 0;
	if (errno || !path)
		return NULL;
	only_context = (struct ibv_context){.device = device, .async_fd = open(path, O_RDWR)};
	return only_context.async_fd < 0 ? NULL : &only_context;
}

int ibv_close_device(struct ibv_context *context)
{
	return close(context->async_fd);
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	uint32_t words[2];

	if (read(context->async_fd, words, sizeof(words)) != sizeof(words))
		return -1;
	event->event_type = (enum ibv_event_type)words[0];
	event->element.port_num = (int)words[1];
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	(void)event;
}
