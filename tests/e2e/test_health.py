#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""IBSMAD-MIB: what the daemon says of itself, against traffic that is known."""

import datetime
import os
import re
import subprocess
import time

import agents
import bed
import netfiles
import oracle
import snmp
import test_slow
import test_storm
from bed import wait_for
from tap import Tap, require_daemon

TOP = os.path.join(bed.HERE, "..", "..")
HOST = "H-ca1"
ROOT = snmp.oid("1.3.6.1.3.117.3")
BASE = snmp.oid("1.3.6.1.4.1.8072.9999.9999.117")
SYS_OR_ID = snmp.oid("1.3.6.1.2.1.1.9.1.2")
NODE_STRING, NODE_TYPE, NODE_GUID = ROOT + (1, 1, 1, 0), ROOT + (1, 1, 4, 0), ROOT + (1, 1, 7, 0)
PORT_LID = ROOT + (1, 4, 3, 0)
P_KEYS = ROOT + (1, 6)

SCALARS = {
    "version": (1, 1), "upTime": (1, 2), "views": (1, 3), "errorText": (1, 4), "errorTime": (1, 5),
    "sent": (2, 1), "answered": (2, 2), "timedOut": (2, 3), "refused": (2, 4), "strange": (2, 5), "hits": (2, 6),
    "misses": (2, 7), "oldest": (2, 8),
    "notified": (3, 1), "heldBack": (3, 2), "dropped": (3, 3), "repeated": (3, 4), "queue": (3, 5),
    "software": (3, 7), "reports": (3, 8), "traps": (3, 9), "polling": (3, 10), "foreign": (3, 11),
    "unwanted": (3, 12), "malformed": (3, 13),
}
VIEW, ATTRIBUTE = BASE + (1, 4, 1), BASE + (1, 5, 1)
ANSWERING, SILENT = 1, 2
OFF, SOFTWARE, UNSUBSCRIBED = 1, 2, 5
NODE_DESCRIPTION, NODE_INFO, P_KEY_TABLE, SM_INFO = 0x10, 0x11, 0x16, 0x20

# Nothing is read but what managers ask for.
QUIET = "notify off\n"


def values(client, *names):
    """Of scalars; None where there is no instance."""
    return [binding.value for binding in client.get(*(BASE + (1, *SCALARS[name], 0) for name in names))]


def view(client, column):
    return client.get(VIEW + (column, 1))[0].value


def attribute(client, attribute_id):
    """Good reads, age of the last, lost blocks."""
    return [binding.value for binding in client.get(*(ATTRIBUTE + (column, 1, attribute_id) for column in (3, 4, 5)))]


def moved(client, names, action):
    """By how much counters move."""
    before = values(client, *names)
    action()
    return [after - old for after, old in zip(values(client, *names), before)]


# ---- reading ----

SMPS = ("sent", "answered", "timedOut", "refused", "strange", "hits", "misses")


def what_is_read(tap, fabric):
    with agents.stack(fabric, HOST, config=QUIET) as agent:
        client = agent.client
        tap.equal(moved(client, SMPS, lambda: client.get(NODE_TYPE, NODE_GUID)), [0, 0, 0, 0, 0, 2, 0],
                  "two values of a known block: hits")
        tap.equal(moved(client, SMPS, lambda: client.get(NODE_STRING)), [1, 1, 0, 0, 0, 0, 1],
                  "a value of an unknown block: an SMP, an answer, a miss")
        own = [row.oid for row in client.walk(BASE + (1,))]  # with a look at IB-DM-MIB behind it
        tap.equal(moved(client, SMPS, lambda: client.get_all(own)), [0] * 7, "reading IBSMAD-MIB itself: nothing")
        good, age, lost = attribute(client, NODE_DESCRIPTION)
        tap.ok(good == 1 and age <= 1 and lost == 0, "NodeDescription came once, now", [good, age, lost])
        tap.equal(attribute(client, P_KEY_TABLE), [0, None, 0], "P_KeyTable never")
        rows = len(client.walk(ROOT))
        tap.equal(moved(client, SMPS, lambda: client.walk(ROOT))[5:], [rows, 0], f"a walk of {rows} known values: hits")
        oldest, up_time = values(client, "oldest", "upTime")
        tap.ok(oldest * 100 <= up_time < 6000, "no block is older than the agent", [oldest, up_time])
        tap.equal([view(client, column) for column in range(2, 7)], [b"", b"ibsim0", 1, ANSWERING, OFF],
                  "the view: the default context, ibsim0, port 1, answering, notifications off")
        tap.equal(values(client, "views", "errorText", "errorTime"), [1, b"", None], "one view, and no error")
        modules = [binding.value for binding in client.walk(SYS_OR_ID)]
        tap.ok(BASE in modules and ROOT in modules, "both modules are announced in sysORTable", modules)


def refused(tap, folder):
    """Against what the SMA saw itself."""
    # Patient, so that no answer is late on a busy machine.
    options = ["-R", "P_KeyTable=1c", "-n", "SMInfo", "-o", "smpTimeout 2000"]
    with (agents.Snmpd(folder) as snmpd, test_slow.FakeAgent(folder, snmpd, "ca", options) as agent,
          snmp.Client(snmpd.port) as client):
        agent.wait_log("subagent connected")
        try:
            outcome = client.walk(ROOT)
        except snmp.Refused as error:
            outcome = error.status
        tap.equal(outcome, test_slow.GEN_ERR, "smpTimeout 2000: SMInfo is unknown when the time of an answer is up")
        client.patient_walk(ROOT)
        wait_for(lambda: values(client, "timedOut")[0] == attribute(client, SM_INFO)[2] > 0, "the end of all requests")
        tap.equal(values(client, "sent")[0], agent.sent(), "all SMPs that the SMA saw are accounted for")
        p_keys = int(re.findall(r"^P_KeyTable (\d+)$", agent.log(), re.MULTILINE)[-1])
        refusals = values(client, "refused")[0]
        tap.ok(0 < attribute(client, P_KEY_TABLE)[2] == p_keys <= refusals,
               f"{p_keys} blocks of P_KeyTable were refused, and are lost", [attribute(client, P_KEY_TABLE), refusals])
        tap.equal(values(client, "errorText")[0][:4], b"sma:", "there was trouble")


def one_lost(tap, fabric):
    fabric.lose(HOST, 1, 100, oracle.PKEY_TABLE)
    try:
        with agents.stack(fabric, HOST, config=QUIET) as agent:
            before = values(agent.client, "timedOut", "sent")
            agent.client.walk(P_KEYS)
            wait_for(lambda: 0 < attribute(agent.client, P_KEY_TABLE)[2] ==
                     values(agent.client, "timedOut")[0] - before[0], "lost blocks")
            good, age, lost = attribute(agent.client, P_KEY_TABLE)
            sent = values(agent.client, "sent")[0] - before[1]
            tap.ok((good, age) == (0, None) and sent >= 2 * lost,
                   "P_KeyTable is lost: its blocks, and two SMPs for each", [good, age, lost, sent])
            tap.equal(view(agent.client, 5), ANSWERING, "the SMA answers all the same")
    finally:
        fabric.lose(HOST, 1, 0)


def silence(tap, fabric):
    # many blocks, so that many requests get lost
    with agents.stack(fabric, HOST, config=QUIET + "cacheTime node 0\ncacheTime port 0\n") as agent:
        client = agent.client
        fabric.lose(HOST, 1, 100)
        try:
            wait_for(lambda: (client.error(NODE_TYPE, PORT_LID), view(client, 5) == SILENT)[1], "silence")
        finally:
            fabric.lose(HOST, 1, 0)
        timed_out, text, when = values(client, "timedOut", "errorText", "errorTime")
        tap.ok(timed_out > 0, f"a silent SMA: silent(2), {timed_out} requests timed out", agent.daemon.log_lines())
        tap.ok(text.startswith(b"sma: the SMA of port 1 does not answer"), "the last error is that", [text])
        logged = datetime.datetime(when[0] * 256 + when[1], *when[2:7], tzinfo=datetime.timezone.utc)
        tap.ok(len(when) == 11 and abs(time.time() - logged.timestamp()) < 30, "and its time", [when])
        wait_for(lambda: (client.error(NODE_TYPE), view(client, 5) == ANSWERING)[1], "an answer")
        tap.ok(attribute(client, NODE_INFO)[1] <= 1, "it answers again: answering(1)")
        tap.equal(values(client, "errorText"), [text], "the last error stays")


# ---- names ----

LINE = re.compile(r"IBSMAD-MIB::ibsmad\w+\.[\d.]+ = (\w+: |\")")


def named(tap, folder):
    with (agents.Snmpd(folder) as snmpd, agents.SoftwareNode(folder, snmpd, "switch8-rft.conf") as node,
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, node)
        paths = f"{TOP}/mibs:{TOP}/mibs/base"
        done = subprocess.run(["snmpwalk", "-v2c", "-c", snmp.COMMUNITY, "-M", paths, "-m", "IBSMAD-MIB",
                               f"127.0.0.1:{snmpd.port}", "ibsmadMIB"], text=True, capture_output=True, timeout=60,
                              env=os.environ | {"SNMPCONFPATH": "/nonexistent"}, check=False)
        lines = [line for line in done.stdout.splitlines() if "::ibsmadViewNodeGuid." not in line]
        tap.ok(done.returncode == 0 and not done.stderr and all(map(LINE.match, lines)), "snmpwalk knows all names",
               [done.stderr, *(line for line in lines if not LINE.match(line))])
        for wanted in ("ibsmadViewState.1 = INTEGER: answering(1)", "ibsmadViewNotices.1 = INTEGER: software(2)",
                       "ibsmadAttributeName.1.18 = STRING: SwitchInfo", "ibsmadNotificationQueueLength.0 = Gauge32: 0"):
            tap.ok(any(line.startswith(f"IBSMAD-MIB::{wanted}") for line in lines), wanted, lines)
        version = subprocess.run([agents.daemon_binary(), "-V"], text=True, capture_output=True, check=False).stdout
        tap.ok(values(client, "version")[0].decode() in version, "the version is that of --version", [version])
        tap.equal([view(client, column) for column in (3, 4)], [b"", 0], "the software SMA: no device, port 0")
        status, output, _ = snmp.run_tool("snmpget", snmpd.port, [snmp.text(BASE + (1, 2, 1, 0))],
                                          ("-v1", "-c", snmp.COMMUNITY))
        tap.ok(status == 0 and "Counter32" in output, "SNMPv1 can read the counters", [output])


# ---- notifications ----

NOTICES = ("software", "notified", "heldBack", "dropped", "repeated", "queue")


def wait_values(client, names, wanted, what):
    """What the values are in the end."""
    try:
        wait_for(lambda: values(client, *names) == wanted, what)
    except bed.NotInTime:
        pass
    return values(client, *names)


def held_back(tap, folder):
    with test_storm.running(folder, "notifyRate 1\nnotifyBurst 3\n") as b:
        b.bad_p_keys(range(1, 11))
        wait_for(lambda: sum(values(b.client, "notified", "heldBack")) == 10, "notifications")
        software, notified, back, *rest = values(b.client, *NOTICES)
        # the rate lets some more pass while the console is read
        tap.ok(software == 10 and notified + back == 10 and 3 <= notified < 10 and rest == [0, 0, 0],
               "10 events at a rate of 1 with a burst of 3", [software, notified, back, rest])
        tap.equal(view(b.client, 6), SOFTWARE, "the software SMA tells of them")


def dropped(tap, folder):
    with test_storm.running(folder, "notifyQueue 4\n") as b:
        b.snmpd.stop()
        b.bad_p_keys(range(1, 11))
        b.snmpd.start()
        b.serves()
        tap.equal(wait_values(b.client, NOTICES, [10, 4, 0, 6, 0, 0], "notifications"), [10, 4, 0, 6, 0, 0],
                  "10 events while snmpd is away, and a queue of 4")


def boot(tap, folder):
    """The daemon comes first, and then snmpd with the MIB's values."""
    b = test_storm.Bed(folder, "", [])
    with b.sink, b.client, b.node, agents.ends_well(b.node):
        b.node.wait_log("no connection to snmpd")
        with b.snmpd:
            b.serves()
            tap.equal(values(b.client, "errorText", "errorTime"), [b"", None],
                      "that snmpd was not there yet when the daemon began is no error")
            b.snmpd.stop()
            b.node.wait_log("has ended")
            wait_for(lambda: b.node.log().count("no connection to snmpd") == 2, "a line about snmpd's absence")
            b.snmpd.start()
            b.serves()
            text = values(b.client, "errorText")[0]
            tap.ok(text.startswith(b"agent: the session with snmpd at "), "that a session has ended is one", [text])


def unsubscribed(tap, fabric):
    with agents.stack(fabric, HOST) as agent:
        tap.equal(view(agent.client, 6), UNSUBSCRIBED, "without a subnet manager: not subscribed")


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder:
        with bed.Fabric(netfiles.t1(), folder) as fabric:
            for check in (what_is_read, one_lost, silence, unsubscribed):
                tap.case(check, fabric)
        for check in (refused, named, held_back, dropped, boot):
            tap.case(check, folder)
    tap.done()


if __name__ == "__main__":
    main()
