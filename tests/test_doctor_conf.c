// SPDX-License-Identifier: BSD-2-Clause
/* Where snmpd can be asked, as the doctor takes it from agentaddress (snmpd(8), LISTENING ADDRESSES). */
#include <stdio.h>
#include <string.h>

#include "agent/doctor_conf.h"
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
		struct doctor_conf conf = {0};
		char address[128] = "";
		bool found;

		unit_case("%s", cases[i].addresses ? cases[i].addresses : "not set");
		if (cases[i].addresses)
			snprintf(conf.addresses, sizeof(conf.addresses), "%s", cases[i].addresses);
		found = doctor_conf_address(&conf, address, sizeof(address));
		CHECK_EQUAL(found, cases[i].wanted != NULL);
		CHECK_TEXT(address, cases[i].wanted ? cases[i].wanted : "");
	}
}

static const struct unit_test tests[] = {
	{"the address of snmpd", test_addresses},
};

int main(void)
{
	return UNIT_MAIN("doctor_conf", tests);
}
