#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Each notification of SMA-MIB, octet by octet, at receivers of SNMPv1, v2c and v3, as traps and as informs."""

import contextlib
import signal
from typing import NamedTuple

import agents
import bed
import netfiles
import notices
import oracle
import snmp
import trapd
from bed import wait_for
from tap import Tap, require, require_daemon
from test_console import Console

SUBSCRIBER, ADMINISTRATION = "H-ca1", "H-ca2"
CONFIG = "notify subnet\nnotifyPoll 0\nagentXPingInterval 1\nexposeKeys yes\n"


class Receivers(NamedTuple):
    """What snmpd sends to."""
    trap_v1: trapd.Sink
    trap_v2: trapd.Sink
    inform_v2: trapd.Sink
    inform_v3: trapd.Trapd
    named: trapd.Trapd

    def lines(self):
        return "\n".join((self.trap_v1.line("trapsink"), self.trap_v2.line("trap2sink"),
                          self.inform_v2.line("informsink"), self.inform_v3.inform_line(),
                          self.named.line("trap2sink")))


@contextlib.contextmanager
def receivers(folder):
    with (trapd.Sink() as v1, trapd.Sink() as v2, trapd.Sink() as inform,
          trapd.Trapd(folder) as v3, trapd.Trapd(folder, names=True) as named):
        yield Receivers(v1, v2, inform, v3, named)


# ---- all ten, to all kinds of receivers ----

def is_plain(sink, pdu, case, index):
    got = sink.of()[index]
    return (got.pdu, got.name, got.varbinds) == (pdu, case.oid, case.varbinds)


def is_v1(sink, case, index):
    form = (trapd.NOTIFICATIONS, trapd.ENTERPRISE_SPECIFIC, case.number)
    return is_plain(sink, trapd.TRAP_V1, case, index) and sink.of()[index].form == form


def is_told(receiver, case, index):
    got = receiver.of()[index]
    wanted = tuple(trapd.binding(one) for one in case.varbinds)
    return (got.name, got.bindings) == (case.oid, wanted) and got.security.startswith("INFORM, SNMP v3, user notified")


def is_named(receiver, case, index):
    """Names as those of the MIB; the values are compared elsewhere."""
    _, _, name, *rest = receiver.records()[index]
    objects = [f"SMA-MIB::{key}.0" for key, _ in case.values]
    return name.endswith(f"OID: SMA-MIB::{notices.NAMES[case.number - 1]}") and \
        [varbind.partition(" = ")[0] for varbind in rest] == objects


def in_all_forms(tap, got, cases):
    start = [record for record in got.named.records() if "SMA-MIB::" not in " ".join(record)]
    for index, case in enumerate(cases):
        tap.ok(is_plain(got.trap_v2, trapd.TRAP_V2, case, index), f"{case.name}: trap, SNMPv2c",
               [got.trap_v2.of()[index], case.varbinds])
        tap.ok(is_plain(got.inform_v2, trapd.INFORM, case, index), f"{case.name}: inform, SNMPv2c",
               [got.inform_v2.of()[index], case.varbinds])
        tap.ok(is_v1(got.trap_v1, case, index), f"{case.name}: trap, SNMPv1", [got.trap_v1.of()[index], case.varbinds])
        tap.ok(is_told(got.inform_v3, case, index), f"{case.name}: inform, SNMPv3 with authentication and privacy",
               [got.inform_v3.of()[index], case.varbinds])
        tap.ok(is_named(got.named, case, len(start) + index), f"{case.name}: with the MIB's names",
               [got.named.records()])


def edges(tap, administration, sink):
    """They follow those before; what makes no notification is followed by one that does."""
    before = sink.count()
    for case in notices.EDGES:
        administration.report(case.notice)
    for notice in notices.SILENT:
        administration.report(notice)
    administration.report(notices.bad_p_key(1))
    got = sink.wait(before + len(notices.EDGES) + 1)[before:]
    for one, case in zip(got, notices.EDGES):
        tap.equal((one.name, one.varbinds), (case.oid, case.varbinds), case.name)
    tap.ok(len(got) == len(notices.EDGES) + 1 and notices.queue_pair(got[-1]) == 1,
           f"{len(notices.SILENT)} notices without a notification", got)


def reported(tap, fabric):
    """What the subnet manager of the simulator never passes on comes as well."""
    with bed.LoneSM(fabric, ADMINISTRATION):
        pass
    with (receivers(fabric.folder) as got,
          bed.Station(fabric, ADMINISTRATION, "sm") as administration,
          agents.Snmpd(fabric.folder, extra=got.lines()) as snmpd,
          agents.Subscriber(fabric.folder, snmpd, fabric, SUBSCRIBER, config=CONFIG) as daemon,
          agents.ends_well(daemon)):
        wait_for(administration.subscriptions, "a subscription")
        for case in notices.TEN:
            administration.report(case.notice)
        for receiver in got:
            if receiver is not got.named:
                receiver.wait(len(notices.TEN))
        wait_for(lambda: got.named.log().count("OID: SMA-MIB::") >= len(notices.TEN), "names")
        in_all_forms(tap, got, notices.TEN)
        tap.case(edges, administration, got.trap_v2)
        tap.equal(administration.answered(), len(notices.TEN) + len(notices.EDGES) + len(notices.SILENT) + 1,
                  "each Report was answered")
        tap.equal(got.trap_v2.errors + got.trap_v1.errors + got.inform_v2.errors, [], "nothing else was received")
        got.inform_v2.wait(len(got.trap_v2.of()))
        # what is an inform was taken at once
        tap.equal([one.name for one in got.inform_v2.of()], [one.name for one in got.trap_v2.of()],
                  "no inform was repeated")


# ---- what the software SMA sees happen ----

SWITCH_LID, SM_LID = 5, 1
SWITCH = f"""
lid        0 {SWITCH_LID} {SM_LID}
capability 0 IsPKeySwitchExternalPortTrapSupported on
"""
# Of switch36.conf, with trap 259 and IsVendorClassSupported.
MASK = f"{0x4260184C | 1 << 12 | 1 << 20:08x}"
KEY_WORDS = "lid1=17 lid2=49152 sl=11 qp1=0xabcdef qp2=16777215 gid1=fe80::2:c903:0:1001 gid2=fe80::ff"
KEY_VALUES = {"NodeLid": 17, "NodeGid1": "fe80000000000000 0002c90300001001", "NodeQueuePair1": 0xABCDEF,
              "NodeLid2": 49152, "NodeGid2": "fe80000000000000 00000000000000ff", "NodeQueuePair2": 16777215,
              "NodeServiceLevel": 11}
RAISED = [notices.case(line, "", number, **values) for line, number, values in (
    ("link 5 up", notices.LINK_STATE, {"NodeLid": SWITCH_LID}),
    ("integrity 3", notices.INTEGRITY, {"NodeLid": SWITCH_LID, "NodePortNum": 3}),
    ("overrun 36", notices.OVERRUN, {"NodeLid": SWITCH_LID, "NodePortNum": 36}),
    ("flowcontrol 1", notices.FLOW_CONTROL, {"NodeLid": SWITCH_LID, "NodePortNum": 1}),
    ("capability 0 IsVendorClassSupported on", notices.CAPABILITY, {"NodeLid": SWITCH_LID, "NodeCapMask": MASK}),
    ("systemguid 0x0008f10400410015", notices.SYSTEM_GUID,
     {"NodeLid": SWITCH_LID, "SystemImageGuid": "0008F10400410015"}),
    (f"badpkey port=0 key=0x8123 {KEY_WORDS}", notices.BAD_P_KEY, {"NodeKey": "0000000000008123"} | KEY_VALUES),
    (f"badqkey port=0 key=0x80010000 {KEY_WORDS}", notices.BAD_Q_KEY, {"NodeKey": "0000000080010000"} | KEY_VALUES),
    (f"badpkey port=7 key=0x8123 {KEY_WORDS}", notices.BAD_P_KEY_SWITCH,
     {"NodeKey": "0000000000008123"} | KEY_VALUES | {"NodeSwitchLid": SWITCH_LID, "NodeDataValid": "00FF",
                                                     "NodePortNum": 7}),
)]


def console_of(folder, snmpd, node, extra, config, args):
    console = Console(folder, snmpd, node, extra, config=config)
    console.args.extend(args)
    return console


@contextlib.contextmanager
def software(folder, node, extra, config="", args=()):
    """A software node with a console, and a sink of SNMPv2c traps."""
    with (trapd.Sink() as sink, agents.Snmpd(folder, extra=sink.line("trap2sink")) as snmpd,
          snmp.Client(snmpd.port) as client,
          console_of(folder, snmpd, node, extra, config, args) as console,
          agents.ends_well(console)):
        agents.wait_serving(client, console)
        yield console, sink, client


def raised(tap, folder):
    with software(folder, "switch36.conf", SWITCH) as (console, sink, _):
        for count, case in enumerate(RAISED, 1):
            answer = console.say(case.name)
            got = sink.wait(count)[-1]
            tap.ok((answer, got.name, got.varbinds) == (["ok"], case.oid, case.varbinds), f"console: {case.name}",
                   [answer, got, case.varbinds])
        for command in ("link 5 down", "link 5 up") * 2 + ("integrity 3",) * 3:
            console.say(command)
        got = sink.wait(len(RAISED) + 7)[len(RAISED):]
        tap.equal([one.number for one in got], [notices.LINK_STATE] * 4 + [notices.INTEGRITY] * 3,
                  "console: four link changes and three times too many errors, and each is told")
        console.say('description "another name"')
        console.say("badpkey port=0 qp1=77")
        got = sink.wait(len(RAISED) + 8)
        tap.ok(len(got) == len(RAISED) + 8 and notices.queue_pair(got[-1]) == 77,
               "a new NodeDescription is no new CapabilityMask", got)


# ---- M_Keys ----

PORT_LID, KEY, WRONG_KEY = 17, 0x123456789ABCDEF0, 0x1111222233334444
GUARDED = f"mKey 1 {KEY:#x} 2 0\n"
GET, SET = 1, 2
PORT_INFO, VLARB = 0x15, 0x18
M_KEY = oracle.OBJECTS["ibSmaPortMKey"].oid + (0,)


def bad_key(method, attribute, modifier, lid=PORT_LID, key=0):
    return notices.case("", "", notices.BAD_M_KEY, NodeKey=f"{key:016x}", NodeLid=lid, NodeMethod=method,
                        NodeAttributeId=attribute, NodeAttributeModifier=modifier)


def read_again(node, config):
    with open(node.conf, "w", encoding="ascii") as file:
        file.write(config)
    node.process.send_signal(signal.SIGHUP)
    node.wait_log("the configuration was read again")


def tells(text, key):
    """Whether a key, or half of it, stands in a text in hexadecimal, in whatever groups, or in decimal."""
    digits = "".join(letter for letter in text.lower() if letter in "0123456789abcdef")
    half = f"{key:016x}"
    forms = (half[:8], half[8:], key.to_bytes(8, "little").hex())
    return any(form in digits for form in forms) or str(key) in text


def wrong_keys(tap, folder):
    """No M_Key is shown until the configuration says so."""
    own_key = f"mKey {KEY:x}\n"
    with software(folder, "router.conf", GUARDED, own_key, ["-D", "ALL"]) as (node, sink, client):
        with bed.Station(node, None) as station:
            station.request(PORT_LID, SET, VLARB, 0x10001, WRONG_KEY)
            station.request(PORT_LID, GET, PORT_INFO, 0xFFFFFFFF, WRONG_KEY)
            wanted = [bad_key(SET, VLARB, 0x10001), bad_key(GET, PORT_INFO, 0xFFFFFFFF)]
            tap.equal([one.varbinds for one in sink.wait(2)], [case.varbinds for case in wanted],
                      "a wrong M_Key: requester's LID, method, attribute and modifier, and zeros")
        tap.equal(client.get(M_KEY)[0].type, "noSuchInstance", "ibSmaPortMKey has no instance")
        log = node.log()
        tap.ok("smp" in log and not tells(log, KEY) and not tells(log, WRONG_KEY),
               f"neither M_Key is anywhere in a debug log of {len(log)} characters")
        read_again(node, f"{own_key}exposeKeys yes\n")
        node.tool(None, ["smpquery", "-L", "-t", "50", "-y", f"{WRONG_KEY:#x}", "portinfo", str(PORT_LID), "1"])
        tap.ok(bad_key(GET, PORT_INFO, 1, key=WRONG_KEY).varbinds in [one.varbinds for one in sink.wait(3)],
               "exposeKeys yes, smpquery -y: with the wrong M_Key", sink.of())
        tap.equal(client.get(M_KEY)[0].value, KEY.to_bytes(8, "big"), "exposeKeys yes: ibSmaPortMKey is the key")
        tap.equal([one.number for one in sink.of()], [notices.BAD_M_KEY] * sink.count(), "and nothing else")


def main():
    require_daemon()
    require("snmptrapd", "smpquery")
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder:
        with bed.Fabric(netfiles.t1(), folder) as fabric:
            tap.case(reported, fabric)
        tap.case(raised, folder)
        tap.case(wrong_keys, folder)
    tap.done()


if __name__ == "__main__":
    main()
