// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sma/log.h"
#include "tests/logged.h"
#include "tests/unit.h"

static char last_topic[64];
static char last_line[2048];
static enum sma_level last_level;

static bool wants_smp(const char *topic)
{
	return strcmp(topic, "smp") == 0;
}

static void keep(enum sma_level level, const char *topic, const char *line)
{
	last_level = level;
	snprintf(last_topic, sizeof(last_topic), "%s", topic);
	snprintf(last_line, sizeof(last_line), "%s", line);
}

static const struct sma_log_sink keeper = {.wants_debug = wants_smp, .write = keep};

static void test_format(void)
{
	static const enum sma_level levels[] = {SMA_LOG_ERROR, SMA_LOG_WARNING, SMA_LOG_NOTICE, SMA_LOG_INFO};

	sma_log_to(&keeper);
	for (size_t i = 0; i < UNIT_COUNT(levels); i++) {
		sma_log(levels[i], "sma", "%s %d of 0x%x", "number", (int)i, 255U);
		CHECK_EQUAL(last_level, levels[i]);
		CHECK_TEXT(last_topic, "sma");
		CHECK(strncmp(last_line, "number ", 7) == 0 && last_line[7] == (char)('0' + i));
		CHECK_TEXT(last_line + 8, " of 0xff");
	}
	sma_log_to(NULL);
}

static void test_debug_topics(void)
{
	sma_log_to(&keeper);
	last_line[0] = '\0';
	sma_log(SMA_LOG_DEBUG, "sma", "not wanted");
	CHECK_TEXT(last_line, "");
	sma_log(SMA_LOG_DEBUG, "smp", "wanted");
	CHECK_TEXT(last_line, "wanted");
	sma_log_to(NULL);
}

static void test_long_line(void)
{
	char text[3000];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	sma_log_to(&keeper);
	sma_log(SMA_LOG_INFO, "sma", "%s", text);
	CHECK_EQUAL(strlen(last_line), 1023);
	sma_log_to(NULL);
}

/* Each with what is shown of it. */
static const struct {
	const char *name, *text, *shown;
} printables[] = {
	{"plain text", "sw-1 port 5: ~ !", "sw-1 port 5: ~ !"},
	{"C0", "a\a\b\t\n\r\x1B[31mb\x01\x1F",
         "a?????"
         "?[31mb??"},
	{"DEL",
         "a\x7F"
         "b",
         "a?b"},
	{"C1 as a byte",
         "\x9B"
         "31m\x80\x85",
         "?31m??"},
	{"C1 in UTF-8",
         "\xC2\x9B"
         "31m \xC2\x80 \xC2\x9F",
         "??31m ?? ??"},
	{"C1 in UTF-8 that is too long", "\xE0\x82\x9B", "???"},
	{"C0 in UTF-8 that is too long", "\xC0\x9B \xC1\xBF", "?? ??"},
	{"letters of two, three and four bytes", "\xC2\xA0\xC3\xBC\xDF\xBF \xE2\x82\xAC \xF0\x9F\x98\x80",
         "\xC2\xA0\xC3\xBC\xDF\xBF \xE2\x82\xAC \xF0\x9F\x98\x80"},
	{"letters of Latin-1",
         "M\xFC"
         "ller",
         "M?ller"},
	{"surrogates", "\xED\xA0\x80", "???"},
	{"beyond Unicode", "\xF4\x90\x80\x80 \xF5\x80\x80\x80", "???? ????"},
	{"an end too early", "\xE2\x82", "??"},
	{"an end too early, then a letter",
         "\xF0\x9F"
         "a\xC3",
         "??a?"},
	{"nothing", "", ""},
};

static void test_printable(void)
{
	for (size_t i = 0; i < UNIT_COUNT(printables); i++) {
		char text[64];

		unit_case("%s", printables[i].name);
		snprintf(text, sizeof(text), "%s", printables[i].text);
		sma_make_printable(text);
		CHECK_TEXT(text, printables[i].shown);
	}
}

/* Whatever the bytes are: what is left is UTF-8 without controls, and a second pass changes nothing. */
static void test_printable_any(void)
{
	unit_case("seed %u", unit_seed());
	for (unsigned round = 0; round < 20000; round++) {
		char text[9], again[9];
		size_t length = (size_t)rand() % sizeof(text);

		for (size_t i = 0; i < length; i++)
			text[i] = (char)(1 + rand() % 255);
		text[length] = '\0';
		sma_make_printable(text);
		CHECK_EQUAL(strlen(text), length);
		for (size_t i = 0; i < length; i++) {
			const unsigned char *p = (const unsigned char *)text + i;

			if (p[0] < ' ' || p[0] == 0x7F || (p[0] == 0xC2 && p[1] < 0xA0))
				CHECK(!"a control character is left");
		}
		memcpy(again, text, sizeof(again));
		sma_make_printable(again);
		CHECK_TEXT(again, text);
	}
}

/* What comes from outside cannot begin a line of its own, or speak to a terminal. */
static void test_log_is_printable(void)
{
	sma_log_to(&keeper);
	sma_log(SMA_LOG_INFO, "sma", "node \"%s\"", "a\x1B]0;b\x07\nagent: c\xC2\x9B");
	CHECK_TEXT(last_line, "node \"a?]0;b??agent: c??\"");
	sma_log_to(NULL);
}

/* Run `speak` with standard error going to a file, and read it back. */
static size_t on_stderr(void (*speak)(void), char *text, size_t size)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t length;

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	speak();
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	length = fread(text, 1, size - 1, file);
	text[length] = '\0';
	fclose(file);
	return length;
}

static void speak_by_default(void)
{
	sma_log_to(NULL);
	sma_log(SMA_LOG_ERROR, "sma", "an error");
	sma_log(SMA_LOG_DEBUG, "smp", "a detail");
	sma_log(SMA_LOG_INFO, "agent", "100%% of it");
}

static void test_default_sink(void)
{
	char text[512];

	on_stderr(speak_by_default, text, sizeof(text));
	CHECK_TEXT(text, "sma: an error\nagent: 100% of it\n");
}

static void test_catcher(void)
{
	logged_start(false);
	sma_log(SMA_LOG_WARNING, "sma", "one");
	sma_log(SMA_LOG_WARNING, "sma", "two");
	sma_log(SMA_LOG_DEBUG, "sma", "three");
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 2);
	CHECK_EQUAL(logged_level(SMA_LOG_DEBUG), 0);
	CHECK_EQUAL(logged_with("two"), 1);
	logged_start(true);
	CHECK_EQUAL(logged_with("two"), 0);
	sma_log(SMA_LOG_DEBUG, "sma", "three");
	CHECK_EQUAL(logged_level(SMA_LOG_DEBUG), 1);
	logged_stop();
}

static const struct unit_test tests[] = {
	{"level, topic, text", test_format},
	{"debug lines by topic", test_debug_topics},
	{"a line that is too long is cut", test_long_line},
	{"characters that are shown", test_printable},
	{"any bytes", test_printable_any},
	{"a line has no control characters", test_log_is_printable},
	{"standard error by default, without debug lines", test_default_sink},
	{"the tests' own sink", test_catcher},
};

int main(void)
{
	return UNIT_MAIN("log", tests);
}
