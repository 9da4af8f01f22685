# SPDX-License-Identifier: BSD-2-Clause
"""For tests of endurance: a walk that never ends, notices that never end, and what a process takes."""

import contextlib
import os
import re
import signal
import threading
import time
from typing import NamedTuple

import agents
import bed
import notices
import snmp
import trapd
from bed import wait_for
from test_console import Console

ROOT = snmp.oid("1.3.6.1.3.117.3")
# A wrong P_Key is counted as well as told.
COUNTING = ROOT + (1, 4, 35)
NOTICE = "badpkey qp1={}"
# Each notice counts; none is a repetition of another.
CONFIG = "agentXPingInterval 1\nnotifyRate 100000\nnotifyBurst 100000\nnotifyPace 100000\nnotifyQueue 4000\n"
# A file of sma/nodes, and what is added to it.
SWITCH = ("switch36.conf", "lid 0 5 1\n")
ADAPTER = ("ca.conf", "lid 1 17 1\n")
# A walk that finds no ibsmad goes on to what others have, and need not meet their types.
VIEW = "view everything excluded .1.3.6.1.4\n"


def scale(usual, full):
    """How often: usually, and with IBSMAD_ENDURANCE set."""
    return full if os.environ.get("IBSMAD_ENDURANCE") else usual


# ---- what a process takes ----

class Footprint(NamedTuple):
    """rss in KiB."""
    rss: int
    descriptors: int
    threads: int

    def __str__(self):
        return f"{self.rss} KiB, {self.descriptors} descriptors, {self.threads} threads"


def footprint(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        fields = dict(re.findall(r"^(\w+):\s+(\d+)", file.read(), re.MULTILINE))
    return Footprint(int(fields["VmRSS"]), len(os.listdir(f"/proc/{pid}/fd")), int(fields["Threads"]))


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_sanitized():
    with open(agents.daemon_binary(), "rb") as file:
        return b"__asan_init" in file.read()


def growth_kib():
    """What may grow without being a leak: tables of notices that fill up; a sanitizer keeps what was freed."""
    return 1 << 18 if is_sanitized() else 2048


FINDINGS = ("AddressSanitizer", "LeakSanitizer", "runtime error:")


def findings(log):
    """What a sanitizer has to say."""
    return [line for line in log.splitlines() if any(word in line for word in FINDINGS)]


# ---- a manager that never rests ----

class Impatient(snmp.Client):
    """It gives up at once, and asks again."""

    TRIES = 1
    SECONDS = 0.5


def settled(rows):
    return [row for row in rows if row.oid[:len(COUNTING)] != COUNTING]


def seconds_until_right(port, wanted, limit=bed.LIMIT):
    """How long until all of these bindings are read as they are, asking again and again."""
    start = time.monotonic()
    names = [row.oid for row in wanted]
    with Impatient(port) as client:
        wait_for(lambda: answer(client, names) == wanted, "the right values", limit, 0.005)
    return time.monotonic() - start


def answer(client, names):
    """The bindings, or None."""
    try:
        return client.get(*names)
    except (snmp.SnmpError, OSError):
        return None


class _Worker:
    """Works in a thread until its context ends."""

    def __init__(self):
        self.ending = threading.Event()
        self.trouble = None
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join()

    def work(self):
        raise NotImplementedError

    def _run(self):
        try:
            while not self.ending.is_set():
                self.work()
        except Exception as error:
            self.trouble = error


class Walk(_Worker):
    """Walks in a loop, and compares what it gets with the rows that have to come.

    Where the node is away the walk goes on to what others have, or ends.
    """

    REPETITIONS = 50

    def __init__(self, port, rows, seconds=0.5):
        """seconds: how long it waits for an answer before it begins anew."""
        super().__init__()
        self.port, self.wanted, self.seconds = port, {row.oid: row for row in rows}, seconds
        self.slowest = 0
        self.whole = self.partial = self.rows = 0
        self.gaps, self.wrong = [], []

    def work(self):
        with snmp.Client(self.port) as client:
            client.socket.settimeout(self.seconds)
            client.TRIES = 1
            try:
                count = self._walk(client)
            except (snmp.SnmpError, OSError) as error:
                self.gaps.append(f"{time.monotonic():.2f} {error}")
                self.ending.wait(0.01)
                return
        if count == len(self.wanted):
            self.whole += 1
        elif not self.ending.wait(0.01):
            self.partial += 1

    def _walk(self, client):
        """How many rows there are."""
        at, count = ROOT, 0
        while not self.ending.is_set():
            start = time.monotonic()
            rows = client.ask(snmp.GETBULK, [at], 0, self.REPETITIONS)
            self.slowest = max(self.slowest, time.monotonic() - start)
            for row in rows:
                if row.type == "endOfMibView" or row.oid[:len(ROOT)] != ROOT:
                    return count
                at = row.oid
                if settled([row]):
                    count += 1
                    self._take(row)
        return count

    def _take(self, row):
        self.rows += 1
        if self.wanted and self.wanted.get(row.oid) != row and len(self.wrong) < 10:
            self.wrong.append(row)

    def __str__(self):
        return f"{self.whole} whole walks, {self.partial} in part, {len(self.gaps)} broken off, {self.rows} rows"


# ---- notices that never end ----

class Stream(_Worker):
    """Has the node tell of one wrong P_Key after another, each with a queue pair of its own."""

    def __init__(self, console, rate=50, first=1):
        super().__init__()
        self.console, self.pause = console, 1 / rate
        self.first = self.next = first

    def work(self):
        answer = self.console.say(NOTICE.format(self.next))
        if answer != ["ok"]:
            raise snmp.SnmpError(f"{answer}")
        self.next += 1
        self.ending.wait(self.pause)

    def numbers(self):
        return list(range(self.first, self.next))


class Doubles(NamedTuple):
    """What has become of a stream."""
    lost: list
    doubled: list
    in_order: bool

    @property
    def good(self):
        return not self.lost and not self.doubled and self.in_order


def account(got, wanted):
    """What of the numbers that had to come came, how often, and whether in order."""
    first = list(dict.fromkeys(got))
    lost = sorted(set(wanted) - set(got))
    doubled = sorted(number for number in first if got.count(number) > 1)
    return Doubles(lost, doubled, first == sorted(first))


# ---- all of it ----

class Beside:
    """A software node with a console beside an snmpd that may go and come, and a sink of its traps."""

    def __init__(self, folder, node=SWITCH, config="", **snmpd_options):
        self.sink = trapd.Sink()
        self.snmpd = agents.Snmpd(folder, extra=VIEW + self.sink.line("trap2sink"), **snmpd_options)
        self.node = Console(folder, self.snmpd, *node, config=CONFIG + config)
        self.rows = []

    @property
    def pid(self):
        return self.node.process.pid

    def told(self):
        return [notices.queue_pair(one) for one in self.sink.of(notices.BAD_P_KEY)]

    def wait_told(self, number, limit=bed.LIMIT):
        wait_for(lambda: number in self.told(), f"the notification of {number}", limit)

    def some(self):
        """A few of the rows, for a GET."""
        return self.rows[:: max(1, len(self.rows) // 8)]

    def log(self, number):
        """What a log holds since its line of this number."""
        return self.node.log_lines()[number:]

    def status(self):
        """Counters by their names, as SIGUSR1 has them logged; and the line."""
        before = self.node.log().count("status:")
        self.node.process.send_signal(signal.SIGUSR1)
        wait_for(lambda: self.node.log().count("status:") > before, "a status line")
        line = [line for line in self.node.log_lines() if "status:" in line][-1]
        numbers = {name.strip(): int(number) for name, number in re.findall(r"([a-zA-Z ]+) (\d+)", line)}
        return numbers, line


@contextlib.contextmanager
def beside(folder, **options):
    """A Beside that serves; what is wrong at its end is an error."""
    b = Beside(folder, **options)
    with b.sink, b.snmpd, b.node, snmp.Client(b.snmpd.port) as client:
        try:
            agents.wait_serving(client, b.node)
            b.rows = settled(client.bulk_walk(ROOT))
            yield b
        except Exception as error:
            error.add_note(f"log of ibsmad: {b.node.log()[-3000:]}")
            raise
        must_end_well(b.node)


def must_end_well(daemon):
    """A sanitizer tells of its findings with the exit status, and in the log."""
    status = daemon.stop()
    if status or findings(daemon.log()):
        raise snmp.SnmpError(f"ibsmad ended with status {status}: {daemon.log()[-4000:]}")


def spread(seconds):
    """Median and largest of some durations."""
    ordered = sorted(seconds)
    return f"median {ordered[len(ordered) // 2]:.2f} s, at most {ordered[-1]:.2f} s"


def end(process, number):
    """Has a process end by a signal, and waits for it."""
    process.send_signal(number)
    return process.wait(bed.LIMIT)
