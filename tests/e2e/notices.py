# SPDX-License-Identifier: BSD-2-Clause
"""Notices as they come from an SMA, and the notifications that they have to become.

Reserved octets of the notices are not zero, so that a wrong offset shows.
"""

from typing import NamedTuple

import snmp
from oracle import OBJECTS
from trapd import NOTIFICATIONS, Varbind

TAGS = {name: tag for tag, name in snmp.TAGS.items()}

# In the order of their numbers: .2.1 and so on.
NAMES = ["ibSmaPortLinkStateChange", "ibSmaLinkIntegrityThresReached", "ibSmaExcessBuffOverrunThres",
         "ibSmaFlowCntrlUpdateTimerExpire", "ibSmaCapabilityMaskModified", "ibSmaSysImageGuidModified",
         "ibSmaBadManagementKey", "ibSmaBadPartitionKey", "ibSmaBadQueueKey", "ibSmaBadPKeyAtSwitchPort"]
(LINK_STATE, INTEGRITY, OVERRUN, FLOW_CONTROL, CAPABILITY, SYSTEM_GUID, BAD_M_KEY, BAD_P_KEY, BAD_Q_KEY,
 BAD_P_KEY_SWITCH) = range(1, 11)

# When a notification that had to wait became known: DateAndTime, behind all others.
NOTICE_TIME = snmp.oid("1.3.6.1.4.1.8072.9999.9999.117.1.3.6.0")


class Case(NamedTuple):
    """A notice of 64 octets, less the zeros at its end; the number of its notification; names and values."""
    name: str
    notice: bytes
    number: int
    values: tuple

    @property
    def oid(self):
        return NOTIFICATIONS + (self.number,)

    @property
    def varbinds(self):
        return tuple(varbind(*value) for value in self.values)


def varbind(name, value):
    """As it has to be on the wire."""
    entry = OBJECTS[name]
    octets = value if entry.type == "OCTETS" else snmp.parse(snmp.integer(value))[1]
    return Varbind(entry.oid + (0,), TAGS[entry.type], octets)


def case(name, octets, number, **values):
    return Case(name, bytes.fromhex(octets), number,
                tuple((f"ibSma{part}", bytes.fromhex(value) if isinstance(value, str) else value)
                      for part, value in values.items()))


GID_A = "FE80000000000000 0002C90000000A01"
GID_B = "FE80000000000000 0002C90000000B02"
NO_GID = "00" * 16
ONES = "FF"

TEN = [
    case("link state", "81 000002 0080 0003 0000 0011", LINK_STATE, NodeLid=17),
    case("link integrity", "81 000002 0081 0003 0000 AAAA 0022 C8", INTEGRITY, NodeLid=34, NodePortNum=200),
    case("buffer overrun", "81 000001 0082 0003 0000 AAAA 0023 01 BB", OVERRUN, NodeLid=35, NodePortNum=1),
    case("flow control", "81 000002 0083 0003 0000 AAAA BFFF FE BB", FLOW_CONTROL, NodeLid=49151, NodePortNum=254),
    case("capability mask", "84 000001 0090 0003 0000 AAAA 0005 00 00 0250C04A", CAPABILITY,
         NodeLid=5, NodeCapMask="0250C04A"),
    case("system image GUID", "84 000001 0091 0003 0000 AAAA 0005 0000 0008F10400410015", SYSTEM_GUID,
         NodeLid=5, SystemImageGuid="0008F10400410015"),
    case("bad M_Key", "82 000001 0100 0003 0000 0000 0007 FFFF 81 EE 0015 FFFFFFFF 1234567812345678 00 C4 050607 08",
         BAD_M_KEY, NodeKey="1234567812345678", NodeLid=7, NodeMethod=129, NodeAttributeId=21,
         NodeAttributeModifier=4294967295),
    case("bad P_Key", f"82 000001 0101 0003 0000 0000 0001 0002 00008001 9A 010101 AB 020202 {GID_A} {GID_B}",
         BAD_P_KEY, NodeKey="0000000000008001", NodeLid=1, NodeGid1=GID_A, NodeQueuePair1=65793, NodeLid2=2,
         NodeGid2=GID_B, NodeQueuePair2=131586, NodeServiceLevel=9),
    case("bad Q_Key", "82 000001 0102 0003 0000 0000 0001 BFFF 80010000 F0 FFFFFF 00 000001", BAD_Q_KEY,
         NodeKey="0000000080010000", NodeLid=1, NodeGid1=NO_GID, NodeQueuePair1=16777215, NodeLid2=49151,
         NodeGid2=NO_GID, NodeQueuePair2=1, NodeServiceLevel=15),
    case("bad P_Key at a switch port",
         f"82 000002 0103 0003 0000 00DF 0001 C000 8003 7A 030303 AB FFFFFF {GID_A} {GID_B} 0019 11 CC",
         BAD_P_KEY_SWITCH, NodeKey="0000000000008003", NodeLid=1, NodeGid1=GID_A, NodeQueuePair1=197379,
         NodeLid2=49152, NodeGid2=GID_B, NodeQueuePair2=16777215, NodeServiceLevel=7, NodeSwitchLid=25,
         NodeDataValid="00DF", NodePortNum=17),
]

# What is at the edge of its range.
EDGES = [
    case("129 of port 254", "81 000001 0081 0003 0000 0000 FFFF FE", INTEGRITY, NodeLid=65535, NodePortNum=254),
    case("145 of LID 0", "84 000001 0091 0003 0000 AAAA 0000 0000 0008F10400410015", SYSTEM_GUID,
         NodeLid=0, SystemImageGuid="0008F10400410015"),
    case("256 by a LID route, all zeros", "82 000001 0100 0003 0000 0000 0000", BAD_M_KEY, NodeKey="00" * 8, NodeLid=0,
         NodeMethod=0, NodeAttributeId=0, NodeAttributeModifier=0),
    case("256, all ones", "82 000001 0100 0003 0000 0000" + ONES * 20, BAD_M_KEY, NodeKey=ONES * 8, NodeLid=65535,
         NodeMethod=255, NodeAttributeId=65535, NodeAttributeModifier=4294967295),
    case("257, all ones", f"82 000001 0101 0003 0000 {ONES * 6} 0000FFFF {ONES * 40}", BAD_P_KEY,
         NodeKey="000000000000FFFF", NodeLid=65535, NodeGid1=ONES * 16, NodeQueuePair1=16777215, NodeLid2=65535,
         NodeGid2=ONES * 16, NodeQueuePair2=16777215, NodeServiceLevel=15),
    case("259 of port 0", "82 000002 0103 0003 0000", BAD_P_KEY_SWITCH, NodeKey="00" * 8, NodeLid=0, NodeGid1=NO_GID,
         NodeQueuePair1=0, NodeLid2=0, NodeGid2=NO_GID, NodeQueuePair2=0, NodeServiceLevel=0, NodeSwitchLid=0,
         NodeDataValid="0000"),
    case("259 of port 255", "82 000002 0103 0003 0000" + ONES * 54, BAD_P_KEY_SWITCH, NodeKey="000000000000FFFF",
         NodeLid=65535, NodeGid1=ONES * 16, NodeQueuePair1=16777215, NodeLid2=65535, NodeGid2=ONES * 16,
         NodeQueuePair2=16777215, NodeServiceLevel=15, NodeSwitchLid=65535, NodeDataValid="FFFF"),
    case("144, reserved bits set", "84 000001 0090 0003 0000 AAAA 0005 AA FE 0250C04B", CAPABILITY,
         NodeLid=5, NodeCapMask="0250C04B"),
    case("144 with other changes and a new mask", "84 000001 0090 0003 0000 0000 0005 00 01 0250C04C 0021", CAPABILITY,
         NodeLid=5, NodeCapMask="0250C04C"),
]

# No notification comes of these.
SILENT = [bytes.fromhex(octets) for octets in (
    "81 000001 0081 0003 0000 0000 0022 00",  # port 0 has no link
    "81 000001 0082 0003 0000 0000 0022 FF",  # no port
    "84 000001 0090 0003 0000 0000 0005 00 01 00000000 0001",  # a NodeDescription, and no mask
    "01 0002C9 0080 0003 0000 0011",  # a vendor's
    "83 000004 0040 0003 0000 0000 0000 0000 FE80000000000000 0002C90000000A01",  # the SM's: GID in service
    "84 000001 00FF 0003 0000 0011",  # an unknown trap
    "7F",  # an empty notice
)]


def bad_p_key(queue_pair):
    """One of many different notices, and the value that tells it."""
    return bytes.fromhex(f"82 000001 0101 0003 0000 0000 0001 0002 00008001 90 {queue_pair:06X} 00 020202")


QUEUE_PAIR = OBJECTS["ibSmaNodeQueuePair1"].oid + (0,)


def queue_pair(notification):
    return next(int.from_bytes(one.octets, "big") for one in notification.varbinds if one.oid == QUEUE_PAIR)


def queue_pair_told(told):
    """Of what snmptrapd prints."""
    return next(one.value for one in told.bindings if one.oid == QUEUE_PAIR)
