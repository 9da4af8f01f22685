// SPDX-License-Identifier: BSD-2-Clause
/* The node name map, by the letter of what infiniband-diags do with it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sma/fabric/name_map.h"
#include "tests/unit.h"

enum { GUID = 0x1234 };

static char path[UNIT_FOLDER_SIZE + 16];
static char error[512];
static struct name_map *map;

static int load(const char *text)
{
	char folder[UNIT_FOLDER_SIZE];
	FILE *file;
	int rc;

	if (!CHECK(unit_folder(folder)))
		return -1;
	snprintf(path, sizeof(path), "%s/map", folder);
	file = fopen(path, "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
	error[0] = '\0';
	rc = name_map_load(path, &map, error, sizeof(error));
	unlink(path);
	rmdir(folder);
	return rc;
}

static void test_lines(void)
{
	static const struct {
		const char *text;
		const char *name; /* of GUID; NULL: none */
	} cases[] = {
		{"0x1234 \"leaf 1\"\n", "leaf 1"},
		{"0x1234 \"leaf 1\"", "leaf 1"},
		{"  \t0x1234\t\"leaf 1\"\n", "leaf 1"},
		{"0x0000000000001234 \"leaf 1\" # of rack 3\n", "leaf 1"},
		{"4660 \"leaf 1\"\n", "leaf 1"},
		{"011064 \"leaf 1\"\n", "leaf 1"},
		{"0x1234 \" leaf \"\n", " leaf "},
		{"0x1234 leaf 1 \n", "leaf 1 "},
		{"0x1234 leaf#1\n", "leaf"},
		{"0x1234 leaf\"1\n", "leaf"},
		{"0x1234 # leaf\n", " leaf"},
		{"0x1234# leaf\n", " leaf"},
		{"0x1234 \"#\"leaf\"\n", "leaf"},
		{"0x1234 \"leaf\" text\n", "leaf"},
		{"0x1234 \"le\001f\tA\303\244\"\r\n", "le f A  "},
		{"0x1234\n", NULL},
		{"0x1234 \"\"\n", NULL},
		{"0x1234 ##\n", NULL},
		{"# 0x1234 \"leaf\"\n", NULL},
		{"\n  \n\t# text\n0x1234 a\n", "a"},
		{"0x1234 \"first\"\n0x1234 \"second\"\n", "first"},
		{"0x1234\n0x1234 \"second\"\n", "second"},
		{"0x1235 \"other\"\n", NULL},
		{"", NULL},
	};

	for (unsigned i = 0; i < UNIT_COUNT(cases); i++) {
		unit_case("%s", cases[i].text);
		CHECK_EQUAL(load(cases[i].text), 0);
		if (cases[i].name)
			CHECK_TEXT(name_map_find(map, GUID), cases[i].name);
		else
			CHECK(!name_map_find(map, GUID));
		name_map_free(map);
	}
	unit_case(NULL);
}

static void test_bad_lines(void)
{
	static const char *const cases[] = {
		"leaf \"1\"\n", "\"leaf\" 0x1234\n", "0x1234: leaf\n", "0x1234\"leaf\"\n", "0xleaf \"1\"\n",
	};

	for (unsigned i = 0; i < UNIT_COUNT(cases); i++) {
		char text[128];

		unit_case("%s", cases[i]);
		snprintf(text, sizeof(text), "# of all\n0x1234 \"leaf\"\n%s0x1235 \"other\"\n", cases[i]);
		CHECK_EQUAL(load(text), -EINVAL);
		CHECK(!map);
		snprintf(text, sizeof(text), "%s, line 3: ", path);
		CHECK(strstr(error, text));
		snprintf(text, sizeof(text), "instead of: %.*s", (int)strlen(cases[i]) - 1, cases[i]);
		CHECK(strstr(error, text));
		CHECK(!strchr(error, '\n'));
	}
	unit_case(NULL);
}

static void test_long_lines(void)
{
	char text[600];

	/* the name ends with the 255th byte of the line */
	snprintf(text, sizeof(text), "0x1234 %.*s\n", 600, "");
	memset(text + 7, 'a', 248);
	strcpy(text + 255, "0x77 \"rest\"\n");
	CHECK_EQUAL(load(text), 0);
	CHECK_EQUAL(strlen(name_map_find(map, GUID)), 248);
	CHECK_TEXT(name_map_find(map, 0x77), "rest");
	name_map_free(map);
	memset(text + 7, 'a', 260);
	strcpy(text + 267, "\n");
	CHECK_EQUAL(load(text), -EINVAL);
	CHECK(strstr(error, "line 1: "));
}

static void test_many(void)
{
	char text[20000];
	size_t length = 0;

	for (unsigned i = 500; i > 0; i--)
		length +=
			(size_t)sprintf(text + length, "0x%x \"node %u\"\n0x%x \"again\"\n", i * 7, i, i * 7);
	CHECK_EQUAL(load(text), 0);
	for (unsigned i = 1; i <= 500; i++) {
		char name[16];

		snprintf(name, sizeof(name), "node %u", i);
		CHECK_TEXT(name_map_find(map, i * 7), name);
	}
	name_map_free(map);
}

static void test_no_file(void)
{
	CHECK_EQUAL(name_map_load("/nonexistent/map", &map, error, sizeof(error)), -ENOENT);
	CHECK_TEXT(error, "/nonexistent/map cannot be read: No such file or directory");
	CHECK(!map);
	CHECK_EQUAL(name_map_load("/", &map, error, sizeof(error)), -EISDIR);
	CHECK(!name_map_find(NULL, GUID));
	name_map_free(NULL);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"lines are read as the tools read them", test_lines},
		{"one bad line is an error that names it", test_bad_lines},
		{"lines are split behind 255 bytes", test_long_lines},
		{"the first of two names counts among many nodes", test_many},
		{"a file that cannot be read is an error", test_no_file},
	};

	return UNIT_MAIN("name map", tests);
}
