// SPDX-License-Identifier: BSD-2-Clause
/* What ibsmad.conf says of views, and the file of M_Keys. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/view/key_file.h"
#include "agent/view/view_config.h"
#include "tests/unit.h"

static char file[UNIT_FOLDER_SIZE + 16];
static char folder[UNIT_FOLDER_SIZE];

static void check_refused(const char *(*take)(struct view_config *config, const char *value),
                          const char *value, const char *expected)
{
	struct view_config *config = view_config_new();
	const char *said;

	unit_case("%s", value);
	said = take(config, value);
	CHECK(said != NULL);
	CHECK(strstr(said ? said : "", expected) != NULL);
	CHECK_EQUAL(config->line_count, 0);
	view_config_unref(config);
}

/* ---- lines ---- */

static void test_lines(void)
{
	struct view_config *config = view_config_new();
	const struct view_line *lines;

	CHECK(!view_config_take_view(config, "spine guid 0x0002c90300a1b2c3"));
	CHECK(!view_config_take_view(config, "colons GUID 0002:c903:00a1:b2c4 via mlx5_1:2"));
	CHECK(!view_config_take_view(config, "low lid 1"));
	CHECK(!view_config_take_view(config, "high lid 0xbfff"));
	CHECK(!view_config_take_view(config, "leaf path 0,1,17"));
	CHECK(!view_config_take_view(config, "self path 0"));
	lines = config->lines;
	CHECK_EQUAL(config->line_count, 6);
	CHECK_EQUAL(lines[0].kind, VIEW_LINE_GUID);
	CHECK_EQUAL(lines[0].guid, 0x0002c90300a1b2c3);
	CHECK_TEXT(lines[0].via.device, "");
	CHECK_EQUAL(lines[1].guid, 0x0002c90300a1b2c4);
	CHECK_TEXT(lines[1].via.device, "mlx5_1");
	CHECK_EQUAL(lines[1].via.port, 2);
	CHECK_EQUAL(lines[2].lid, 1);
	CHECK_EQUAL(lines[3].lid, 0xbfff);
	CHECK_EQUAL(lines[4].hops, 2);
	CHECK_EQUAL(lines[4].path[1], 1);
	CHECK_EQUAL(lines[4].path[2], 17);
	CHECK_EQUAL(lines[5].hops, 0);
	CHECK_TEXT(view_config_take_view(config, "leaf lid 4"), "a name that no other line has");
	view_config_unref(config);
}

static void test_mistakes(void)
{
	static const struct {
		const char *value;
		const char *expected;
	} mistakes[] = {
		{"", "a name"},
		{"a", "guid GUID, lid LID"},
		{"a node 4", "guid GUID, lid LID"},
		{"\"a b\" lid 4", "a name"},
		{"a#b lid 4", "a name"},
		{"a guid", "a node GUID"},
		{"a guid 0", "a node GUID"},
		{"a guid 0x12345678123456789", "a node GUID"},
		{"a guid -1", "a node GUID"},
		{"a lid 0", "a unicast LID"},
		{"a lid 49152", "a unicast LID"},
		{"a lid x", "a unicast LID"},
		{"a path 1", "a directed route"},
		{"a path 0,0", "a directed route"},
		{"a path 0,255", "a directed route"},
		{"a path 0,1,", "a directed route"},
		{"a lid 4 via", "via DEVICE:PORT"},
		{"a lid 4 via mlx5_0", "via DEVICE:PORT"},
		{"a lid 4 via mlx5_0:255", "via DEVICE:PORT"},
		{"a lid 4 via mlx5_0:1 more", "nothing more"},
		{"a lid 4 more", "nothing more"},
		{"include", "a pattern"},
		{"exclude a b", "a pattern"},
	};
	char longest[400];

	for (size_t i = 0; i < UNIT_COUNT(mistakes); i++)
		check_refused(view_config_take_view, mistakes[i].value, mistakes[i].expected);
	check_refused(view_config_take_views, "all", "discover off");
	check_refused(view_config_take_views, "discover", "discover off");
	check_refused(view_config_take_views, "discover some", "discover off");
	check_refused(view_config_take_views, "discover all via x", "via DEVICE:PORT");
	snprintf(longest, sizeof(longest), "%0256d lid 4", 0);
	check_refused(view_config_take_view, longest, "a name of 1 to 255");
	memset(longest, 0, sizeof(longest));
	snprintf(longest, sizeof(longest), "a path 0");
	for (unsigned i = 0; i < 64; i++)
		strcat(longest, ",1");
	check_refused(view_config_take_view, longest, "up to 63");
}

static void test_ports(void)
{
	struct view_config *config = view_config_new();

	CHECK(view_config_shows(config, "mlx5_0", 1));
	CHECK(!view_config_take_view(config, "exclude *"));
	CHECK(!view_config_take_view(config, "include mlx5_*:1"));
	CHECK(view_config_shows(config, "mlx5_0", 1));
	CHECK(!view_config_shows(config, "mlx5_0", 2));
	CHECK(!view_config_shows(config, "qib0", 1));
	view_config_unref(config);
}

static void test_same(void)
{
	struct view_config *configs[2];

	for (unsigned i = 0; i < 2; i++) {
		configs[i] = view_config_new();
		CHECK(!view_config_take_view(configs[i], "a lid 4"));
		CHECK(!view_config_take_view(configs[i], "exclude *:2"));
		CHECK(!view_config_take_views(configs[i], "discover cas via mlx5_0:1"));
	}
	CHECK(view_config_is_same(configs[0], configs[1]));
	CHECK(!view_config_take_views(configs[1], "discover cas via mlx5_0:2"));
	CHECK(!view_config_is_same(configs[0], configs[1]));
	CHECK(!view_config_take_views(configs[1], "discover cas via mlx5_0:1"));
	CHECK(view_config_is_same(configs[0], configs[1]));
	CHECK(!view_config_take_view(configs[1], "b lid 5"));
	CHECK(!view_config_is_same(configs[0], configs[1]));
	view_config_unref(configs[0]);
	view_config_unref(configs[1]);
}

/* ---- M_Keys ---- */

static int load(const char *text, mode_t mode, struct key_file **keys, char *error, size_t size)
{
	FILE *out = fopen(file, "w");

	fputs(text, out);
	fclose(out);
	chmod(file, mode);
	*keys = NULL;
	error[0] = '\0';
	return key_file_load(file, keys, error, size);
}

static void test_keys(void)
{
	struct key_file *keys;
	char error[512];

	CHECK_EQUAL(load("# keys\n0x0b 1234 # one\n\n000000000000000A ffffffffffffffff\ndefault 7\n0b 99\n",
	                 0600, &keys, error, sizeof(error)),
	            0);
	CHECK_EQUAL(key_file_find(keys, 0x0a), UINT64_MAX);
	CHECK_EQUAL(key_file_find(keys, 0x0b), 0x1234);
	CHECK_EQUAL(key_file_find(keys, 0x0c), 7);
	CHECK_EQUAL(key_file_find(keys, 0), 7);
	CHECK_EQUAL(key_file_find(NULL, 0x0a), 0);
	key_file_free(keys);
	key_file_free(NULL);
}

/* Said with file and line, and without a key. */
static void test_bad_keys(void)
{
	static const char *const texts[] = {"0a secret12\n", "0a\n",   "0 12\n",
	                                    "0a 12 13\n",    "x 12\n", "0a 12345678123456789\n"};
	struct key_file *keys;
	char error[512];
	char line[UNIT_FOLDER_SIZE + 32];

	for (size_t i = 0; i < UNIT_COUNT(texts); i++) {
		unit_case("%s", texts[i]);
		CHECK_EQUAL(load(texts[i], 0600, &keys, error, sizeof(error)), -EINVAL);
		snprintf(line, sizeof(line), "%s, line 1:", file);
		CHECK(strstr(error, line) == error);
		CHECK(!strstr(error, "secret12"));
	}
	CHECK_EQUAL(load("0a 12\n", 0640, &keys, error, sizeof(error)), -EPERM);
	CHECK(strstr(error, "chmod 600"));
	CHECK_EQUAL(key_file_load(folder, &keys, error, sizeof(error)), -EPERM);
	unlink(file);
	CHECK_EQUAL(key_file_load(file, &keys, error, sizeof(error)), -ENOENT);
	CHECK_EQUAL(symlink("/dev/null", file), 0);
	CHECK_EQUAL(key_file_load(file, &keys, error, sizeof(error)), -ELOOP);
	unlink(file);
}

static const struct unit_test tests[] = {
	{"nodes that are named", test_lines},
	{"mistakes", test_mistakes},
	{"ports of this host", test_ports},
	{"whether two are the same", test_same},
	{"M_Keys", test_keys},
	{"files of M_Keys that are refused", test_bad_keys},
};

int main(void)
{
	int status;

	if (!unit_folder(folder))
		return 1;
	snprintf(file, sizeof(file), "%s/keys", folder);
	status = UNIT_MAIN("view configuration", tests);
	rmdir(folder);
	return status;
}
