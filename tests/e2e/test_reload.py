#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Life as a service: SIGHUP and SIGUSR1 under load, what a service manager is told, and rights given up.

With IBSMAD_ENDURANCE set in the environment: as often as it takes to believe it.
"""

import contextlib
import grp
import os
import pwd
import re
import signal
import socket
import sys
import time

import agents
import bed
import endurance
import netfiles
import snmp
from bed import wait_for
from endurance import CONFIG, Stream, Walk, account, beside, end, must_end_well, scale, seconds_until_right
from tap import Tap, require_daemon
from test_restarts import timed

HANGUPS = scale(40, 100)
PATIENCE = 5
READ_AGAIN, KEPT = "the configuration was read again", "the configuration stays as it was"


def write(daemon, config):
    with open(daemon.conf, "w", encoding="utf-8") as file:
        file.write(config)


def hang_up(b, config, answer=READ_AGAIN):
    """The new lines of the log, once the configuration was read."""
    seen = len(b.node.log_lines())
    write(b.node, config)
    b.node.process.send_signal(signal.SIGHUP)
    wait_for(lambda: any(answer in line for line in b.log(seen)), answer)
    return b.log(seen)


# ---- SIGHUP ----

VARIANTS = ["", "cacheTime port 0\n", "notifyQueue 500\n", "exposeKeys yes\n", "notifyRepeat 3\nnotifyPoll 0\n"]


def hang_ups(tap, folder, kind):
    what = f"{HANGUPS} times SIGHUP, AgentX by {kind}"
    with beside(folder, node=endurance.ADAPTER, tcp=kind == "tcp") as b:
        with Stream(b.node, 100) as stream, Walk(b.snmpd.port, b.rows, PATIENCE) as walk:
            wait_for(lambda: walk.whole, "a whole walk")
            for variant in VARIANTS:
                hang_up(b, CONFIG + variant)
            before = endurance.footprint(b.pid)
            for number in range(HANGUPS):
                whole = walk.whole
                hang_up(b, CONFIG + VARIANTS[number % len(VARIANTS)])
                wait_for(lambda w=whole: walk.whole > w or walk.gaps or walk.partial, "a whole walk")
            after = endurance.footprint(b.pid)
        tap.ok(not walk.gaps and not walk.partial and not walk.wrong and not walk.trouble,
               f"{what}: each of {walk.whole} walks is whole and right", [walk, walk.gaps, walk.wrong, walk.trouble])
        b.wait_told(stream.next - 1)
        result = account(b.told(), stream.numbers())
        tap.ok(result.good and not stream.trouble, f"{what}: {len(stream.numbers())} notifications, each once, in order",
               [result, stream.trouble])
        tap.ok(after.descriptors == before.descriptors and after.rss - before.rss < endurance.growth_kib(),
               f"{what}: nothing grows", [before, after])
        tap.note([f"before: {before}; after: {after}; slowest answer: {walk.slowest:.2f} s"])
        tap.equal(b.node.log().count("AgentX subagent connected"), 1, f"{what}: one session")


WAITING = 300


def waiting_notifications(tap, folder):
    with beside(folder, node=endurance.ADAPTER) as b:
        end(b.snmpd.process, signal.SIGKILL)
        b.node.wait_log("has ended")
        for number in range(1, WAITING + 1):
            b.node.say(endurance.NOTICE.format(number))
            if number % (WAITING // 3) == 0:
                hang_up(b, CONFIG + f"notifyQueue {10 * number}\n")
        b.snmpd.start()
        b.wait_told(WAITING)
        tap.equal(b.told(), list(range(1, WAITING + 1)),
                  f"SIGHUP while snmpd is away: {WAITING} notifications wait on, in order")


MISTAKES = [
    ("notifyQueue 0\n", "notifyQueue 0"),
    ("cacheTime nothing 3\n", "cacheTime nothing 3"),
    ("notifyRate many\n", "notifyRate many"),
]


def mistakes(tap, folder):
    """How many can wait shows which settings are in force."""
    with beside(folder, node=endurance.ADAPTER, config="notifyQueue 7\n") as b:
        for lines, words in MISTAKES:
            said = hang_up(b, f"{CONFIG}notifyQueue 9\n{lines}", KEPT)
            place = f"ibsmad.conf: line {CONFIG.count(chr(10)) + 2}"
            tap.ok(any(place in line and words in line for line in said), f"SIGHUP: {words}: file and line are named", said)
        os.unlink(b.node.conf)
        seen = len(b.node.log_lines())
        b.node.process.send_signal(signal.SIGHUP)
        wait_for(lambda: any(KEPT in line for line in b.log(seen)), "a line")
        tap.ok(any(b.node.conf in line for line in b.log(seen)), "SIGHUP: a file that is gone is named", b.log(seen))
        end(b.snmpd.process, signal.SIGKILL)
        b.node.wait_log("has ended")
        for number in range(1, 21):
            b.node.say(endurance.NOTICE.format(number))
        tap.equal(b.status()[0]["waiting"], 7, "SIGHUP with mistakes: the old settings stay in force")


def address_stays(tap, folder):
    """Of -x, whatever the file says at a SIGHUP; of the start, says the manual."""
    with beside(folder, node=endurance.ADAPTER) as b:
        hang_up(b, f"{CONFIG}agentXSocket {folder}/elsewhere\n")
        end(b.snmpd.process, signal.SIGTERM)
        b.snmpd.start()
        wait_for(lambda: b.node.log().count("AgentX subagent connected") == 2 or "elsewhere" in b.node.log(),
                 "a connection")
        tap.ok("elsewhere" not in b.node.log(), "SIGHUP: the address of snmpd stays that of the start",
               b.node.log_lines()[-5:])


def restart_is_named(tap, folder):
    """What only a restart changes, and only that."""
    with beside(folder, node=endurance.ADAPTER, config="agentXPingInterval 3\n") as b:
        said = hang_up(b, f"{CONFIG}port 3\nsmpWindow 5\nsmpRetries 3\n")
        tap.ok(any(f"{READ_AGAIN}; only a restart changes port, smpWindow" in line for line in said),
               "SIGHUP: settings of the start that differ are named", said)
        said = hang_up(b, CONFIG)
        tap.ok(any(line.endswith(READ_AGAIN) for line in said), "SIGHUP: none is named where none differs", said)


# ---- SIGUSR1 ----

def status(tap, folder):
    """Seven are told, and of those that arise while snmpd is away some wait and some are held back."""
    config = "notifyRate 1\nnotifyBurst 10\n"
    with beside(folder, node=endurance.ADAPTER, config=config) as b:
        for number in range(1, 8):
            b.node.say(endurance.NOTICE.format(number))
        b.wait_told(7)
        wait_for(lambda: b.status()[0]["notifications sent"] == 7, "the last one's response")
        end(b.snmpd.process, signal.SIGTERM)
        b.node.wait_log("has ended")
        for number in range(20, 80):
            b.node.say(endurance.NOTICE.format(number))
        seen = len(b.node.log_lines())
        counts, line = b.status()
        tap.equal(len(b.log(seen)), 1, "SIGUSR1: one line")
        tap.equal([counts[name] for name in ("notices found", "repeated", "notifications sent", "dropped")],
                  [67, 0, 7, 0], "SIGUSR1: notices and notifications are counted")
        tap.ok(counts["held back"] + counts["waiting"] == 60 and 3 <= counts["waiting"] <= 8,
               "SIGUSR1: those over the rate, and those that wait", [line])
        tap.ok("snmpd away" in line, "SIGUSR1: it tells that snmpd is away", [line])


# ---- what a service manager is told ----

class Manager:
    """The socket of sd_notify(3), and when what came."""

    def __init__(self, folder, abstract):
        name = bed.private_name()
        self.path = f"@{name}" if abstract else os.path.join(folder, name)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + name if abstract else self.path)
        self.socket.setblocking(False)
        self.heard = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def all(self):
        with contextlib.suppress(BlockingIOError):
            while True:
                self.heard.append((time.monotonic(), self.socket.recv(4096).decode()))
        return [state for _, state in self.heard]

    def times(self, state):
        self.all()
        return [at for at, one in self.heard if one == state]

    def wait(self, state, count=1):
        wait_for(lambda: len(self.times(state)) >= count, state, interval=0.005)
        return self.times(state)


WATCHDOG_SECONDS = 2
DOGS = 6


class Service(agents.SoftwareNode):
    """A software node with a service manager."""

    def __init__(self, folder, snmpd, manager, watchdog_pid=None):
        super().__init__(folder, snmpd, "ca.conf", config=CONFIG)
        self.manager, self.watchdog_pid = manager, watchdog_pid

    def env(self):
        pid = {"WATCHDOG_PID": str(self.watchdog_pid)} if self.watchdog_pid else {}
        return super().env() | pid | {"NOTIFY_SOCKET": self.manager.path,
                                      "WATCHDOG_USEC": str(int(WATCHDOG_SECONDS * 1e6))}


def is_half(times):
    """No gap is as long as the limit, and on the whole it is half of that."""
    gaps = [b - a for a, b in zip(times, times[1:])]
    average = sum(gaps) / len(gaps)
    return max(gaps) < WATCHDOG_SECONDS and abs(average - WATCHDOG_SECONDS / 2) < WATCHDOG_SECONDS / 4


def manager_is_told(tap, folder, abstract):
    """snmpd is not there: nobody has to wait for it."""
    what = f"service manager at {'an abstract socket' if abstract else 'a path'}"
    with Manager(folder, abstract) as manager:
        with Service(folder, agents.Snmpd(folder), manager) as node:
            manager.wait("READY=1")
            tap.equal(manager.all()[0], "READY=1", f"{what}: READY=1 first")
            times = manager.wait("WATCHDOG=1", DOGS)
            tap.ok(is_half(times), f"{what}: WATCHDOG=1 at half of the {WATCHDOG_SECONDS} s", times)
            node.process.send_signal(signal.SIGHUP)
            manager.wait("READY=1", 2)
            must_end_well(node)
        states = [state for state in manager.all() if state != "WATCHDOG=1"]
        tap.equal(states, ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"], f"{what}: all in order")


def other_watchdog(tap, folder):
    with Manager(folder, False) as manager:
        with Service(folder, agents.Snmpd(folder), manager, os.getpid()) as node:
            manager.wait("READY=1")
            with contextlib.suppress(bed.NotInTime):
                wait_for(lambda: manager.times("WATCHDOG=1"), "a sign", 2 * WATCHDOG_SECONDS)
            tap.equal(manager.times("WATCHDOG=1"), [], "WATCHDOG_PID of another: no WATCHDOG=1")
            must_end_well(node)


# ---- rights ----

USER, HOST = "nobody", "H-ca1"
STATUS = {"CapInh": "0" * 16, "CapPrm": "0" * 16, "CapEff": "0" * 16, "CapAmb": "0" * 16, "NoNewPrivs": "1"}


def rights(pid):
    """Of each thread."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/status", encoding="ascii") as file:
            yield dict(re.findall(r"^(\w+):[ \t]*(.*?)[ \t]*$", file.read(), re.MULTILINE))


def wanted_rights(user, group):
    entry = pwd.getpwnam(user)
    gid = grp.getgrnam(group).gr_gid if group else entry.pw_gid
    groups = os.getgrouplist(user, gid)
    return STATUS | {"Uid": "\t".join([str(entry.pw_uid)] * 4), "Gid": "\t".join([str(gid)] * 4),
                     "Groups": " ".join(map(str, sorted(groups)))}


def needs_root(tap, what):
    if os.geteuid() == 0 and bed.find_tool("setpriv"):
        return False
    tap.skip(what, "needs root and setpriv")
    return True


def gives_up_rights(tap, fabric, group):
    """With the group of the socket it comes to snmpd again."""
    what = f"agentUser {USER}" + (f", agentGroup {group}" if group else "")
    if needs_root(tap, what):
        return
    config = f"{CONFIG}agentUser {USER}\n" + (f"agentGroup {group}\n" if group else "")
    owner = group or grp.getgrgid(pwd.getpwnam(USER).pw_gid).gr_name
    with (agents.Snmpd(fabric.folder, perms=f"0660 0755 root {owner}") as snmpd,
          agents.Daemon(fabric.folder, snmpd, fabric, HOST, config=config) as daemon,
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, daemon)
        wanted = wanted_rights(USER, group)
        threads = list(rights(daemon.process.pid))
        wrong = [(name, thread[name], value) for thread in threads for name, value in wanted.items()
                 if thread[name] != value]
        tap.ok(not wrong, f"{what}: user, group, groups and rights of {len(threads)} threads", wrong)
        rows = endurance.settled(client.bulk_walk(endurance.ROOT))
        end(snmpd.process, signal.SIGTERM)
        snmpd.start()
        seconds_until_right(snmpd.port, rows[:: len(rows) // 8])
        tap.ok(rows == endurance.settled(client.bulk_walk(endurance.ROOT)),
               f"{what}: the same {len(rows)} rows after a restart of snmpd")
        must_end_well(daemon)


NO_IDS = ("-1", "4294967295", "4294967296", "18446744073709551615", "99999999999999999999", "12x")
NO_USER = [
    ("agentUser nosuchuser\n", "agentUser nosuchuser: there is no such user"),
    ("agentGroup nosuchgroup\n", "agentGroup nosuchgroup: there is no such group"),
    # Numbers that the system calls take for no change, or that do not fit.
    *((f"agentUser {number}\n", f"agentUser {number}: there is no such user") for number in NO_IDS),
    *((f"agentGroup {number}\n", f"agentGroup {number}: there is no such group") for number in NO_IDS),
    ("agentUser 54321\n", "agentUser 54321 is in no database: give an agentGroup as well"),
]


def unknown_user(tap, folder):
    for config, message in NO_USER:
        status_, log = agents.SoftwareNode(folder, agents.Snmpd(folder), "ca.conf", config=config).run()
        tap.ok(status_ == 1 and message in log, f"{config.strip()}: '{message}', status 1",
               [status_, log])


def another_user(tap, folder):
    """Who is no root cannot become another."""
    what = "agentUser daemon, as nobody"
    if needs_root(tap, what):
        return
    node = agents.SoftwareNode(folder, agents.Snmpd(folder), "ca.conf", config="agentUser daemon\n")
    node.user = pwd.getpwnam(USER).pw_uid
    status_, log = node.run()
    tap.ok(status_ == 1 and "cannot become agentUser daemon" in log and "start as root" in log,
           f"{what}: a message, status 1", [status_, log])


class Restricted(agents.Daemon):
    """As the systemd unit has it; the simulator's library is for the daemon alone."""

    STATE = "memory"

    def binary(self):
        return agents.copied(super().binary(), self.home)

    def command(self):
        state = os.path.join(self.home, self.STATE)
        os.makedirs(state, exist_ok=True)
        return [sys.executable, "-B", os.path.join(bed.HERE, "restricted.py"), str(pwd.getpwnam(USER).pw_uid), state,
                *super().command()]


def under_the_unit(tap, fabric):
    what = "the limits of the systemd unit"
    if needs_root(tap, what):
        return
    with (agents.Snmpd(fabric.folder) as snmpd,
          Restricted(fabric.folder, snmpd, fabric, HOST, config=CONFIG) as daemon,
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, daemon)
        wanted = STATUS | {"CapBnd": "0" * 16, "Seccomp": "2"}
        wrong = [(name, thread[name]) for thread in rights(daemon.process.pid) for name in wanted
                 if thread[name] != wanted[name]]
        tap.ok(not wrong, f"{what}: no thread has more rights", wrong)
        rows = endurance.settled(client.bulk_walk(endurance.ROOT))
        end(snmpd.process, signal.SIGKILL)
        snmpd.start()
        seconds_until_right(snmpd.port, rows[:: len(rows) // 8])
        daemon.process.send_signal(signal.SIGHUP)
        daemon.wait_log(READ_AGAIN)
        tap.ok(rows == endurance.settled(client.bulk_walk(endurance.ROOT)),
               f"{what}: all {len(rows)} rows, also after a restart of snmpd and SIGHUP")
        must_end_well(daemon)


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder:
        for case in ((hang_ups, folder, "unix"), (hang_ups, folder, "tcp"), (waiting_notifications, folder),
                     (mistakes, folder), (address_stays, folder), (restart_is_named, folder), (status, folder), (manager_is_told, folder, False),
                     (manager_is_told, folder, True), (other_watchdog, folder), (unknown_user, folder),
                     (another_user, folder)):
            timed(tap, *case)
        with bed.Fabric(netfiles.t1(), folder) as fabric:
            for group in ("", "daemon"):
                timed(tap, gives_up_rights, fabric, group)
            timed(tap, under_the_unit, fabric)
    tap.done()


if __name__ == "__main__":
    main()
