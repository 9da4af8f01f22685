// SPDX-License-Identifier: BSD-2-Clause
#include "tests/agent/notify_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

const struct notify_config notify_fixture_plenty = {
	.rate = 1000,
	.burst = FAKE_SESSION_KEPT,
	.queue = FAKE_SESSION_KEPT,
	.pace = NOTIFY_BENCH_PACE,
};

struct notify *notify_fixture_begin(const struct notify_config *config)
{
	fake_session_reset();
	logged_start(false);
	return notify_new(config, &fake_session_sender);
}

void notify_fixture_finish(struct notify *notify)
{
	notify_free(notify);
	logged_stop();
}

struct notify_counters notify_fixture_counts(const struct notify *notify)
{
	struct notify_counters counters;

	notify_count(notify, &counters);
	return counters;
}

/* 128 has the LID at byte 10 of the notice, the others at 12. */
void notify_fixture_take_trap(struct notify *notify, unsigned trap, unsigned lid, unsigned port,
                              uint64_t when)
{
	unsigned at = trap == SMA_TRAP_LINK_STATE ? 10 : 12;
	struct sma_notice notice = {
		.data = {0x81, 0, 0, 2, (uint8_t)(trap >> 8), (uint8_t)trap},
		.when = when,
	};

	notice.data[at] = (uint8_t)(lid >> 8);
	notice.data[at + 1] = (uint8_t)lid;
	notice.data[at + 2] = (uint8_t)port;
	notify_take(notify, &notice);
}

void notify_fixture_take(struct notify *notify, unsigned lid, uint64_t when)
{
	notify_fixture_take_trap(notify, SMA_TRAP_LINK_STATE, lid, 0, when);
}

void notify_fixture_take_many(struct notify *notify, unsigned first, unsigned count, uint64_t when)
{
	for (unsigned i = 0; i < count; i++)
		notify_fixture_take(notify, first + i, when);
}

uint64_t notify_fixture_run(struct notify *notify, uint64_t now, unsigned limit)
{
	uint64_t due = notify_process(notify, now);

	while (due <= now || (fake_session.done && limit)) {
		if (fake_session.done && limit-- > 0)
			fake_session_end_notification(MIB_SENT);
		due = notify_process(notify, now);
	}
	return due;
}

void notify_fixture_check_sent(unsigned first, unsigned count)
{
	CHECK_EQUAL(fake_session.count, count);
	for (unsigned i = 0; i < fake_session.count; i++) {
		unit_case("notification %u", i);
		CHECK_EQUAL(fake_session.sent[i].lid, first + i);
	}
	unit_case(NULL);
}
