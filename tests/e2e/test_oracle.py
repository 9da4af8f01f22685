#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""The independent reading itself, against published vectors, smpdump, smpquery, sminfo and ibsim's console."""

import re

import bed
import netfiles
import oracle
from oracle import OBJECTS
from tap import Tap, require

# Attribute data of a CA and of a switch, and what the MIB makes of it.
CA_VECTORS = {
    (0x11, 0): "0101010200000000000010000000000000001000000000000000100100401003000000a101",
    (0x15, 0): "0000000000000000fe80000000000000000100010050c04a00000ff901021f02"
               "7452001140400008 0804e04000000000 0000201f00000000 0000000000300000",
    (0x15, 1): "0000000000000000fe80000000000000000100010050c04a00000ff901021f02"
               "7452001140400008 0804e04000000000 0000201f00000000 0000000000300000",
    (0x16, 0): "ffff",
    (0x16, 1): "",
    (0x20, 0): "00000000000010010000000000000001000001e303",
}
CA_VALUES = {
    "ibSmaNodeBaseVersion": 1, "ibSmaNodeClassVersion": 1, "ibSmaNodeType": 1, "ibSmaNodeNumPorts": 2,
    "ibSmaSystemImageGuid": b"\0\0\0\0\0\0\x10\0", "ibSmaNodePortGuid": b"\0\0\0\0\0\0\x10\x01",
    "ibSmaNodePartitionTableNum": 64, "ibSmaNodeDeviceId": b"\x10\x03", "ibSmaNodeRevision": b"\0\0\0\xa1",
    "ibSmaNodeLocalPortNumOrZero": 1, "ibSmaNodeVendorId": bytes(3),
    "ibSmaPortLid": 1, "ibSmaPortMasterSmLid": 1, "ibSmaPortIsSubnetManager": 1, "ibSmaPortIsNoticeSupported": 2,
    "ibSmaPortIsTrapSupported": 1, "ibSmaPortIsSlMappingSupported": 1, "ibSmaPortIsVendorClassSupported": 1,
    "ibSmaPortIsCapMaskNoticSupported": 1, "ibSmaPortIsBootMgmtSupported": 2, "ibSmaPortMKeyLeasePeriod": 4089,
    "ibSmaPortMKeyProtectBits": 1, "ibSmaPortNumGuid": 32, "ibSmaPortSubnetTimeout": 31,
    "ibSmaPortResponseTimeValue": 0,
    "ibSmaPortLinkWidthEnabled.1": 3, "ibSmaPortLinkWidthSupported.1": 4, "ibSmaPortLinkWidthActive.1": 2,
    "ibSmaPortLinkSpeedSupported.1": 2, "ibSmaPortLinkSpeedActive.1": 1, "ibSmaPortLinkSpeedEnabled.1": 2,
    "ibSmaPortLinkState.1": 5, "ibSmaPortPhysState.1": 6, "ibSmaPortLinkDownDefaultState.1": 3,
    "ibSmaPortNeighborMtu.1": 4, "ibSmaPortMtuCapacity.1": 4, "ibSmaPortVirtLaneSupport.1": 4,
    "ibSmaPortOperationalVls.1": 4, "ibSmaPortVlArbHighCapacity.1": 8, "ibSmaPortVlArbLowCapacity.1": 8,
    "ibSmaPortVlStallCount.1": 7, "ibSmaPortHeadOfQueueLife.1": 0,
    "ibSmaPKeyMembership.255.1": 3, "ibSmaPKeyBase.255.1": 32767,
    "ibSmaPKeyMembership.255.2": 1, "ibSmaPKeyBase.255.64": 0,
    "ibSmaSmGuid.1": b"\0\0\0\0\0\0\x10\x01", "ibSmaSmSmKey.1": bytes(8), "ibSmaSmSmpCount.1": 483,
    "ibSmaSmPriority.1": 0, "ibSmaSmState.1": 5,
}
SWITCH_VECTORS = {
    (0x11, 0): "01010208000000000000200000000000000020000000000000002000000810030000 00a100",
    (0x12, 0): "78000000040000050000009000000040 30000000",
    (0x15, 0): "00" * 20 + "0000c048" + "00" * 40,
    (0x15, 2): "00" * 28 + "01021f02 7452001140400008 0804f040",
    (0x17, 0x0102): "0123456789abcde7",
    (0x18, 0x00010002): "00000104020403040404050406040704",
    (0x19, 0): "ff0100030203" + "ff" * 58,
}
SWITCH_VALUES = {
    "ibSmaSwLinearFdbTableNum": 30720, "ibSmaSwRandomFdbTableNum": 0, "ibSmaSwMulticastFdbTableNum": 1024,
    "ibSmaSwLinearFdbTop": 5, "ibSmaSwDefaultPort": 0, "ibSmaSwLifeTimeValue": 18, "ibSmaSwPortStateChange": 0,
    "ibSmaSwLidsPerPort": 0, "ibSmaSwPartitionEnforceNum": 64, "ibSmaSwInboundEnforceCap": 2,
    "ibSmaSwOutboundEnforceCap": 2, "ibSmaSwFilterRawPktInputCap": 1, "ibSmaSwFilterRawPktOutputCap": 1,
    "ibSmaSwEnhancedPort0": 2,
    "ibSmaPortHeadOfQueueLife.2": 16, "ibSmaPortVlStallCount.2": 7,
    "ibSmaLinForwEgressPort.1": 1, "ibSmaLinForwEgressPort.2": 255, "ibSmaLinForwEgressPort.3": 3,
    "ibSmaLinForwEgressPort.4": 2, "ibSmaLinForwEgressPort.5": 3,
    **{f"ibSmaVirtualLane.2.1.{level + 1}": level for level in range(15)}, "ibSmaVirtualLane.2.1.16": 7,
    **{f"ibSmaLowPriVirtLane.2.{at + 1}": at for at in range(8)},
    **{f"ibSmaLowPriWeight.2.{at + 1}": 4 if at else 0 for at in range(8)},
}
SWITCH_ABSENT = ["ibSmaLinForwEgressPort.0", "ibSmaLinForwEgressPort.6"]


class Canned:
    """A node that answers from a list."""

    def __init__(self, vectors):
        self.blocks = {key: bytes.fromhex(data).ljust(64, b"\0") for key, data in vectors.items()}

    def get(self, attribute, modifier=0):
        return self.blocks.get((attribute, modifier))


def named(tree):
    """{object and index: value}; scalars without their index."""
    values = {}
    for row in tree:
        name = oracle.object_of(row.oid)
        index = row.oid[len(OBJECTS[name].oid):]
        values[".".join(map(str, (name, *index))) if OBJECTS[name].column else name] = row.value
    return values


def vectors(tap, what, blocks, wanted, absent=()):
    got = named(oracle.expected_tree(Canned(blocks)))
    wrong = [f"{name}: got {got.get(name)!r}, wanted {value!r}" for name, value in wanted.items()
             if got.get(name) != value]
    wrong += [f"{name} should not be there" for name in absent if name in got]
    tap.ok(not wrong, f"published vectors of a {what}", wrong)


def object_list(tap):
    readable = [entry for entry in OBJECTS.values() if entry.readable]
    tap.equal((sum(not entry.column for entry in readable), sum(entry.column for entry in readable)), (68, 49),
              "68 readable scalars and 49 readable columns")
    silent = [name for name, entry in OBJECTS.items() if entry.readable and entry.type not in
              ("INTEGER", "Gauge32", "Counter32", "OCTETS")]
    tap.equal(silent, [], "every readable object has a type")


# smpquery's text.  Each table: label, object, text to value.

def _either(*texts, start=1, otherwise):
    table = {text: start + at for at, text in enumerate(texts)}
    return lambda shown: table.get(shown, otherwise)


def _key(shown):
    return int(shown, 16).to_bytes(8, "big")


def _octets(size):
    return lambda shown: int(shown, 16).to_bytes(size, "big")


def _flag(bit=0):
    return lambda shown: 1 if int(shown, 0) >> bit & 1 else 2


MTU = _either("256", "512", "1024", "2048", "4096", otherwise=6)
VLS = _either("VL0", "VL0-1", "VL0-3", "VL0-7", "VL0-14", otherwise=6)
NODE_TEXT = [
    ("BaseVers", "ibSmaNodeBaseVersion", int), ("ClassVers", "ibSmaNodeClassVersion", int),
    ("NodeType", "ibSmaNodeType", _either("Channel Adapter", "Switch", "Router", otherwise=4)),
    ("NumPorts", "ibSmaNodeNumPorts", int), ("SystemGuid", "ibSmaSystemImageGuid", _key),
    ("Guid", "ibSmaNodeGuid", _key), ("PortGuid", "ibSmaNodePortGuid", _key),
    ("PartCap", "ibSmaNodePartitionTableNum", int), ("DevId", "ibSmaNodeDeviceId", _octets(2)),
    ("Revision", "ibSmaNodeRevision", _octets(4)), ("LocalPort", "ibSmaNodeLocalPortNumOrZero", int),
    ("VendorId", "ibSmaNodeVendorId", _octets(3)),
]
SWITCH_TEXT = [
    ("LinearFdbCap", "ibSmaSwLinearFdbTableNum", int), ("RandomFdbCap", "ibSmaSwRandomFdbTableNum", int),
    ("McastFdbCap", "ibSmaSwMulticastFdbTableNum", int), ("LinearFdbTop", "ibSmaSwLinearFdbTop", int),
    ("DefPort", "ibSmaSwDefaultPort", int), ("DefMcastPrimPort", "ibSmaSwDefMcastPriPort", int),
    ("DefMcastNotPrimPort", "ibSmaSwDefMcastNotPriPort", int), ("LifeTime", "ibSmaSwLifeTimeValue", int),
    ("StateChange", "ibSmaSwPortStateChange", int), ("LidsPerPort", "ibSmaSwLidsPerPort", int),
    ("PartEnforceCap", "ibSmaSwPartitionEnforceNum", int), ("InboundPartEnf", "ibSmaSwInboundEnforceCap", _flag()),
    ("OutboundPartEnf", "ibSmaSwOutboundEnforceCap", _flag()),
    ("FilterRawInbound", "ibSmaSwFilterRawPktInputCap", _flag()),
    ("FilterRawOutbound", "ibSmaSwFilterRawPktOutputCap", _flag()), ("EnhancedPort0", "ibSmaSwEnhancedPort0", _flag()),
]
MANAGEMENT_TEXT = [
    ("GidPrefix", "ibSmaPortGidPrefix", _key), ("Lid", "ibSmaPortLid", int), ("SMLid", "ibSmaPortMasterSmLid", int),
    ("MkeyLeasePeriod", "ibSmaPortMKeyLeasePeriod", int), ("SMSL", "ibSmaPortMasterSmSl", int),
    *[("CapMask", name, _flag(bit)) for name, bit in {
        "ibSmaPortIsSubnetManager": 1, "ibSmaPortIsNoticeSupported": 2, "ibSmaPortIsTrapSupported": 3,
        "ibSmaPortIsAutoMigrateSupported": 5, "ibSmaPortIsSlMappingSupported": 6, "ibSmaPortIsLedInfoSupported": 9,
        "ibSmaPortIsCommManageSupported": 16, "ibSmaPortIsDevManageSupported": 19,
        "ibSmaPortIsVendorClassSupported": 20, "ibSmaPortIsCapMaskNoticSupported": 22,
        "ibSmaPortIsBootMgmtSupported": 23}.items()],
    *[("InitType", f"ibSmaPortInitType{name}", _flag(bit))
      for bit, name in enumerate(("Load", "Content", "Presence", "Resuscitate"))],
    ("InitReply", "ibSmaPortInitNoLoadReply", _flag(0)), ("InitReply", "ibSmaPortInitPreserveContReply", _flag(1)),
    ("InitReply", "ibSmaPortInitPreservePresReply", _flag(2)),
    ("MkeyViolations", "ibSmaPortMKeyViolations", int), ("PkeyViolations", "ibSmaPortPKeyViolations", int),
    ("QkeyViolations", "ibSmaPortQKeyViolations", int), ("GuidCap", "ibSmaPortNumGuid", int),
    ("SubnetTimeout", "ibSmaPortSubnetTimeout", int), ("RespTimeVal", "ibSmaPortResponseTimeValue", int),
]
PORT_TEXT = [
    ("LinkWidthEnabled", "ibSmaPortLinkWidthEnabled", _either("1X", "4X", "1X or 4X", "12X", start=2, otherwise=10)),
    ("LinkWidthSupported", "ibSmaPortLinkWidthSupported", _either("1X", "1X or 4X", "1X or 4X or 12X", otherwise=4)),
    ("LinkWidthActive", "ibSmaPortLinkWidthActive", _either("1X", "4X", "12X", otherwise=4)),
    ("LinkSpeedSupported", "ibSmaPortLinkSpeedSupported", _either("2.5 Gbps", otherwise=2)),
    ("LinkState", "ibSmaPortLinkState", _either("Down", "Initialize", "Armed", "Active", start=2, otherwise=6)),
    ("PhysLinkState", "ibSmaPortPhysState",
     _either("Sleep", "Polling", "Disabled", "PortConfigurationTraining", "LinkUp", "LinkErrorRecovery",
             start=2, otherwise=8)),
    ("LinkDownDefState", "ibSmaPortLinkDownDefaultState", _either("Sleep", "Polling", start=2, otherwise=4)),
    ("LMC", "ibSmaPortLidMaskCount", int), ("LinkSpeedActive", "ibSmaPortLinkSpeedActive",
                                            _either("2.5 Gbps", otherwise=2)),
    ("LinkSpeedEnabled", "ibSmaPortLinkSpeedEnabled", _either("2.5 Gbps", start=2, otherwise=4)),
    ("NeighborMTU", "ibSmaPortNeighborMtu", MTU), ("VLCap", "ibSmaPortVirtLaneSupport", VLS),
    ("VLHighLimit", "ibSmaPortVlHighPriorityLimit", int), ("VLArbHighCap", "ibSmaPortVlArbHighCapacity", int),
    ("VLArbLowCap", "ibSmaPortVlArbLowCapacity", int), ("MtuCap", "ibSmaPortMtuCapacity", MTU),
    ("VLStallCount", "ibSmaPortVlStallCount", int), ("HoqLife", "ibSmaPortHeadOfQueueLife", int),
    ("OperVLs", "ibSmaPortOperationalVls", VLS), ("PartEnforceInb", "ibSmaPortPartEnforceInbound", _flag()),
    ("PartEnforceOutb", "ibSmaPortPartEnforceOutbound", _flag()),
    ("FilterRawInb", "ibSmaPortFilterRawPktInbound", _flag()),
    ("FilterRawOutb", "ibSmaPortFilterRawPktOutbound", _flag()),
    ("LocalPhysErr", "ibSmaPortLocalPhysErrorThreshold", int), ("OverrunErr", "ibSmaPortOverrunErrorThreshold", int),
]


class Site:
    """One node of a running fabric: its tree after the oracle, and smpquery."""

    def __init__(self, fabric, host, reader):
        self.fabric, self.host = fabric, host
        self.tree = oracle.expected_tree(reader)
        self.values = named(self.tree)

    def query(self, *words):
        return self.fabric.tool(self.host, ["smpquery", "-D", *words])

    def labels(self, *words):
        return dict(re.findall(r"^(\w+):\.*(.*)$", self.query(*words), re.MULTILINE))

    def column(self, name, *index):
        prefix = OBJECTS[name].oid + index
        return [row.value for row in self.tree if row.oid[:len(prefix)] == prefix]


def text_agrees(tap, site, words, table, suffix=""):
    shown = site.labels(*words)
    wrong = [f"{label}: smpquery says {shown.get(label)}, {name}{suffix} is {site.values.get(name + suffix)!r}"
             for label, name, convert in table
             if label not in shown or convert(shown[label]) != site.values.get(name + suffix)]
    tap.ok(not wrong, f"{site.host}: smpquery {' '.join(words)}", wrong)


def numbers(text, pattern, base=10):
    """Every number in the lines that match, in their order."""
    lines = re.findall(pattern, text, re.MULTILINE)
    return [int(word, base) for line in lines for word in re.findall(r"[0-9a-fA-Fx]+", line)]


def scalars_agree(tap, site, port):
    shown = site.query("nodedesc", "0").split(":", 1)[1].strip().lstrip(".")
    tap.equal(site.values["ibSmaNodeString"], shown.encode(), f"{site.host}: smpquery nodedesc")
    text_agrees(tap, site, ["nodeinfo", "0"], NODE_TEXT)
    text_agrees(tap, site, ["portinfo", "0", str(port)], MANAGEMENT_TEXT)
    for at in (1, 2):
        text_agrees(tap, site, ["portinfo", "0", str(at)], PORT_TEXT, f".{at}")


def tables_agree(tap, site, port, rows):
    """Partition keys, lanes and arbitration of one port; rows is its SL-to-VL index prefix."""
    keys = numbers(site.query("pkeys", "0", str(port)), r"^ *\d+: (.*)$", 16)
    index = 255 if port == 0 or "ibSmaSwLinearFdbTop" not in site.values else port
    tap.equal(site.column("ibSmaPKeyBase", index), [key & 0x7FFF for key in keys],
              f"{site.host}: smpquery pkeys {port}")
    lanes = numbers(site.query("sl2vl", "0", str(port)), r"^ports:.*?: \|(.*)$")
    # smpquery starts with input port 0, whose index is the last.
    tap.equal(site.column("ibSmaVirtualLane", *rows), lanes[16:] + lanes[:16], f"{site.host}: smpquery sl2vl {port}")
    low_lane, high_lane = re.findall(r"^VL .*$", arb := site.query("vlarb", "0", str(port)), re.MULTILINE)
    low, high = re.findall(r"^WEIGHT: .*$", arb, re.MULTILINE)
    for name, line in (("ibSmaLowPriVirtLane", low_lane), ("ibSmaHiPriVirtLane", high_lane),
                       ("ibSmaLowPriWeight", low), ("ibSmaHiPriWeight", high)):
        tap.equal(site.column(name, rows[0]), [int(word, 16) for word in re.findall(r"0x\w+", line)],
                  f"{site.host}: smpquery vlarb {port}, {name}")


def switch_agrees(tap, fabric, host):
    with fabric.reader(host) as reader:
        site = Site(fabric, host, reader)
        dump_agrees(tap, site, reader)
    scalars_agree(tap, site, 0)
    text_agrees(tap, site, ["switchinfo", "0"], SWITCH_TEXT)
    tables_agree(tap, site, 2, (2,))
    console = fabric.command(f'Dump "{host}"')
    table = re.findall(r"\[(\d+)\]([0-9A-F]+)", re.search(r"Forwarding table.*", console)[0])
    wanted = {int(lid): int(port, 16) or 255 for lid, port in table if port != "FF"}
    shown = {int(name.split(".")[1]): value for name, value in site.values.items()
             if name.startswith("ibSmaLinForwEgressPort.")}
    tap.equal(shown, wanted, f"{host}: forwarding table on ibsim's console")


def ca_agrees(tap, fabric, host):
    with fabric.reader(host) as reader:
        site = Site(fabric, host, reader)
        dump_agrees(tap, site, reader)
    scalars_agree(tap, site, 1)
    tables_agree(tap, site, 0, (1,))
    guids = numbers(site.query("guidinfo", "0"), r"^ *\d+: (.*)$", 16)
    tap.equal([int.from_bytes(guid, "big") for guid in site.column("ibSmaGuidVal")], guids,
              f"{host}: smpquery guidinfo")
    info = fabric.tool(host, ["sminfo"])
    guid, priority, state = re.search(r"guid (0x\w+), .* priority (\d+) state (\d+)", info).groups()
    tap.equal([site.values[f"{name}.1"] for name in ("ibSmaSmGuid", "ibSmaSmPriority", "ibSmaSmState")],
              [_key(guid), int(priority), int(state) + 2], f"{host}: sminfo")


def dump_agrees(tap, site, reader, most=60):
    """A sample of the reads, spread over all attributes, again with smpdump."""
    by_attribute = {}
    for attribute, modifier in sorted(reader.used - {(oracle.SM_INFO, 0)}):
        by_attribute.setdefault(attribute, []).append(modifier)
    share = most // len(by_attribute)
    sample = [(attribute, modifier) for attribute, all_of in by_attribute.items()
              for modifier in all_of[::max(1, len(all_of) // share)]]
    wrong = []
    for attribute, modifier in sample:
        dump = site.fabric.tool(site.host, ["smpdump", "-D", "0", hex(attribute), str(modifier)])
        data = bytes.fromhex("".join(re.findall(r"^(?:[0-9a-f]{4} ?){8}$", dump, re.MULTILINE)))
        if data != (reader.get(attribute, modifier) or bytes(64)):
            wrong.append(f"{attribute:#x} {modifier:#x}: {dump}")
    tap.ok(not wrong, f"{site.host}: smpdump of {len(sample)} blocks", wrong)


def main():
    require("ibsim", "opensm", "smpquery", "smpdump", "sminfo")
    bed.end_on_sigterm()
    tap = Tap()
    tap.case(object_list)
    tap.case(vectors, "CA", CA_VECTORS, CA_VALUES)
    tap.case(vectors, "switch", SWITCH_VECTORS, SWITCH_VALUES, SWITCH_ABSENT)
    with bed.scratch() as folder, bed.Fabric(netfiles.VECTORS, folder) as fabric, bed.OpenSM(fabric, "Hca1"):
        tap.case(ca_agrees, fabric, "Hca1")
        for host in ("Sw1", "Sw2"):
            tap.case(switch_agrees, fabric, host)
    tap.done()


if __name__ == "__main__":
    main()
