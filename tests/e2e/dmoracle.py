# SPDX-License-Identifier: BSD-2-Clause
"""The independent reading of device management: from raw attributes to the complete tree of IB-DM-MIB.

Written from the layouts of IBA 16.3.3 and from the MIB; a reader gives the 192 octets for (attribute, modifier), or the
status of the answer.
"""

import csv
import os

import bed
import iounit
from oracle import ASN_TYPES, NO_DATA_PORT, bits, number, octets, plus_one, truth
from snmp import Binding, oid

OBJECTS_CSV = os.path.join(bed.HERE, "..", "data", "ib-dm-mib-objects.csv")
TYPES = ASN_TYPES | {"Bits": "OCTETS", "SnmpAdminString": "OCTETS"}


def _load():
    with open(OBJECTS_CSV, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return oid(rows[0]["oid"]), {row["name"]: (oid(row["oid"]), TYPES[row["syntax"]]) for row in rows
                                 if row["access"] in ("read-only", "accessible-for-notify")}


ROOT, OBJECTS = _load()
NOTIFICATION = ROOT + (0, 1)


def text(offset, size):
    """UTF-8 up to the first zero; what is none, and control characters, as question marks byte for byte."""
    def shown(block):
        plain = block[offset:offset + size].split(b"\0")[0].decode(errors="surrogateescape")
        return "".join("?" * len(char.encode(errors="surrogateescape"))
                       if ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or 0xDC80 <= ord(char) <= 0xDCFF else char
                       for char in plain).encode()
    return shown


def mask(offset, size, count):
    """BITS of the lowest `count` bits, the first of which is the highest of its octet."""
    def shown(block):
        value = int.from_bytes(block[offset:offset + size], "big")
        return bytes([sum(0x80 >> bit for bit in range(count) if value >> bit & 1)])
    return shown


def field(offset, size, width):
    """The low `width` bits of a number."""
    return lambda block: number(offset, size)(block) & (1 << width) - 1


UNIT = {
    "ibDmUnitChangeId": number(0, 2), "ibDmUnitMaxControllers": number(2), "ibDmUnitOptionRom": truth(3, 0),
    "ibDmUnitDiagDeviceId": truth(3, 1),
}
AGENT = {
    "ibDmAgentBaseVersion": number(0), "ibDmAgentClassVersion": number(1), "ibDmAgentCapabilities": mask(2, 2, 3),
    "ibDmAgentCapabilityMask2": lambda block: number(4, 4)(block) >> 5, "ibDmAgentRespTimeValue": field(7, 1, 5),
} | {
    f"ibDmAgent{way}{name}": component for way, at in (("Redirect", 8), ("Trap", 40)) for name, component in {
        "Gid": octets(at, 16), "TrafficClass": number(at + 16), "ServiceLevel": bits(at + 17, 7, 4),
        "FlowLabel": field(at + 16, 4, 20), "Lid": number(at + 20, 2), "PKey": octets(at + 22, 2),
        "QueuePair": number(at + 25, 3)}.items()
} | {"ibDmAgentTrapHopLimit": number(64)}
PROFILE = {
    "Guid": octets(0, 8), "VendorId": octets(8, 3), "DeviceId": octets(12, 4), "DeviceVersion": number(16, 2),
    "SubsystemVendorId": octets(20, 3), "SubsystemId": octets(24, 4), "IoClass": octets(28, 2),
    "IoSubclass": octets(30, 2), "Protocol": octets(32, 2), "ProtocolVersion": number(34, 2),
    "ServiceConnections": number(36, 2), "InitiatorsSupported": number(38, 2), "SendMessageDepth": number(40, 2),
    "RdmaReadDepth": number(43), "SendMessageSize": number(44, 4), "RdmaTransferSize": number(48, 4),
    "Operations": mask(52, 1, 8), "Services": mask(53, 1, 3), "ServiceEntries": number(54), "IdString": text(64, 64),
}
PROFILE = {f"ibDmController{name}": component for name, component in PROFILE.items()}
RESULT = {
    "ibDmTestDiagCode": number(0, 2), "ibDmTestDiagState": lambda block: plus_one(5).get(block[1] & 0xF, 6),
    "ibDmTestVendorCode": lambda block: number(0, 2)(block) >> 4 & 0x7FF,
}
SLOT_STATES = {iounit.EMPTY: 1, iounit.PRESENT: 2, iounit.NO_SLOT: 3}
READINESS = {0: 1, 1: 2, iounit.FAILED: 3, iounit.NO_IOC: 4}


def rows(components, block, *index):
    """None without the block."""
    if isinstance(block, int):
        return
    for name, component in components.items():
        where, kind = OBJECTS[name]
        yield Binding(where + index, kind, component(block))


def slots_of(unit):
    """(slot, state) of those that the unit counts."""
    return [(slot, unit[4 + (slot - 1) // 2] >> (4 if slot % 2 else 0) & 0xF) for slot in range(1, unit[2] + 1)]


def controller(read, slot, at):
    """All rows of a controller whose profile is given."""
    profile = read(iounit.PROFILE, slot)
    if isinstance(profile, int):
        return
    yield from rows(PROFILE, profile, *at)
    for entry in range(profile[54]):
        first = entry - entry % 4
        services = read(iounit.SERVICES, slot << 16 | min(first + 3, profile[54] - 1) << 8 | first)
        here = entry % 4 * 48
        yield from rows({"ibDmServiceName": text(here, 40), "ibDmServiceId": octets(here + 40, 8)}, services, *at, entry)
    status = read(iounit.PREPARE_TO_TEST, slot)
    status = status if isinstance(status, int) else 0
    yield from rows({"ibDmTestTimeout": number(0, 4)}, read(iounit.DIAGNOSTIC_TIMEOUT, slot), *at)
    yield from rows({"ibDmTestReadiness": lambda _: READINESS.get(status, 5), "ibDmTestStatus": lambda _: status}, b"", *at)
    yield from rows(RESULT, read(iounit.DIAG_CODE, slot), *at)


def expected_tree(read):
    """Every readable instance, in the order of the OIDs."""
    unit = read(iounit.UNIT_INFO, 0)
    if isinstance(unit, int):
        return []
    found = [*rows(UNIT, unit, NO_DATA_PORT), *rows(AGENT, read(iounit.CLASS_PORT_INFO, 0), NO_DATA_PORT)]
    for slot, state in slots_of(unit):
        at = (NO_DATA_PORT, slot)
        found += rows({"ibDmSlotState": lambda _, state=state: SLOT_STATES.get(state, 4)}, unit, *at)
        if state == iounit.PRESENT:
            found += controller(read, slot, at)
    return sorted(found)


def differences(shown, wanted):
    """Lines that say where rows are not what is expected."""
    shown, wanted = ({row.oid: row[1:] for row in part} for part in (shown, wanted))
    return [f"{'.'.join(map(str, name[len(ROOT):]))}: got {shown.get(name)}, wanted {wanted.get(name)}"
            for name in sorted(shown.keys() | wanted.keys()) if shown.get(name) != wanted.get(name)]
