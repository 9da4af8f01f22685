# SPDX-License-Identifier: BSD-2-Clause
"""The independent reading: from raw SMP data to the complete tree the agent has to show.

Written from the specification of the attributes and of the MIB, it knows
nothing of the daemon.  A reader gives 64 octets for (attribute, modifier), or
None when the node refuses.
"""

import csv
import os
from typing import NamedTuple

from snmp import Binding, oid

NODE_DESCRIPTION, NODE_INFO, SWITCH_INFO, GUID_INFO = 0x10, 0x11, 0x12, 0x14
PORT_INFO, PKEY_TABLE, SL_TO_VL, VL_ARBITRATION = 0x15, 0x16, 0x17, 0x18
LINEAR_TABLE, RANDOM_TABLE, MULTICAST_TABLE = 0x19, 0x1A, 0x1B
SM_INFO, VENDOR_DIAG, LED_INFO = 0x20, 0x30, 0x31

ROOT = oid("1.3.6.1.3.117.3")
OBJECTS_CSV = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "sma-mib-objects.csv")
ASN_TYPES = {
    "Integer32": "INTEGER", "Enumeration": "INTEGER", "TruthValue": "INTEGER",
    "Unsigned32": "Gauge32", "Gauge32": "Gauge32", "Counter32": "Counter32",
    "IbDataPort": "Gauge32", "IbDataPortAndInvalid": "Gauge32", "IbUnicastLid": "Gauge32", "IbMulticastLid": "Gauge32",
    "DisplayString": "OCTETS", "OctetString": "OCTETS", "IbGuid": "OCTETS", "IbSmPortList": "OCTETS",
}
CONVENTION_RANGES = {"IbDataPort": "1..254", "IbDataPortAndInvalid": "1..255", "IbGuid": "8", "IbSmPortList": "32",
                     "TruthValue": "1..2"}

SWITCH = 2
NO_DATA_PORT = 255
TRUE, FALSE = 1, 2
ZERO_KEY = bytes(8)
FULL_LIDS, FULL_MLIDS = 49151, 16383
FIRST_MLID = 0xC000


class Object(NamedTuple):
    """A line of the object list."""
    oid: tuple
    type: str
    low: int
    high: int
    readable: bool
    column: bool


def _range(row):
    low, _, high = (row["range_or_size"] or CONVENTION_RANGES.get(row["syntax"], "0..4294967295")).partition("..")
    return int(low), int(high or low)


def load_objects():
    with open(OBJECTS_CSV, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] in ("scalar", "column")]
    return {row["name"]: Object(oid(row["oid"]), ASN_TYPES[row["syntax"]], *_range(row),
                                row["access"] == "read-only", row["kind"] == "column") for row in rows}


OBJECTS = load_objects()


# Components of an attribute: functions from 64 octets to a value.

def number(offset, size=1):
    return lambda block: int.from_bytes(block[offset:offset + size], "big")


def octets(offset, size):
    return lambda block: block[offset:offset + size]


def bits(offset, high, low):
    return lambda block: block[offset] >> low & (1 << high - low + 1) - 1


def truth(offset, bit):
    return lambda block: TRUE if block[offset] >> bit & 1 else FALSE


def capability(bit):
    return truth(20 + 3 - bit // 8, bit % 8)


def has_capability(block, bit):
    return capability(bit)(block) == TRUE


def mapped(component, table, otherwise):
    return lambda block: table.get(component(block), otherwise)


def clamped(component, high):
    return lambda block: min(component(block), high)


def zero_above(component, high):
    return lambda block: value if (value := component(block)) <= high else 0


def plus_one(count):
    return {value: value + 1 for value in range(count)}


def node_string(block):
    plain = block.split(b"\0")[0].rstrip(b" ")
    return bytes(octet if 32 <= octet <= 126 else ord("?") for octet in plain) or b" "


def linear_top(block):
    return min(number(6, 2)(block), FULL_LIDS) if number(0, 2)(block) else 0


def management_key(block):
    """Zeros where there is none; of no size that it can have where it is not shown, or may be hidden by the port."""
    key, level = number(0, 8)(block), bits(34, 7, 6)(block)
    return b"" if key or level == 1 else ZERO_KEY


def protection(block):
    key, level = number(0, 8)(block), bits(34, 7, 6)(block)
    if key:
        return {0: 2, 1: 3}.get(level, 4)
    return 3 if level == 1 else 1


EXT_ACTIVE, EXT_SUPPORTED, EXT_ENABLED = bits(62, 7, 4), bits(62, 3, 0), bits(63, 4, 0)
EXT_DISABLED = 30


def speed_supported(block):
    return 1 if bits(32, 7, 4)(block) == 1 and not EXT_SUPPORTED(block) else 2


def speed_active(block):
    return 1 if bits(35, 7, 4)(block) == 1 and not EXT_ACTIVE(block) else 2


def speed_enabled(block):
    speed = bits(35, 3, 0)(block)
    if speed == 1 and EXT_ENABLED(block) not in (0, EXT_DISABLED):
        return 4
    return {0: 1, 1: 2, 15: 3}.get(speed, 4)


MTUS = VLS = {value: value for value in range(1, 6)}
WIDTHS_ENABLED = {0: 1, 1: 2, 2: 3, 3: 4, 8: 5, 9: 6, 10: 7, 11: 8, 255: 9}

NODE_INFO_SCALARS = {
    "ibSmaNodeBaseVersion": number(0),
    "ibSmaNodeClassVersion": number(1),
    "ibSmaNodeType": mapped(number(2), {1: 1, 2: 2, 3: 3}, 4),
    "ibSmaNodeNumPorts": number(3),
    "ibSmaSystemImageGuid": octets(4, 8),
    "ibSmaNodeGuid": octets(12, 8),
    "ibSmaNodePortGuid": octets(20, 8),
    "ibSmaNodePartitionTableNum": number(28, 2),
    "ibSmaNodeDeviceId": octets(30, 2),
    "ibSmaNodeRevision": octets(32, 4),
    "ibSmaNodeLocalPortNumOrZero": zero_above(number(36), 254),
    "ibSmaNodeVendorId": octets(37, 3),
}

SWITCH_INFO_SCALARS = {
    "ibSmaSwLinearFdbTableNum": clamped(number(0, 2), FULL_LIDS),
    "ibSmaSwRandomFdbTableNum": clamped(number(2, 2), FULL_LIDS),
    "ibSmaSwMulticastFdbTableNum": clamped(number(4, 2), FULL_MLIDS),
    "ibSmaSwLinearFdbTop": linear_top,
    "ibSmaSwDefaultPort": zero_above(number(8), 254),
    "ibSmaSwDefMcastPriPort": zero_above(number(9), 254),
    "ibSmaSwDefMcastNotPriPort": zero_above(number(10), 254),
    "ibSmaSwLifeTimeValue": bits(11, 7, 3),
    "ibSmaSwPortStateChange": bits(11, 2, 2),
    "ibSmaSwLidsPerPort": number(12, 2),
    "ibSmaSwPartitionEnforceNum": number(14, 2),
    "ibSmaSwInboundEnforceCap": truth(16, 7),
    "ibSmaSwOutboundEnforceCap": truth(16, 6),
    "ibSmaSwFilterRawPktInputCap": truth(16, 5),
    "ibSmaSwFilterRawPktOutputCap": truth(16, 4),
    "ibSmaSwEnhancedPort0": truth(16, 3),
}

CAPABILITY_BITS = {
    "ibSmaPortIsSubnetManager": 1,
    "ibSmaPortIsNoticeSupported": 2,
    "ibSmaPortIsTrapSupported": 3,
    "ibSmaPortIsAutoMigrateSupported": 5,
    "ibSmaPortIsSlMappingSupported": 6,
    "ibSmaPortIsMKeyNvram": 7,
    "ibSmaPortIsPKeyNvram": 8,
    "ibSmaPortIsLedInfoSupported": 9,
    "ibSmaPortIsSmDisabled": 10,
    "ibSmaPortIsSysImgGuidSupported": 11,
    "ibSmaPortIsPKeyExtPortTrapSup": 12,
    "ibSmaPortIsCommManageSupported": 16,
    "ibSmaPortIsSnmpTunnelSupported": 17,
    "ibSmaPortIsReinitSupported": 18,
    "ibSmaPortIsDevManageSupported": 19,
    "ibSmaPortIsVendorClassSupported": 20,
    "ibSmaPortIsDrNoticeSupported": 21,
    "ibSmaPortIsCapMaskNoticSupported": 22,
    "ibSmaPortIsBootMgmtSupported": 23,
}
IS_SM, IS_SL_MAPPING, IS_LED, HAS_EXTENDED_SPEEDS, HAS_MULTICAST_TOP = 1, 6, 9, 14, 30

MANAGEMENT_PORT_SCALARS = {
    "ibSmaPortMKey": management_key,
    "ibSmaPortGidPrefix": octets(8, 8),
    "ibSmaPortLid": zero_above(number(16, 2), FULL_LIDS),
    "ibSmaPortMasterSmLid": zero_above(number(18, 2), FULL_LIDS),
    **{name: capability(bit) for name, bit in CAPABILITY_BITS.items()},
    "ibSmaPortMKeyLeasePeriod": number(26, 2),
    "ibSmaPortMKeyProtectBits": protection,
    "ibSmaPortMasterSmSl": bits(36, 3, 0),
    "ibSmaPortInitTypeLoad": truth(37, 0),
    "ibSmaPortInitTypeContent": truth(37, 1),
    "ibSmaPortInitTypePresence": truth(37, 2),
    "ibSmaPortInitTypeResuscitate": truth(37, 3),
    "ibSmaPortInitNoLoadReply": truth(41, 4),
    "ibSmaPortInitPreserveContReply": truth(41, 5),
    "ibSmaPortInitPreservePresReply": truth(41, 6),
    "ibSmaPortMKeyViolations": number(44, 2),
    "ibSmaPortPKeyViolations": number(46, 2),
    "ibSmaPortQKeyViolations": number(48, 2),
    "ibSmaPortNumGuid": number(50),
    "ibSmaPortSubnetTimeout": bits(51, 4, 0),
    "ibSmaPortResponseTimeValue": bits(52, 4, 0),
}

DATA_PORT_COLUMNS = {
    "ibSmaPortLinkWidthEnabled": mapped(number(29), WIDTHS_ENABLED, 10),
    "ibSmaPortLinkWidthSupported": mapped(number(30), {1: 1, 3: 2, 11: 3}, 4),
    "ibSmaPortLinkWidthActive": mapped(number(31), {1: 1, 2: 2, 8: 3}, 4),
    "ibSmaPortLinkSpeedSupported": speed_supported,
    "ibSmaPortLinkState": mapped(bits(32, 3, 0), plus_one(5), 6),
    "ibSmaPortPhysState": mapped(bits(33, 7, 4), plus_one(7), 8),
    "ibSmaPortLinkDownDefaultState": mapped(bits(33, 3, 0), plus_one(3), 4),
    "ibSmaPortLidMaskCount": bits(34, 2, 0),
    "ibSmaPortLinkSpeedActive": speed_active,
    "ibSmaPortLinkSpeedEnabled": speed_enabled,
    "ibSmaPortNeighborMtu": mapped(bits(36, 7, 4), MTUS, 6),
    "ibSmaPortVirtLaneSupport": mapped(bits(37, 7, 4), VLS, 6),
    "ibSmaPortVlHighPriorityLimit": number(38),
    "ibSmaPortVlArbHighCapacity": clamped(number(39), 64),
    "ibSmaPortVlArbLowCapacity": clamped(number(40), 64),
    "ibSmaPortMtuCapacity": mapped(bits(41, 3, 0), MTUS, 6),
    "ibSmaPortVlStallCount": bits(42, 7, 5),
    "ibSmaPortHeadOfQueueLife": bits(42, 4, 0),
    "ibSmaPortOperationalVls": mapped(bits(43, 7, 4), VLS, 6),
    "ibSmaPortPartEnforceInbound": truth(43, 3),
    "ibSmaPortPartEnforceOutbound": truth(43, 2),
    "ibSmaPortFilterRawPktInbound": truth(43, 1),
    "ibSmaPortFilterRawPktOutbound": truth(43, 0),
    "ibSmaPortLocalPhysErrorThreshold": bits(53, 7, 4),
    "ibSmaPortOverrunErrorThreshold": bits(53, 3, 0),
}

SM_INFO_COLUMNS = {
    "ibSmaSmGuid": octets(0, 8),
    "ibSmaSmSmKey": lambda block: ZERO_KEY,
    "ibSmaSmSmpCount": number(16, 4),
    "ibSmaSmPriority": bits(20, 7, 4),
    "ibSmaSmState": mapped(bits(20, 3, 0), {0: 2, 1: 3, 2: 4, 3: 5}, 1),
}
# Objects that move by themselves while somebody reads.
VOLATILE = {"ibSmaSmSmpCount"}

# Table, virtual lane, weight, capacity in PortInfo, first of its two halves.
VL_ARBITRATION_TABLES = (
    ("ibSmaHiPriVirtLane", "ibSmaHiPriWeight", number(39), 3),
    ("ibSmaLowPriVirtLane", "ibSmaLowPriWeight", number(40), 1),
)
NO_LANE = 15


class Node:
    """Collects what one node's management port tells."""

    def __init__(self, reader):
        self.reader = reader
        self.bindings = []
        self.info = reader.get(NODE_INFO)
        self.switch_info = reader.get(SWITCH_INFO) if self.is_switch() else None
        self.management = reader.get(PORT_INFO, 0)
        self.ports = range(1, self.info[3] + 1) if self.info else ()
        self.port_info = {port: self._port_info(port) for port in self.ports}

    def is_switch(self):
        return self.info is not None and self.info[2] == SWITCH

    def own_port(self):
        return 0 if self.is_switch() else self.info[36]

    def reachable_ports(self):
        """Ports whose own SMA answers: on a switch port 0 answers for all."""
        return self.ports if self.is_switch() else (self.own_port(),)

    def _port_info(self, port):
        """With zeros for the components that do not count on this port."""
        block = self.reader.get(PORT_INFO, port)
        if block is None:
            return None
        counting = bytearray(block)
        if self.is_switch():
            counting[34] &= 0xF8
        if not self.management_has(HAS_EXTENDED_SPEEDS):
            counting[62:] = bytes(2)
        return bytes(counting)

    def management_has(self, bit):
        return self.management is not None and has_capability(self.management, bit)

    def add(self, name, value, *index):
        """A value that the object's range does not hold makes no instance."""
        known = OBJECTS[name]
        size = len(value) if known.type == "OCTETS" else value
        if known.low <= size <= known.high:
            self.bindings.append(Binding(known.oid + (index or (0,)), known.type, value))

    def add_all(self, components, block, *index):
        if block is not None:
            for name, component in components.items():
                self.add(name, component(block), *index)


def node_info(node):
    description = node.reader.get(NODE_DESCRIPTION)
    if description is not None:
        node.add("ibSmaNodeString", node_string(description))
    node.add_all(NODE_INFO_SCALARS, node.info)


def switch_info(node):
    node.add_all(SWITCH_INFO_SCALARS, node.switch_info)


def management_port(node):
    node.add_all(MANAGEMENT_PORT_SCALARS, node.management)


def guid_table(node):
    if node.is_switch():
        for port in node.ports:
            node.add("ibSmaGuidVal", ZERO_KEY, port, 1)
    elif node.management is not None:
        _port_guids(node, node.own_port(), node.management[50])


def _port_guids(node, port, count):
    blocks = [node.reader.get(GUID_INFO, block) for block in range((count + 7) // 8)]
    if not count or blocks[0] is None:
        node.add("ibSmaGuidVal", ZERO_KEY, port, 1)
        return
    for entry in range(count):
        if (block := blocks[entry // 8]) is not None:
            node.add("ibSmaGuidVal", octets(entry % 8 * 8, 8)(block), port, entry + 1)


def data_ports(node):
    for port, block in node.port_info.items():
        node.add_all(DATA_PORT_COLUMNS, block, port)


def pkey_table(node):
    if node.info is not None:
        _port_pkeys(node, NO_DATA_PORT, 0, number(28, 2)(node.info))
    if node.switch_info is not None:
        for port in node.ports:
            _port_pkeys(node, port, port << 16, number(14, 2)(node.switch_info))


def _port_pkeys(node, index, modifier, count):
    for at in range(min(count, 65505)):
        if at % 32 == 0:
            block = node.reader.get(PKEY_TABLE, modifier | at // 32)
        if block is not None:
            key = number(at % 32 * 2, 2)(block)
            base = key & 0x7FFF
            node.add("ibSmaPKeyMembership", 1 if not base else 3 if key & 0x8000 else 2, index, at + 1)
            node.add("ibSmaPKeyBase", base, index, at + 1)


def sl_to_vl_table(node):
    if not node.management_has(IS_SL_MAPPING):
        return
    for out_index, in_index, modifier in _sl_to_vl_pairs(node):
        if (block := node.reader.get(SL_TO_VL, modifier)) is not None:
            for level in range(16):
                lane = block[level // 2] >> (0 if level % 2 else 4) & 0xF
                node.add("ibSmaVirtualLane", lane, out_index, in_index, level + 1)


def _sl_to_vl_pairs(node):
    """(out index, in index, modifier); index 255 is port 0."""
    if not node.is_switch():
        return [(node.own_port(), NO_DATA_PORT, 0)]
    outs = list(node.ports)
    if node.switch_info is not None and truth(16, 3)(node.switch_info) == TRUE:
        outs.append(0)
    return [(o or NO_DATA_PORT, i or NO_DATA_PORT, i << 8 | o) for o in outs for i in [*node.ports, 0]]


def vl_arbitration_tables(node):
    for lane, weight, capacity, half in VL_ARBITRATION_TABLES:
        for port in node.reachable_ports():
            if (block := node.port_info[port]) is not None:
                _port_arbitration(node, port, (lane, weight), min(capacity(block), 64), half)


def _port_arbitration(node, port, columns, count, half):
    modifier = port if node.is_switch() else 0
    for at in range(count):
        if at % 32 == 0:
            block = node.reader.get(VL_ARBITRATION, half + at // 32 << 16 | modifier)
        if block is None or (lane := block[at % 32 * 2] & 0xF) == NO_LANE:
            continue
        for name, value in zip(columns, (lane, block[at % 32 * 2 + 1])):
            node.add(name, value, port, at + 1)


def linear_table(node):
    if node.switch_info is None or not number(0, 2)(node.switch_info):
        return
    for lid in range(linear_top(node.switch_info) + 1):
        if lid % 64 == 0:
            block = node.reader.get(LINEAR_TABLE, lid // 64)
        if block is not None and (port := block[lid % 64]) != 0xFF:
            node.add("ibSmaLinForwEgressPort", port or NO_DATA_PORT, lid)


def random_table(node):
    capacity = number(2, 2)(node.switch_info) if node.switch_info else 0
    for at in range(min(capacity, 254)):
        if at % 16 == 0:
            block = node.reader.get(RANDOM_TABLE, at // 16)
        if block is not None:
            _random_entry(node, at + 1, block[at % 16 * 4:at % 16 * 4 + 4])


def _random_entry(node, index, entry):
    lid = number(0, 2)(entry)
    if not lid:
        return
    node.add("ibSmaRandomDestLID", lid, index)
    if entry[3] not in (0, NO_DATA_PORT):
        node.add("ibSmaRandomForwEgressPort", entry[3], index)
    node.add("ibSmaRandomLMC", bits(2, 6, 4)(entry), index)
    node.add("ibSmaRandomIsValid", truth(2, 7)(entry), index)


def multicast_table(node):
    positions = range((len(node.ports) + 1 + 15) // 16)
    count = _multicast_count(node)
    for first in range(0, count, 32):
        blocks = [node.reader.get(MULTICAST_TABLE, position << 28 | first // 32) for position in positions]
        for at in range(min(32, count - first)):
            mask = _port_list(blocks, at)
            if mask is not None and any(mask):
                node.add("ibSmaMulForwMask", mask, FIRST_MLID + first + at)


def _multicast_count(node):
    if node.switch_info is None:
        return 0
    capacity, top = number(4, 2)(node.switch_info), number(18, 2)(node.switch_info)
    limited = node.management_has(HAS_MULTICAST_TOP) and top >= FIRST_MLID - 1
    return min(capacity, FULL_MLIDS + 1, top + 1 - FIRST_MLID if limited else capacity)


def _port_list(blocks, at):
    """Port p is octet p/8, most significant bit first; the wire counts from the least significant."""
    if None in blocks:
        return None
    mask = bytearray(32)
    for position, block in enumerate(blocks):
        word = number(at * 2, 2)(block)
        for bit in (bit for bit in range(16) if word >> bit & 1):
            port = position * 16 + bit
            mask[port // 8] |= 0x80 >> port % 8
    return bytes(mask)


def sm_info_table(node):
    if not node.is_switch() and node.management_has(IS_SM):
        node.add_all(SM_INFO_COLUMNS, node.reader.get(SM_INFO), node.own_port())


def vendor_diag_table(node):
    others = {} if node.is_switch() else node.port_info
    for index, block in [*others.items(), (NO_DATA_PORT, node.management)]:
        if block is not None:
            _diagnosis(node, index, number(24, 2)(block))


def _diagnosis(node, index, code):
    generic = code & 0xF
    block = node.reader.get(VENDOR_DIAG, code >> 4 & 0x7FF) if generic in (3, 4) and code & 0x8000 else None
    following = node.reader.get(VENDOR_DIAG, number(0, 2)(block)) if block and any(block[:2]) else None
    data = b"".join(part[2:] for part in (block, following) if part)
    node.add("ibSmaPortGenericDiagCode", plus_one(5).get(generic, 6), index)
    node.add("ibSmaPortVendorDiagCode", code >> 4 & 0x7FF, index)
    node.add("ibSmaPortVendorDiagIndexFwd", TRUE if block else FALSE, index)
    node.add("ibSmaPortVendorDiagData", data.ljust(124, b"\0"), index)


def led_table(node):
    if node.is_switch() or not node.management_has(IS_LED):
        return
    for port in node.ports:
        block = node.reader.get(LED_INFO) if port == node.own_port() else None
        node.add("ibSmaLedState", 1 if block is None else 2 if block[0] & 0x80 else 3, port)


GROUPS = (node_info, switch_info, guid_table, management_port, data_ports, pkey_table, sl_to_vl_table,
          vl_arbitration_tables, linear_table, random_table, multicast_table, sm_info_table, vendor_diag_table,
          led_table)


def expected_tree(reader):
    """Every readable instance, in the order of the OIDs."""
    node = Node(reader)
    for group in GROUPS:
        group(node)
    return sorted(node.bindings)


def object_of(name):
    """The name of the object that an instance belongs to."""
    return next((known for known, entry in OBJECTS.items() if name[:len(entry.oid)] == entry.oid), None)


def within(rows, *roots):
    """The bindings below any of the given OIDs."""
    return [row for row in rows if any(row.oid[:len(root)] == root for root in roots)]


def differences(rows, before, after=None):
    """Lines that say where rows are not what a reading before, and one after, expect."""
    after = before if after is None else after
    shown, low, high = ({row.oid: row for row in part} for part in (rows, before, after))
    lines = []
    for name in sorted(shown.keys() | low.keys() | high.keys()):
        got, first, last = shown.get(name), low.get(name), high.get(name)
        if got != first or got != last:
            if not _moves_between(got, first, last):
                lines.append(f"{object_of(name)} {'.'.join(map(str, name))}: got {got and got[1:]}, "
                             f"wanted {first and first[1:]}{'' if first == last else f' .. {last and last[1:]}'}")
    return lines


def _moves_between(got, first, last):
    return (None not in (got, first, last) and object_of(got.oid) in VOLATILE
            and got.type == first.type and first.value <= got.value <= last.value)
