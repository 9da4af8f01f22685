// SPDX-License-Identifier: BSD-2-Clause
/* Reports to a subscriber: what is answered with a ReportResp, and what is passed on. */
#include <errno.h>
#include <string.h>

#include "sma/log.h"
#include "tests/logged.h"
#include "tests/notice/inform_fixture.h"
#include "tests/unit.h"

enum { AT_DATA = 56 };

/* A Report of trap 144 from the port with LID 7, as opensm sends it. */
static struct mail report(void)
{
	static const uint8_t header[24] = {0x01, 0x03, 0x02, 0x06, [8] = 0x00, 0x00, 0x00,
	                                   0x0B, 0x02, 0xDA, 0xB0, 0x01,       0x00, 0x02};
	static const uint8_t notice[24] = {0x84, 0x00, 0x00, 0x01, 0x00, 0x90, 0x00, 0x07, 0x00, 0x00,
	                                   0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x02, 0x50, 0xE8, 0x48};
	struct mail mail = {.kind = MAIL_MAD, .slid = INFORM_SM_LID, .sl = 2, .size = 256};

	memcpy(mail.mad, header, sizeof(header));
	memcpy(mail.mad + AT_DATA, notice, sizeof(notice));
	memcpy(mail.mad + AT_DATA + 64, inform_fixture_port.gid, 16);
	mail.mad[4] = 0x5A; /* status and RMPP bytes that a sender left over */
	mail.mad[24] = 0x01;
	mail.mad[255] = 0xA5;
	return mail;
}

static void test_report(void)
{
	struct mail mail = report();
	uint8_t wanted[MAD_SIZE];
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	CHECK(inform_fixture_take(&b, mail));
	CHECK_EQUAL(b.fake.count, 1);
	memcpy(wanted, mail.mad, MAD_SIZE);
	wanted[3] = 0x86;
	wanted[4] = 0;
	CHECK_OCTETS(b.fake.sent[0].packet.mad, wanted, MAD_SIZE);
	CHECK_EQUAL(b.fake.sent[0].packet.lid, INFORM_SM_LID);
	CHECK_EQUAL(b.fake.sent[0].packet.sl, 2);
	CHECK_EQUAL(b.fake.sent[0].timeout_ms, 0);
	CHECK_EQUAL(b.found, 1);
	CHECK_EQUAL(b.source, SMA_NOTICE_SA);
	CHECK_EQUAL(b.size, 64);
	CHECK_EQUAL(b.tid, 0x02DAB001);
	CHECK_OCTETS(b.data, mail.mad + 56, 64);
	CHECK_OCTETS(b.gid, inform_fixture_port.gid, 16);

	/* it is answered as often as it comes, and whether or not it could be sent */
	b.fake.result = -EAGAIN;
	CHECK(inform_fixture_take(&b, mail));
	CHECK_EQUAL(b.found, 2);
	b.fake.result = 0;
	inform_fixture_end(&b);
}

/* What an earlier run left behind is answered before the new subscription is confirmed. */
static void test_early_report(void)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	inform_fixture_turn(&b);
	CHECK(inform_fixture_take(&b, report()));
	CHECK_EQUAL(b.found, 1);
	CHECK_EQUAL(b.fake.count, 2);
	CHECK_EQUAL(fake_transport_last(&b.fake)->packet.mad[3], 0x86);
	inform_fixture_end(&b);
}

static void test_foreign_report(void)
{
	struct mail mail = report();
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	logged_start(true);
	mail.slid = 3;
	CHECK(inform_fixture_take(&b, mail));
	mail.slid = 0;
	CHECK(inform_fixture_take(&b, mail));
	CHECK_EQUAL(b.found, 0);
	CHECK_EQUAL(b.fake.count, 0);
	CHECK_EQUAL(logged_with("was dropped"), 2);
	CHECK_EQUAL(logged_level(SMA_LOG_DEBUG), 2);
	b.local.sm_lid = 0; /* with no SM there is none to take a Report from */
	inform_fixture_turn(&b);
	CHECK(inform_fixture_take(&b, mail));
	CHECK_EQUAL(b.found, 0);
	inform_fixture_end(&b);
}

struct patch {
	const char *name;
	unsigned at;
	uint8_t value;
	uint16_t size;
};

static const struct patch malformed[] = {
	{"too short for IssuerGID", 0, 1, 135}, {"header only", 0, 1, 24},      {"base version 2", 0, 2, 256},
	{"class version 1", 2, 1, 256},         {"class version 3", 2, 3, 256}, {"class 0x04", 1, 4, 256},
	{"ReportResp", 3, 0x86, 256},           {"Trap", 3, 0x05, 256},         {"InformInfo", 17, 3, 256},
	{"attribute 0x0102", 16, 1, 256},
};

static void test_malformed_report(void)
{
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	for (size_t i = 0; i < UNIT_COUNT(malformed); i++) {
		struct mail mail = report();

		unit_case("%s", malformed[i].name);
		mail.mad[malformed[i].at] = malformed[i].value;
		mail.size = malformed[i].size;
		inform_fixture_take(&b, mail);
		CHECK_EQUAL(b.found, 0);
		CHECK_EQUAL(b.fake.count, 0);
	}
	unit_case("the shortest");
	struct mail mail = report();

	mail.size = 136;
	CHECK(inform_fixture_take(&b, mail));
	CHECK_EQUAL(b.found, 1);
	unit_case("a Report that came back unanswered");
	mail.status = ETIMEDOUT;
	CHECK(!inform_fixture_take(&b, mail));
	CHECK_EQUAL(b.found, 1);
	inform_fixture_end(&b);
}

static const struct unit_test tests[] = {
	{"Report", test_report},
	{"Report before the confirmation", test_early_report},
	{"Report from elsewhere", test_foreign_report},
	{"malformed Reports", test_malformed_report},
};

int main(void)
{
	return UNIT_MAIN("inform report", tests);
}
