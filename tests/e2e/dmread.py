# SPDX-License-Identifier: BSD-2-Clause
"""Asks device management agents, and takes their traps, as standard input says. The argument is the LID to ask.

    get ATTRIBUTE MODIFIER            set ATTRIBUTE MODIFIER DATA
    trap                              the next Trap that came, within some seconds
    repress                           answer the last one of these

All numbers are hexadecimal.  The answer is a line: `STATUS DATA` or `timeout`, `TID DATA` or `none`, `ok`.  It is to run
under the simulator's preload library, and shares nothing with the daemon but libibumad.
"""

import ctypes
import struct
import sys

CLASS_DEVICE, CLASS_VERSION = 0x06, 1
GET, SET, TRAP, TRAP_REPRESS, RESPONSE = 0x01, 0x02, 0x05, 0x07, 0x80
METHODS = {"get": GET, "set": SET}
MAD_SIZE, DATA_AT, DATA_SIZE = 256, 64, 192
AT_METHOD, AT_STATUS, AT_TID = 3, 4, 8
WELL_KNOWN_KEY = 0x80010000
TRIES, TIMEOUT_MS, TRAP_MS = 3, 2000, 20000


class Port:
    """The port that libibumad chooses, with one agent for device management."""

    def __init__(self, lid):
        ctypes.CDLL("libibumad.so.3", mode=ctypes.RTLD_GLOBAL)
        self.umad = ctypes.CDLL(None)  # with what is preloaded
        self.lid, self.transaction, self.traps = lid, 0, []
        self.fd = self._check(self.umad.umad_open_port(None, 0), "umad_open_port")
        self.agent = self._check(self.umad.umad_register(self.fd, CLASS_DEVICE, CLASS_VERSION, 0, None),
                                 "umad_register")
        # Only an open port has told the library which header the kernel uses.
        self.header = self.umad.umad_size()

    @staticmethod
    def _check(result, what):
        if result < 0:
            sys.exit(f"{what}: {result}")
        return result

    def send(self, mad, timeout_ms=0):
        buffer = ctypes.create_string_buffer(self.header + MAD_SIZE)
        self.umad.umad_set_addr(buffer, self.lid, 1, 0, WELL_KNOWN_KEY)
        ctypes.memmove(ctypes.addressof(buffer) + self.header, mad, MAD_SIZE)
        self._check(self.umad.umad_send(self.fd, self.agent, buffer, MAD_SIZE, timeout_ms, 0), "umad_send")

    def receive(self, timeout_ms):
        """A MAD; None: none came, or a request came back."""
        buffer = ctypes.create_string_buffer(self.header + MAD_SIZE)
        length = ctypes.c_int(MAD_SIZE)
        if self.umad.umad_recv(self.fd, buffer, ctypes.byref(length), timeout_ms) < 0:
            return None
        return buffer.raw[self.header:] if self.umad.umad_status(buffer) == 0 else None

    def exchange(self, mad):
        """The answer; traps that come before it are kept."""
        self.send(mad, TIMEOUT_MS)
        while answer := self.receive(2 * TIMEOUT_MS):
            if answer[AT_METHOD] == TRAP:
                self.traps.append(answer)
            elif answer[AT_TID + 4:AT_TID + 8] == mad[AT_TID + 4:AT_TID + 8]:
                return answer
        return None

    def ask(self, method, attribute, modifier, data=b""):
        for _ in range(TRIES):
            self.transaction += 1
            mad = struct.pack(">BBBBHHQHHI40x192s", 1, CLASS_DEVICE, CLASS_VERSION, method, 0, 0, self.transaction,
                              attribute, 0, modifier, data)
            if answer := self.exchange(mad):
                return f"{int.from_bytes(answer[AT_STATUS:AT_STATUS + 2], 'big'):x} {answer[DATA_AT:].hex()}"
        return "timeout"

    def trap(self):
        while not self.traps:
            mad = self.receive(TRAP_MS)
            if not mad:
                return "none"
            if mad[AT_METHOD] == TRAP:
                self.traps.append(mad)
        self.last = self.traps.pop(0)
        return f"{int.from_bytes(self.last[AT_TID + 4:AT_TID + 8], 'big'):x} {self.last[DATA_AT:].hex()}"

    def repress(self):
        mad = bytearray(self.last)
        mad[AT_METHOD] = TRAP_REPRESS
        self.send(bytes(mad))
        return "ok"


def answer(port, line):
    verb, *words = line.split()
    if verb in METHODS:
        attribute, modifier, *data = words
        return port.ask(METHODS[verb], int(attribute, 16), int(modifier, 16), bytes.fromhex("".join(data)))
    return {"trap": port.trap, "repress": port.repress}[verb]()


def main():
    port = Port(int(sys.argv[1], 16))
    print("ready", flush=True)
    for line in sys.stdin:
        print(answer(port, line), flush=True)


if __name__ == "__main__":
    main()
