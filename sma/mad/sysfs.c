// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "sma/log.h"
#include "sma/mad/sysfs.h"

enum { IS_SM_DISABLED = 1 << 10 }; /* of CapabilityMask */

static int read_file(const char *path, char *text, size_t size)
{
	ssize_t got;
	int fd;
	int rc;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, text, size - 1);
	rc = got < 0 ? -errno : 0;
	close(fd);
	text[got < 0 ? 0 : got] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return rc;
}

static int read_text(const struct sysfs_device *device, unsigned port, const char *file, char *text,
                     size_t size)
{
	char path[512];

	snprintf(path, sizeof(path), SYS_INFINIBAND "/%s/" SYS_CA_PORTS_DIR "/%u/%s", device->name, port,
	         file);
	return read_file(path, text, size);
}

/* What cannot be read or understood is 0. */
static unsigned read_number(const struct sysfs_device *device, unsigned port, const char *file)
{
	char text[32];

	return read_text(device, port, file, text, sizeof(text)) < 0 ? 0 : (unsigned)strtoul(text, NULL, 0);
}

/* The GUID of a port is the second half of its first GID, which is written as eight numbers. */
static void read_guid(const struct sysfs_device *device, struct sysfs_port *port)
{
	unsigned parts[4];
	char gid[64];

	if (read_text(device, port->number, SYS_PORT_GID, gid, sizeof(gid)) < 0 ||
	    sscanf(gid, "%*x:%*x:%*x:%*x:%4x:%4x:%4x:%4x", &parts[0], &parts[1], &parts[2], &parts[3]) != 4)
		return;
	for (unsigned i = 0; i < 4; i++)
		port->guid = port->guid << 16 | parts[i];
	port->guid_is_zero = port->guid == 0;
}

static int read_port(const struct sysfs_device *device, unsigned number, struct sysfs_port *port)
{
	int rc;

	*port = (struct sysfs_port){.number = number};
	rc = read_text(device, number, SYS_PORT_LINK_LAYER, port->link_layer, sizeof(port->link_layer));
	if (rc < 0 && rc != -ENOENT)
		return rc;
	if (rc == -ENOENT) /* a kernel older than Ethernet devices */
		snprintf(port->link_layer, sizeof(port->link_layer), "InfiniBand");
	port->state = read_number(device, number, SYS_PORT_STATE);
	port->phys_state = read_number(device, number, SYS_PORT_PHY_STATE);
	port->sm_disabled = read_number(device, number, SYS_PORT_CAPMASK) & IS_SM_DISABLED;
	read_guid(device, port);
	return 0;
}

static void add_port(struct sysfs_device *device, const char *number, bool warns)
{
	int rc = read_port(device, (unsigned)strtoul(number, NULL, 10), &device->ports[device->count]);

	if (rc == 0)
		device->count++;
	else if (warns)
		sma_log(SMA_LOG_WARNING, "sma", "%s port %s cannot be read (%s) and is passed over",
		        device->name, number, strerror(-rc));
}

static int is_port(const struct dirent *entry)
{
	char *end;
	unsigned long number = strtoul(entry->d_name, &end, 10);

	return end != entry->d_name && !*end && number <= SMA_MAX_PORTS;
}

static int is_device(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int sysfs_read(const char *name, bool warns, struct sysfs_device *device)
{
	char path[512];
	struct dirent **numbers;
	int count;

	device->name = name;
	device->count = 0;
	snprintf(path, sizeof(path), SYS_INFINIBAND "/%s/" SYS_CA_PORTS_DIR, name);
	count = scandir(path, &numbers, is_port, versionsort);
	if (count < 0)
		return -errno;
	for (int i = 0; i < count; i++) {
		if (device->count <= SMA_MAX_PORTS)
			add_port(device, numbers[i]->d_name, warns);
		free(numbers[i]);
	}
	free(numbers);
	return 0;
}

/* The simulator writes "IB" where the kernel writes "InfiniBand". */
bool sysfs_is_infiniband(const struct sysfs_port *port)
{
	return strcasecmp(port->link_layer, "InfiniBand") == 0 || strcasecmp(port->link_layer, "IB") == 0;
}

int sysfs_list(struct sysfs_names *names)
{
	names->entries = NULL;
	names->count = scandir(SYS_INFINIBAND, &names->entries, is_device, alphasort);
	if (names->count >= 0)
		return 0;
	names->count = 0;
	return errno == ENOENT ? 0 : -errno;
}

void sysfs_free(struct sysfs_names *names)
{
	for (int i = 0; i < names->count; i++)
		free(names->entries[i]);
	free(names->entries);
}

/* ---- umad devices ---- */

static int is_umad(const struct dirent *entry)
{
	return strncmp(entry->d_name, "umad", strlen("umad")) == 0;
}

static bool is_umad_of(const char *umad, const char *device, unsigned port)
{
	char path[512];
	char text[256];

	snprintf(path, sizeof(path), IB_UMAD_ABI_DIR "/%s/" SYS_IB_MAD_DEV, umad);
	if (read_file(path, text, sizeof(text)) < 0 || strcmp(text, device) != 0)
		return false;
	snprintf(path, sizeof(path), IB_UMAD_ABI_DIR "/%s/" SYS_IB_MAD_PORT, umad);
	return read_file(path, text, sizeof(text)) == 0 && strtoul(text, NULL, 0) == port;
}

int sysfs_umad(const char *device, unsigned port)
{
	struct dirent **entries;
	int count = scandir(IB_UMAD_ABI_DIR, &entries, is_umad, versionsort);
	int number = -ENODEV;

	if (count < 0)
		return errno == ENOENT ? -ENODEV : -errno;
	for (int i = 0; i < count; i++) {
		if (number < 0 && is_umad_of(entries[i]->d_name, device, port))
			number = (int)strtoul(entries[i]->d_name + strlen("umad"), NULL, 10);
		free(entries[i]);
	}
	free(entries);
	return number;
}
