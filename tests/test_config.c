// SPDX-License-Identifier: BSD-2-Clause
/* ibsmad.conf: each token, its limits, and the complaint with file and line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/config.h"
#include "tests/unit.h"

enum { BEFORE = 4242 /* a value that no line sets */ };

static struct agent_config config;
static char folder[UNIT_FOLDER_SIZE];
static char file[UNIT_FOLDER_SIZE + 16];
static char log_text[8192];

static int take_log(int major, int minor, void *server, void *client)
{
	const struct snmp_log_message *message = server;

	(void)major;
	(void)minor;
	(void)client;
	strncat(log_text, message->msg, sizeof(log_text) - strlen(log_text) - 1);
	return 0;
}

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
	config.expose_keys = false;
	config.sma.timeout_ms = config.sma.retries = config.sma.window = BEFORE;
	config.sma.m_key = BEFORE;
	config.watch =
		(struct sma_watch_config){.poll_ms = BEFORE, .refresh_ms = BEFORE, .repeat_ms = BEFORE};
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
	{"notifyPoll", &config.watch.poll_ms, sizeof(unsigned)},
	{"notifyRefresh", &config.watch.refresh_ms, sizeof(unsigned)},
	{"notifyRepeat", &config.watch.repeat_ms, sizeof(unsigned)},
	{"notifyRate", &config.notify.rate, sizeof(unsigned)},
	{"notifyBurst", &config.notify.burst, sizeof(unsigned)},
	{"notifyQueue", &config.notify.queue, sizeof(unsigned)},
	{"notifyPace", &config.notify.pace, sizeof(unsigned)},
	{"notifySubscribe", &config.watch.subscribe, sizeof(bool)},
	{"agentXPeer", &config.agentx_peer, sizeof(uid_t)},
	{"wireUser", &config.wire_user, sizeof(uid_t)},
	{"notifyTrapAgent", &config.watch.take_traps, sizeof(bool)},
};

static uint64_t number_of(const char *line)
{
	size_t length = strcspn(line, " ");
	uint64_t number = 0;

	for (size_t i = 0; i < UNIT_COUNT(places); i++) {
		if (strlen(places[i].token) == length && strncmp(line, places[i].token, length) == 0)
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
};

static void test_settings(void)
{
	for (size_t i = 0; i < UNIT_COUNT(settings); i++) {
		const struct setting *s = &settings[i];
		int rc;

		unit_case("%s", s->line);
		rc = read_text(s->line);
		/* a token alone is reported by Net-SNMP, which then passes it over */
		CHECK(strchr(s->line, ' ') ? rc == (s->good ? 0 : -EINVAL) : rc == 0);
		CHECK_EQUAL(number_of(s->line), s->value);
		CHECK_EQUAL(lines_of_log(), !s->good);
	}
}

static void test_ca(void)
{
	char text[100] = "ca ";

	CHECK_EQUAL(read_text("ca mlx5_0\n"), 0);
	CHECK_TEXT(config.ca, "mlx5_0");
	CHECK_EQUAL(read_text("ca\n"), 0);
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
		CHECK_EQUAL(config.watch.off, cases[i].off);
		CHECK_EQUAL(config.watch.subnet, cases[i].subnet);
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

	CHECK_EQUAL(read_text("smpRetries 3\nport 7\n"), 0);
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
	CHECK(config.port < 0); /* as without the token */
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

/* Mistakes in the key's line do not bring the key into the log. */
static void test_key_in_no_log(void)
{
	CHECK_EQUAL(read_text("mKey 123456789abcdef0q\n"), -EINVAL);
	CHECK(strstr(log_text, "123456789") == NULL);
	CHECK(strstr(log_text, "mKey") != NULL);
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

static void test_no_file(void)
{
	CHECK_EQUAL(config_read("/nonexistent/ibsmad.conf"), -ENOENT);
	CHECK_EQUAL(read_text(""), 0);
	CHECK_EQUAL(lines_of_log(), 0);
}

/* Without a file of the command line it is ibsmad.conf on the search path. */
static void test_search_path(void)
{
	char text[128];

	setenv("SNMPCONFPATH", folder, 1);
	read_text("");
	snprintf(text, sizeof(text), "%s/ibsmad.conf", folder);
	CHECK_EQUAL(read_text("smpRetries 7\n"), 0);
	CHECK_EQUAL(rename(file, text), 0);
	config.sma.retries = BEFORE;
	CHECK_EQUAL(config_read(NULL), 0);
	CHECK_EQUAL(config.sma.retries, 7);
	unlink(text);
	config.sma.retries = BEFORE;
	CHECK_EQUAL(config_read(NULL), 0);
	CHECK_EQUAL(config.sma.retries, BEFORE);
}

/* What a user without rights gets of a file on the search path; the exit status of a child. */
static int read_as_nobody(void)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		if (geteuid() == 0 && setuid(65534) < 0)
			_exit(1);
		_exit(config_read(NULL) == -EINVAL ? 42 : 2);
	}
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	return WEXITSTATUS(status);
}

/* A file that is there but closed is no reason to go on with defaults; a closed folder is passed over. */
static void test_closed_file(void)
{
	char text[128];

	setenv("SNMPCONFPATH", folder, 1);
	read_text("");
	snprintf(text, sizeof(text), "%s/ibsmad.conf", folder);
	CHECK_EQUAL(rename(file, text), 0);
	CHECK_EQUAL(chmod(folder, 0711), 0);
	CHECK_EQUAL(chmod(text, 0), 0);
	CHECK_EQUAL(read_as_nobody(), 42);
	CHECK_EQUAL(chmod(folder, 0), 0);
	CHECK_EQUAL(read_as_nobody(), 2);
	CHECK_EQUAL(chmod(folder, 0700), 0);
	unlink(text);
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
		CHECK_EQUAL(config_number(numbers[i].text, -5, 12, &number), numbers[i].rc);
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
	CHECK(!config.watch.off && !config.watch.subnet && config.watch.subscribe &&
	      !config.watch.take_traps);
	CHECK_EQUAL(config.watch.poll_ms, 10000);
	CHECK_EQUAL(config.watch.refresh_ms, 60000);
	CHECK_EQUAL(config.watch.repeat_ms, 15000);
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
	{"files", test_no_file},
	{"the search path", test_search_path},
	{"a closed file", test_closed_file},
	{"numbers", test_numbers},
};

int main(void)
{
	int status;

	if (!unit_folder(folder))
		return EXIT_FAILURE;
	snprintf(file, sizeof(file), "%s/test.conf", folder);
	snmp_disable_log();
	snmp_enable_calllog();
	snmp_register_callback(SNMP_CALLBACK_LIBRARY, SNMP_CALLBACK_LOGGING, take_log, NULL);
	status = UNIT_MAIN("config", tests);
	unlink(file);
	rmdir(folder);
	return status;
}
