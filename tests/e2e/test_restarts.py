#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""snmpd and ibsmad die and come again, at any moment, under load.

With IBSMAD_ENDURANCE set in the environment: as often as it takes to believe it.
"""

import random
import signal
import time

import agents
import bed
import endurance
import netfiles
from bed import wait_for
from endurance import Stream, Walk, account, end, findings, footprint, scale, seconds_until_right, spread
from tap import Tap, require_daemon

RESTARTS, RESTARTS_TCP = scale(8, 100), scale(4, 20)
DEATHS = scale(16, 200)
KILLS = scale(5, 20)
BACK_SECONDS = scale(10, 2)  # after snmpd has its socket; the other runs beside other tests
SUPERVISED_SECONDS = 15


# ---- snmpd goes and comes ----

class Restarts:
    """snmpd ends by SIGKILL and SIGTERM in turn, and comes again."""

    def __init__(self, b, stream):
        self.b, self.stream = b, stream
        self.spent = []
        self.killed = []  # which notices arose about then

    def freeze(self):
        """Has one be on its way, and others behind it."""
        self.b.snmpd.process.send_signal(signal.SIGSTOP)
        wanted = self.stream.next + 3
        wait_for(lambda: self.stream.next > wanted or self.stream.trouble, "further notices")

    def restart(self, number, frozen=0):
        """Notes how long until all is right again, from the moment when snmpd has its sockets."""
        if frozen:
            self.freeze()
        first = max(self.b.told(), default=0)  # all before are acknowledged: one is on its way at a time
        end(self.b.snmpd.process, number)
        self.b.snmpd.start()
        self.spent.append(seconds_until_right(self.b.snmpd.port, self.b.some()))
        if number == signal.SIGKILL:
            self.killed.append(range(first, self.stream.next + 1))
        self.b.wait_told(self.stream.next - 1)

    def run(self, times):
        for i in range(times // 2):
            self.restart(signal.SIGKILL, i % 2)
            self.restart(signal.SIGTERM)


def told_once(tap, restarts_, what):
    """What was on its way at a kill -9 may have been sent on, and is sent again as nobody said so."""
    b, wanted = restarts_.b, restarts_.stream.numbers()
    b.wait_told(wanted[-1])
    result = account(b.told(), wanted)
    excused = [number for number in result.doubled if any(number in killed for killed in restarts_.killed)]
    tap.ok(not result.lost and result.in_order and result.doubled == excused and len(excused) <= len(restarts_.killed),
           f"{what}: {len(wanted)} notifications, none lost or doubled, in order", [result])
    if excused:
        tap.note([f"sent by an snmpd that was killed before it said so, and again: {excused}"])


def restarts(tap, folder, kind, node, times):
    what = f"{times} restarts of snmpd, AgentX by {kind}"
    with endurance.beside(folder, node=node, tcp=kind == "tcp") as b:
        with Stream(b.node) as stream, Walk(b.snmpd.port, b.rows) as walk:
            wait_for(lambda: walk.whole >= 1, "a whole walk")
            all_ = Restarts(b, stream)
            all_.run(2)
            before = footprint(b.pid)
            all_.run(times)
            after = footprint(b.pid)
            walks = walk.whole
            wait_for(lambda: walk.whole > walks or walk.trouble, "a whole walk at the end")
        tap.ok(max(all_.spent) < BACK_SECONDS, f"{what}: values are right again: {spread(all_.spent)}", all_.spent)
        tap.ok(after.descriptors == before.descriptors and after.threads == before.threads and
               after.rss - before.rss < endurance.growth_kib(), f"{what}: nothing grows", [before, after])
        tap.note([f"before: {before}; after: {after}; {walk}"])
        tap.ok(not walk.wrong and not walk.trouble and not stream.trouble, f"{what}: no wrong value in {walk.rows} rows",
               [walk.wrong, walk.trouble, stream.trouble])
        told_once(tap, all_, what)
        tap.equal(b.node.log().count("AgentX subagent connected"), times + 3, f"{what}: as many sessions")
    tap.ok(True, f"{what}: SIGTERM ends it with status 0")


EARLY_DEATHS = 4


def dies_early(b, connected):
    """An snmpd takes the connection, and dies before it answers."""
    b.snmpd.start()
    b.snmpd.process.send_signal(signal.SIGSTOP)
    wait_for(lambda: footprint(b.pid).descriptors == connected, "a connection")
    end(b.snmpd.process, signal.SIGKILL)
    wait_for(lambda: footprint(b.pid).descriptors < connected, "its end")


def early_deaths(tap, folder):
    """It is no refusal, after which one would wait for longer."""
    with endurance.beside(folder, node=endurance.ADAPTER) as b:
        connected = footprint(b.pid).descriptors
        end(b.snmpd.process, signal.SIGKILL)
        wait_for(lambda: footprint(b.pid).descriptors < connected, "the end of the session")
        for _ in range(EARLY_DEATHS):
            dies_early(b, connected)
        b.snmpd.start()
        spent = seconds_until_right(b.snmpd.port, b.some())
        tap.ok(spent < BACK_SECONDS, f"{EARLY_DEATHS} snmpds die before they answer, the next is served in {spent:.2f} s")


# ---- both at once ----

class Deaths:
    """Rounds in which snmpd ends in the middle of a walk, and each second time the daemon with it."""

    def __init__(self, fabric):
        self.fabric = fabric
        self.random = random.Random(10)
        self.bad = []

    def round(self, snmpd, both):
        with (snmpd, agents.Daemon(self.fabric.folder, snmpd, self.fabric, "S-sw1") as daemon,
              Walk(snmpd.port, ()) as walk):
            wait_for(lambda: walk.rows or not daemon.running(), "rows")
            # any moment will do, and none is better than another
            time.sleep(self.random.uniform(0, 0.1))
            snmpd.process.send_signal(signal.SIGTERM)
            if both:
                daemon.process.send_signal(signal.SIGTERM)
            snmpd.wait_end()
            if not both:
                daemon.wait_log("the session with snmpd")
            self.judge(daemon, daemon.stop())

    def judge(self, daemon, status):
        if status or findings(daemon.log()):
            self.bad.append(f"status {status}: {daemon.log()[-2000:]}")

    def run(self, rounds):
        snmpd = agents.Snmpd(self.fabric.folder, extra=endurance.VIEW)
        for number in range(rounds):
            self.round(snmpd, number % 2)


def deaths(tap, fabric):
    rounds = Deaths(fabric)
    rounds.run(DEATHS)
    tap.ok(not rounds.bad, f"{DEATHS} deaths of snmpd in a walk, half of them with ibsmad's: status 0, no finding",
           rounds.bad[:3])


# ---- the daemon killed ----

class Killing:
    """The daemon is killed again and again, and started as a supervisor does."""

    def __init__(self, b, walk):
        self.b, self.walk = b, walk
        self.random = random.Random(9)

    def kill(self):
        """Seconds from the kill until all is right again."""
        wanted = self.walk.rows + self.random.randrange(1000)
        wait_for(lambda: self.walk.rows > wanted, "rows of a walk")
        start = time.monotonic()
        end(self.b.node.process, signal.SIGKILL)
        self.b.node.stop()
        self.b.node.start()
        seconds_until_right(self.b.snmpd.port, self.b.some())
        return time.monotonic() - start


def kills(tap, folder):
    what = f"{KILLS} times kill -9 of ibsmad in a walk"
    with endurance.beside(folder) as b, Walk(b.snmpd.port, b.rows) as walk:
        before = footprint(b.snmpd.process.pid)
        killing = Killing(b, walk)
        spent = [killing.kill() for _ in range(KILLS)]
        after = footprint(b.snmpd.process.pid)
        tap.ok(max(spent) < SUPERVISED_SECONDS, f"{what}: back in {spread(spent)}", spent)
        tap.ok(b.snmpd.running(), f"{what}: snmpd lives on")
        tap.note([f"snmpd before: {before}; after: {after}; {walk}"])
        tap.ok(not walk.wrong and not walk.trouble, f"{what}: no wrong value in {walk.rows} rows",
               [walk.wrong, walk.trouble])


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder:
        for case in ((restarts, folder, "unix", endurance.SWITCH, RESTARTS),
                     (restarts, folder, "tcp", endurance.ADAPTER, RESTARTS_TCP), (early_deaths, folder), (kills, folder)):
            timed(tap, *case)
        with bed.Fabric(netfiles.t1(), folder) as fabric:
            timed(tap, deaths, fabric)
    tap.done()


def timed(tap, function, *args):
    start = time.monotonic()
    tap.case(function, *args)
    tap.note([f"{function.__name__}: {time.monotonic() - start:.1f} s"])


if __name__ == "__main__":
    main()
