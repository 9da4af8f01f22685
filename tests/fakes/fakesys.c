// SPDX-License-Identifier: BSD-2-Clause
/*
 * A host with InfiniBand devices made of plain files, for programs that use libibumad. Preloaded, it finds
 * the folders of the kernel below FAKESYS_ROOT:
 *
 *   FAKESYS_ROOT/sys/class/infiniband, .../sys/class/infiniband_mad, .../dev/infiniband
 *
 * Permissions there count. Faults are symbolic links to a name that does not exist:
 *
 *   open-errno-N    the file cannot be opened
 *   read-EINVAL     the file can be opened, but reading it fails with EINVAL
 *
 * A umad device accepts registrations and MADs, and nothing ever arrives. FAKESYS_REFUSE lists registrations
 * that fail, as UMAD:CLASS:ERRNO, separated by blanks; * stands for any number. FAKESYS_ROOT/opened lists the
 * umad devices that were opened, and FAKESYS_ROOT/registered each with the class, in hexadecimal, of an
 * agent.
 */
#undef _FORTIFY_SOURCE   /* its inline open() and read() hide the real ones */
#undef _FILE_OFFSET_BITS /* it renames open() to open64() */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(function) ((__typeof__(&(function)))dlsym(RTLD_NEXT, #function))

enum { UMAD_MAGIC = 0x1b, UMAD_REGISTER = 1, UMAD_REGISTER2 = 4, MAX_UMADS = 64 };
enum { CLASS_AT = 21, CLASS2_AT = 8 }; /* within the two requests */

#define UMAD_PATH "/dev/infiniband/umad"

static const char *const folders[] = {"/sys/class/infiniband", "/sys/class/infiniband_mad",
                                      "/dev/infiniband"};

static int umads[MAX_UMADS];        /* open umad devices: descriptor + 1, 0 where free */
static unsigned numbers[MAX_UMADS]; /* of these devices */

/* ---- paths ---- */

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static const char *redirect(const char *path, char moved[PATH_MAX])
{
	const char *root = getenv("FAKESYS_ROOT");

	for (size_t i = 0; root && i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (!is_below(path, folders[i]))
			continue;
		if (snprintf(moved, PATH_MAX, "%s%s", root, path) < PATH_MAX)
			return moved;
	}
	return path;
}

/* ---- open files ---- */

static int *umad_slot(int content)
{
	for (int i = 0; i < MAX_UMADS; i++) {
		if (umads[i] == content)
			return &umads[i];
	}
	return NULL;
}

__attribute__((format(printf, 2, 3))) static void record(const char *name, const char *format, ...)
{
	char file[PATH_MAX];
	va_list args;
	int fd;

	snprintf(file, sizeof(file), "%s/%s", getenv("FAKESYS_ROOT"), name);
	fd = NEXT(open)(file, O_WRONLY | O_CREAT | O_APPEND, 0644);
	if (fd < 0)
		return;
	va_start(args, format);
	vdprintf(fd, format, args);
	va_end(args);
	NEXT(close)(fd);
}

/* Put something in place of the file that polls like a device without news. */
static int bring_to_life(int fd, const char *path)
{
	int *slot = umad_slot(0);
	int quiet;

	NEXT(close)(fd);
	quiet = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (quiet < 0 || !slot)
		abort();
	*slot = quiet + 1;
	numbers[slot - umads] = (unsigned)strtoul(path + strlen(UMAD_PATH), NULL, 10);
	record("opened", "%s\n", path);
	return quiet;
}

/* Whether a file has a fault, and then what open() returns. */
static bool has_fault(const char *path, int *fd)
{
	char target[64] = "";
	int error;

	if (NEXT(readlink)(path, target, sizeof(target) - 1) < 0)
		return false;
	if (strcmp(target, "read-EINVAL") == 0) {
		*fd = socket(AF_UNIX, SOCK_STREAM, 0); /* not connected, it cannot be read */
		return true;
	}
	if (sscanf(target, "open-errno-%d", &error) != 1)
		return false;
	errno = error;
	*fd = -1;
	return true;
}

static int open_any(const char *path, int flags, mode_t mode)
{
	char moved[PATH_MAX];
	const char *real = redirect(path, moved);
	int fd;

	if (real == path)
		return NEXT(open)(path, flags, mode);
	if (has_fault(real, &fd))
		return fd;
	fd = NEXT(open)(real, flags, mode);
	return fd >= 0 && strncmp(path, UMAD_PATH, strlen(UMAD_PATH)) == 0 ? bring_to_life(fd, path) : fd;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): those of the C library are reserved */

static mode_t mode_of(int flags, va_list args)
{
	return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return path[0] == '/' ? open_any(path, flags, mode) : NEXT(openat)(folder, path, flags, mode);
}

#define REDIRECTED(type, name, parameters, ...)                                                              \
	type name parameters                                                                                 \
	{                                                                                                    \
		char moved[PATH_MAX];                                                                        \
                                                                                                             \
		path = redirect(path, moved);                                                                \
		return NEXT(name)(__VA_ARGS__);                                                              \
	}
// cppcheck-suppress CastIntegerToAddressAtReturn
REDIRECTED(DIR *, opendir, (const char *path), path)
REDIRECTED(int, access, (const char *path, int mode), path, mode)
REDIRECTED(int, stat, (const char *path, struct stat *status), path, status)
REDIRECTED(int, lstat, (const char *path, struct stat *status), path, status)
REDIRECTED(ssize_t, readlink, (const char *path, char *target, size_t size), path, target, size)
REDIRECTED(FILE *, fopen, (const char *path, const char *mode), path, mode)
REDIRECTED(int, scandir,
           (const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)),
           path, list, filter, compare)
REDIRECTED(int, scandir64,
           (const char *path, struct dirent64 ***list, int (*filter)(const struct dirent64 *),
            int (*compare)(const struct dirent64 **, const struct dirent64 **)),
           path, list, filter, compare)
REDIRECTED(FILE *, fopen64, (const char *path, const char *mode), path, mode)

/* ---- the umad device ---- */

/* Whether a number is meant, at the begin of `*text`, of which it is taken off with what follows. */
static bool take_number(const char **text, unsigned number)
{
	char *end = (char *)*text + 1;
	bool meant = **text == '*' || strtoul(*text, &end, 0) == number;

	*text = *end ? end + 1 : end;
	return meant;
}

/* The errno with which a registration fails, 0: it does not. */
static int refusal(unsigned umad, unsigned class)
{
	const char *text = getenv("FAKESYS_REFUSE");

	while (text && *text) {
		bool of_device = take_number(&text, umad);
		bool of_class = take_number(&text, class);
		int error = atoi(text);

		take_number(&text, 0);
		if (of_device && of_class)
			return error;
	}
	return 0;
}

static int register_agent(unsigned umad, uint8_t class, uint32_t *id)
{
	static uint32_t agents;

	errno = refusal(umad, class);
	if (errno)
		return -1;
	record("registered", "umad%u 0x%02x\n", umad, class);
	*id = agents++; /* the first field of either request */
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	const int *slot = umad_slot(fd + 1);
	va_list args;
	uint8_t *data;

	va_start(args, request);
	data = va_arg(args, void *);
	va_end(args);
	if (!slot)
		return NEXT(ioctl)(fd, request, data);
	if (_IOC_TYPE(request) == UMAD_MAGIC && _IOC_NR(request) == UMAD_REGISTER)
		return register_agent(numbers[slot - umads], data[CLASS_AT], (uint32_t *)data);
	if (_IOC_TYPE(request) == UMAD_MAGIC && _IOC_NR(request) == UMAD_REGISTER2)
		return register_agent(numbers[slot - umads], data[CLASS2_AT], (uint32_t *)data);
	return 0;
}

ssize_t write(int fd, const void *data, size_t size)
{
	return umad_slot(fd + 1) ? (ssize_t)size : NEXT(write)(fd, data, size);
}

int close(int fd)
{
	int *slot = umad_slot(fd + 1);

	if (slot)
		*slot = 0;
	return NEXT(close)(fd);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
