# SPDX-License-Identifier: BSD-2-Clause
"""A master agent (RFC 2741) that does what a test says, for what snmpd cannot be made to do."""

import os
import socket
import struct
import tempfile
import time
from typing import NamedTuple

from bed import LIMIT, NotInTime

OPEN, CLOSE, REGISTER, UNREGISTER, GET, GETNEXT = 1, 2, 3, 4, 5, 6
NOTIFY, PING, ADD_AGENT_CAPS, RESPONSE = 12, 13, 16, 18
NOT_OPEN, DUPLICATE_REGISTRATION = 257, 263

BIG_ENDIAN = 0x10
SESSION = 77
HEADER = 20


class Pdu(NamedTuple):
    type: int
    session: int
    transaction: int
    packet: int
    payload: bytes
    order: str = ">"

    def encode(self):
        flags = BIG_ENDIAN if self.order == ">" else 0
        return (struct.pack("BBBB", 1, self.type, flags, 0)
                + struct.pack(f"{self.order}4I", self.session, self.transaction, self.packet, len(self.payload))
                + self.payload)


def encode_oid(name, order=">"):
    """An Object Identifier; those below 1.3.6.1 are sent without it (5.1)."""
    prefix = name[4] if len(name) >= 5 and name[:4] == (1, 3, 6, 1) else 0
    rest = name[5:] if prefix else name
    return struct.pack("BBBB", len(rest), prefix, 0, 0) + struct.pack(f"{order}{len(rest)}I", *rest)


def decode_oid(octets, order):
    """(the Object Identifier, what follows)."""
    count, prefix = octets[0], octets[1]
    end = 4 + 4 * count
    rest = struct.unpack(f"{order}{count}I", octets[4:end])
    return ((1, 3, 6, 1, prefix) if prefix else ()) + rest, octets[end:]


def get(name, packet=1, session=SESSION, order=">"):
    return Pdu(GET, session, packet, packet, encode_oid(name, order) + encode_oid((), order), order)


def close(reason):
    return Pdu(CLOSE, SESSION, 0, 0, struct.pack("BBBB", reason, 0, 0, 0))


def error_of(response):
    return struct.unpack(f"{response.order}IHH", response.payload[:8])[1]


def value_of(response):
    """The integer in the first varbind of a Response."""
    octets = response.payload[8:]
    name, rest = decode_oid(octets[4:], response.order)
    return name, struct.unpack(f"{response.order}I", rest[:4])[0] if rest else None


class Master:
    """Listens on a socket of its own; `agentx` is its address as the configuration writes it."""

    def __init__(self, folder, tcp=False):
        self.peer = self.listener = None
        self.rest = b""
        self.accepted = 0
        self.log = []
        if tcp:
            self.listener = socket.create_server(("127.0.0.1", 0))
            self.agentx = f"tcp:127.0.0.1:{self.listener.getsockname()[1]}"
        else:
            self.agentx = os.path.join(tempfile.mkdtemp(prefix="master-", dir=folder), "master")

    def __enter__(self):
        if not self.listener:
            self.listener = socket.socket(socket.AF_UNIX)
            self.listener.bind(self.agentx)
            self.listener.listen(5)
        return self

    def __exit__(self, *_):
        self.hang_up()
        self.listener.close()

    def accept(self, limit=LIMIT):
        self.hang_up()
        self.listener.settimeout(limit)
        try:
            self.peer, _ = self.listener.accept()
        except TimeoutError:
            raise NotInTime(f"a connection: not within {limit} s") from None
        self.accepted += 1

    def hang_up(self):
        if self.peer:
            self.peer.close()
        self.peer, self.rest = None, b""

    def take(self, limit=LIMIT):
        """The next PDU; None when the connection has ended, or nothing came in time."""
        deadline = time.monotonic() + limit
        while not (pdu := self._parse()):
            self.peer.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                more = self.peer.recv(65536)
            except (TimeoutError, ConnectionResetError):
                return None
            if not more:
                return None
            self.rest += more
        self.log.append(pdu.type)
        return pdu

    def _parse(self):
        if len(self.rest) < HEADER:
            return None
        order = ">" if self.rest[2] & BIG_ENDIAN else "<"
        session, transaction, packet, length = struct.unpack(f"{order}4I", self.rest[4:HEADER])
        if len(self.rest) < HEADER + length:
            return None
        pdu = Pdu(self.rest[1], session, transaction, packet, self.rest[HEADER:HEADER + length], order)
        self.rest = self.rest[HEADER + length:]
        return pdu

    def send(self, *pdus, piece=None):
        """Sends PDUs at once, or in pieces of so many octets."""
        octets = b"".join(pdu.encode() for pdu in pdus)
        for at in range(0, len(octets), piece or len(octets)):
            self.peer.sendall(octets[at:at + (piece or len(octets))])
            if piece:
                time.sleep(0.001)

    def response(self, pdu, error=0, uptime=100, order=">"):
        return Pdu(RESPONSE, SESSION, pdu.transaction, pdu.packet, struct.pack(f"{order}IHH", uptime, error, 0), order)

    def respond(self, pdu, error=0):
        self.send(self.response(pdu, error))

    def expect(self, kind, limit=LIMIT):
        """Passes over pings, which it answers."""
        while True:
            pdu = self.take(limit)
            if pdu is None or pdu.type == kind:
                return pdu
            if pdu.type != PING:
                raise AssertionError(f"PDU type {pdu.type}, not {kind}")
            self.respond(pdu)

    def begin(self, is_up, errors=None, limit=LIMIT):
        """Answers what a session begins with until is_up(), or up to the first refusal; the subtrees it registered."""
        deadline = time.monotonic() + limit
        subtrees = []
        while time.monotonic() < deadline:
            pdu = self.take(limit=0.05)
            if pdu is None:
                if is_up():
                    return subtrees
                continue
            if pdu.type == REGISTER:
                subtrees.append(decode_oid(pdu.payload[4:], pdu.order)[0])
            error = (errors or {}).get(pdu.type, 0)
            self.respond(pdu, error)
            if error:
                return subtrees
        raise NotInTime(f"a session: not within {limit} s")

    def ask(self, name, packet=1, order=">"):
        """A Get; its Response."""
        self.send(get(name, packet, order=order))
        return self.expect(RESPONSE)
