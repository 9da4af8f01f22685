// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sma/sma.h"
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
	{"standard error by default, without debug lines", test_default_sink},
	{"the tests' own sink", test_catcher},
};

int main(void)
{
	return UNIT_MAIN("log", tests);
}
