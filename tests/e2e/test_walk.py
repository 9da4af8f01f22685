#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Walks that end, in order, and agree; names that are not there; the values of the field reports."""

import bisect
import random

import bed
import netfiles
import oracle
import snmp
import stir
from agents import stack
from oracle import OBJECTS, ROOT
from tap import Tap, require_daemon

ABSENT = ("noSuchInstance", "noSuchObject")
GREATEST = 4294967295
PROBES = 4000


def name_of(name, *index):
    return OBJECTS[name].oid + index


def values(agent, *wanted):
    """Values of instances given as (object, index ...); the exception's name where there is none."""
    return [row.type if row.value is None else row.value
            for row in agent.client.get(*(name_of(name, *index) for name, *index in wanted))]


def tool_rows(agent, tool, root=ROOT, options=()):
    return snmp.tool_walk(tool, agent.snmpd.port, root, options)


# Walks.

def walks_agree(tap, agent, host, wanted):
    walk = tool_rows(agent, "snmpwalk")
    tap.equal(oracle.differences(walk, wanted)[:20], [], f"{host}: snmpwalk shows {len(wanted)} instances")
    tap.ok(all(one.oid < two.oid for one, two in zip(walk, walk[1:])), f"{host}: in numeric order")
    others = {
        "snmpbulkwalk -Cr50": lambda: tool_rows(agent, "snmpbulkwalk", options=["-Cr50"]),
        "a chain of GETNEXT": lambda: agent.client.walk(ROOT),
        "a chain of GETBULK": lambda: agent.client.bulk_walk(ROOT),
        "GET of each instance": lambda: agent.client.get_all(row.oid for row in walk),
    }
    for what, rows in others.items():
        tap.equal(oracle.differences(rows(), walk)[:20], [], f"{host}: {what} shows the same")


def tags(tap, agent, host):
    """The type of each object as it was sent."""
    seen = {}
    for row in agent.client.bulk_walk(ROOT):
        seen.setdefault(oracle.object_of(row.oid), set()).add(row.type)
    wrong = [f"{name}: {types}" for name, types in seen.items() if types != {OBJECTS[name].type}]
    tap.ok(not wrong, f"{host}: the types of {len(seen)} objects", wrong)


# Names that are not there.

def _variations(row, pick):
    """Names near an instance: index too short, too long, in between, zero, beyond."""
    column = OBJECTS[oracle.object_of(row.oid)].oid
    index = row.oid[len(column):]
    at = pick.randrange(len(index))
    changed = [index[:at] + (value,) + index[at + 1:]
               for value in (0, index[at] + 1, max(index[at] - 1, 0), 255, 256, GREATEST)]
    return [column + part for part in [index[:-1], index + (0,), index + (1,), *changed]]


def _strangers():
    """Index columns, objects of notifications, and what has no instances."""
    hidden = [entry.oid for entry in OBJECTS.values() if not entry.readable]
    empty = [entry.oid for name, entry in OBJECTS.items() if name.startswith(("ibSmaRandom", "ibSmaLed"))]
    nodes = [ROOT, ROOT + (1,), ROOT + (1, 5, 1), ROOT + (1, 5, 1, 1), ROOT + (2,), ROOT + (2, 5), ROOT + (3, 1, 1),
             ROOT + (1, 15), ROOT + (0,), ROOT + (GREATEST,)]
    return nodes + [base + tail for base in hidden + empty for tail in ((), (0,), (1,), (255,), (1, 1), (1, 1, 1))]


def candidates(rows):
    pick = random.Random(len(rows))
    some = pick.sample(rows, min(len(rows), PROBES // 9))
    # The first and the last row of each object are where an index runs over.
    edges = [row for row, other in [*zip(rows, rows[1:]), *zip(rows[1:], rows)]
             if oracle.object_of(row.oid) != oracle.object_of(other.oid)] if len(rows) < PROBES else []
    names = {name for row in some + edges for name in _variations(row, pick)}
    return sorted(names | set(_strangers()))


def gets_beside_rows(tap, agent, host, rows):
    known = {row.oid: row for row in rows}
    wrong = [str(row) for row in agent.client.get_all(candidates(rows))
             if (row != known[row.oid] if row.oid in known else row.type not in ABSENT)]
    tap.ok(not wrong, f"{host}: GET beside the rows", wrong[:20])


def nexts_from_anywhere(tap, agent, host, rows):
    """From any name, GETNEXT gives the first greater instance."""
    names = [row.oid for row in rows]
    asked = [name for name in candidates(rows) if name >= ROOT and name < names[-1]]
    wrong = []
    for at in range(0, len(asked), 50):
        batch = asked[at:at + 50]
        for name, row in zip(batch, agent.client.next(*batch)):
            wanted = rows[bisect.bisect_right(names, name)]
            if row != wanted:
                wrong.append(f"after {snmp.text(name)}: {row}, wanted {wanted}")
    tap.ok(not wrong, f"{host}: GETNEXT from {len(asked)} names", wrong[:20])
    last = agent.client.next(names[-1])[0]
    tap.ok(last.type == "endOfMibView" or last.oid[:len(ROOT)] != ROOT, f"{host}: GETNEXT leaves after the last",
           [last])


def hidden_objects(tap, agent, host, rows):
    shown = {oracle.object_of(row.oid) for row in rows}
    tap.equal([name for name in shown if not OBJECTS[name].readable], [],
              f"{host}: no index column and no object of a notification in the walk")
    hidden = [entry.oid + (0,) for entry in OBJECTS.values() if not entry.readable]
    wrong = [row for row in agent.client.get_all(hidden) if row.type not in ABSENT]
    tap.equal(wrong, [], f"{host}: nor do they answer a GET")


def everything(tap, fabric, host):
    with fabric.reader(host) as reader:
        wanted = oracle.expected_tree(reader)
    with stack(fabric, host) as agent:
        tap.case(walks_agree, agent, host, wanted)
        tap.case(tags, agent, host)
        for check in (gets_beside_rows, nexts_from_anywhere, hidden_objects):
            tap.case(check, agent, host, wanted)


# The values of the field reports.

ORDERED_TABLES = {"ibSmaPKeyTable": (1, 6, 1), "ibSmaSL2VLMapTable": (1, 7, 1), "ibSmaPortInfoTable": (1, 5, 1)}


def report_12(tap, agent):
    last = {"ibSmaPKeyTable": [255]}
    for table, arcs in ORDERED_TABLES.items():
        rows = tool_rows(agent, "snmpwalk", ROOT + arcs)
        column = rows[0].oid[:len(ROOT) + len(arcs) + 2]
        ports = list(dict.fromkeys(row.oid[len(column)] for row in rows if row.oid[:len(column)] == column))
        tap.equal(ports, [*range(1, 41), *last.get(table, [])], f"{table} in the order of the ports")


def report_15(tap, agent):
    state, base = "ibSmaPortLinkState", "ibSmaPKeyBase"
    asked = [(state, 0), (state, 41), (state, 255), (state, GREATEST), (state, 1, 1), (base, 255, 0), (base, 255, 9)]
    tap.equal(values(agent, *asked), ["noSuchInstance"] * len(asked), "an index out of range has no row")
    after = agent.client.next(name_of(state, 40))[0]
    tap.equal(oracle.object_of(after.oid), "ibSmaPortPhysState", "GETNEXT after the last port leaves the column")


def report_24(tap, agent):
    tap.equal(values(agent, ("ibSmaLinForwEgressPort", 5)), [200], "an egress port above 127 is not negative")


def report_24_with_sm(tap, agent):
    rows = tool_rows(agent, "snmpwalk", name_of("ibSmaLinForwEgressPort"))
    tap.equal([(row.oid[-1], row.value) for row in rows], [(1, 1), (2, 17), (3, 255)],
              "egress ports that opensm programmed, port 0 as 255, no row for a dropped LID")


def report_27(tap, agent):
    mask = bytes(2) + b"\x40" + bytes(29)
    tap.equal(values(agent, ("ibSmaMulForwMask", 49152)), [mask], "port 17 in the multicast mask")


def report_38(tap, agent):
    rows = agent.client.walk(name_of("ibSmaVirtualLane", 1, 17))
    tap.equal([(row.oid[-1], row.value) for row in rows], [*((level + 1, level) for level in range(15)), (16, 7)],
              "the map from in 17 to out 1, and no other")
    others = agent.client.walk(name_of("ibSmaVirtualLane", 17, 1))
    tap.ok([row.value for row in others] != [row.value for row in rows], "in and out are not exchanged")


def report_40(tap, agent):
    asked = ("ibSmaNodeType", "ibSmaNodeNumPorts", "ibSmaSwLinearFdbTableNum", "ibSmaSwMulticastFdbTableNum",
             "ibSmaSwPartitionEnforceNum")
    tap.equal(values(agent, *((name, 0) for name in asked)), [2, 40, 30720, 1024, 64],
              "a switch is found without a port option")


def report_46(tap, agent):
    wanted = {"ibSmaPortLinkWidthEnabled": 10, "ibSmaPortLinkWidthActive": 4, "ibSmaPortLinkSpeedSupported": 2,
              "ibSmaPortLinkSpeedActive": 2, "ibSmaPortLinkSpeedEnabled": 4}
    tap.equal(values(agent, *((name, 1) for name in wanted)), list(wanted.values()), "a 2x HDR link is `other`")


def report_53_switch(tap, agent):
    asked = [("ibSmaPKeyMembership", 17, 1), ("ibSmaPKeyBase", 17, 1)]
    tap.equal(values(agent, *asked), [3, 5], "a full member's key on port 17")
    for port, count in ((17, 64), (255, 8)):
        rows = agent.client.walk(name_of("ibSmaPKeyBase", port))
        tap.equal(len(rows), count, f"port {port} has {count} partition keys")


KEYS = {0xFFFF: (3, 32767), 0x0123: (2, 291), 0x8001: (3, 1), 0x7FFF: (2, 32767), 0x0000: (1, 0)}


def report_53_ca(tap, agent):
    shown = [tuple(values(agent, ("ibSmaPKeyMembership", 255, at), ("ibSmaPKeyBase", 255, at)))
             for at in range(1, len(KEYS) + 1)]
    tap.equal(shown, list(KEYS.values()), "membership and base of the CA's partition keys")


def report_38_ca(tap, agent):
    rows = agent.client.walk(name_of("ibSmaVirtualLane"))
    tap.equal([row.oid[-3:-1] for row in rows], [(1, 255)] * 16, "a CA's map is indexed by port and 255")


def _program_switch(reader):
    info = bytearray(reader.get(oracle.SWITCH_INFO))
    info[6:8] = (5).to_bytes(2, "big")
    reader.set(oracle.SWITCH_INFO, 0, bytes(info))
    reader.set(oracle.LINEAR_TABLE, 0, (b"\xff" * 5 + b"\xc8").ljust(64, b"\xff"))
    reader.set(oracle.MULTICAST_TABLE, 0x10000000, b"\x00\x02")
    reader.set(oracle.SL_TO_VL, 0x1100 | 1, bytes.fromhex("0123456789abcde7"))
    reader.set(oracle.SL_TO_VL, 0x0100 | 17, bytes.fromhex("7766554433221100"))
    reader.set(oracle.PKEY_TABLE, 17 << 16, b"\x80\x05")


def _program_ca(reader):
    reader.set(oracle.PKEY_TABLE, 0, b"".join(key.to_bytes(2, "big") for key in KEYS))


def reports(tap, fabric, host, program, checks):
    if program:
        with fabric.reader(host) as reader:
            program(reader)
    with stack(fabric, host) as agent:
        for check in checks:
            tap.case(check, agent)


def field_reports(tap):
    with bed.scratch() as folder, bed.Fabric(netfiles.t1(), folder) as fabric:
        tap.case(reports, fabric, "S-sw1", _program_switch, (report_12, report_15, report_24, report_27, report_38,
                                                             report_40, report_53_switch))
        tap.case(reports, fabric, "H-ca1", _program_ca, (report_53_ca, report_38_ca))
    with bed.scratch() as folder, bed.Fabric(netfiles.t1("w=16 s=7 e=4"), folder) as fabric:
        with bed.OpenSM(fabric, "H-ca1"):
            tap.case(reports, fabric, "S-sw1", None, (report_24_with_sm, report_46))


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder, bed.Fabric(netfiles.t1(), folder) as fabric:
        with fabric.reader("S-sw1") as reader:
            stir.switch(reader)
        for host in ("H-ca1", "S-sw1"):
            tap.case(everything, fabric, host)
    field_reports(tap)
    tap.done()


if __name__ == "__main__":
    main()
