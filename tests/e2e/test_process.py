#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Life as a process: descriptors that are closed at the start."""

import contextlib
import ctypes
import os
import signal

import agents
import bed
import endurance
import snmp
from bed import wait_for
from endurance import must_end_well
from tap import Tap, require_daemon

PR_SET_CHILD_SUBREAPER = 36
# What a shell is told, and which descriptors that closes.
CLOSED = [("<&-", {0}), (">&-", {1}), ("2>&-", {2}), ("<&- >&- 2>&-", {0, 1, 2})]
IDLE_SECONDS, IDLE_CPU = 0.5, 0.25


class Node(agents.SoftwareNode):
    """A software node which logs to a file; a shell says what becomes of its descriptors."""

    def __init__(self, folder, redirections="", args=(), config="", snmpd=None):
        super().__init__(folder, snmpd, "ca.conf", args, config)
        self.redirections = redirections
        self.file = os.path.join(self.home, "log")

    def command(self):
        words = [word for word in super().command() if word != "-Le"]
        return ["sh", "-c", f'exec "$@" {self.redirections}', "sh", *words, "-Lf", self.file]

    def logged(self):
        with contextlib.suppress(FileNotFoundError), open(self.file, encoding="utf-8") as file:
            return file.read()
        return ""

    def wait_logged(self, text, count=1):
        wait_for(lambda: self.logged().count(text) >= count or not self.running(), f"'{text}' in the log file")
        return self.logged().count(text) >= count


def children():
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        return [int(number) for number in file.read().split()]


class Background(Node):
    """It goes into the background; this process inherits it."""

    pid = None

    def command(self):
        return [word for word in super().command() if word != "-f"]

    def start(self):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        super().start()
        if self.process.wait(bed.LIMIT) != 0:
            raise bed.NotInTime(f"it did not start: {self.logged()}")
        (self.pid,) = [child for child in children() if os.readlink(f"/proc/{child}/exe") == self.binary()]

    def running(self):
        return self.pid is not None and os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def send(self, number):
        os.kill(self.pid, number)

    def stop(self, limit=bed.STOP_LIMIT):
        """Its exit status, not that of the process that started it."""
        if self.pid is None:
            return super().stop(limit)
        if self.running():
            self.send(signal.SIGTERM)
        try:
            wait_for(lambda: not self.running(), "its end", limit)
        except bed.NotInTime:
            self.send(signal.SIGKILL)
        pid, self.pid = self.pid, None
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def descriptors(pid):
    """What standard input, output and error are."""
    return [os.readlink(f"/proc/{pid}/fd/{number}") for number in range(3)]


def closed_descriptors(tap, folder, redirections, numbers):
    what = f"started in the foreground with {redirections}"
    with Node(folder, redirections) as node:
        node.wait_logged("is served")
        found = descriptors(node.process.pid)
        tap.ok(all(found[number] == "/dev/null" for number in numbers), f"{what}: /dev/null is in its place", found)
        obeys(tap, node, node.process.pid, node.process.send_signal, what)


def closed_in_background(tap, folder):
    what = "started in the background with all closed"
    with (agents.Snmpd(folder) as snmpd, Background(folder, CLOSED[-1][0], snmpd=snmpd) as node,
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, node)
        tap.equal(descriptors(node.pid), ["/dev/null"] * 3, f"{what}: it serves")
        obeys(tap, node, node.pid, node.send, what)


def obeys(tap, node, pid, send, what):
    """It answers SIGHUP and SIGUSR1 in its log file, and has nothing to do in the meantime."""
    send(signal.SIGHUP)
    heard = node.wait_logged("the configuration was read again")
    send(signal.SIGUSR1)
    tap.ok(heard and node.wait_logged("status: snmpd"), f"{what}: SIGHUP and SIGUSR1 are heard", [node.logged()])
    before = endurance.cpu_seconds(pid)
    with contextlib.suppress(bed.NotInTime):
        wait_for(lambda: not node.running(), "an end that is not wanted", IDLE_SECONDS)
    used = endurance.cpu_seconds(pid) - before
    tap.ok(used < IDLE_CPU, f"{what}: it does not spin", [f"{used} s of processor time in {IDLE_SECONDS} s"])
    must_end_well(node)
    tap.ok(node.logged().rstrip().endswith("agent: the end"), f"{what}: SIGTERM ends it", [node.logged()])


def main():
    bed.end_on_sigterm()
    require_daemon()
    tap = Tap()
    with bed.scratch() as folder:
        for redirections, numbers in CLOSED:
            tap.case(closed_descriptors, folder, redirections, numbers)
        tap.case(closed_in_background, folder)
    tap.done()


if __name__ == "__main__":
    main()
