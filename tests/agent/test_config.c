// SPDX-License-Identifier: BSD-2-Clause
/* ibsmad.conf: each token, its limits, and the complaint with file and line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "agent/agentx/agentx.h"
#include "agent/config.h"
#include "agent/config_token.h"
#include "sma/log.h"
#include "tests/unit.h"

enum { BEFORE = 4242 /* a value that no line sets */ };

static struct agent_config config;
static char folder[UNIT_FOLDER_SIZE];
static char file[UNIT_FOLDER_SIZE + 16];
static char log_text[8192];

static bool wants_debug(const char *topic)
{
	(void)topic;
	return true;
}

static void take_log(enum sma_level level, const char *topic, const char *line)
{
	size_t used = strlen(log_text);

	(void)level;
	snprintf(log_text + used, sizeof(log_text) - used, "%s: %s\n", topic, line);
}

static const struct sma_log_sink log_sink = {.wants_debug = wants_debug, .write = take_log};

static unsigned lines_of_log(void)
{
	unsigned lines = 0;

	for (const char *p = log_text; *p; p++)
		lines += *p == '\n';
	return lines;
}

/* Read a configuration of this text over values that differ from all defaults. */
static int read_text(const char *text)
{
	FILE *out = fopen(file, "w");

	fputs(text, out);
	fclose(out);
	log_text[0] = '\0';
	config.port = BEFORE;
	config.agentx_peer = config.wire_user = BEFORE;
	config.agentx_ping = config.agentx_timeout = BEFORE;
	config.expose_keys = false;
	config.sma.timeout_ms = config.sma.retries = config.sma.window = BEFORE;
	config.sma.m_key = BEFORE;
	config.sources =
		(struct sources_config){.poll_ms = BEFORE, .refresh_ms = BEFORE, .repeat_ms = BEFORE};
	config.notify = (struct notify_config){BEFORE, BEFORE, BEFORE, BEFORE};
	for (unsigned i = 0; i < SMA_ATTR_COUNT; i++)
		config.sma.age_ms[i] = BEFORE;
	strcpy(config.ca, "before");
	return config_read(file);
}

/* A line, and the number that it sets; or none where it is a mistake. */
struct setting {
	const char *line;
	bool good;
	uint64_t value;
};

/* Where the value of each token stands: its place, and its size. */
static const struct {
	const char *token;
	const void *place;
	size_t size;
} places[] = {
	{"port", &config.port, sizeof(int)},
	{"smpTimeout", &config.sma.timeout_ms, sizeof(unsigned)},
	{"smpRetries", &config.sma.retries, sizeof(unsigned)},
	{"smpWindow", &config.sma.window, sizeof(unsigned)},
	{"cacheTime", &config.sma.age_ms[SMA_PortInfo], sizeof(unsigned)},
	{"mKey", &config.sma.m_key, sizeof(uint64_t)},
	{"exposeKeys", &config.expose_keys, sizeof(bool)},
	{"notifyPoll", &config.sources.poll_ms, sizeof(unsigned)},
	{"notifyRefresh", &config.sources.refresh_ms, sizeof(unsigned)},
	{"notifyRepeat", &config.sources.repeat_ms, sizeof(unsigned)},
	{"notifyRate", &config.notify.rate, sizeof(unsigned)},
	{"notifyBurst", &config.notify.burst, sizeof(unsigned)},
	{"notifyQueue", &config.notify.queue, sizeof(unsigned)},
	{"notifyPace", &config.notify.pace, sizeof(unsigned)},
	{"notifySubscribe", &config.sources.subscribe, sizeof(bool)},
	{"agentXPeer", &config.agentx_peer, sizeof(uid_t)},
	{"wireUser", &config.wire_user, sizeof(uid_t)},
	{"notifyTrapAgent", &config.sources.take_traps, sizeof(bool)},
	{"agentXPingInterval", &config.agentx_ping, sizeof(unsigned)},
	{"agentXTimeout", &config.agentx_timeout, sizeof(unsigned)},
};

static uint64_t number_of(const char *line)
{
	size_t length = strcspn(line, " =");
	uint64_t number = 0;

	for (size_t i = 0; i < UNIT_COUNT(places); i++) {
		if (strlen(places[i].token) == length && strncasecmp(line, places[i].token, length) == 0)
			memcpy(&number, places[i].place, places[i].size);
	}
	return number;
}

static const struct setting settings[] = {
	{"port 0", true, 0},
	{"port 254", true, 254},
	{"port 255", false, BEFORE},
	{"port -1", false, BEFORE},
	{"port one", false, BEFORE},
	{"port 1x", false, BEFORE},
	{"port", false, BEFORE},
	{"smpTimeout 1", true, 1},
	{"smpTimeout 60000", true, 60000},
	{"smpTimeout 0", false, BEFORE},
	{"smpTimeout 60001", false, BEFORE},
	{"smpTimeout 99999999999999999999", false, BEFORE},
	{"smpRetries 0", true, 0},
	{"smpRetries 100", true, 100},
	{"smpRetries 101", false, BEFORE},
	{"smpRetries 1.5", false, BEFORE},
	{"smpWindow 1", true, 1},
	{"smpWindow 256", true, 256},
	{"smpWindow 0", false, BEFORE},
	{"smpWindow 257", false, BEFORE},
	{"cacheTime port 0", true, 0},
	{"cacheTime port 86400", true, 86400000},
	{"cacheTime port 86401", false, BEFORE},
	{"cacheTime port", false, BEFORE},
	{"cacheTime", false, BEFORE},
	{"cacheTime ports 5", false, BEFORE},
	{"cacheTime portportportportportport 5", false, BEFORE},
	{"cacheTime port 5 6", false, BEFORE},
	{"agentXPeer root", true, 0},
	{"agentXPeer 0", true, 0},
	{"agentXPeer 1234567", true, 1234567},
	{"agentXPeer 4294967295", false, BEFORE},
	{"agentXPeer nobody of that name", false, BEFORE},
	{"agentXPeer", false, BEFORE},
	{"wireUser 1234567", true, 1234567},
	{"wireUser nobody of that name", false, BEFORE},
	{"exposeKeys yes", true, 1},
	{"exposeKeys YES", true, 1},
	{"exposeKeys no", true, 0},
	{"exposeKeys 1", false, 0},
	{"exposeKeys", false, 0},
	{"mKey 0", true, 0},
	{"mKey 123456789abcdef0", true, 0x123456789ABCDEF0},
	{"mKey FFFFFFFFFFFFFFFF", true, UINT64_MAX},
	{"mKey 12345678901234567", false, BEFORE},
	{"mKey xyz", false, BEFORE},
	{"mKey", false, BEFORE},
	{"mKey -1", false, BEFORE},
	{"notifyPoll 0", true, 0},
	{"notifyPoll 86400", true, 86400000},
	{"notifyPoll 86401", false, BEFORE},
	{"notifyRefresh 1", true, 1000},
	{"notifyRefresh 0", false, BEFORE},
	{"notifyRepeat 0", true, 0},
	{"notifyRepeat 15", true, 15000},
	{"notifyRepeat soon", false, BEFORE},
	{"notifyRate 1", true, 1},
	{"notifyRate 1000000", true, 1000000},
	{"notifyRate 0", false, BEFORE},
	{"notifyBurst 1000001", false, BEFORE},
	{"notifyBurst 7", true, 7},
	{"notifyQueue 1", true, 1},
	{"notifyQueue 0", false, BEFORE},
	{"notifyPace 1", true, 1},
	{"notifyPace 1000000", true, 1000000},
	{"notifyPace 0", false, BEFORE},
	{"notifyPace 1000001", false, BEFORE},
	{"notifySubscribe yes", true, 1},
	{"notifySubscribe no", true, 0},
	{"notifySubscribe maybe", false, 0},
	{"notifyTrapAgent yes", true, 1},
	{"notifyTrapAgent 1", false, 0},
	{"agentXPingInterval 1", true, 1},
	{"agentXPingInterval 86400", true, 86400},
	{"agentXPingInterval 0", false, BEFORE},
	{"agentXPingInterval 3x", false, BEFORE},
	{"agentXPingInterval", false, BEFORE},
	{"agentXTimeout 0", true, 0},
	{"agentXTimeout 255", true, 255},
	{"agentXTimeout 256", false, BEFORE},
	{"agentXTimeout 2s", false, BEFORE},
	{"SMPRETRIES 7", true, 7},
	{"smpRetries=7", false, BEFORE},
};

static void test_settings(void)
{
	for (size_t i = 0; i < UNIT_COUNT(settings); i++) {
		const struct setting *s = &settings[i];
		int rc;

		unit_case("%s", s->line);
		rc = read_text(s->line);
		CHECK_EQUAL(rc, s->good ? 0 : -EINVAL);
		CHECK_EQUAL(number_of(s->line), s->value);
		CHECK_EQUAL(lines_of_log(), !s->good);
	}
}

static void test_ca(void)
{
	char text[100] = "ca ";

	CHECK_EQUAL(read_text("ca mlx5_0\n"), 0);
	CHECK_TEXT(config.ca, "mlx5_0");
	CHECK_EQUAL(read_text("ca\n"), -EINVAL);
	CHECK_EQUAL(lines_of_log(), 1);
	CHECK_TEXT(config.ca, "before");
	memset(text + 3, 'x', 63);
	CHECK_EQUAL(read_text(text), 0);
	CHECK_EQUAL(strlen(config.ca), 63);
	memset(text + 3, 'x', 64);
	CHECK_EQUAL(read_text(text), -EINVAL);
	CHECK_TEXT(config.ca, "before");
}

static void test_scope(void)
{
	static const struct {
		const char *line;
		int rc;
		bool off, subnet;
	} cases[] = {{"notify own", 0, false, false},
	             {"notify subnet", 0, false, true},
	             {"notify OFF", 0, true, false},
	             {"notify none", -EINVAL, false, false}};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		unit_case("%s", cases[i].line);
		CHECK_EQUAL(read_text(cases[i].line), cases[i].rc);
		CHECK_EQUAL(config.sources.off, cases[i].off);
		CHECK_EQUAL(config.sources.subnet, cases[i].subnet);
	}
	unit_case(NULL);
	CHECK(strstr(log_text, "own, subnet or off") != NULL);
}

static void test_identity(void)
{
	CHECK_EQUAL(read_text("agentUser ibsmad\nagentGroup 12\n"), 0);
	CHECK_TEXT(config.user, "ibsmad");
	CHECK_TEXT(config.group, "12");
}

/* A good file replaces all settings, a bad one none. */
static void test_again(void)
{
	FILE *out;

	CHECK_EQUAL(
		read_text("smpRetries 3\nport 7\nagentXPingInterval 3\nagentXTimeout 9\nagentXSocket /m\n"),
		0);
	CHECK_EQUAL(config.agentx_ping, 3);
	out = fopen(file, "w");
	fputs("smpRetries 4\nport 300\n", out);
	fclose(out);
	CHECK_EQUAL(config_read_again(file), -EINVAL);
	CHECK_EQUAL(config.sma.retries, 3);
	CHECK_EQUAL(config.port, 7);
	out = fopen(file, "w");
	fputs("smpRetries 4\n", out);
	fclose(out);
	CHECK_EQUAL(config_read_again(file), 0);
	CHECK_EQUAL(config.sma.retries, 4);
	CHECK(config.port < 0); /* as without the token, likewise below */
	CHECK_EQUAL(config.agentx_ping, 5);
	CHECK_EQUAL(config.agentx_timeout, 1);
	CHECK_TEXT(config.agentx, "");
	CHECK_EQUAL(config_read_again("/nonexistent/ibsmad.conf"), -ENOENT);
	CHECK_EQUAL(config.sma.retries, 4);
}

/* One line in the log for each mistake: with file, line, what was found and what is expected. */
static void test_message(void)
{
	char place[128];

	CHECK_EQUAL(read_text("# a comment\n\nsmpRetries 3\nsmpWindow 300\n"), -EINVAL);
	snprintf(place, sizeof(place), "%s: line 4", file);
	CHECK(strstr(log_text, place) != NULL);
	CHECK(strstr(log_text, "smpWindow 300") != NULL);
	CHECK(strstr(log_text, "from 1 to 256") != NULL);
	CHECK_EQUAL(lines_of_log(), 1);
	CHECK_EQUAL(config.sma.retries, 3);
	CHECK_EQUAL(read_text("smpWindow 0\nport 300\nport 3\n"), -EINVAL);
	CHECK_EQUAL(lines_of_log(), 2);
	CHECK_EQUAL(config.port, 3);
	CHECK_EQUAL(read_text("cacheTime tables 3\n"), -EINVAL);
	CHECK(strstr(log_text, sma_config_groups()) != NULL);
}

/* Wherever somebody has put it, and whatever is wrong with the line; what is shown helps to find it. */
static void test_key_in_no_log(void)
{
	static const struct {
		const char *line, *shown;
		int rc;
	} lines[] = {
		{"mKey 123456789abcdef0q", "line 1: mKey ...: expected up to 16", -EINVAL},
		{"mKey=123456789abcdef0", "line 1: mKey...: expected a blank", -EINVAL},
		{"mkey:0x123456789abcdef0", "line 1: mkey...: expected a blank", -EINVAL},
		{"mKey= 123456789abcdef0", "line 1: mKey...: expected a blank", -EINVAL},
		{"mKey123456789abcdef0", "line 1: mKey...: expected a blank", -EINVAL},
		{"mKeyabcdef123456789", "unknown token: mKey...", 0},
		{"M_Key 123456789abcdef0", "unknown token: M...", 0},
		{"M_Key=123456789abcdef0", "unknown token: M...", 0},
		{"MKeys 123456789abcdef0", "unknown token: MKey...", 0},
		{"123456789abcdef0", "unknown token: ...", 0},
		{"0x123456789abcdef0", "unknown token: ...", 0},
		{"abcdefabcdefabcd", "unknown token: ...", 0},
		{"exposeKeys 123456789abcdef0", "line 1: exposeKeys ...: expected yes", -EINVAL},
		{"exposeKeys yes 0x123456789abcdef0", "line 1: exposeKeys ...: expected yes", -EINVAL},
		{"ca=123456789abcdef0", "line 1: ca...: expected a blank", -EINVAL},
		{"port=123456789abcdef0", "line 1: port...: expected a blank", -EINVAL},
	};

	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		unit_case("%s", lines[i].line);
		CHECK_EQUAL(read_text(lines[i].line), lines[i].rc);
		CHECK(strstr(log_text, lines[i].shown) != NULL);
		CHECK(strstr(log_text, "123456789") == NULL);
		CHECK(strstr(log_text, "abcdef") == NULL);
		CHECK_EQUAL(lines_of_log(), 1);
	}
}

/* Nothing is run, loaded or written for a configuration, nor another file read. */
static void test_foreign_tokens(void)
{
	static const struct {
		const char *before, *after; /* the path of a file */
	} lines[] = {
		{"perl open(F, \">", "\");"}, {"perlInitFile ", ""},
		{"[snmp] logOption f ", ""},  {"[snmp]", ""},
		{"logOption f ", ""},         {"includeFile ", ""},
		{"includeDir ", ""},          {"includeSearch ", ""},
		{"dlmod test ", ""},          {"extend test /usr/bin/touch ", ""},
		{"persistentDir ", ""},
	};
	char text[256], made[sizeof(folder) + 8];

	agentlib_init(); /* registers what Net-SNMP would take */
	snprintf(made, sizeof(made), "%s/made", folder);
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		unit_case("%s", lines[i].before);
		snprintf(text, sizeof(text), "%s%s%s", lines[i].before, made, lines[i].after);
		CHECK_EQUAL(read_text(text), 0);
		CHECK(strstr(log_text, "line 1: unknown token: ") != NULL);
		CHECK_EQUAL(lines_of_log(), 1);
		CHECK(access(made, F_OK) < 0);
	}
}

static void test_address(void)
{
	static const struct {
		const char *line, *address;
	} lines[] = {
		{"agentXSocket /run/master", "/run/master"},
		{"agentXSocket \"/run/a b\"", "/run/a b"},
		{"agentXSocket tcp:127.0.0.1:705", "tcp:127.0.0.1:705"},
		{"agentXSocket tcp6:[::1]:705", "tcp6:[::1]:705"},
		{"agentXSocket", NULL},
		{"agentXSocket tcp:localhost:70500", NULL},
		{"agentXSocket tcp:localhost:705x", NULL},
	};

	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		unit_case("%s", lines[i].line);
		strcpy(config.agentx, "before");
		CHECK_EQUAL(read_text(lines[i].line), lines[i].address ? 0 : -EINVAL);
		CHECK_TEXT(config.agentx, lines[i].address ? lines[i].address : "before");
	}
}

/* What was taken at the start only is named where it differs, and nothing else. */
static void test_kept(void)
{
	const struct agent_config start = {.ca = "a", .port = 1, .sma.window = 16};
	struct agent_config now = start;

	CHECK_TEXT(config_kept(&start, &now), "");
	now.expose_keys = true;
	now.sma.timeout_ms = 7;
	CHECK_TEXT(config_kept(&start, &now), "");
	now.port = 2;
	CHECK_TEXT(config_kept(&start, &now), "port");
	now = start;
	strcpy(now.user, "ibsmad");
	now.sma.window = 17;
	CHECK_TEXT(config_kept(&start, &now), "smpWindow, agentUser");
	strcpy(now.ca, "b");
	strcpy(now.group, "ibsmad");
	strcpy(now.agentx, "tcp:705");
	now.port = -1;
	CHECK_TEXT(config_kept(&start, &now), "ca, port, smpWindow, agentUser, agentGroup, agentXSocket");
}

static void test_unknown_token(void)
{
	char place[128];

	read_text("smpRetries 1\nsmpRetry 2\n");
	snprintf(place, sizeof(place), "%s: line 2", file);
	CHECK(strstr(log_text, place) != NULL);
	CHECK(strstr(log_text, "smpRetry") != NULL);
	CHECK_EQUAL(lines_of_log(), 1);
	CHECK_EQUAL(config.sma.retries, 1);
}

static void test_numbers(void)
{
	static const struct {
		const char *text;
		int rc;
		long number;
	} numbers[] = {{"010", 0, 10},       {"-05", 0, -5},     {"0", 0, 0},       {"-5", 0, -5},
	               {"12", 0, 12},        {"", -EINVAL, 0},   {"x", -EINVAL, 0}, {"1 ", -EINVAL, 0},
	               {"0x10", -EINVAL, 0}, {"13", -EINVAL, 0}, {"-6", -EINVAL, 0}};

	for (size_t i = 0; i < UNIT_COUNT(numbers); i++) {
		long number = 0;

		unit_case("'%s'", numbers[i].text);
		CHECK_EQUAL(config_token_number(numbers[i].text, -5, 12, &number), numbers[i].rc);
		if (numbers[i].rc == 0)
			CHECK_EQUAL(number, numbers[i].number);
	}
}

static void test_defaults(void)
{
	config_init(&config);
	CHECK_TEXT(config.ca, "");
	CHECK(config.port < 0);
	CHECK(!config.expose_keys);
	CHECK_EQUAL(config.sma.timeout_ms, 250);
	CHECK(!config.sources.off && !config.sources.subnet && config.sources.subscribe &&
	      !config.sources.take_traps);
	CHECK_EQUAL(config.sources.poll_ms, 10000);
	CHECK_EQUAL(config.sources.refresh_ms, 60000);
	CHECK_EQUAL(config.sources.repeat_ms, 15000);
	CHECK_EQUAL(config.notify.rate, 100);
	CHECK_EQUAL(config.notify.burst, 1000);
	CHECK_EQUAL(config.notify.queue, 10000);
	CHECK_EQUAL(config.notify.pace, 150);
}

static const struct unit_test tests[] = {
	{"defaults", test_defaults},
	{"each token and its limits", test_settings},
	{"the name of a device", test_ca},
	{"whose notices", test_scope},
	{"user and group", test_identity},
	{"reading again", test_again},
	{"a mistake is named with its place", test_message},
	{"a key stands in no log", test_key_in_no_log},
	{"a token that does not exist", test_unknown_token},
	{"tokens of Net-SNMP's that would run code", test_foreign_tokens},
	{"the address of the master agent", test_address},
	{"what only a restart changes", test_kept},
	{"numbers", test_numbers},
};

int main(void)
{
	int status;

	if (!unit_folder(folder))
		return EXIT_FAILURE;
	snprintf(file, sizeof(file), "%s/test.conf", folder);
	sma_log_to(&log_sink);
	status = UNIT_MAIN("config", tests);
	unlink(file);
	rmdir(folder);
	return status;
}
