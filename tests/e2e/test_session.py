#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""The AgentX session: snmpd late, restarted, killed, frozen or shut off, a second ibsmad, and odd masters."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import time

import agents
import bed
import master
import oracle
import snmp
from agents import PROBE, SoftwareNode, Snmpd, serves, wait_serving
from bed import wait_for
from master import Master
from tap import Tap, require_daemon
from together import together

ROOT = oracle.ROOT
PING_SECONDS = 2
PING = f"agentXPingInterval {PING_SECONDS}\n"
# What happens within BACK_SECONDS then does not depend on pings.
RARE_PING = "agentXPingInterval 60\n"
# From snmpd's socket on to the first answer.
BACK_SECONDS = 20
END_SECONDS = 10
# As long as it takes for some attempts to connect.
ATTEMPTS_SECONDS = 3
NOBODY = 65534

CONNECTED, ENDED, ABSENT = "subagent connected", "has ended", "no connection to snmpd"
FROZEN, THAWED = "does not answer", "answers again"


def count(daemon, text):
    return sum(text in line for line in daemon.log_lines())


def node(folder, snmpd, config=PING, **options):
    return SoftwareNode(folder, snmpd, "ca.conf", config=config, **options)


def stays(daemon, seconds):
    with contextlib.suppress(bed.NotInTime):
        wait_for(lambda: not daemon.running(), "its end", seconds)
    return daemon.running()


class Prober(snmp.Client):
    """Asks briefly, for the time that something takes."""

    TRIES = 1
    SECONDS = 0.5


def seconds_until_served(client):
    start = time.monotonic()
    wait_for(lambda: serves(client), "an answer", interval=0.01)
    return time.monotonic() - start


def ended(daemon):
    """The exit status, and the seconds that SIGTERM took."""
    start = time.monotonic()
    return daemon.stop(), time.monotonic() - start


# snmpd comes and goes.

LATE_SECONDS = 10


def snmpd_late(tap, folder, transport):
    snmpd = Snmpd(folder, tcp=transport == "tcp")
    with node(folder, snmpd, RARE_PING) as daemon, Prober(snmpd.port) as client:
        daemon.wait_log(ABSENT)
        tap.ok(stays(daemon, LATE_SECONDS), f"{transport}: {LATE_SECONDS} s without snmpd")
        tap.equal(daemon.log().count(snmpd.agentx), 1, f"{transport}: one line tells what it waits for")
        with snmpd:
            spent = seconds_until_served(client)
            daemon.wait_log(CONNECTED)
            tap.ok(spent < BACK_SECONDS, f"{transport}: served {spent:.2f} s after snmpd has begun")
            tap.equal(count(daemon, CONNECTED), 1, f"{transport}: one line tells that it is connected")
        tap.equal(daemon.stop(), 0, f"{transport}: the end without snmpd")


RESTARTS = 3


def snmpd_restarted(tap, folder, transport, end):
    """test_restarts.py has more of it."""
    snmpd = Snmpd(folder, tcp=transport == "tcp")
    snmpd.stop_signal = signal.Signals[end]
    spent = []
    with node(folder, snmpd, RARE_PING) as daemon, Prober(snmpd.port) as client:
        for serial in range(1, RESTARTS + 1):
            with snmpd:
                spent.append(seconds_until_served(client))
                wait_for(lambda n=serial: count(daemon, CONNECTED) >= n, f"connection {serial}")
            wait_for(lambda n=serial: count(daemon, ENDED) >= n, f"end {serial}")
        daemon.stop()
    lines = [count(daemon, text) for text in (CONNECTED, ENDED)]
    tap.ok(max(spent) < BACK_SECONDS, f"{transport}, snmpd ended by {end}: served again in {max(spent):.2f} s",
           spent)
    tap.equal(lines, [RESTARTS, RESTARTS], f"{transport}, {end}: one line for each change")
    tap.ok(count(daemon, ABSENT) <= RESTARTS + 1 and len(daemon.log_lines()) < 5 * RESTARTS,
           f"{transport}, {end}: no more lines than changes", daemon.log_lines())


KILLS = 5


def killed_in_a_walk(tap, folder):
    """Requests that are on their way when snmpd dies leave nothing behind: a leak would show in the exit status."""
    snmpd = Snmpd(folder)
    snmpd.stop_signal = signal.SIGKILL
    with SoftwareNode(folder, snmpd, "switch36.conf", config=PING) as daemon, Prober(snmpd.port) as client:
        begun = []
        for _ in range(KILLS):
            with snmpd:
                seconds_until_served(client)
                walk = subprocess.Popen([bed.find_tool("snmpbulkwalk"), *snmp.V2C, "-r0", "-m", "", "-M", "",
                                         f"127.0.0.1:{snmpd.port}", snmp.text(ROOT)],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                begun.append(walk.stdout.readline())
                # any moment will do
                time.sleep(random.random() * 0.3)
            walk.kill()
            walk.communicate()
        tap.ok(daemon.stop() == 0 and all(begun), f"snmpd killed in {KILLS} walks: exit status 0",
               [daemon.log(), begun])
        tap.equal(count(daemon, "Sanitizer"), 0, "snmpd killed in walks: no report of a sanitizer")


# Rights.


def closed_socket(tap, folder):
    what = "a socket without rights"
    if os.geteuid() != 0 or not bed.find_tool("setpriv"):
        tap.skip(what, "needs root and setpriv")
        return
    with (Snmpd(folder, perms="0660 0700") as snmpd, node(folder, snmpd, RARE_PING, user=NOBODY) as daemon,
          snmp.Client(snmpd.port) as client):
        daemon.wait_log("Permission denied")
        stays(daemon, ATTEMPTS_SECONDS)
        lines = [line for line in daemon.log_lines() if snmpd.socket in line]
        tap.ok(len(lines) == 1 and "Permission denied" in lines[0] and "agentXPerms" in lines[0],
               f"{what}: one line with name and reason", daemon.log_lines())
        os.chmod(os.path.dirname(snmpd.socket), 0o755)
        os.chmod(snmpd.socket, 0o666)
        tap.ok(seconds_until_served(client) < BACK_SECONDS, f"{what}: connects soon when it may")


STRANGER = 65533


def stranger(tap, folder):
    """Somebody listens in a folder that lets everybody make a socket."""
    what = "snmpd of another user"
    if os.geteuid() != 0 or not bed.find_tool("setpriv"):
        tap.skip(what, "needs root and setpriv")
        return
    snmpd = Snmpd(folder, user=STRANGER)
    os.mkdir(os.path.dirname(snmpd.socket))
    os.chmod(os.path.dirname(snmpd.socket), 0o1777)
    with snmpd, node(folder, snmpd, RARE_PING) as daemon, snmp.Client(snmpd.port) as client:
        daemon.wait_log(f"agentXPeer {STRANGER}")
        stays(daemon, ATTEMPTS_SECONDS)
        tap.equal([count(daemon, snmpd.socket), count(daemon, CONNECTED)], [1, 0], f"{what} is refused, in one line")
        with open(daemon.conf, "a", encoding="ascii") as file:
            file.write(f"agentXPeer {STRANGER}\n")
        daemon.process.send_signal(signal.SIGHUP)
        tap.ok(seconds_until_served(client) < BACK_SECONDS, f"{what} is served once agentXPeer names that user")
        os.chown(os.path.dirname(snmpd.socket), STRANGER, -1)
        with node(folder, snmpd, RARE_PING) as second:
            second.wait_log("duplicateRegistration")
            tap.equal(count(second, "agentXPeer"), 0, f"{what} is taken when the folder is that user's")


# Nothing is writable.

# ibSmaNodeBaseVersion.0, ibSmaPortLinkState.1, no object at all, and three in one request
SETS = (["1.3.6.1.3.117.3.1.1.2.0", "i", "1"], ["1.3.6.1.3.117.3.1.5.1.4.1", "i", "1"], ["1.3.6.1.3.117.3.99.0", "s", "x"],
        ["1.3.6.1.3.117.3.1.1.2.0", "i", "1", "1.3.6.1.3.117.3.1.1.3.0", "i", "1", "1.3.6.1.2.1.1.6.0", "s", "x"])


def set_refused(tap, folder):
    writer = ["-v2c", "-c", "writer", "-r0"]
    with (Snmpd(folder, extra="rwcommunity writer 127.0.0.1 -V everything") as snmpd, node(folder, snmpd) as daemon,
          snmp.Client(snmpd.port) as client):
        wait_serving(client, daemon)
        for wanted in SETS:
            status, _, complaint = snmp.run_tool("snmpset", snmpd.port, wanted, writer)
            tap.ok(status and "notWritable" in complaint, f"SET of {wanted[0]} and {len(wanted) // 3 - 1} more: notWritable",
                   [status, complaint])
        tap.ok(serves(client), "served after SETs")
        tap.equal([count(daemon, CONNECTED), count(daemon, ENDED)], [1, 0], "SETs leave the session as it is")


# A second ibsmad.

def second_daemon(tap, folder):
    with Snmpd(folder) as snmpd, node(folder, snmpd) as first, snmp.Client(snmpd.port) as client:
        wait_serving(client, first)
        walks = [len(client.walk(ROOT))]
        with node(folder, snmpd) as second:
            second.wait_log("duplicateRegistration")
            walks.append(len(client.walk(ROOT)))
            stays(second, ATTEMPTS_SECONDS)
            lines = [line for line in second.log_lines() if "duplicateRegistration" in line]
            tap.ok(len(lines) == 1 and "1.3.6.1.3.117.3:" in lines[0], "the second names the subtree, once",
                   second.log_lines())
            walks.append(len(client.walk(ROOT)))
            tap.equal(second.stop(), 0, "the second ends")
        walks.append(len(client.walk(ROOT)))
        tap.ok(walks[0] > 0 and walks == walks[:1] * len(walks), "the walk is as long as before all the time",
               walks)
        tap.equal([count(first, CONNECTED), count(first, ENDED)], [1, 0], "the first is not disturbed")


def successor(tap, folder):
    """The second takes over when the first is killed."""
    with Snmpd(folder) as snmpd, node(folder, snmpd) as first, snmp.Client(snmpd.port) as client:
        wait_serving(client, first)
        with node(folder, snmpd) as second:
            second.wait_log("duplicateRegistration")
            first.process.kill()
            first.process.wait()
            start = time.monotonic()
            second.wait_log(CONNECTED)
            tap.ok(serves(client), f"a second ibsmad takes over in {time.monotonic() - start:.1f} s")


# A frozen snmpd.

CROWD = 8  # more than may wait for snmpd to accept them
COMPLAINTS = {"unix": CROWD, "tcp": 4}  # by TCP those that found no place still wait for one


@contextlib.contextmanager
def frozen(child):
    child.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        child.process.send_signal(signal.SIGCONT)


def snmpd_frozen(tap, folder, transport):
    with (Snmpd(folder, tcp=transport == "tcp") as snmpd, node(folder, snmpd) as daemon,
          snmp.Client(snmpd.port) as client):
        wait_serving(client, daemon)
        daemon.wait_log(CONNECTED)
        with frozen(snmpd):
            daemon.wait_log(FROZEN)
            stays(daemon, 2 * PING_SECONDS)
        daemon.wait_log(THAWED)
        tap.ok(serves(client), f"{transport}: served again after snmpd was frozen")
        tap.equal([count(daemon, text) for text in (FROZEN, THAWED, ENDED, CONNECTED)], [1, 1, 0, 1],
                  f"{transport}: one line for each change")
        with frozen(snmpd):
            status, spent = ended(daemon)
        tap.ok(status == 0 and spent < END_SECONDS, f"{transport}: SIGTERM while snmpd is frozen: {spent:.1f} s")


def complains(daemon):
    return count(daemon, FROZEN) + count(daemon, ABSENT) > 0


def snmpd_frozen_at_the_start(tap, folder, transport):
    snmpd = Snmpd(folder, tcp=transport == "tcp")
    with snmpd, snmp.Client(snmpd.port) as client, contextlib.ExitStack() as late:
        with frozen(snmpd):
            with contextlib.ExitStack() as crowd:
                daemons = [crowd.enter_context(node(folder, snmpd)) for _ in range(CROWD)]
                wait_for(lambda: all(daemon.log() for daemon in daemons) and
                         sum(map(complains, daemons)) >= COMPLAINTS[transport], "complaints")
                states, spent = zip(*map(ended, daemons))
                tap.ok(states == (0,) * CROWD and max(spent) < END_SECONDS,
                       f"{transport}: SIGTERM while snmpd has not answered Open: {max(spent):.1f} s", [states, spent])
            daemon = late.enter_context(node(folder, snmpd))
            wait_for(lambda: complains(daemon), "a complaint")
        wait_serving(client, daemon)
        daemon.wait_log(CONNECTED)
        tap.equal(count(daemon, CONNECTED), 1, f"{transport}: started while snmpd was frozen, served when it goes on")


# Masters that are odd.

BASE_VERSION = 1


def begin(odd, daemon, errors=None):
    """Accepts a connection, and what a session begins with; the subtrees that were registered."""
    before = count(daemon, CONNECTED)
    odd.accept()
    return odd.begin(lambda: count(daemon, CONNECTED) > before, errors)


def check_serves(tap, odd, what):
    name, value = master.value_of(odd.ask(PROBE))
    tap.equal((name, value), (PROBE, BASE_VERSION), what)


def duplicate_then_free(tap, folder):
    with Master(folder) as odd, node(folder, odd) as daemon:
        for _ in range(3):
            subtrees = begin(odd, daemon, {master.REGISTER: master.DUPLICATE_REGISTRATION})
            tap.equal(subtrees, [ROOT], "the subtree is registered")
            tap.equal(odd.take(limit=1), None, "refused: the session ends without Unregister")
        begin(odd, daemon)
        tap.equal(count(daemon, "duplicateRegistration (263)"), 1, "duplicateRegistration is told of once")
        check_serves(tap, odd, "served when the subtree is free")
        tap.equal(odd.log.count(master.UNREGISTER), 0, "nothing was unregistered")


def refused(tap, folder, step):
    for error, name in ((256, "openFailed"), (267, "requestDenied"), (268, "processingError"), (5, "genErr")):
        with Master(folder) as odd, node(folder, odd) as daemon:
            begin(odd, daemon, {step: error})
            daemon.wait_log(f"{name} ({error})")
            begin(odd, daemon)
            check_serves(tap, odd, f"PDU type {step} refused with {name}: tried again")


def silent(tap, folder, transport):
    with Master(folder, tcp=transport == "tcp") as odd, node(folder, odd) as daemon:
        odd.accept()
        pdu = odd.take()
        tap.equal(pdu.type, master.OPEN, f"{transport}: the session begins with Open")
        daemon.wait_log(FROZEN)
        tap.equal(odd.take(limit=2 * PING_SECONDS), None, f"{transport}: Open is not answered: nothing follows")
        odd.respond(pdu)
        odd.begin(lambda: count(daemon, CONNECTED))
        tap.equal([count(daemon, FROZEN), count(daemon, THAWED)], [1, 1], f"{transport}: one line for each change")
        odd.hang_up()
        odd.accept()
        status, spent = ended(daemon)
        tap.ok(status == 0 and spent < END_SECONDS, f"{transport}: SIGTERM before Open is answered: {spent:.1f} s")


def garbage(tap, folder):
    with Master(folder) as odd, node(folder, odd) as daemon:
        chance = random.Random(1)
        begin(odd, daemon)
        for octets in (b"GET / HTTP/1.0\r\n\r\n", bytes(64), b"\xff" * 4096, chance.randbytes(100000)):
            with contextlib.suppress(OSError):
                odd.peer.sendall(octets)
            tap.ok(not any(iter(lambda: odd.take(limit=5), None)), f"{len(octets)} octets of garbage end the session")
            begin(odd, daemon)
        check_serves(tap, odd, "served after garbage")
        daemon.stop()
        tap.equal(count(daemon, "is not AgentX"), 4, "each is told of once")


def closed_by_master(tap, folder):
    with Master(folder) as odd, node(folder, odd) as daemon:
        begin(odd, daemon)
        odd.send(master.close(6))
        daemon.wait_log("reasonByManager (6)")
        tap.equal(odd.take(limit=5), None, "closed by the master: the connection ends")
        begin(odd, daemon)
        check_serves(tap, odd, "closed by the master: begun again")
        odd.send(*[odd.response(master.Pdu(master.PING, 0, 0, 99999, b""))] * 3)
        check_serves(tap, odd, "a Response to nothing is passed over")
        odd.peer.shutdown(socket.SHUT_WR)
        daemon.wait_log("it closed the connection")
        tap.equal(odd.take(limit=5), None, "half a connection: the rest ends")


def portions(tap, folder):
    """PDUs octet by octet, many in one, and in both orders of octets."""
    with Master(folder) as odd, node(folder, odd) as daemon:
        begin(odd, daemon)
        odd.send(master.get(PROBE, packet=5), piece=1)
        tap.equal(master.value_of(odd.expect(master.RESPONSE)), (PROBE, BASE_VERSION), "a PDU octet by octet")
        odd.send(*[master.get(PROBE, packet) for packet in range(100, 200)])
        packets = [odd.expect(master.RESPONSE).packet for _ in range(100)]
        tap.equal(sorted(packets), list(range(100, 200)), "a hundred PDUs at once")
        odd.send(*[master.get(PROBE, packet) for packet in range(300, 310)], piece=17)
        packets = [odd.expect(master.RESPONSE).packet for _ in range(10)]
        tap.equal(sorted(packets), list(range(300, 310)), "PDUs in portions that do not end where they do")
        tap.equal(master.value_of(odd.ask(PROBE, order="<")), (PROBE, BASE_VERSION), "the other order of octets")


def asked_to_end(tap, folder):
    with Master(folder) as odd, node(folder, odd) as daemon:
        begin(odd, daemon)
        daemon.process.terminate()
        pdu = odd.expect(master.CLOSE)
        tap.equal(pdu.payload[0], 5, "SIGTERM: Close with reasonShutdown")
        tap.equal(odd.take(limit=END_SECONDS), None, "SIGTERM: and the end, whether or not the master answers")
        tap.equal(daemon.wait_end(END_SECONDS), 0, "SIGTERM: exit status 0")


AT_ONCE = 6
TRANSPORTS = ("unix", "tcp")
# Those that take long come first.
BY_EACH = (snmpd_frozen_at_the_start, snmpd_late, snmpd_frozen, silent)
BY_UNIX = (killed_in_a_walk, closed_socket, stranger, set_refused, second_daemon, successor, duplicate_then_free, garbage, closed_by_master,
           portions, asked_to_end)


def cases(folder):
    for case in BY_EACH:
        yield from ((case, folder, transport) for transport in TRANSPORTS)
    for end in ("SIGTERM", "SIGKILL"):
        yield from ((snmpd_restarted, folder, transport, end) for transport in TRANSPORTS)
    yield from ((case, folder) for case in BY_UNIX)
    yield from ((refused, folder, step) for step in (master.OPEN, master.REGISTER))


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder:
        together(tap, cases(folder), AT_ONCE)
    tap.done()


if __name__ == "__main__":
    main()
