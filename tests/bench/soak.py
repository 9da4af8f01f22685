#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""A long life in a short time: GETs, notices, flapping links, restarts of snmpd, SIGHUP. What does the daemon take?

Usage: soak.py [--scale PARTS]; IBSMAD names the daemon.  Scale 1 is 2,000,000 values read with GET, 100,000
notices, 10,000 flaps, 100 restarts and 1000 times SIGHUP.  Prints a table over time, and at the end what was lost.
The exit status is 1 when memory or descriptors grow, a value was wrong or a notification was lost.
"""

import argparse
import os
import signal
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))

import bed  # noqa: E402
import endurance  # noqa: E402
import snmp  # noqa: E402

GETS, NOTICES, FLAPS, RESTARTS, HANGUPS = 2_000_000, 100_000, 10_000, 100, 1000
BATCH = 50               # values of one GET
STEPS = 20               # lines of the table
GROWTH_KIB = 512
WARM_UP = STEPS // 2   # until then tables fill
PORT = 9                 # whose link flaps
# The states of data ports, and that one of them has changed.
FLAPPING = (endurance.ROOT + (1, 5), endurance.ROOT + (1, 2, 9))
CONFIG = "cacheTime port 1\ncacheTime sl2vl 1\n"
HEAD = "   time     GETs  notices   traps  flaps restarts SIGHUPs      RSS   fds threads   CPU"


class Readers:
    """Threads that GET in turn all the rows there are, and compare."""

    COUNT = 2

    def __init__(self, b, total):
        self.b, self.total = b, total
        self.names = [row.oid for row in b.rows if not any(row.oid[:len(part)] == part for part in FLAPPING)]
        self.wanted = {row.oid: row for row in b.rows}
        self.read, self.wrong, self.unanswered = 0, [], 0
        self.lock = threading.Lock()
        self.at = 0

    def batch(self):
        with self.lock:
            self.at += BATCH
            return [self.names[(self.at + i) % len(self.names)] for i in range(BATCH)]

    def run(self, until):
        """Reads until so many values were read."""
        threads = [threading.Thread(target=self._work, args=(until,), daemon=True) for _ in range(self.COUNT)]
        for thread in threads:
            thread.start()
        return threads

    def _work(self, until):
        with snmp.Client(self.b.snmpd.port) as client:
            client.TRIES = 1
            client.socket.settimeout(1)
            while self.read < until:
                self._ask(client, self.batch())

    def _ask(self, client, names):
        try:
            got = client.get(*names)
        except (snmp.SnmpError, OSError):
            self.unanswered += 1
            return
        self.read += len(got)
        # in the moment of a restart nobody serves them
        self.wrong += [row for row in got if row.type not in snmp.EXCEPTIONS and self.wanted[row.oid] != row][:3]


class Life:
    """Everything goes on in steps; each begins with a restart or a SIGHUP, now and then."""

    def __init__(self, b, scale):
        self.b = b
        self.gets, self.notices, self.flaps = (int(count * scale) for count in (GETS, NOTICES, FLAPS))
        self.restarts, self.hangups = max(2, int(RESTARTS * scale)), max(2, int(HANGUPS * scale))
        self.readers = Readers(b, self.gets)
        self.said = self.flapped = self.restarted = self.hung_up = 0
        self.start = time.monotonic()
        self.rows = []

    def chunk(self, lines):
        """What the console is given at once: no more than may wait for snmpd."""
        for line in lines:
            self.b.node.process.stdin.write(f"{line}\n".encode())
        self.b.node.process.stdin.flush()
        answers = {self.b.node.process.stdout.readline() for _ in lines}
        if answers != {b"ok\n"}:
            raise snmp.SnmpError(f"{answers}")

    def notices_and_flaps(self, notices, flaps):
        lines = [endurance.NOTICE.format(number) for number in range(self.said + 1, notices + 1)]
        each = max(1, len(lines) // max(1, flaps - self.flapped))
        for at in range(0, len(lines), 100):
            piece = lines[at:at + 100]
            states = [f"link {PORT} {'up' if i % 2 else 'down'}" for i in range(len(piece) // each)]
            self.chunk(piece + states)
            self.said += len(piece)
            self.flapped += len(states)
            # no more than snmpd passes on, lest the sink's buffer overflows
            bed.wait_for(lambda: len(self.b.sink.received) >= self.said - 2000, "the notifications", 60)

    def disturb(self, part):
        while self.restarted < self.restarts * part:
            endurance.end(self.b.snmpd.process, signal.SIGTERM)
            self.b.snmpd.start()
            endurance.seconds_until_right(self.b.snmpd.port, self.b.some())
            self.restarted += 1
        while self.hung_up < self.hangups * part:
            before = self.b.node.log().count("read again")
            self.b.node.process.send_signal(signal.SIGHUP)
            bed.wait_for(lambda: self.b.node.log().count("read again") > before, "SIGHUP")
            self.hung_up += 1

    def step(self, number):
        part = number / STEPS
        threads = self.readers.run(self.gets * part)
        self.disturb(part)
        self.notices_and_flaps(int(self.notices * part), int(self.flaps * part))
        for thread in threads:
            thread.join()
        self.note()

    def note(self):
        feet = endurance.footprint(self.b.pid)
        self.rows.append(feet)
        print(f"{time.monotonic() - self.start:6.0f}s {self.readers.read:8} {self.said:8} {len(self.b.sink.received):7} "
              f"{self.flapped:6} {self.restarted:8} {self.hung_up:7} {feet.rss:5} KiB {feet.descriptors:5} {feet.threads:7} "
              f"{endurance.cpu_seconds(self.b.pid):5.1f}", flush=True)

    def verdict(self):
        """What went wrong."""
        self.b.wait_told(self.said, 60)
        told = self.b.told()
        lost, doubled = set(range(1, self.said + 1)) - set(told), len(told) - len(set(told))
        early, late = self.rows[WARM_UP], self.rows[-1]
        findings = [
            (late.rss - early.rss > GROWTH_KIB, f"memory grew from {early.rss} to {late.rss} KiB"),
            (late.descriptors != early.descriptors or late.threads != early.threads, f"{early} became {late}"),
            (bool(self.readers.wrong), f"wrong values: {self.readers.wrong[:5]}"),
            (bool(lost), f"{len(lost)} notifications were lost: {sorted(lost)[:10]}"),
            (doubled, f"{doubled} notifications came twice"),
            (told != sorted(told), "the notifications are not in order"),
        ]
        print(f"{self.readers.read} values read, {self.readers.unanswered} GETs without an answer in restarts of snmpd; "
              f"{len(told)} of {self.said} notifications")
        return [text for wrong, text in findings if wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1, help="part of the full counts, such as 0.1")
    scale = parser.parse_args().scale
    bed.end_on_sigterm()
    with bed.scratch() as folder, endurance.beside(folder, config=CONFIG) as b:
        life = Life(b, scale)
        print(HEAD)
        life.note()
        for number in range(1, STEPS + 1):
            life.step(number)
        complaints = life.verdict()
        print(b.status()[1])
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
