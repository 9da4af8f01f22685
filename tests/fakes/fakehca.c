// SPDX-License-Identifier: BSD-2-Clause
/*
 * What clients of device management need beyond the simulator's library, behind which this is preloaded:
 *
 *   the end of MADs: the library hands over 224 bytes of 256
 *   for ibsrpdm the link layer of the port, a list of SCSI hosts, which is empty, and verbs for the queue
 * pair with which it would subscribe to traps if it stayed; nothing is ever sent or received through them for
 * the library an agent of the class, as ibsrpdm asks through its agent for subnet administration
 */
#undef _FORTIFY_SOURCE   /* its inline open() hides the real one */
#undef _FILE_OFFSET_BITS /* it renames open() to open64() */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <infiniband/umad.h>
#include <infiniband/verbs.h>

#define NEXT(function) ((__typeof__(&(function)))dlsym(RTLD_NEXT, #function))

enum { CLASS_SA = 0x03, CLASS_DEVICE = 0x06, CLASS_DEVICE_VERSION = 1, DEFAULT_PKEY = 0xFFFF };

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): those of the libraries differ */

/* ---- sysfs ---- */

static int file_with(const char *text)
{
	int fd = memfd_create("link_layer", MFD_CLOEXEC);

	if (fd < 0 || NEXT(write)(fd, text, strlen(text)) < 0 || lseek(fd, 0, SEEK_SET) < 0)
		abort();
	return fd;
}

int open(const char *path, int flags, ...)
{
	const char *name = strrchr(path, '/');
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
	va_end(args);
	return name && strcmp(name, "/link_layer") == 0 ? file_with("InfiniBand\n")
	                                                : NEXT(open)(path, flags, mode);
}

/* A folder that is removed while it is open has no entries. */
static DIR *empty_folder(void)
{
	char path[] = "/tmp/fakehca-XXXXXX";
	DIR *folder = mkdtemp(path) ? NEXT(opendir)(path) : NULL;

	if (!folder || rmdir(path) < 0)
		abort();
	return folder;
}

DIR *opendir(const char *path)
{
	return strcmp(path, "/sys/class/scsi_host/") == 0 ? empty_folder() : NEXT(opendir)(path);
}

/* ---- the end of MADs ---- */

enum {
	DATAGRAM_SIZE = 288, /* of the simulator: a MAD with its envelope */
	MAD_SIZE = 256,
	MAD_AT = DATAGRAM_SIZE - MAD_SIZE,
	TID_AT = 8,
	TID_SIZE = 8,
	TAIL_AT = 224,
	TAIL_SIZE = MAD_SIZE - TAIL_AT,
	TAILS = 64, /* more than wait to be taken */
};

static struct tail {
	uint8_t tid[TID_SIZE];
	uint8_t bytes[TAIL_SIZE];
} tails[TAILS];
static unsigned tail_count;
static pthread_mutex_t tails_lock = PTHREAD_MUTEX_INITIALIZER;

/* The library's thread reads datagrams with it. */
ssize_t read(int fd, void *buffer, size_t size)
{
	ssize_t got = NEXT(read)(fd, buffer, size);
	const uint8_t *mad = (const uint8_t *)buffer + MAD_AT;
	struct tail *tail;

	if (size != DATAGRAM_SIZE || got != DATAGRAM_SIZE)
		return got;
	pthread_mutex_lock(&tails_lock);
	tail = &tails[tail_count++ % TAILS];
	memcpy(tail->tid, mad + TID_AT, TID_SIZE);
	memcpy(tail->bytes, mad + TAIL_AT, TAIL_SIZE);
	pthread_mutex_unlock(&tails_lock);
	return got;
}

/* The youngest one counts. */
static void add_tail(uint8_t *mad)
{
	pthread_mutex_lock(&tails_lock);
	for (unsigned i = tail_count; i > 0 && i + TAILS > tail_count; i--) {
		if (memcmp(tails[(i - 1) % TAILS].tid, mad + TID_AT, TID_SIZE) != 0)
			continue;
		memcpy(mad + TAIL_AT, tails[(i - 1) % TAILS].bytes, TAIL_SIZE);
		break;
	}
	pthread_mutex_unlock(&tails_lock);
}

/* ---- umad ---- */

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	int room = *length;
	int agent = NEXT(umad_recv)(portid, umad, length, timeout_ms);

	if (agent >= 0 && room >= MAD_SIZE)
		add_tail(umad_get_mad(umad));
	return agent;
}

int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
                  long method_mask[16 / sizeof(long)])
{
	int agent = NEXT(umad_register)(portid, mgmt_class, mgmt_version, rmpp_version, method_mask);

	if (mgmt_class == CLASS_SA && agent >= 0)
		NEXT(umad_register)(portid, CLASS_DEVICE, CLASS_DEVICE_VERSION, 0, NULL);
	return agent;
}

/* ---- verbs ---- */

static char name[UMAD_CA_NAME_LEN];
static struct ibv_device device;
static struct ibv_context context;
static struct ibv_comp_channel channel;
static struct ibv_pd pd = {.context = &context};
static struct ibv_cq cq = {.context = &context};
static struct ibv_qp qp = {.context = &context, .qp_num = 2};
static struct ibv_mr mr;
static struct ibv_ah ah;

static int post_recv(struct ibv_qp *of, struct ibv_recv_wr *request, struct ibv_recv_wr **bad)
{
	(void)of;
	(void)request;
	(void)bad;
	return 0;
}

static int req_notify_cq(struct ibv_cq *of, int solicited)
{
	(void)of;
	(void)solicited;
	return 0;
}

struct ibv_device **ibv_get_device_list(int *count)
{
	static struct ibv_device *list[] = {&device, NULL};

	if (umad_get_cas_names(&name, 1) < 1)
		return NULL;
	if (count)
		*count = 1;
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	(void)list;
}

const char *ibv_get_device_name(struct ibv_device *of)
{
	(void)of;
	return name;
}

/* Its descriptors never become readable. */
struct ibv_context *ibv_open_device(struct ibv_device *of)
{
	context.device = of;
	context.async_fd = eventfd(0, EFD_CLOEXEC);
	context.ops.post_recv = post_recv;
	context.ops.req_notify_cq = req_notify_cq;
	return &context;
}

int ibv_close_device(struct ibv_context *of)
{
	return close(of->async_fd);
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *of)
{
	channel = (struct ibv_comp_channel){.context = of, .fd = eventfd(0, EFD_CLOEXEC)};
	return &channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *of)
{
	return close(of->fd);
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *of)
{
	(void)of;
	return &pd;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *of, int size, void *arg, struct ibv_comp_channel *events,
                             int vector)
{
	(void)of;
	(void)size;
	(void)arg;
	(void)events;
	(void)vector;
	return &cq;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *of, struct ibv_qp_init_attr *attr)
{
	(void)of;
	(void)attr;
	return &qp;
}

int ibv_modify_qp(struct ibv_qp *of, struct ibv_qp_attr *attr, int mask)
{
	(void)of;
	(void)attr;
	(void)mask;
	return 0;
}

#undef ibv_reg_mr
struct ibv_mr *ibv_reg_mr(struct ibv_pd *of, void *start, size_t length, int access)
{
	(void)of;
	(void)start;
	(void)length;
	(void)access;
	return &mr;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *of, struct ibv_ah_attr *attr)
{
	(void)of;
	(void)attr;
	return &ah;
}

#define DESTROYED(function, type)                                                                            \
	int function(struct type *of)                                                                        \
	{                                                                                                    \
		(void)of;                                                                                    \
		return 0;                                                                                    \
	}
DESTROYED(ibv_dealloc_pd, ibv_pd)
DESTROYED(ibv_destroy_cq, ibv_cq)
DESTROYED(ibv_destroy_qp, ibv_qp)
DESTROYED(ibv_dereg_mr, ibv_mr)
DESTROYED(ibv_destroy_ah, ibv_ah)

#undef ibv_query_port
int ibv_query_port(struct ibv_context *of, uint8_t number, struct _compat_ibv_port_attr *compat)
{
	struct ibv_port_attr *attr = (struct ibv_port_attr *)compat;
	umad_port_t port;

	(void)of;
	if (umad_get_port(name, number, &port) < 0)
		return ENODEV;
	attr->lid = (uint16_t)port.base_lid;
	attr->sm_lid = (uint16_t)port.sm_lid;
	return umad_release_port(&port);
}

/* A port has the default partition and no other. */
int ibv_query_pkey(struct ibv_context *of, uint8_t number, int index, __be16 *pkey)
{
	(void)of;
	(void)number;
	*pkey = htobe16(DEFAULT_PKEY);
	return index == 0 ? 0 : -1;
}

int ibv_get_pkey_index(struct ibv_context *of, uint8_t number, __be16 pkey)
{
	(void)of;
	(void)number;
	return pkey == htobe16(DEFAULT_PKEY) ? 0 : -1;
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
