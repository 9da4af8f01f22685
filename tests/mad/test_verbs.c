// SPDX-License-Identifier: BSD-2-Clause
/* The events of a driver: which count, and what they are a reason for. fakeverbs.c stands in for libibverbs.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#include "sma/mad/verbs.h"
#include "sma/node/node.h"
#include "tests/unit.h"

enum { PORT = 2 };

static char folder[UNIT_FOLDER_SIZE];
static char pipe_path[UNIT_FOLDER_SIZE + 16];
static char error[256];
static struct verbs *verbs;
static int writer;

static void begin(void)
{
	unsetenv("FAKEVERBS_ERRNO");
	unsetenv("FAKEVERBS_LIST_ERRNO");
	setenv("FAKEVERBS_DEVICE", "mlx5_0", 1);
	setenv("FAKEVERBS_EVENTS", pipe_path, 1);
	verbs = NULL;
	CHECK_EQUAL(verbs_open("mlx5_0", PORT, &verbs, error, sizeof(error)), 0);
	writer = open(pipe_path, O_WRONLY);
}

static void end(void)
{
	close(writer);
	verbs_close(verbs);
}

static void tell(enum ibv_event_type type, uint32_t port)
{
	const uint32_t words[2] = {type, port};

	CHECK_EQUAL(write(writer, words, sizeof(words)), sizeof(words));
}

static bool is_readable(void)
{
	struct pollfd fd = {.fd = verbs_fd(verbs), .events = POLLIN};

	return poll(&fd, 1, 0) == 1;
}

/* ---- opening ---- */

static void test_no_device(void)
{
	static const struct {
		const char *name; /* of the device that there is */
		const char *list_errno;
		const char *open_errno;
		int rc;
		const char *text;
	} cases[] = {
		{NULL, NULL, NULL, -ENODEV, "libibverbs cannot open mlx5_0: No such device"},
		{"mlx5_1", NULL, NULL, -ENODEV, "libibverbs cannot open mlx5_0: No such device"},
		{"mlx5_0", NULL, "13", -EACCES, "libibverbs cannot open mlx5_0: Permission denied"},
		{"mlx5_0", "24", NULL, -EMFILE, "libibverbs cannot open mlx5_0: Too many open files"},
		/* no driver is loaded */
		{"mlx5_0", "38", NULL, -ENODEV, "libibverbs cannot open mlx5_0: No such device"},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		unit_case("case %zu", i);
		unsetenv("FAKEVERBS_DEVICE");
		unsetenv("FAKEVERBS_ERRNO");
		unsetenv("FAKEVERBS_LIST_ERRNO");
		if (cases[i].name)
			setenv("FAKEVERBS_DEVICE", cases[i].name, 1);
		if (cases[i].list_errno)
			setenv("FAKEVERBS_LIST_ERRNO", cases[i].list_errno, 1);
		if (cases[i].open_errno)
			setenv("FAKEVERBS_ERRNO", cases[i].open_errno, 1);
		CHECK_EQUAL(verbs_open("mlx5_0", PORT, &verbs, error, sizeof(error)), cases[i].rc);
		CHECK_TEXT(error, cases[i].text);
	}
	unit_case(NULL);
	verbs_close(NULL);
}

/* ---- events ---- */

enum {
	INFO = 1U << SMA_PortInfo,
	INFO_SM = 1U << SMA_PortInfo | 1U << SMA_SMInfo,
};

static void test_kinds(void)
{
	static const struct {
		enum ibv_event_type type;
		unsigned attrs;
		bool subscribe;
	} cases[] = {
		{IBV_EVENT_DEVICE_FATAL, SMA_ALL_ATTRS, false},
		{IBV_EVENT_PORT_ACTIVE, INFO_SM, true},
		{IBV_EVENT_PORT_ERR, INFO, false},
		{IBV_EVENT_LID_CHANGE, INFO_SM, true},
		{IBV_EVENT_PKEY_CHANGE, 1U << SMA_P_KeyTable, false},
		{IBV_EVENT_SM_CHANGE, INFO_SM, true},
		{IBV_EVENT_CLIENT_REREGISTER, INFO_SM, true},
		{IBV_EVENT_GID_CHANGE, INFO | 1U << SMA_GUIDInfo, false},
	};
	struct verbs_event event;

	begin();
	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		unit_case("%s", ibv_event_type_str(cases[i].type));
		tell(cases[i].type, PORT);
		CHECK(is_readable());
		CHECK_EQUAL(verbs_take(verbs, &event), 1);
		CHECK_EQUAL(event.attrs, cases[i].attrs);
		CHECK_EQUAL(event.subscribe, cases[i].subscribe);
		CHECK(!is_readable());
	}
	unit_case(NULL);
	end();
}

/* Of another port, or of what nobody here has. */
static void test_others(void)
{
	struct verbs_event event;

	begin();
	CHECK_EQUAL(verbs_take(verbs, &event), 0);
	tell(IBV_EVENT_CLIENT_REREGISTER, PORT - 1);
	tell(IBV_EVENT_SRQ_LIMIT_REACHED, PORT);
	CHECK_EQUAL(verbs_take(verbs, &event), 0);
	tell(IBV_EVENT_CLIENT_REREGISTER, PORT - 1);
	tell(IBV_EVENT_PORT_ERR, PORT);
	tell(IBV_EVENT_DEVICE_FATAL, 0);
	CHECK_EQUAL(verbs_take(verbs, &event), 1);
	CHECK_EQUAL(event.attrs, INFO);
	CHECK_EQUAL(verbs_take(verbs, &event), 1);
	CHECK_EQUAL(event.attrs, SMA_ALL_ATTRS);
	CHECK_EQUAL(verbs_take(verbs, &event), 0);
	end();
}

/* The descriptor is another file then, of which nothing can be read. */
static void test_gone(void)
{
	struct verbs_event event;
	int place;

	begin();
	place = open(folder, O_RDONLY | O_DIRECTORY);
	CHECK(dup2(place, verbs_fd(verbs)) >= 0);
	CHECK_EQUAL(verbs_take(verbs, &event), -EISDIR);
	close(place);
	place = open("/dev/null", O_RDONLY);
	CHECK(dup2(place, verbs_fd(verbs)) >= 0);
	CHECK_EQUAL(verbs_take(verbs, &event), -EIO);
	close(place);
	end();
}

static const struct unit_test tests[] = {
	{"no device", test_no_device},
	{"kinds of events", test_kinds},
	{"events of others", test_others},
	{"the device is gone", test_gone},
};

int main(void)
{
	int status;

	if (!unit_folder(folder))
		return 1;
	snprintf(pipe_path, sizeof(pipe_path), "%s/events", folder);
	if (mkfifo(pipe_path, 0600) < 0)
		return 1;
	status = UNIT_MAIN("verbs", tests);
	unlink(pipe_path);
	rmdir(folder);
	return status;
}
