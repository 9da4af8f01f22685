# SPDX-License-Identifier: BSD-2-Clause
"""Sends traps to a subnet manager, and is subnet administration to those who subscribe, as standard input says.

    trap LID NOTICE               a Trap to QP0 of a port
    ask LID METHOD ATTRIBUTE MODIFIER M_KEY
                                  a request to it; what comes of it is not told
    report COUNT NOTICE           a Report to each subscriber, as often
    subscriptions                 the InformInfo of each subscriber, after its LID
    answered                      how many Reports were answered
    deaf on|off                   whether requests of subscribers are passed over
    unanswered                    how many requests were

Notices are 64 octets or less, all numbers but COUNT are hexadecimal.  Each line is answered by one line.  It is to run
under the simulator's preload library; with the argument `sm` as an SM, which only may be asked.
"""

import ctypes
import os
import struct
import sys
import threading

MAD_SIZE = 256
CLASS_LID, CLASS_DIRECTED, CLASS_SA, CLASS_PERFORMANCE = 0x01, 0x81, 0x03, 0x04
VERSIONS = {CLASS_LID: 1, CLASS_DIRECTED: 1, CLASS_SA: 2, CLASS_PERFORMANCE: 1}
SET, TRAP, REPORT, REPORT_ANSWER, GET_ANSWER = 0x02, 0x05, 0x06, 0x86, 0x81
NOTICE, INFORM_INFO = 0x02, 0x03
NOTICE_SIZE, INFORM_SIZE = 64, 36
WELL_KNOWN_KEY = 0x80010000
# More, and the simulator and its library wait for each other.
REPORTS_ON_THEIR_WAY = 4
ANSWER_SECONDS = 2
REQUEST_MS = 100
SM_DEVICE = b"/dev/infiniband/issm0"

# In a MAD, an InformInfo and the kernel's header.
AT_CLASS, AT_METHOD, AT_ATTRIBUTE, AT_SA = 1, 3, 16, 56
AT_ISSUER, AT_SUBSCRIBE = 6, 23
AT_STATUS, AT_QPN, AT_LID = 4, 20, 28


class Station:
    """The port that libibumad chooses, with an agent for each class that a client may be sent."""

    def __init__(self):
        self.umad = ctypes.CDLL("libibumad.so.3")
        self.lock = threading.Lock()
        self.transaction = 0
        self.fd = self._check(self.umad.umad_open_port(None, 0), "umad_open_port")
        self.agents = {mgmt_class: self._check(self.umad.umad_register(self.fd, mgmt_class, version, 0, None),
                                               "umad_register")
                       for mgmt_class, version in VERSIONS.items()}
        # Only an open port has told the library which header the kernel uses.
        self.header = self.umad.umad_size()

    def become_sm(self):
        """Only now: the simulator sends a trap for it, which would find no agent before."""
        self._check(ctypes.CDLL(None).open(SM_DEVICE, os.O_RDWR), "issm0")

    @staticmethod
    def _check(result, what):
        if result < 0:
            sys.exit(f"{what}: {result}")
        return result

    def buffer(self):
        return ctypes.create_string_buffer(self.header + MAD_SIZE)

    def next_transaction(self):
        self.transaction += 1
        return self.transaction

    def send(self, mad, lid, queue_pair, timeout_ms=0):
        buffer = self.buffer()
        self.umad.umad_set_addr(buffer, lid, queue_pair, 0, WELL_KNOWN_KEY if queue_pair else 0)
        ctypes.memmove(ctypes.addressof(buffer) + self.header, mad, len(mad))
        with self.lock:
            self._check(self.umad.umad_send(self.fd, self.agents[mad[AT_CLASS]], buffer, MAD_SIZE, timeout_ms, 0),
                        "umad_send")

    def receive(self, buffer):
        """(source LID, source queue pair, MAD), or None for what came back unanswered."""
        length = ctypes.c_int(MAD_SIZE)
        self._check(self.umad.umad_recv(self.fd, buffer, ctypes.byref(length), -1), "umad_recv")
        raw = buffer.raw
        if int.from_bytes(raw[AT_STATUS:AT_STATUS + 4], sys.byteorder):
            return None
        queue_pair, lid = (int.from_bytes(raw[at:at + size], "big") for at, size in ((AT_QPN, 4), (AT_LID, 2)))
        return lid, queue_pair, raw[self.header:]


def smp(transaction, method, attribute, modifier=0, key=0, data=b""):
    return struct.pack(">BBBBHHQHHI Q 32x 64s 128x", 1, CLASS_LID, 1, method, 0, 0, transaction, attribute, 0, modifier,
                       key, data)


def report_mad(transaction, notice, issuer_gid):
    return struct.pack(">BBBBHHQHHI 32x 64s 16s 120x", 1, CLASS_SA, 2, REPORT, 0, 0, transaction, NOTICE, 0, 0, notice,
                       issuer_gid)


class Administration:
    """Who subscribed, and what they answered."""

    def __init__(self, station):
        self.station = station
        self.subscribers = {}  # InformInfo by LID
        self.reported = self.answered = self.unanswered = 0
        self.deaf = False
        self.changed = threading.Condition()

    def run(self):
        buffer = self.station.buffer()
        while True:
            if got := self.station.receive(buffer):
                self._take(*got)

    def _take(self, lid, queue_pair, mad):
        attribute = int.from_bytes(mad[AT_ATTRIBUTE:AT_ATTRIBUTE + 2], "big")
        kind = (mad[AT_CLASS], mad[AT_METHOD], attribute)
        if kind == (CLASS_SA, REPORT_ANSWER, NOTICE):
            with self.changed:
                self.answered += 1
                self.changed.notify()
        elif kind == (CLASS_SA, SET, INFORM_INFO):
            self._subscribe(lid, queue_pair, mad)

    def _subscribe(self, lid, queue_pair, mad):
        if self.deaf:
            self.unanswered += 1
            return
        inform = mad[AT_SA:AT_SA + INFORM_SIZE]
        if inform[AT_SUBSCRIBE]:
            self.subscribers[lid] = inform
        else:
            self.subscribers.pop(lid, None)
        self.station.send(mad[:AT_METHOD] + bytes([GET_ANSWER]) + mad[AT_METHOD + 1:], lid, queue_pair)

    def report(self, notice):
        """Waits until few enough are on their way; those that are not answered in time count as lost."""
        gid = bytes.fromhex("fe80000000000000") + bytes(6) + notice[AT_ISSUER:AT_ISSUER + 2]
        for lid in list(self.subscribers):
            with self.changed:
                if not self.changed.wait_for(lambda: self.reported - self.answered < REPORTS_ON_THEIR_WAY,
                                             ANSWER_SECONDS):
                    self.reported = self.answered
                self.reported += 1
            self.station.send(report_mad(self.station.next_transaction(), notice, gid), lid, 1)


def octets(word):
    return bytes.fromhex(word).ljust(NOTICE_SIZE, b"\0")


class Commands:
    def __init__(self):
        self.station = Station()
        if "sm" in sys.argv[1:]:
            self.station.become_sm()
        self.administration = Administration(self.station)
        threading.Thread(target=self.administration.run, daemon=True).start()

    def trap(self, lid, notice):
        self.station.send(smp(self.station.next_transaction(), TRAP, NOTICE, data=octets(notice)), int(lid, 16), 0)
        return "ok"

    def ask(self, lid, *numbers):
        method, attribute, modifier, key = (int(number, 16) for number in numbers)
        self.station.send(smp(self.station.next_transaction(), method, attribute, modifier, key), int(lid, 16), 0,
                          REQUEST_MS)
        return "ok"

    def report(self, count, notice):
        for _ in range(int(count)):
            self.administration.report(octets(notice))
        return "ok"

    def subscriptions(self):
        return " ".join(f"{lid:x}:{inform.hex()}" for lid, inform in list(self.administration.subscribers.items()))

    def answered(self):
        return str(self.administration.answered)

    def unanswered(self):
        return str(self.administration.unanswered)

    def deaf(self, state):
        self.administration.deaf = state == "on"
        return "ok"


def main():
    commands = Commands()
    print("ready", flush=True)
    for line in sys.stdin:
        verb, *words = line.split()
        print(getattr(commands, verb)(*words), flush=True)


if __name__ == "__main__":
    main()
