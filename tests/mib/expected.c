// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "mib/sma/sma_mib_gen.h"
#include "tests/mib/expected.h"
#include "tests/unit.h"

enum { MAX_WAIT_MS = 600 * 1000 /* a silent attribute of many blocks takes its time */ };

static const struct {
	const char *name;
	uint8_t tag;
} types[] = {{"INTEGER", ASN_INTEGER},
             {"OCTETS", ASN_OCTET_STR},
             {"Gauge32", ASN_GAUGE},
             {"Counter32", ASN_COUNTER},
             {"Counter64", ASN_COUNTER64}};

static uint8_t tag_of(const char *name)
{
	for (size_t i = 0; i < UNIT_COUNT(types); i++) {
		if (strcmp(types[i].name, name) == 0)
			return types[i].tag;
	}
	return 0;
}

static void parse_oid(const char *text, struct row *row)
{
	while (*text && row->length < MAX_SUBIDS) {
		row->subid[row->length++] = (uint32_t)strtoul(text, (char **)&text, 10);
		text += *text == '.';
	}
}

static void parse_value(const char *text, struct row *row)
{
	unsigned octet;

	if (row->type != ASN_OCTET_STR) {
		row->value.number = strtoull(text, NULL, 10);
		return;
	}
	for (; sscanf(text, "%2x", &octet) == 1; text += 2)
		row->value.octets[row->value.length++] = (uint8_t)octet;
}

/* Room is doubled: under a sanitizer each change of it is a copy. */
static void add_row(struct expected *expected, const struct row *row)
{
	bool full = (expected->count & (expected->count - 1)) == 0;

	if (full)
		expected->rows = realloc(expected->rows, (2 * expected->count + 1) * sizeof(*row));
	if (!expected->rows)
		abort();
	expected->rows[expected->count++] = *row;
}

void expected_load(struct expected *expected, const char *name)
{
	char path[128];
	char oid[128];
	char type[16];
	char value[256];
	FILE *file;

	*expected = (struct expected){0};
	snprintf(path, sizeof(path), "tests/data/%s.tree", name);
	file = fopen(unit_source(path), "r");
	while (file && fscanf(file, "%127s %15s %255s", oid, type, value) == 3) {
		struct row row = {.type = tag_of(type)};

		parse_oid(oid, &row);
		parse_value(value, &row);
		add_row(expected, &row);
	}
	if (!CHECK(file && feof(file) && expected->count > 0))
		exit(EXIT_FAILURE);
	fclose(file);
}

void expected_free(struct expected *expected)
{
	free(expected->rows);
	*expected = (struct expected){0};
}

int compare_oids(const uint32_t *a, size_t a_length, const uint32_t *b, size_t b_length)
{
	for (size_t i = 0; i < a_length && i < b_length; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return (a_length > b_length) - (a_length < b_length);
}

const struct row *expected_find(const struct expected *expected, const uint32_t *subid, size_t length)
{
	for (size_t i = 0; i < expected->count; i++) {
		const struct row *row = &expected->rows[i];

		if (compare_oids(row->subid, row->length, subid, length) == 0)
			return row;
	}
	return NULL;
}

const char *oid_text(const uint32_t *subid, size_t length)
{
	static char texts[2][256];
	static unsigned turn;
	char *text = texts[turn++ % 2];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < length && used < sizeof(texts[0]); i++)
		used += (size_t)snprintf(text + used, sizeof(texts[0]) - used, "%s%" PRIu32, i ? "." : "",
		                         subid[i]);
	return text;
}

bool check_row(const struct mib_answer *answer, const struct row *row)
{
	unit_case("%s", oid_text(row->subid, row->length));
	if (!CHECK_TEXT(oid_text(answer->subid, answer->length), oid_text(row->subid, row->length)) ||
	    !CHECK_EQUAL(answer->object->type, row->type))
		return false;
	if (row->type != ASN_OCTET_STR)
		return CHECK_EQUAL(answer->value.number, row->value.number);
	return CHECK_EQUAL(answer->value.length, row->value.length) &&
	       CHECK_OCTETS(answer->value.octets, row->value.octets, row->value.length);
}

int ask(struct fixture *fixture, question_fn *question, const uint32_t *subid, size_t length,
        struct mib_answer *answer)
{
	return ask_module(fixture, &sma_mib_module, question, subid, length, answer);
}

int ask_module(struct fixture *fixture, const struct mib_module *module, question_fn *question,
               const uint32_t *subid, size_t length, struct mib_answer *answer)
{
	uint64_t since = fixture->now;
	uint64_t end = since + MAX_WAIT_MS;
	uint32_t asked[MAX_SUBIDS + 2];
	int rc;

	/* the question may be the last answer */
	if (length)
		memcpy(asked, subid, length * sizeof(*asked));
	do {
		struct sma_reader reader = fixture_reader(fixture, SMA_FRESH, 0);
		const struct mib_question q = {.module = module,
		                               .reader = &reader,
		                               .window = fixture->config.window,
		                               .expose_keys = fixture->expose_keys};

		reader.since = since;
		rc = question(&q, asked, length, answer);
		if (rc == -EAGAIN && question == tree_next)
			memcpy(asked, answer->subid, (length = answer->length) * sizeof(*asked));
		if (rc == -EAGAIN)
			fixture_step(fixture, end - fixture->now);
	} while (rc == -EAGAIN && fixture->now < end);
	return rc;
}

unsigned walk(struct fixture *fixture, const uint32_t *root, size_t length)
{
	struct mib_answer answer = {.length = length};
	unsigned count = 0;

	if (length)
		memcpy(answer.subid, root, length * sizeof(*root));
	while (ask(fixture, tree_next, answer.subid, answer.length, &answer) == 0 &&
	       compare_oids(root, length, answer.subid, length) == 0)
		count++;
	return count;
}
