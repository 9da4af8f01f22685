# SPDX-License-Identifier: BSD-2-Clause
"""Sends SMPs to the own port, one for each line of standard input.

    get ATTRIBUTE MODIFIER            set ATTRIBUTE MODIFIER DATA

All numbers are hexadecimal.  The answer is a line `STATUS DATA`, or `timeout`.
It is to run under the simulator's preload library, and shares nothing with
the daemon but libibumad.
"""

import ctypes
import struct
import sys

CLASS_DIRECTED = 0x81
METHODS = {"get": 1, "set": 2}
PERMISSIVE_LID = 0xFFFF
MAD_SIZE = 256
DATA = slice(64, 128)
TRIES = 3
TIMEOUT_MS = 1000


class Port:
    """The port that libibumad chooses, with one agent for directed-route SMPs."""

    def __init__(self):
        self.umad = ctypes.CDLL("libibumad.so.3")
        self.transaction = 0
        self.fd = self._check(self.umad.umad_open_port(None, 0), "umad_open_port")
        self.agent = self._check(
            self.umad.umad_register(self.fd, CLASS_DIRECTED, 1, 0, None), "umad_register")
        # Only an open port has told the library which header the kernel uses.
        self.header = self.umad.umad_size()
        self.buffer = ctypes.create_string_buffer(self.header + MAD_SIZE)

    @staticmethod
    def _check(result, what):
        if result < 0:
            sys.exit(f"{what}: {result}")
        return result

    def _request(self, method, attribute, modifier, data):
        self.transaction += 1
        mad = struct.pack(">BBBBHBBQHHI Q HH28x 64s",
                          1, CLASS_DIRECTED, 1, method, 0, 0, 0, self.transaction, attribute, 0, modifier,
                          0, PERMISSIVE_LID, PERMISSIVE_LID, data)
        ctypes.memset(self.buffer, 0, len(self.buffer))
        self.umad.umad_set_addr(self.buffer, PERMISSIVE_LID, 0, 0, 0)
        ctypes.memmove(ctypes.addressof(self.buffer) + self.header, mad, len(mad))

    def _exchange(self):
        length = ctypes.c_int(MAD_SIZE)
        self._check(self.umad.umad_send(self.fd, self.agent, self.buffer, MAD_SIZE, TIMEOUT_MS, 0), "umad_send")
        self._check(self.umad.umad_recv(self.fd, self.buffer, ctypes.byref(length), TIMEOUT_MS * 2), "umad_recv")
        return self.umad.umad_status(self.buffer) == 0

    def ask(self, method, attribute, modifier, data=b""):
        for _ in range(TRIES):
            self._request(method, attribute, modifier, data)
            if self._exchange():
                mad = self.buffer.raw[self.header:]
                return int.from_bytes(mad[4:6], "big") & 0x7FFF, mad[DATA]
        return None


def answer(port, line):
    verb, attribute, modifier, *data = line.split()
    result = port.ask(METHODS[verb], int(attribute, 16), int(modifier, 16), bytes.fromhex("".join(data)))
    return f"{result[0]:x} {result[1].hex()}" if result else "timeout"


def main():
    port = Port()
    print("ready", flush=True)
    for line in sys.stdin:
        print(answer(port, line), flush=True)


if __name__ == "__main__":
    main()
