#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""The agent on an SMA in memory, with a real snmpd: the expected trees, and an SMA that is late, silent or refuses."""

import os
import signal
import threading
import time

import agents
import bed
import snmp
from bed import Child, wait_for
from tap import Tap, require_daemon

DATA = os.path.join(bed.HERE, "..", "data")
ROOT = snmp.oid("1.3.6.1.3.117.3")
NODE_TYPE = ROOT + (1, 1, 4, 0)       # NodeInfo
PORT_LID = ROOT + (1, 4, 3, 0)        # PortInfo of the management port
PORT_STATE = ROOT + (1, 5, 1, 1, 6)   # PortInfo of a data port

GEN_ERR = 5               # error-status
ANSWER_SECONDS = 0.8      # what the agent promises
MARGIN_SECONDS = 2        # for snmpd and a busy machine; who waits for the SMA needs more
LATE_MS = 5000            # how late the SMA is
USUAL_SECONDS = 1         # how much slower than usual a cached object may be
FAULT_MS = 1500           # when the SMA's trouble begins
SHORT_PORT_AGE = "cacheTime port 1"


def fake_agent():
    return os.path.join(os.path.dirname(agents.daemon_binary()), "tests", "fakes", "fake_agent")


class FakeAgent(Child):
    """The daemon's agent on blocks from a file."""

    def __init__(self, folder, snmpd, node, options=()):
        super().__init__(folder, "fake_agent")
        self.snmpd, self.node, self.options = snmpd, node, list(options)

    def start(self):
        env = {"MIBS": "", "SNMP_PERSISTENT_DIR": os.path.join(self.folder, "fake_agent"), "SNMPCONFPATH": self.folder}
        blocks = os.path.join(DATA, f"{self.node}.blocks")
        self.spawn([fake_agent(), "-x", self.snmpd.agentx, *self.options, blocks], env)

    def sent(self, attribute="all"):
        """How many SMPs were sent until now."""
        counted = self.log().count("\nall ")
        self.process.send_signal(signal.SIGUSR1)
        wait_for(lambda: self.log().count("\nall ") > counted, "the counts")
        return int(self.log().rsplit(f"\n{attribute} ", 1)[1].split()[0])


def expected(node):
    with open(os.path.join(DATA, f"{node}.tree"), encoding="ascii") as file:
        for line in file:
            name, kind, value = line.rstrip("\n").split(" ", 2)
            yield ROOT + snmp.oid(name), kind, bytes.fromhex(value) if kind == "OCTETS" else int(value)


def plain(bindings):
    return [(b.oid, b.type, b.value) for b in bindings]


def differences(got, wanted):
    return sorted(set(got) ^ set(wanted))[:10]


def is_walkable(client):
    return client.next(ROOT)[0].oid[:len(ROOT)] == ROOT


def tree_is_served(tap, folder, node):
    wanted = list(expected(node))
    with agents.Snmpd(folder) as snmpd, FakeAgent(folder, snmpd, node) as agent, snmp.Client(snmpd.port) as client:
        agent.wait_log("subagent connected")
        wait_for(lambda: is_walkable(client), "a first row")
        for how, walk in (("GETNEXT", client.walk), ("GETBULK", client.bulk_walk)):
            got = plain(walk(ROOT))
            tap.ok(got == wanted, f"{node}: the walk with {how} is the expected tree, {len(wanted)} instances",
                   differences(got, wanted))
        got = plain(client.get_all(name for name, _, _ in wanted))
        tap.ok(got == wanted, f"{node}: GET of each instance", differences(got, wanted))


def timed(function, *args):
    start = time.monotonic()
    result = function(*args)
    return result, time.monotonic() - start


def slowest(client, name, seconds):
    """The longest that GETs of one object take during a time."""
    end = time.monotonic() + seconds
    longest = 0.0
    while time.monotonic() < end:
        longest = max(longest, timed(client.error, name)[1])
    return longest


def cached_beside(snmpd, work):
    """The longest GET of a cached object while work() runs in another thread."""
    longest = []
    worker = threading.Thread(target=work)
    with snmp.Client(snmpd.port) as client:
        worker.start()
        while worker.is_alive():
            longest.append(timed(client.get, NODE_TYPE)[1])
        worker.join()
    return max(longest)


def late(tap, folder, what, options, wanted):
    """PortInfo goes bad after it was read once: others are served as ever, itself in time."""
    options = ["-o", SHORT_PORT_AGE, "-a", str(FAULT_MS), *options]
    with (agents.Snmpd(folder) as snmpd, FakeAgent(folder, snmpd, "sw40", options) as agent,
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, agent)
        before = plain(client.get(PORT_LID))
        usual = slowest(client, NODE_TYPE, 2 * FAULT_MS / 1000)
        asked = agent.sent("PortInfo")
        spent = [timed(client.get, PORT_LID)]
        tap.ok(agent.sent("PortInfo") > asked, f"{what}: PortInfo is too old after 1 s, and asked for again")

        def ask_often():
            with snmp.Client(snmpd.port) as other:
                spent.extend(timed(other.get, PORT_LID) for _ in range(5))
                spent.append(timed(other.get, PORT_STATE + (40,)))

        beside = cached_beside(snmpd, ask_often)
        longest = max(seconds for _, seconds in spent)
        tap.ok(longest < ANSWER_SECONDS + MARGIN_SECONDS, f"{what}: answered in {longest:.2f} s (0.8)")
        tap.ok(beside < usual + USUAL_SECONDS, f"{what}: a cached object is answered as ever", [beside, usual])
        tap.equal(plain(spent[0][0]), before, f"{what}: the last value is served")
        tap.equal(spent[-1][0][0].type, wanted, f"{what}: what was never read has no instance")


def silent(tap, folder):
    """An SMA that never answers at all."""
    with (agents.Snmpd(folder) as snmpd, FakeAgent(folder, snmpd, "sw40", ["-n", "all"]) as agent,
          snmp.Client(snmpd.port) as client):
        agent.wait_log("subagent connected")
        error, spent = timed(client.error, PORT_LID)
        tap.equal(error, GEN_ERR, "a silent SMA: genErr")
        tap.ok(spent < ANSWER_SECONDS + MARGIN_SECONDS, f"a silent SMA: answered in {spent:.2f} s (0.8)")
        try:
            outcome = client.walk(ROOT)
        except snmp.Refused as refused:
            outcome = refused.status
        tap.equal(outcome, GEN_ERR, "a silent SMA: a walk ends with genErr, not as if there was nothing")
        begun = agent.sent()
        slowest(client, PORT_LID, 5)
        sent = agent.sent() - begun
        # One that is under way may have a try left.
        tap.ok(sent <= 5, "a silent SMA: no storm, in 5 s at most two requests of two tries and the rest of one",
               [sent])


def refused(tap, folder):
    """One attribute with a status that is no plain 'not supported'."""
    with (agents.Snmpd(folder) as snmpd,
          FakeAgent(folder, snmpd, "sw40", ["-R", "MulticastForwardingTable=001C"]) as agent,
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, agent)
        multicast = ROOT + (1, 11)
        wanted = [row for row in expected("sw40") if row[0][:len(multicast)] != multicast]
        got = plain(client.walk(ROOT))
        tap.ok(got == wanted, "a refused attribute: only its objects are missing", differences(got, wanted))
        lines = [line for line in agent.log_lines() if "MulticastForwardingTable" in line and "0x001c" in line]
        tap.ok(len(lines) == 1, "a refused attribute: the log says so once", agent.log_lines())


def main():
    bed.end_on_sigterm()
    require_daemon()
    tap = Tap()
    with bed.scratch() as folder:
        for node in ("ca", "sw8", "sw40"):
            tap.case(tree_is_served, folder, node)
        tap.case(late, folder, "an SMA that is late", ["-d", f"PortInfo={LATE_MS}"], "noSuchInstance")
        tap.case(late, folder, "an SMA that stops answering", ["-n", "PortInfo"], "noSuchInstance")
        tap.case(silent, folder)
        tap.case(refused, folder)
    tap.done()


if __name__ == "__main__":
    main()
