#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""The fabric under the daemon dies and comes again: no busy loop, no flood in the log, and values again.

With IBSMAD_ENDURANCE set in the environment: for as long as it takes to believe it.
"""

import os
import re
import signal
import time

import agents
import bed
import endurance
import netfiles
import snmp
from bed import wait_for
from endurance import CONFIG, cpu_seconds, end, footprint, must_end_well, scale
from tap import Tap, require_daemon
from test_restarts import timed

AWAY_SECONDS = scale(12, 300)
LINES, CPU_PERCENT = 10, 2
HOST = "S-sw1"
QUICK = "cacheTime node 1\ncacheTime switch 1\ncacheTime port 1\nnotifyPoll 2\n"


class Logged(agents.Daemon):
    """With a log of its own lines, without those of the simulator's library."""

    def __init__(self, folder, snmpd, fabric, host, **options):
        self.own_log = os.path.join(folder, f"{bed.private_name()}.log")
        super().__init__(folder, snmpd, fabric, host, ["-Lf", self.own_log], **options)

    def own_lines(self):
        with open(self.own_log, encoding="utf-8") as file:
            return file.read().splitlines()


def answered(daemon):
    """How many SMPs were."""
    before = len(daemon.own_lines())
    daemon.process.send_signal(signal.SIGUSR1)
    wait_for(lambda: len(daemon.own_lines()) > before or not daemon.running(), "a status line")
    found = re.search(r"answered (\d+)", " ".join(daemon.own_lines()[before:]))
    return int(found[1]) if found else 0


def ask_for(client, seconds, daemon):
    """Asks on for some time, or until the daemon ends."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and daemon.running():
        endurance.answer(client, [agents.PROBE])
        time.sleep(0.1)


def while_away(tap, daemon, client):
    pid, before, lines = daemon.process.pid, cpu_seconds(daemon.process.pid), len(daemon.own_lines())
    start = time.monotonic()
    feet = footprint(pid)
    ask_for(client, AWAY_SECONDS, daemon)
    spent = time.monotonic() - start
    said = daemon.own_lines()[lines:]
    if daemon.running():
        percent = 100 * (cpu_seconds(pid) - before) / spent
        tap.ok(percent < CPU_PERCENT, f"ibsim is gone for {spent:.0f} s: {percent:.1f} % of a processor")
        after = footprint(pid)
        tap.ok(after.descriptors == feet.descriptors and after.rss - feet.rss < endurance.growth_kib(),
               "ibsim is gone: nothing grows", [feet, after])
    tap.ok(1 <= len(said) <= LINES, f"ibsim is gone for {spent:.0f} s: {len(said)} lines", said)


def is_back(daemon, client, count):
    endurance.answer(client, [agents.PROBE])
    return not daemon.running() or answered(daemon) > count


def fabric_dies(tap, fabric):
    with (agents.Snmpd(fabric.folder) as snmpd, Logged(fabric.folder, snmpd, fabric, HOST, config=CONFIG + QUICK) as daemon,
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, daemon)
        end(fabric.process, signal.SIGKILL)
        while_away(tap, daemon, client)
        fabric.stop()
        fabric.start()
        count = answered(daemon) if daemon.running() else 0
        wait_for(lambda: is_back(daemon, client, count), "fresh values, or the daemon's end", interval=0.2)
        if daemon.running():
            tap.ok(True, "ibsim is back: SMPs are answered again")
            must_end_well(daemon)
            return
        tap.ok(daemon.process.returncode == 1 and any("QP0 is lost" in line for line in daemon.own_lines()[-2:]),
               "without its device the daemon ends: status 1, and says why", daemon.own_lines())
        daemon.start()
        agents.wait_serving(client, daemon)
        tap.ok(True, "started again it serves")
        must_end_well(daemon)


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder, bed.Fabric(netfiles.t1(), folder) as fabric:
        timed(tap, fabric_dies, fabric)
    tap.done()


if __name__ == "__main__":
    main()
