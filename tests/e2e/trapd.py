# SPDX-License-Identifier: BSD-2-Clause
"""Receivers of SNMP notifications: Net-SNMP's snmptrapd, and a sink that shows every octet as sent."""

import os
import re
import socket
import tempfile
import threading
from typing import NamedTuple

import agents
import bed
import snmp
from bed import wait_for

MIBS = os.path.join(bed.HERE, "..", "..", "mibs")

SYS_UPTIME = snmp.oid("1.3.6.1.2.1.1.3.0")
TRAP_OID = snmp.oid("1.3.6.1.6.3.1.1.4.1.0")
NOTIFICATIONS = snmp.oid("1.3.6.1.3.117.3.2")

TRAP_V1, INFORM, TRAP_V2 = 0xA4, 0xA6, 0xA7
ENTERPRISE_SPECIFIC = 6
TIME_TICKS = 0x43
INFORM_USER, INFORM_AUTH, INFORM_PRIV = "notified", "notified-authentication", "notified-privacy"


class Varbind(NamedTuple):
    """As it was on the wire: the contents octets, and the tag."""
    oid: tuple
    tag: int
    octets: bytes


class Notification(NamedTuple):
    """pdu: one of TRAP_V1, TRAP_V2 and INFORM.  name: of the notification; of SNMPv1, made of its parts (RFC 3584)."""
    pdu: int
    name: tuple
    uptime: int
    varbinds: tuple  # behind those of time and name
    form: tuple = ()  # SNMPv1: enterprise, generic, specific

    @property
    def number(self):
        return self.name[-1]


# ---- decoding ----

def _varbinds(content):
    for _, varbind in snmp.elements(content):
        (_, name), (tag, octets) = snmp.elements(varbind)
        yield Varbind(snmp.parse_oid(name), tag, octets)


def _v1(body):
    (_, enterprise), _, (_, generic), (_, specific), (_, uptime), (_, varbinds) = snmp.elements(body)
    form = (snmp.parse_oid(enterprise), generic[0], int.from_bytes(specific, "big", signed=True))
    return Notification(TRAP_V1, (*form[0], form[2]), int.from_bytes(uptime, "big"), tuple(_varbinds(varbinds)), form)


def _v2(pdu, body):
    _, _, _, (_, varbinds) = snmp.elements(body)
    uptime, name, *rest = _varbinds(varbinds)
    if (uptime.oid, uptime.tag, name.oid, name.tag) != (SYS_UPTIME, TIME_TICKS, TRAP_OID, 0x06):
        raise snmp.SnmpError(f"a notification begins with {uptime}, {name}")
    return Notification(pdu, snmp.parse_oid(name.octets), int.from_bytes(uptime.octets, "big"), tuple(rest))


def decode(datagram):
    _, message, end = snmp.parse(datagram)
    (_, version), _, (pdu, body) = snmp.elements(message)
    if end != len(datagram) or version not in (b"\0", b"\1"):
        raise snmp.SnmpError(f"not a message of SNMPv1 or v2c: {datagram.hex()}")
    return _v1(body) if pdu == TRAP_V1 else _v2(pdu, body)


def answer(datagram):
    """The response to an inform: the same message as a Response."""
    _, message, _ = snmp.parse(datagram)
    (_, version), (_, community), (_, body) = snmp.elements(message)
    return snmp.tlv(0x30, snmp.tlv(0x02, version) + snmp.tlv(0x04, community) + snmp.tlv(snmp.RESPONSE, body))


# ---- receiving ----

class Receiver:
    """What came of SMA-MIB's notifications, in order; others, such as snmpd's own start, are kept apart."""

    port = None

    def everything(self):
        raise NotImplementedError

    def of(self, *numbers):
        """Those with these numbers, or all."""
        return [one for one in self.everything()
                if one.name[:-1] == NOTIFICATIONS and (not numbers or one.number in numbers)]

    def count(self, *numbers):
        return len(self.of(*numbers))

    def wait(self, count, limit=bed.LIMIT, numbers=()):
        """Waits until at least so many have come; all of them."""
        try:
            wait_for(lambda: self.count(*numbers) >= count, f"{count} notifications", limit)
        except bed.NotInTime as error:
            raise bed.NotInTime(f"{error}; there are {self.count(*numbers)}") from None
        return self.of(*numbers)


class Sink(Receiver):
    """SNMPv1 and v2c by a decoder of its own.  It answers informs unless told not to."""

    BUFFER = 1 << 23

    def __init__(self, answers=True):
        self.answers = answers
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.BUFFER)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.1)
        self.port = self.socket.getsockname()[1]
        self.received, self.errors = [], []
        self.ending = False
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending = True
        self.thread.join()
        self.socket.close()

    def _run(self):
        while not self.ending:
            try:
                datagram, sender = self.socket.recvfrom(65536)
            except TimeoutError:
                continue
            self._take(datagram, sender)

    def _take(self, datagram, sender):
        try:
            notification = decode(datagram)
        except (snmp.SnmpError, ValueError, IndexError, KeyError) as error:
            self.errors.append(f"{error}: {datagram.hex()}")
            return
        self.received.append(notification)
        if notification.pdu == INFORM and self.answers:
            self.socket.sendto(answer(datagram), sender)

    def everything(self):
        return list(self.received)

    def line(self, kind):
        """A line for snmpd.conf; kind: trapsink, trap2sink or informsink."""
        return f"{kind} udp:127.0.0.1:{self.port} {snmp.COMMUNITY}"


class Told(NamedTuple):
    """What snmptrapd prints: the PDU with its security, and bindings."""
    security: str
    name: tuple
    bindings: tuple  # behind those of time and name

    @property
    def number(self):
        return self.name[-1]


TRAPD_CONF = """\
snmpTrapdAddr udp:127.0.0.1:{port}
authCommunity log {community}
createUser {user} SHA {auth} AES {priv}
authUser log {user} priv
"""
BEGIN, SEPARATOR, END = "[[", " | ", "]]"
FORMAT = f"{BEGIN}%P{SEPARATOR}%V{SEPARATOR}%v{END}\n"


class Trapd(agents.Child, Receiver):
    """snmptrapd, which answers informs and knows a user for SNMPv3.  names: with the MIB loaded."""

    def __init__(self, folder, names=False):
        super().__init__(folder, "snmptrapd")
        self.names = names
        self.home = tempfile.mkdtemp(prefix="snmptrapd-", dir=folder)
        self.port = agents.free_port()
        self.conf = os.path.join(self.home, "snmptrapd.conf")
        with open(self.conf, "w", encoding="ascii") as file:
            file.write(TRAPD_CONF.format(port=self.port, community=snmp.COMMUNITY, user=INFORM_USER, auth=INFORM_AUTH,
                                         priv=INFORM_PRIV))

    def start(self):
        shown = ["-m", "SMA-MIB", "-M", f"{MIBS}:{MIBS}/base"] if self.names else snmp.TOOL_FORMAT
        self.spawn([bed.find_tool("snmptrapd"), "-f", "-Lo", "-C", "-c", self.conf, "-F", FORMAT, *shown],
                   agents.private_env(self.home))
        self.wait_log("NET-SNMP version")

    def line(self, kind):
        return f"{kind} udp:127.0.0.1:{self.port} {snmp.COMMUNITY}"

    def inform_line(self):
        """A line for snmpd.conf: informs of SNMPv3, authenticated and enciphered.  snmpd asks for the engine when it
        starts."""
        return (f"trapsess -v 3 -Ci -l authPriv -u {INFORM_USER} -a SHA -A {INFORM_AUTH} -x AES -X {INFORM_PRIV} "
                f"udp:127.0.0.1:{self.port}")

    def records(self):
        """The security, and the text of each varbind."""
        found = re.findall(re.escape(BEGIN) + "(.*?)" + re.escape(END), self.log(), re.DOTALL)
        return [[re.sub(r"\s+", " ", part).strip() for part in record.split(SEPARATOR)] for record in found]

    def everything(self):
        """Those of SNMPv2 and v3; without names."""
        return [_told(record) for record in self.records()]


def binding(varbind):
    """As the tools show it."""
    kind = snmp.TAGS[varbind.tag]
    return snmp.Binding(varbind.oid, kind,
                        varbind.octets if kind == "OCTETS" else int.from_bytes(varbind.octets, "big"))


def _told(record):
    security, *varbinds = record
    _, name, *rest = [_binding(varbind) for varbind in varbinds]
    return Told(security, name.value, tuple(rest))


def _binding(varbind):
    name, _, shown = varbind.partition(" = ")
    if shown.startswith("Timeticks: "):
        return snmp.Binding(snmp.oid(name), "TimeTicks", None)
    return snmp.tool_binding(name, shown)
