// SPDX-License-Identifier: BSD-2-Clause
/* Where snmpd can be asked, as the doctor takes it from agentaddress (snmpd(8), LISTENING ADDRESSES), and
 * with which communities (snmpd.conf(5), ACCESS CONTROL). */
#include <stdio.h>
#include <string.h>

#include "agent/doctor/snmpd_conf.h"
#include "tests/unit.h"

static const struct {
	const char *addresses; /* of snmpd.conf, NULL: not set */
	const char *wanted;    /* NULL: it listens to no UDP over IPv4 */
} cases[] = {
	{NULL, "udp:127.0.0.1:161"},
	{"127.0.0.1,[::1]", "udp:127.0.0.1"},
	{"[::1],127.0.0.1", "udp:127.0.0.1"},
	{"udp:127.0.0.1:1161", "udp:127.0.0.1:1161"},
	{"UDP:127.0.0.1:1161", "udp:127.0.0.1:1161"},
	{"udp:161", "udp:127.0.0.1:161"},
	{"udp:161,udp6:[::1]:161", "udp:127.0.0.1:161"},
	{"1161", "udp:127.0.0.1:1161"},
	{"localhost:1161", "udp:localhost:1161"},
	{"tcp:161,udp:162", "udp:127.0.0.1:162"},
	{"tcp:161 , 162", "udp:127.0.0.1:162"},
	{"tcp:127.0.0.1:161", NULL},
	{"udp6:[::1]:161", NULL},
	{"[::1]", NULL},
	{"unix:/run/snmpd", NULL},
	{"/run/snmpd", NULL},
	{"tlstcp:10161,dtlsudp:10161,ssh:22", NULL},
	{"udp:", NULL},
};

static void test_addresses(void)
{
	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct snmpd_conf conf = {0};
		char address[128] = "";
		bool found;

		unit_case("%s", cases[i].addresses ? cases[i].addresses : "not set");
		if (cases[i].addresses)
			snprintf(conf.addresses, sizeof(conf.addresses), "%s", cases[i].addresses);
		found = snmpd_conf_address(&conf, address, sizeof(address));
		CHECK_EQUAL(found, cases[i].wanted != NULL);
		CHECK_TEXT(address, cases[i].wanted ? cases[i].wanted : "");
	}
}

/* ---- communities ---- */

static const struct {
	const char *token, *line;
	const char *name; /* NULL: there is no community on it */
	const char *source, *view;
	bool can_ask;
} lines[] = {
	{"rocommunity", "public", "public", "default", "", true},
	{"rocommunity", "public 192.0.2.1", "public", "192.0.2.1", "", true},
	{"ROcommunity", "public default -V all", "public", "default", "all", true},
	{"rwcommunity", "public default .1.3", "public", "default", "", true},
	{"rocommunity", "'two words' 192.0.2.1", "two words", "192.0.2.1", "", true},
	{"rocommunity", "public default -V all other", "public", "default", "all", false},
	{"rocommunity", "public default -V all *", "public", "default", "all", true},
	{"rocommunity", "-v 1 public", "public", "default", "", false},
	{"rocommunity", "-v 2c public 192.0.2.1", "public", "192.0.2.1", "", true},
	{"rocommunity", "public !192.0.2.1", "public", "!192.0.2.1", "", false},
	{"rocommunity6", "public default -V all", "public", "default", "all", false},
	{"rwcommunity6", "public", "public", "default", "", false},
	{"authcommunity", "read,write public default -V all", "public", "default", "all", true},
	{"authcommunity", "log,execute,net public", "public", "default", "", false},
	{"com2sec", "local 192.0.2.1 public", "public", "192.0.2.1", "", true},
	{"com2sec", "-Cn other local 192.0.2.1 public", "public", "192.0.2.1", "", false},
	{"com2sec6", "local default public", "public", "default", "", false},
	{"com2sec", "local", NULL, NULL, NULL, false},
	{"rocommunity", "", NULL, NULL, NULL, false},
	{"rouser", "operator", NULL, NULL, NULL, false},
};

static void test_lines(void)
{
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		struct community found;
		bool is_one = community_parse(lines[i].token, lines[i].line, &found);

		unit_case("%s %s", lines[i].token, lines[i].line);
		CHECK_EQUAL(is_one, lines[i].name != NULL);
		if (!lines[i].name)
			continue;
		CHECK_TEXT(found.name, lines[i].name);
		CHECK_TEXT(found.source, lines[i].source);
		CHECK_TEXT(found.view, lines[i].view);
		CHECK_EQUAL(found.can_ask, lines[i].can_ask);
	}
}

static const struct {
	const char *source, *other;
	bool covers;
} sources[] = {
	{"default", "default", true},
	{"default", "192.0.2.1", true},
	{"default", "2001:db8::/32", true},
	{"192.0.2.1", "default", false},
	{"192.0.2.1", "192.0.2.1", true},
	{"192.0.2.1", "192.0.2.2", false},
	{"192.0.2.0/24", "192.0.2.1", true},
	{"192.0.2.0/24", "192.0.2.0/25", true},
	{"192.0.2.0/25", "192.0.2.0/24", false},
	{"192.0.2.0/255.255.255.0", "192.0.2.77", true},
	{"192.0.2.77/24", "192.0.2.1", true},
	{"0.0.0.0/0", "192.0.2.1", true},
	{"0.0.0.0/0", "default", true},
	{"192.0.2.1/32", "192.0.2.1", true},
	{"192.0.2.0/33", "192.0.2.1", false},
	{"192.0.2.0/x", "192.0.2.1", false},
	{"192.0.2.0/", "192.0.2.0", false},
	{"127.0.0.0/8", "localhost", true},
	{"localhost", "127.0.0.1", true},
	{"2001:db8::/32", "2001:DB8::/32", true},
	{"2001:db8::/32", "2001:db8::1", false}, /* not looked into */
};

static void test_sources(void)
{
	for (size_t i = 0; i < UNIT_COUNT(sources); i++) {
		unit_case("%s %s", sources[i].source, sources[i].other);
		CHECK_EQUAL(community_source_covers(sources[i].source, sources[i].other), sources[i].covers);
	}
}

/* Lines in their order; `by` is the line that is found before each of them, -1: none. */
static const struct {
	const char *token, *line;
	int by;
} order[] = {
	{"rocommunity", "public 192.0.2.0/24", -1}, {"rocommunity", "public 192.0.2.1", 0},
	{"rocommunity", "another 192.0.2.1", -1},   {"rocommunity6", "public 192.0.2.1", -1},
	{"rwcommunity", "public 192.0.3.1", -1},    {"com2sec", "local default public", -1},
	{"authcommunity", "read public", 5},        {"rocommunity", "public 192.0.4.1", 5},
	{"rocommunity", "denied !192.0.2.1", -1},   {"rocommunity", "denied 192.0.2.1", 8},
	{"rocommunity", "denied 192.0.2.0/24", -1},
};

static void test_shadows(void)
{
	static struct community found[UNIT_COUNT(order)];

	for (size_t i = 0; i < UNIT_COUNT(order); i++) {
		const struct community *shadow;

		unit_case("%zu: %s %s", i, order[i].token, order[i].line);
		CHECK(community_parse(order[i].token, order[i].line, &found[i]));
		shadow = community_shadow(found, i);
		CHECK_EQUAL(shadow ? shadow - found : -1, order[i].by);
	}
}

static const struct unit_test tests[] = {
	{"the address of snmpd", test_addresses},
	{"lines with communities", test_lines},
	{"where a community may come from", test_sources},
	{"lines that are never reached", test_shadows},
};

int main(void)
{
	return UNIT_MAIN("snmpd_conf", tests);
}
