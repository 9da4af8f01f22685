#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Life as a process: descriptors that are closed at the start, log files, output that nobody takes."""

import contextlib
import ctypes
import os
import pty
import re
import signal
import subprocess

import agents
import bed
import endurance
import snmp
from bed import wait_for
from endurance import must_end_well
from tap import Tap, require_daemon
from test_console import Console

PR_SET_CHILD_SUBREAPER = 36
# What a shell is told, and which descriptors that closes.
CLOSED = [("<&-", {0}), (">&-", {1}), ("2>&-", {2}), ("<&- >&- 2>&-", {0, 1, 2})]
IDLE_SECONDS, IDLE_CPU = 0.5, 0.25
LINK_STATE = endurance.ROOT + (1, 5, 1, 1, 6)


def read(path):
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
        return file.read()
    return ""


class Node(agents.SoftwareNode):
    """A software node which logs to a file; a shell says what becomes of its descriptors."""

    def __init__(self, folder, redirections="", args=(), config="", snmpd=None, limits=":"):
        super().__init__(folder, snmpd, "ca.conf", args, config)
        self.redirections, self.limits = redirections, limits
        self.file = os.path.join(self.home, "log")

    def command(self):
        words = [word for word in super().command() if word != "-Le"]
        return ["sh", "-c", f'{self.limits}; exec "$@" {self.redirections}', "sh", *words, "-Lf", self.file]

    def logged(self):
        return read(self.file)

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
    if what.endswith(CLOSED[-1][0]) or pid != node.process.pid:
        does_not_spin(tap, node, pid, what)
    must_end_well(node)
    tap.ok(node.logged().rstrip().endswith("agent: shutting down"), f"{what}: SIGTERM ends it", [node.logged()])


def does_not_spin(tap, node, pid, what):
    before = endurance.cpu_seconds(pid)
    with contextlib.suppress(bed.NotInTime):
        wait_for(lambda: not node.running(), "an end that is not wanted", IDLE_SECONDS)
    used = endurance.cpu_seconds(pid) - before
    tap.ok(used < IDLE_CPU, f"{what}: it does not spin", [f"{used} s of processor time in {IDLE_SECONDS} s"])


# ---- log files ----

def rotated(tap, folder):
    with Node(folder) as node:
        node.wait_logged("is served")
        os.rename(node.file, f"{node.file}.1")
        node.process.send_signal(signal.SIGHUP)
        node.wait_logged("the configuration was read again")
        node.process.send_signal(signal.SIGUSR1)
        tap.ok(node.wait_logged("status: "), "after SIGHUP the log goes on in a file of its name", [node.logged()])
        with open(f"{node.file}.1", encoding="utf-8") as old:
            tap.ok("is served" in old.read() and "is served" not in node.logged(), "the old file keeps its lines")
        must_end_well(node)
    before = node.logged()
    with node:
        node.wait_logged("is served")
        must_end_well(node)
    tap.ok(node.logged().startswith(before) and node.logged() != before, "the next start appends to it", [node.logged()])


def file_limit(tap, folder):
    """Of 512 bytes."""
    with Node(folder, "2>|errors", limits="ulimit -f 1") as node:
        errors = os.path.join(node.home, "errors")
        node.wait_logged("is served")
        while not read(errors) and node.running():
            before = node.logged()
            node.process.send_signal(signal.SIGUSR1)
            wait_for(lambda b=before: node.logged() != b or read(errors) or not node.running(), "a line")
        tap.ok(read(errors).count(f"cannot be written to {node.file}: File too large") == 1,
               "a log file that reached the limit of its size is reported once", [read(errors)])
        os.rename(node.file, f"{node.file}.1")
        node.process.send_signal(signal.SIGHUP)
        tap.ok(node.wait_logged("missing here: File too large") and node.running(),
               "the log goes on in another one, which tells what is missing", [node.logged()])
        must_end_well(node)


# ---- output that nobody takes ----

class Pipe:
    """What a process writes to, and what comes of it only when it is read."""

    def __init__(self):
        self.reader, self.writer = os.pipe()

    def close(self):
        for descriptor in (self.reader, self.writer):
            os.close(descriptor)

    def hold(self):
        pass

    def read_until(self, text):
        """What there is, up to a text."""
        found = b""
        os.set_blocking(self.reader, False)

        def read_more():
            nonlocal found
            with contextlib.suppress(BlockingIOError):
                found += os.read(self.reader, 1 << 20)
            return text in found
        with contextlib.suppress(bed.NotInTime):
            wait_for(read_more, text, interval=0.001)
        return found


class Terminal(Pipe):
    """Held with Ctrl-S, as an operator does to read."""

    def __init__(self):
        self.reader, self.writer = pty.openpty()

    def hold(self):
        os.write(self.reader, b"\x13")

    def read_until(self, text):
        os.write(self.reader, b"\x11")
        return super().read_until(text)


MISSING = re.compile(rb"^agent: \d+ lines are missing here: this output was blocked\r?$", re.MULTILINE)


def blocked_log(tap, folder, kind):
    """Debug output is more than what may wait."""
    what = f"standard error is a {kind.__name__.lower()} that takes nothing"
    output = kind()
    output.hold()
    with contextlib.closing(output), agents.Snmpd(folder) as snmpd, snmp.Client(snmpd.port) as client:
        with agents.SoftwareNode(folder, snmpd, "ca.conf", ["-D", "ALL"], stderr=output.writer) as node:
            agents.wait_serving(client, node)
            for _ in range(3):
                rows = client.bulk_walk(endurance.ROOT)
            tap.ok(len(rows) > 100 and node.running(), f"{what}: it serves", [len(rows)])
            found = MISSING.search(output.read_until(b"lines are missing here"))
            tap.ok(found, f"{what}: when it does again, it says how many lines are missing")
            output.hold()
            client.bulk_walk(endurance.ROOT)
            tap.equal(node.stop(), 0, f"{what}: SIGTERM ends it")


def blocked_console(tap, folder):
    what = "nobody reads the replies of the console"
    with (agents.Snmpd(folder) as snmpd, Console(folder, snmpd, "switch36.conf") as node,
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, node)
        for _ in range(2000):
            node.process.stdin.write(b"show port 1\n")
        for port in range(1, 37):
            node.process.stdin.write(f"link {port} down\n".encode())
        node.process.stdin.flush()
        states = [LINK_STATE + (port,) for port in range(1, 37)]
        with contextlib.suppress(bed.NotInTime):
            wait_for(lambda: all(row.value == 2 for row in client.get(*states)), "all links down")
        tap.equal({row.value for row in client.get(*states)}, {2}, f"{what}: it obeys, and serves")
        replies = node.process.stdout
        os.set_blocking(replies.fileno(), False)
        found = b""

        def read_more():
            nonlocal found
            found += os.read(replies.fileno(), 1 << 20)
            return b"missing here" in found
        wait_for(read_more, "a line about what is missing")
        tap.ok(re.search(rb"^# \d+ lines are missing here: this output was blocked$", found, re.MULTILINE),
               f"{what}: it says how many lines are missing", [found[-200:]])
        os.set_blocking(replies.fileno(), True)
        tap.equal(node.say("show")[-1], "ok", f"{what}: then it replies as before")
        must_end_well(node)


# ---- descriptors that run out ----

class Poor(agents.SoftwareNode):
    """With a limit of descriptors. The loader of programs needs a fourth one."""

    LEAST = 4

    def __init__(self, folder, count):
        super().__init__(folder, None, "ca.conf", ["--console"])
        self.count = count

    def command(self):
        return [bed.find_tool("prlimit"), f"--nofile={self.count}:{self.count}", *super().command()]


def few_descriptors(tap, folder):
    """One more at each start, until there are enough."""
    if endurance.is_sanitized():
        tap.skip("descriptors that run out", "a sanitizer needs some itself")
        return
    wrong = []
    for count in range(Poor.LEAST, 64):
        with Poor(folder, count) as node:
            wait_for(lambda n=node: "no connection to snmpd" in n.log() or not n.running(), "an end, or a node")
            if node.running():
                break
            if node.wait_end() != 1 or "Too many open files" not in node.log():
                wrong.append((count, node.log()))
    tap.ok(not wrong and count > 2 * Poor.LEAST, f"below {count} descriptors the start fails, and says why", wrong)


# ---- configurations of others ----

def foreign_home(tap, folder):
    """As root nothing of it is read; as another user no token of Net-SNMP's, which would run code."""
    home, made = os.path.join(folder, "home"), os.path.join(folder, "made")
    os.makedirs(os.path.join(home, ".snmp"))
    for name in ("ibsmad", "snmp", "snmpd"):
        with open(os.path.join(home, ".snmp", f"{name}.conf"), "w", encoding="ascii") as file:
            file.write(f'perl open(F, ">{made}");\n[ibsmad] perl open(F, ">{made}");\n[snmp] logOption f {made}\n')
    env = {name: value for name, value in os.environ.items() if name != "SNMPCONFPATH"}
    env |= {"HOME": home, "SNMP_PERSISTENT_DIR": os.path.join(folder, "home-memory")}
    said = {}
    for arguments in (["--check", "-S", os.path.join(agents.NODES, "ca.conf")], ["-f", "-S", os.path.join(folder, "none")]):
        done = subprocess.run([agents.daemon_binary(), *arguments], env=env, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=bed.LIMIT, check=False)
        said[arguments[0]] = done.stdout
        tap.ok(done.stdout and not os.path.exists(made), f"ibsmad {arguments[0]} runs nothing that stands in ~/.snmp",
               [done.stdout])
    reported = "line 1: unknown token: perl" in said["-f"]
    tap.equal(reported, os.geteuid() != 0, "~/.snmp/ibsmad.conf is read, but not as root")


def main():
    bed.end_on_sigterm()
    require_daemon()
    tap = Tap()
    with bed.scratch() as folder:
        for redirections, numbers in CLOSED:
            tap.case(closed_descriptors, folder, redirections, numbers)
        tap.case(closed_in_background, folder)
        tap.case(rotated, folder)
        tap.case(file_limit, folder)
        for kind in (Pipe, Terminal):
            tap.case(blocked_log, folder, kind)
        tap.case(blocked_console, folder)
        tap.case(few_descriptors, folder)
        tap.case(foreign_home, folder)
    tap.done()


if __name__ == "__main__":
    main()
