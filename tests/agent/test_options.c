// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/options.h"
#include "tests/unit.h"

enum { MAX_ARGUMENTS = 12 };

/* What a parse wrote to standard output and standard error. */
static char printed[8192];

static int parse(const char *const *arguments, struct options *options)
{
	char *argv[MAX_ARGUMENTS + 2] = {(char *)"ibsmad"};
	FILE *capture = tmpfile();
	int saved[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
	int argc = 1;
	int rc;

	while (*arguments)
		argv[argc++] = (char *)*arguments++;
	fflush(stdout);
	dup2(fileno(capture), STDOUT_FILENO);
	dup2(fileno(capture), STDERR_FILENO);
	optind = 0; /* glibc: start over */
	rc = options_parse(argc, argv, options);
	fflush(stdout);
	dup2(saved[0], STDOUT_FILENO);
	dup2(saved[1], STDERR_FILENO);
	close(saved[0]);
	close(saved[1]);
	rewind(capture);
	printed[fread(printed, 1, sizeof(printed) - 1, capture)] = '\0';
	fclose(capture);
	return rc;
}

#define PARSE(options, ...) parse((const char *const[]){__VA_ARGS__, NULL}, options)

static void test_none(void)
{
	struct options o;

	CHECK_EQUAL(parse((const char *const[]){NULL}, &o), 0);
	CHECK(!o.ca && !o.agentx && !o.config && !o.foreground && !o.logging && !o.done);
	CHECK_EQUAL(o.port, -1);
	CHECK_EQUAL(o.timeout_ms, -1);
	CHECK_EQUAL(o.retries, -1);
	CHECK_TEXT(printed, "");
}

static void test_short(void)
{
	struct options o;

	CHECK_EQUAL(
		PARSE(&o, "-C", "mlx5_0", "-P0", "-x", "tcp:127.0.0.1:705", "-cfile", "-f", "-t", "60000"),
		0);
	CHECK_TEXT(o.ca, "mlx5_0");
	CHECK_EQUAL(o.port, 0);
	CHECK_TEXT(o.agentx, "tcp:127.0.0.1:705");
	CHECK_TEXT(o.config, "file");
	CHECK(o.foreground);
	CHECK_EQUAL(o.timeout_ms, 60000);
	CHECK(!o.logging);
	CHECK_EQUAL(PARSE(&o, "-r100", "-Le"), 0);
	CHECK_EQUAL(o.retries, 100);
	CHECK(o.logging);
}

static void test_long(void)
{
	struct options o;

	CHECK_EQUAL(PARSE(&o, "--ca", "a", "--port=254", "--agentx=b", "--config", "c", "--foreground"), 0);
	CHECK_TEXT(o.ca, "a");
	CHECK_EQUAL(o.port, 254);
	CHECK_TEXT(o.agentx, "b");
	CHECK_TEXT(o.config, "c");
	CHECK(o.foreground);
	CHECK_EQUAL(PARSE(&o, "--timeout", "1", "--retries", "0"), 0);
	CHECK_EQUAL(o.timeout_ms, 1);
	CHECK_EQUAL(o.retries, 0);
}

/* Each mistake: refused, and named on standard error together with the way to the help. */
static void test_mistakes(void)
{
	static const struct {
		const char *arguments[3];
		const char *named;
	} mistakes[] = {
		{{"-P", "255"}, "255"},
		{{"-P", "-1"}, "-1"},
		{{"-P", "x"}, "'x'"},
		{{"-P", ""}, "--port"},
		{{"-t", "0"}, "--timeout"},
		{{"-t", "60001"}, "60001"},
		{{"-t", "5s"}, "5s"},
		{{"-r", "-1"}, "--retries"},
		{{"-r", "101"}, "101"},
		{{"-x", ""}, "--agentx"},
		{{"-x", "tcp:"}, "'tcp:'"},
		{{"-x", "tcp:localhost:705x"}, "tcp:HOST:PORT"},
		{{"-q"}, "q"},
		{{"--nothing"}, "nothing"},
		{{"mlx5_0"}, "mlx5_0"},
		{{"-f", "mlx5_0"}, "mlx5_0"},
		{{"-C"}, "C"},
		{{"-LX"}, "-LX"},
		{{"-Lf", "/nonexistent/log"}, "/nonexistent/log: No such file"},
	};

	for (size_t i = 0; i < UNIT_COUNT(mistakes); i++) {
		struct options o;

		unit_case("%s %s", mistakes[i].arguments[0],
		          mistakes[i].arguments[1] ? mistakes[i].arguments[1] : "");
		CHECK_EQUAL(parse(mistakes[i].arguments, &o), -EINVAL);
		CHECK(strstr(printed, mistakes[i].named) != NULL);
		CHECK(strstr(printed, "--help") != NULL);
	}
}

static void test_help(void)
{
	static const char *const names[] = {"--ca",         "--port",    "--agentx", "--config",
	                                    "--foreground", "--debug",   "-L",       "--timeout",
	                                    "--retries",    "--version", "--help"};
	struct options o;

	CHECK_EQUAL(PARSE(&o, "-h"), 0);
	CHECK(o.done);
	for (size_t i = 0; i < UNIT_COUNT(names); i++) {
		unit_case("%s", names[i]);
		CHECK(strstr(printed, names[i]) != NULL);
	}
	CHECK_EQUAL(PARSE(&o, "--help"), 0);
	CHECK(o.done);
}

static void test_version(void)
{
	struct options o;

	CHECK_EQUAL(PARSE(&o, "-V"), 0);
	CHECK(o.done);
	CHECK(strncmp(printed, "ibsmad " IBSMAD_VERSION, strlen("ibsmad " IBSMAD_VERSION)) == 0);
	CHECK(strstr(printed, netsnmp_get_version()) != NULL);
	CHECK_EQUAL(PARSE(&o, "--version", "-P", "999"), 0);
	CHECK(o.done);
}

static void test_debug(void)
{
	struct options o;

	CHECK_EQUAL(snmp_get_do_debugging(), 0);
	CHECK_EQUAL(PARSE(&o, "-D", "smp,sma"), 0);
	CHECK_EQUAL(snmp_get_do_debugging(), 1);
	CHECK_EQUAL(debug_is_token_registered("smp"), SNMPERR_SUCCESS);
	CHECK_EQUAL(debug_is_token_registered("sma"), SNMPERR_SUCCESS);
	CHECK(debug_is_token_registered("agentx") != SNMPERR_SUCCESS);
	snmp_set_do_debugging(0);
}

/* The command line goes before the file; what it leaves open stays. */
static void test_apply(void)
{
	struct agent_config config = {
		.ca = "file", .agentx = "/file", .port = 3, .sma = {.timeout_ms = 7, .retries = 8}};
	struct options o;

	CHECK_EQUAL(parse((const char *const[]){NULL}, &o), 0);
	options_apply(&o, &config);
	CHECK_TEXT(config.ca, "file");
	CHECK_EQUAL(config.port, 3);
	CHECK_EQUAL(config.sma.timeout_ms, 7);
	CHECK_EQUAL(config.sma.retries, 8);
	CHECK_TEXT(config.agentx, "/file");
	CHECK_EQUAL(PARSE(&o, "-C", "line", "-P", "0", "-t", "1", "-r", "0", "-x", "/line"), 0);
	options_apply(&o, &config);
	CHECK_TEXT(config.ca, "line");
	CHECK_TEXT(config.agentx, "/line");
	CHECK_EQUAL(config.port, 0);
	CHECK_EQUAL(config.sma.timeout_ms, 1);
	CHECK_EQUAL(config.sma.retries, 0);
}

static void test_long_name(void)
{
	char name[200];
	struct agent_config config = {.ca = ""};
	struct options o = {.port = -1, .timeout_ms = -1, .retries = -1, .ca = name};

	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	options_apply(&o, &config);
	CHECK_EQUAL(strlen(config.ca), sizeof(config.ca) - 1);
}

static const struct unit_test tests[] = {
	{"no option", test_none},
	{"short options", test_short},
	{"long options", test_long},
	{"mistakes", test_mistakes},
	{"help", test_help},
	{"version", test_version},
	{"debug tokens", test_debug},
	{"the command line goes before the file", test_apply},
	{"a name that is too long", test_long_name},
};

int main(void)
{
	return UNIT_MAIN("options", tests);
}
