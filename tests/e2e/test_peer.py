#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""The conformance requests of the software SMA, put to ibsim's SMA, which is an independent one.

Every difference in status is listed here with what decides it; a difference that is not listed, and one that is listed
but not there, is a failure.
"""

import os

import bed
from tap import Tap, require

TABLES = os.path.join(bed.HERE, "..", "data")
PORTS = 20  # of the switch, as in tests/soft/soft_fixture.h

NETFILE = """\
switchguid=0x2000
Switch\t20 "P-sw"\t\t# "peer switch" base port 0
[1]\t"P-ca"[1]
[2]\t"P-rt"[1]

caguid=0x1000
Ca\t2 "P-ca"\t\t# "peer ca"
[1]\t"P-sw"[1]

rtguid=0x3000
Rt\t2 "P-rt"\t\t# "peer router"
[1]\t"P-sw"[2]

"""
HOSTS = {"c": "P-ca", "s": "P-sw", "r": "P-rt"}

NODE_DESCRIPTION, NODE_INFO, SWITCH_INFO, GUID_INFO, PORT_INFO = 0x10, 0x11, 0x12, 0x14, 0x15
PKEYS, SL2VL, VLARB, LINEAR, MULTICAST, MLNX_PORT_INFO = 0x16, 0x17, 0x18, 0x19, 0x1B, 0xFF90

# What ibsim has not got and leaves to a client: Notice, RandomForwardingTable, SMInfo, VendorDiag, LedInfo,
# PortInfoExtended and the vendor's range.
NOT_SERVED = {0x02, 0x1A, 0x20, 0x30, 0x31, 0x33, 0xFF00}

# (nodes, attribute, modifiers, method, ibsim's status, why ours is another)
DIFFERENCES = (
    ("csr", NODE_DESCRIPTION, (0, 1), "set", 0x08, "13.4.5: Set is a method, with this attribute unsupported: c"),
    ("csr", NODE_INFO, (0, 1), "set", 0x08, "13.4.5: as NodeDescription"),
    ("csr", GUID_INFO, (0, 1), "set", 0x08, "14.2.5.5: GUIDs but the first are writable"),
    ("csr", GUID_INFO, (2, 0x20, 0x10000, 0xFFFFFFFF), "set", 0x08, "14.2.5.5: writable, and 13.4.5: no such block"),
    ("csr", NODE_DESCRIPTION, (1,), "get", 0, "13.4.5: the modifier is 0, another is an invalid value"),
    ("csr", NODE_INFO, (1,), "get", 0, "13.4.5: as NodeDescription"),
    ("s", SWITCH_INFO, (1,), "get set", 0, "13.4.5: as NodeDescription"),
    ("csr", GUID_INFO, (2, 0x20, 0x10000, 0xFFFFFFFF), "get", 0, "14.2.5.5: blocks end with GUIDCap, 12 here"),
    ("cr", PORT_INFO, (2, 0x80000002), "set", 0x1C, "14.2.5.6: another port is read-only: the Set is as a Get"),
    ("s", PKEYS, (1,), "get set", 0x1C, "14.2.5.7: blocks end with PartitionCap, 8 in ibsim"),
    ("s", SL2VL, (0x100,), "get set", 0, "14.2.5.8: base port 0 is no output port"),
    ("s", VLARB, (0x10000,), "get set", 0, "14.2.5.9: as SLtoVLMappingTable"),
    ("s", LINEAR, (2,), "get", 0, "14.2.5.10: blocks end with LinearFDBCap, 30720 in ibsim"),
    ("s", MULTICAST, (2,), "get set", 0, "14.2.5.12: blocks end with MulticastFDBCap, 1024 in ibsim"),
    ("s", MULTICAST, (0x200, 0x10000), "get set", 0, "14.2.5.12: bits 27:9 of the modifier are zero"),
    ("s", MULTICAST, (0x20000000, 0xF0000000), "get set", 0, "14.2.5.12: positions end with the last port"),
    ("csr", MLNX_PORT_INFO, (1,), "get set", 0, "13.4.5: of another vendor"),
)

# Bytes of a block that ibsim stores, where its capacity is less: 8 entries of 16 bits.
STORED = {("c", VLARB): 16, ("r", VLARB): 16, ("s", VLARB): 16, ("s", PKEYS): 16}

# PortInfo of a CA port: where a component stands, first bit and width.
FIELDS = {"LID": (128, 16), "MasterSMLID": (144, 16), "LinkWidthEnabled": (232, 8), "LinkDownDefaultState": (268, 4),
          "LinkSpeedEnabled": (284, 4), "NeighborMTU": (288, 4), "OperationalVLs": (344, 4),
          "M_KeyLeasePeriod": (208, 16), "VLHighLimit": (304, 8), "SubnetTimeOut": (411, 5)}

# Values that ibsim takes and ours rejects, and what decides (IBA 14.2.5.6).
FIELD_DIFFERENCES = {
    "LID": ((0, 0xC000, 0xFFFE, 0xFFFF), "a port has a unicast LID"),
    "MasterSMLID": ((0, 0xC000, 0xFFFF), "so has the port of an SM"),
    "LinkDownDefaultState": ((3, 15), "Sleep and Polling are all there is"),
    "LinkSpeedEnabled": ((8, 9, 14), "reserved values are invalid, as those of LinkWidthEnabled are for ibsim too"),
    "NeighborMTU": ((0, 6, 15), "256 to 4096 are all there is"),
}


def is_beyond(attribute, modifier):
    """Whether ibsim reads or writes what is not there, and may fail."""
    ports = {PKEYS: (modifier >> 16,), SL2VL: (modifier >> 8, modifier & 0xFF), VLARB: (modifier & 0xFFFF,)}
    return max(ports.get(attribute, (0,))) > PORTS or attribute == LINEAR and modifier >= 0x10000


def attribute_lines(node):
    """(attribute, modifier, our statuses) of the lines that need no preparation."""
    with open(os.path.join(TABLES, "attributes.table"), encoding="ascii") as file:
        for line in file:
            words = line.split()
            if len(words) != 7 or words[0] == "#" or node not in words[0]:
                continue
            attribute, modifier, get, put = (int(word, 16) for word in words[1:5])
            if attribute not in NOT_SERVED and not (node == "s" and is_beyond(attribute, modifier)):
                yield attribute, modifier, {"get": get, "set": put}


def listed(node):
    """{(attribute, modifier, method): ibsim's status}"""
    return {(attribute, modifier, method): status
            for nodes, attribute, modifiers, methods, status, _ in DIFFERENCES if node in nodes
            for modifier in modifiers for method in methods.split()}


def harmless(attribute, data):
    """What was read, without the commands that PortState and PortPhysicalState are."""
    if attribute == PORT_INFO:
        return data[:32] + bytes((data[32] & 0xF0, data[33] & 0x0F)) + data[34:]
    return data


def found(reader, node):
    """The differences that are there, as listed() has them."""
    result = {}
    for attribute, modifier, ours in attribute_lines(node):
        status, data = reader.ask("get", f"{attribute:x}", f"{modifier:x}")
        replies = {"get": status}
        if not (attribute == LINEAR and ours["set"]):  # ibsim would write beyond its table
            replies["set"], _ = reader.ask("set", f"{attribute:x}", f"{modifier:x}", harmless(attribute, data).hex())
        result |= {(attribute, modifier, method): status
                   for method, status in replies.items() if status != ours[method]}
    return result


def attributes_agree(tap, fabric, node):
    with fabric.reader(HOSTS[node]) as reader:
        got = found(reader, node)
    wanted = listed(node)
    count = sum(1 for _ in attribute_lines(node))
    tap.ok(got == wanted, f"{HOSTS[node]}: {count} modifiers differ where it is listed, {len(wanted)} times",
           [f"{a:#x} {m:#x} {method}: {s:#x}" for (a, m, method), s in sorted(got.items() ^ wanted.items())])


def tables_agree(tap, fabric, node):
    """What is set is stored: the same bytes as in ours."""
    with open(os.path.join(TABLES, "attributes.table"), encoding="ascii") as file:
        lines = [line.split() for line in file if node in line.split("#")[0].split(" ")[0]]
    wrong = []
    with fabric.reader(HOSTS[node]) as reader:
        for words in lines:
            attribute, modifier = int(words[1], 16), int(words[2], 16)
            differs = (attribute, modifier, "set") in listed(node) or attribute in NOT_SERVED
            if len(words) != 7 or words[4] != "0" or words[5] == "-" or differs:
                continue
            first, end = (int(number) for number in words[5].split("-"))
            end = min(end, STORED.get((node, attribute), end))
            data = bytes(16 * (i % 8) + i % 16 if i % 2 else i % 8 for i in range(64))
            reader.set(attribute, modifier, data)
            if reader.get(attribute, modifier)[first:end] != data[first:end]:
                wrong.append(f"{attribute:#x} {modifier:#x}")
    tap.ok(not wrong, f"{HOSTS[node]}: tables store what is set", wrong)


def component_lines():
    """(component, value, our status) for ports of a CA."""
    with open(os.path.join(TABLES, "components.table"), encoding="ascii") as file:
        for line in file:
            words = line.split()
            if len(words) == 4 and "c" in words[0] and words[1] in FIELDS:
                yield words[1], int(words[2], 0), 0x1C if words[3] == "!" else 0


def put(data, component, value):
    first, width = FIELDS[component]
    shift = 512 - first - width
    number = int.from_bytes(data, "big")
    return (number & ~((1 << width) - 1 << shift) | value << shift).to_bytes(64, "big")


def components_agree(tap, fabric):
    wanted = {(name, value): 0 for name, (values, _) in FIELD_DIFFERENCES.items() for value in values}
    got = {}
    with fabric.reader(HOSTS["c"]) as reader:
        data = harmless(PORT_INFO, reader.get(PORT_INFO, 1))
        data = put(put(data, "LID", 3), "MasterSMLID", 3)
        for component, value, ours in component_lines():
            status, _ = reader.ask("set", f"{PORT_INFO:x}", "1", put(data, component, value).hex())
            if status != ours:
                got[component, value] = status
    count = sum(1 for _ in component_lines())
    tap.ok(got == wanted, f"{count} values of PortInfo differ where it is listed, {len(wanted)} times",
           [f"{name} {value:#x}: {status:#x}" for (name, value), status in sorted(got.items() ^ wanted.items())])


def main():
    require("ibsim")
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder, bed.Fabric(NETFILE, folder) as fabric:
        for node in HOSTS:
            tap.case(attributes_agree, fabric, node)
        for node in HOSTS:
            tap.case(tables_agree, fabric, node)
        tap.case(components_agree, fabric)
    tap.done()


if __name__ == "__main__":
    main()
