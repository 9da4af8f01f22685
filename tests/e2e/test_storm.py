#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Notifications in bad times: more of them than may leave, and snmpd away or not moving."""

import contextlib
import datetime
import re
import signal
import threading
import time

import agents
import bed
import notices
import snmp
import trapd
from bed import wait_for
from tap import Tap, require_daemon
from test_console import Console

CONFIG = "agentXPingInterval 1\n"
UNPACED = "notifyPace 100000\n"
NODE = "lid 1 17 1\n"
PROBE = "badpkey qp1=0x{:x}"


class Bed:
    """A software node with a console, an snmpd that may go and come, and a sink."""

    def __init__(self, folder, config, receivers):
        self.sink = trapd.Sink()
        self.snmpd = agents.Snmpd(folder, extra="".join(f"{one.line('trap2sink')}\n"
                                                        for one in (self.sink, *receivers)))
        self.node = Console(folder, self.snmpd, "ca.conf", NODE, config=CONFIG + config)
        self.client = snmp.Client(self.snmpd.port)

    def status(self):
        """Counters by their names, as SIGUSR1 has them logged."""
        before = self.node.log().count("status:")
        self.node.process.send_signal(signal.SIGUSR1)
        wait_for(lambda: self.node.log().count("status:") > before, "a status line")
        line = self.node.log().rpartition("status:")[2]
        return {name.strip(): int(number) for name, number in re.findall(r"([a-zA-Z ]+) (\d+)", line)}

    def queue_pairs(self):
        return [notices.queue_pair(one) for one in self.sink.of()]

    def bad_p_keys(self, queue_pairs):
        """One notice for each, as fast as the console takes them; the seconds that it took."""
        return flood(self.node, [PROBE.format(number) for number in queue_pairs])

    def serves(self):
        agents.wait_serving(self.client, self.node)


@contextlib.contextmanager
def running(folder, config=UNPACED, receivers=()):
    b = Bed(folder, config, receivers)
    with b.sink, b.client, b.snmpd, b.node, agents.ends_well(b.node):
        b.serves()
        yield b


def flood(console, lines):
    """Says the lines without waiting for each answer; all must be ok."""
    answers = []

    def read():
        while len(answers) < len(lines) and (line := console.process.stdout.readline()):
            answers.append(line)

    reader = threading.Thread(target=read)
    start = time.monotonic()
    reader.start()
    console.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    console.process.stdin.flush()
    reader.join()
    if set(answers) != {b"ok\n"} or len(answers) != len(lines):
        raise snmp.SnmpError(f"{len(answers)} answers to {len(lines)} lines: {set(answers)}")
    return time.monotonic() - start


def memory(process):
    """Resident, in KiB."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])


def is_sanitized():
    with open(agents.daemon_binary(), "rb") as file:
        return b"__asan_init" in file.read()


# A sanitizer keeps what was freed.
PLAIN_KIB, SANITIZED_KIB = 4096, 1 << 18

# ---- storms ----

DISTINCT, RATE, BURST = 10_000, 100, 1000


def many_traps(tap, folder):
    """More different ones than may leave."""
    limit = SANITIZED_KIB if is_sanitized() else PLAIN_KIB
    with running(folder) as b:
        before = memory(b.node.process)
        start = time.monotonic()
        spent = b.bad_p_keys(range(1, DISTINCT + 1))
        status = b.status()
        kept = DISTINCT - status["held back"]
        got = b.sink.wait(kept)
        grown = memory(b.node.process) - before
        most = BURST + RATE * (time.monotonic() - start) + 1
        tap.ok(BURST <= kept <= most, f"{DISTINCT} in {spent:.1f} s: {kept} notifications", [most, status])
        numbers = b.queue_pairs()
        tap.ok(len(got) == kept and numbers == sorted(set(numbers)) and numbers[:BURST] == list(range(1, BURST + 1)),
               "in order, none twice, the first all there", numbers[:20])
        tap.ok(grown < limit, f"memory grew by {grown} KiB")
        b.node.stop()
        tap.ok(f"ibSmaBadPartitionKey {status['held back']}" in b.node.log(),
               "how many were held back is logged, with the name of the notification", b.node.log_lines())


# ---- outages ----

WAITING, PACE, AT_ONCE = 900, 150, 15
SMALL_QUEUE, OVERFLOW = 100, 350


def notice_time(notification):
    """The date and time at its end, or None."""
    last = notification.varbinds[-1]
    if last.oid != notices.NOTICE_TIME:
        return None
    if last.tag != 0x04 or len(last.octets) != 11:
        raise snmp.SnmpError(f"no DateAndTime: {last}")
    year = int.from_bytes(last.octets[:2], "big")
    month, day, hour, minute, second, tenth = last.octets[2:8]
    offset = datetime.timedelta(hours=last.octets[9], minutes=last.octets[10])
    zone = datetime.timezone(offset if last.octets[8:9] == b"+" else -offset)
    return datetime.datetime(year, month, day, hour, minute, second, tenth * 100_000, zone).timestamp()


def kill(process):
    process.kill()
    process.wait()


def outage(tap, folder):
    """Afterwards they leave at a pace with which snmptrapd keeps up, whose socket has room for about 200."""
    with trapd.Trapd(folder) as named, running(folder, "", [named]) as b:
        kill(b.snmpd.process)
        start = time.time()
        b.bad_p_keys(range(1000, 1000 + WAITING))
        end = time.time()
        # so that each of them waits for long enough
        wait_for(lambda: time.time() > end + 2.5, "the time that makes a notification late")
        b.snmpd.start()
        b.sink.wait(1)
        first = time.monotonic()
        got = b.sink.wait(WAITING)
        spent = time.monotonic() - first
        b.serves()
        b.bad_p_keys([8])
        b.sink.wait(1 + WAITING)
        tap.equal(b.queue_pairs(), [*range(1000, 1000 + WAITING), 8],
                  f"{WAITING} arise while snmpd is dead: all arrive, in order, none twice")
        times = [notice_time(one) for one in got]
        tap.ok(all(at and start - 0.2 <= at <= end + 0.2 for at in times),
               "each with the time of its notice at the end", [start, end, times[:3], times[-3:]])
        tap.equal({(len(one.varbinds), one.uptime) for one in got}, {(9, 0)},
                  "behind all others; sysUpTime.0 is that of an agent that was not there")
        tap.equal(notice_time(b.sink.of()[-1]), None, "one that did not wait has none")
        wait_for(lambda: f"{WAITING} notifications that waited were sent" in b.node.log(), "a line about the waiting")
        tap.ok(True, "a line says how many waited")
        tap.ok(spent > 0.9 * (WAITING - AT_ONCE) / PACE, f"they took {spent:.1f} s, at {PACE} a second")
        named.wait(1 + WAITING)
        tap.equal([notices.queue_pair_told(one) for one in named.of()], b.queue_pairs(), "snmptrapd lost none of them")


def killed_meanwhile(tap, folder):
    """What was on its way when snmpd died may have left before, but is not lost."""
    with running(folder) as b:
        sender = threading.Thread(target=b.bad_p_keys, args=(range(WAITING),))
        sender.start()
        b.sink.wait(10)
        kill(b.snmpd.process)
        sender.join()
        early = b.sink.count()
        b.snmpd.start()
        wait_for(lambda: WAITING - 1 in b.queue_pairs(), "the last one")
        numbers = b.queue_pairs()
        repeated = len(numbers) - len(set(numbers))
        tap.ok(sorted(set(numbers)) == list(range(WAITING)) and numbers == sorted(numbers) and repeated <= 1,
               f"snmpd is killed after {early} of {WAITING}: all arrive, in order, one twice at most",
               [repeated, numbers])


def overflow(tap, folder):
    with running(folder, f"{UNPACED}notifyQueue {SMALL_QUEUE}\n") as b:
        kill(b.snmpd.process)
        # Else the first may be on its way, which is not in the queue.
        b.node.wait_log("has ended")
        b.bad_p_keys(range(OVERFLOW))
        tap.equal(b.status()["waiting"], SMALL_QUEUE, f"a queue of {SMALL_QUEUE} is full")
        b.snmpd.start()
        b.sink.wait(SMALL_QUEUE)
        b.bad_p_keys([OVERFLOW])
        b.sink.wait(SMALL_QUEUE + 1)
        tap.equal(b.queue_pairs(), list(range(OVERFLOW - SMALL_QUEUE, OVERFLOW + 1)), "the newest arrive, in order")
        line = f"{OVERFLOW - SMALL_QUEUE} notifications were dropped"
        wait_for(lambda: line in b.node.log(), line)
        tap.ok(True, "a line says how many were dropped")


# ---- an snmpd that does not move ----

FROZEN_SECONDS, WHILE_FROZEN = 6, 20


def frozen(tap, folder):
    with running(folder) as b:
        b.bad_p_keys([7])
        b.sink.wait(1)
        b.snmpd.process.send_signal(signal.SIGSTOP)
        try:
            end = time.monotonic() + FROZEN_SECONDS
            slowest = 0
            with b.node.reader(None) as reader:
                for number in range(WHILE_FROZEN):
                    start = time.monotonic()
                    b.bad_p_keys([100 + number])
                    answered = reader.get(0x15) is not None
                    slowest = max(slowest, time.monotonic() - start)
                    if not answered:
                        raise snmp.SnmpError("an SMP was not answered")
                    wait_for(lambda n=number: time.monotonic() > end - FROZEN_SECONDS * (1 - (n + 1) / WHILE_FROZEN),
                             "the next moment")
        finally:
            b.snmpd.process.send_signal(signal.SIGCONT)
        tap.ok(slowest < FROZEN_SECONDS / 2, f"SMPs and the console are answered within {slowest:.3f} s while snmpd is frozen")
        b.sink.wait(1 + WHILE_FROZEN)
        b.serves()
        b.bad_p_keys([8])
        wait_for(lambda: 8 in b.queue_pairs(), "the last one")
        tap.equal(b.queue_pairs(), [7, *range(100, 100 + WHILE_FROZEN), 8],
                  f"frozen for {FROZEN_SECONDS} s: what arose comes afterwards, in order, once")
        ticks = [one.uptime for one in b.sink.of()]
        tap.ok(ticks == sorted(ticks) and ticks[-2] - ticks[1] > 100 * (FROZEN_SECONDS - 1),
               "sysUpTime.0 is that of the moment at which each arose", ticks)


END_SECONDS = 10


def end_while_frozen(tap, folder):
    with running(folder) as b:
        b.bad_p_keys([7])
        b.sink.wait(1)
        b.snmpd.process.send_signal(signal.SIGSTOP)
        try:
            b.bad_p_keys(range(100, 110))
            start = time.monotonic()
            status = b.node.stop()
            spent = time.monotonic() - start
        finally:
            b.snmpd.process.send_signal(signal.SIGCONT)
        tap.ok(status == 0 and spent < END_SECONDS, f"SIGTERM while snmpd is frozen: ended in {spent:.1f} s", [status])
        tap.ok("not sent before the shutdown" in b.node.log(), "what is left is logged", b.node.log_lines())


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder:
        for case in (many_traps, outage, killed_meanwhile, overflow, frozen, end_while_frozen):
            start = time.monotonic()
            tap.case(case, folder)
            tap.note([f"{case.__name__}: {time.monotonic() - start:.1f} s"])
    tap.done()


if __name__ == "__main__":
    main()
