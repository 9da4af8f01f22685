# SPDX-License-Identifier: BSD-2-Clause
"""Two ways to ask an SNMP agent: Net-SNMP's tools, and a client that shows the tags as sent."""

import os
import re
import socket
import subprocess
from typing import NamedTuple

import bed

COMMUNITY = "public"
V3_USER, V3_AUTH, V3_PRIV = "watcher", "authentication", "privacy-secret"

# Tag on the wire, and what Net-SNMP's tools call it.
TAGS = {0x02: "INTEGER", 0x04: "OCTETS", 0x05: "NULL", 0x06: "OID", 0x40: "IpAddress", 0x41: "Counter32",
        0x42: "Gauge32", 0x43: "TimeTicks", 0x46: "Counter64",
        0x80: "noSuchObject", 0x81: "noSuchInstance", 0x82: "endOfMibView"}
EXCEPTIONS = ("noSuchObject", "noSuchInstance", "endOfMibView")
TOOL_TYPES = {"INTEGER": "INTEGER", "Gauge32": "Gauge32", "Counter32": "Counter32", "Hex-STRING": "OCTETS",
              "OID": "OID"}
TOOL_EXCEPTIONS = {"No Such Object available on this agent at this OID": "noSuchObject",
                   "No Such Instance currently exists at this OID": "noSuchInstance",
                   "No more variables left in this MIB View (It is past the end of the MIB tree)": "endOfMibView"}
GET, GETNEXT, GETBULK, RESPONSE = 0xA0, 0xA1, 0xA5, 0xA2
TOOL_FORMAT = ["-Onex", "-m", "", "-M", ""]


class Binding(NamedTuple):
    """Type is a name of TAGS; the value an integer, octets, or None."""
    oid: tuple
    type: str
    value: object


class SnmpError(Exception):
    """The agent or the tool reports an error."""


class Refused(SnmpError):
    """A response with an error-status."""

    def __init__(self, status, at):
        super().__init__(f"error-status {status} for variable {at}")
        self.status = status


def oid(text):
    return tuple(int(part) for part in text.strip(".").split("."))


def text(name):
    return ".".join(map(str, name))


# Basic encoding rules, as far as SNMPv2c needs them.

def _length(size):
    if size < 128:
        return bytes([size])
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(octets)]) + octets


def _tlv(tag, content):
    return bytes([tag]) + _length(len(content)) + content


def _integer(value):
    return _tlv(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def _subid(value):
    octets = [value & 0x7F]
    while value := value >> 7:
        octets.append(0x80 | value & 0x7F)
    return bytes(reversed(octets))


def _oid(name):
    return _tlv(0x06, _subid(name[0] * 40 + name[1]) + b"".join(map(_subid, name[2:])))


def _parse(data, start=0):
    """(tag, content, start of the next element)."""
    tag, size, start = data[start], data[start + 1], start + 2
    if size & 0x80:
        count = size & 0x7F
        size, start = int.from_bytes(data[start:start + count], "big"), start + count
    return tag, data[start:start + size], start + size


def _elements(content):
    at = 0
    while at < len(content):
        tag, inner, at = _parse(content, at)
        yield tag, inner


def _parse_oid(content):
    name, value = [], 0
    for octet in content:
        value = value << 7 | octet & 0x7F
        if not octet & 0x80:
            name.append(value)
            value = 0
    return (name[0] // 40, name[0] % 40, *name[1:])


def _parse_value(tag, content):
    if tag == 0x02:
        return int.from_bytes(content, "big", signed=True)
    if tag in (0x41, 0x42, 0x43, 0x46):
        return int.from_bytes(content, "big")
    if tag == 0x06:
        return _parse_oid(content)
    return content if tag in (0x04, 0x40) else None


def _parse_binding(content):
    (_, name), (tag, value) = _elements(content)
    return Binding(_parse_oid(name), TAGS[tag], _parse_value(tag, value))


# For messages that are not those of the client below.
tlv, integer, parse, elements, parse_oid = _tlv, _integer, _parse, _elements, _parse_oid


class Client:
    """SNMPv2c over one UDP socket."""

    TRIES = 3
    SECONDS = 3

    def __init__(self, port, community=COMMUNITY):
        self.community = community.encode()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(self.SECONDS)
        self.socket.connect(("127.0.0.1", port))
        self.request_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _message(self, pdu, names, first, second):
        bindings = b"".join(_tlv(0x30, _oid(name) + b"\x05\x00") for name in names)
        body = _integer(self.request_id) + _integer(first) + _integer(second) + _tlv(0x30, bindings)
        return _tlv(0x30, _integer(1) + _tlv(0x04, self.community) + _tlv(pdu, body))

    def _receive(self):
        """The bindings of the answer to the newest request; older answers are passed over."""
        while True:
            _, message, _ = _parse(self.socket.recv(65536))
            _, _, (_, body) = _elements(message)
            (_, serial), (_, status), (_, at), (_, bindings) = _elements(body)
            if int.from_bytes(serial, "big", signed=True) != self.request_id:
                continue
            if int.from_bytes(status, "big"):
                raise Refused(*(int.from_bytes(number, "big") for number in (status, at)))
            return [_parse_binding(content) for _, content in _elements(bindings)]

    def ask(self, pdu, names, first=0, second=0):
        for _ in range(self.TRIES):
            self.request_id += 1
            try:
                self.socket.send(self._message(pdu, names, first, second))
                return self._receive()
            except (TimeoutError, ConnectionRefusedError):
                continue
        raise SnmpError(f"no answer for {text(names[0])}")

    def get(self, *names):
        return self.ask(GET, names)

    def error(self, *names):
        """The error-status of a GET, 0 for none."""
        try:
            self.get(*names)
        except Refused as refused:
            return refused.status
        return 0

    def get_all(self, names, batch=50):
        names = list(names)
        return [binding for at in range(0, len(names), batch) for binding in self.get(*names[at:at + batch])]

    def next(self, *names):
        return self.ask(GETNEXT, names)

    def _chain(self, root, step):
        """Follows step() from root until it leaves the subtree; every name must be greater than the last."""
        rows, at = [], root
        while True:
            for binding in step(at):
                if binding.type == "endOfMibView" or binding.oid[:len(root)] != root:
                    return rows
                if binding.oid <= at:
                    raise SnmpError(f"not increasing: {text(at)}, {text(binding.oid)}")
                rows.append(binding)
                at = binding.oid

    def walk(self, root):
        return self._chain(root, self.next)

    def patient_walk(self, root, errors=100):
        """A walk that asks again after an error; so many of them end it."""
        def step(at):
            nonlocal errors
            while True:
                try:
                    return self.next(at)
                except Refused:
                    errors -= 1
                    if not errors:
                        raise
        return self._chain(root, step)

    def bulk_walk(self, root, repetitions=50):
        return self._chain(root, lambda at: self.ask(GETBULK, [at], 0, repetitions))


# Net-SNMP's tools.

V2C = ["-v2c", "-c", COMMUNITY]
V3 = ["-v3", "-u", V3_USER, "-l", "authPriv", "-a", "SHA", "-A", V3_AUTH, "-x", "AES", "-X", V3_PRIV]
LINE = re.compile(r"^\.([0-9.]+) = (.*)$")


def _tool_value(kind, shown):
    if kind == "OCTETS":
        return bytes.fromhex(shown)
    return oid(shown) if kind == "OID" else int(shown)


def _tool_binding(name, shown):
    if shown in TOOL_EXCEPTIONS:
        return Binding(oid(name), TOOL_EXCEPTIONS[shown], None)
    if shown == '""':
        return Binding(oid(name), "OCTETS", b"")
    kind, _, value = shown.partition(": ")
    kind = TOOL_TYPES[kind]
    return Binding(oid(name), kind, _tool_value(kind, value))


tool_binding = _tool_binding


def parse_tool(output):
    """The bindings in a tool's output; long octet strings go over several lines."""
    joined = []
    for line in output.splitlines():
        if LINE.match(line):
            joined.append(line)
        elif line.strip():
            joined[-1] += " " + line
    return [_tool_binding(*LINE.match(line).groups()) for line in joined]


def run_tool(name, port, arguments, access=None):
    """(exit status, standard output, standard error) of a Net-SNMP tool."""
    argv = [bed.find_tool(name), *(access or V2C), *TOOL_FORMAT, "-t", "3", f"127.0.0.1:{port}", *arguments]
    done = subprocess.run(argv, env=os.environ | {"MIBS": "", "SNMPCONFPATH": "/nonexistent"}, text=True, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def tool_walk(name, port, root, options=(), access=None):
    """The bindings that snmpwalk or snmpbulkwalk prints; any complaint of the tool is an error."""
    status, output, complaint = run_tool(name, port, [*options, text(root)], access)
    if status or complaint.strip():
        raise SnmpError(f"{name}: status {status}: {complaint} {output[-300:]}")
    return [binding for binding in parse_tool(output) if binding.type not in EXCEPTIONS]


def tool_get(port, *names, access=None):
    status, output, complaint = run_tool("snmpget", port, [text(name) for name in names], access)
    if status:
        raise SnmpError(f"snmpget: status {status}: {complaint}")
    return parse_tool(output)
