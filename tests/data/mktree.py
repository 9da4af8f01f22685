#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the expected tree of each crafted node: NAME.tree from NAME.blocks.

The trees come from the reading in tests/e2e/oracle.py, which was written from
the specification and shares nothing with the daemon.  A line is the OID below
ibSmaMIB, the type, and the value; octets are hexadecimal.

With --check nothing is written, and the files are compared (TAP).
"""

import glob
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "e2e"))
sys.dont_write_bytecode = True

import oracle  # noqa: E402

SIZE = 64
# Tables whose rows come from the SMA of the port that is their first index.
BY_PORT = ["ibSmaGuidVal", "ibSmaVirtualLane", "ibSmaHiPriVirtLane", "ibSmaHiPriWeight", "ibSmaLowPriVirtLane",
           "ibSmaLowPriWeight", "ibSmaSmGuid", "ibSmaSmSmKey", "ibSmaSmSmpCount", "ibSmaSmPriority", "ibSmaSmState",
           "ibSmaPortGenericDiagCode", "ibSmaPortVendorDiagCode", "ibSmaPortVendorDiagIndexFwd",
           "ibSmaPortVendorDiagData", "ibSmaLedState"]


def parse(path):
    """{(port, attribute, modifier): 64 octets, or None for a refusal}; the format is that of fake_blocks.h."""
    blocks = {}
    with open(path, encoding="ascii") as file:
        lines = [line.partition("#")[0].split() for line in file]
    for port, attribute, modifiers, *rest in filter(None, lines):
        first, _, last = modifiers.partition("-")
        data = None if rest[0] == "=" else bytes.fromhex("".join(rest)).ljust(SIZE, b"\0")
        for modifier in range(int(first, 16), int(last or first, 16) + 1):
            blocks[int(port), int(attribute, 16), modifier] = data
    return blocks


class Endpoint:
    """What the SMA of one port answers."""

    def __init__(self, blocks, port):
        self.blocks = blocks
        self.port = port

    def get(self, attribute, modifier=0):
        return self.blocks.get((self.port, attribute, modifier))


def port_of(row):
    """The port whose own SMA tells a row, None where it is the management port."""
    name = oracle.object_of(row.oid)
    return row.oid[len(oracle.OBJECTS[name].oid)] if name in BY_PORT else None


def tree(blocks):
    management, *others = sorted({port for port, _, _ in blocks})
    rows = oracle.expected_tree(Endpoint(blocks, management))
    for port in others:
        own = [row for row in oracle.expected_tree(Endpoint(blocks, port)) if port_of(row) == port]
        rows = [row for row in rows if port_of(row) != port] + own
    return sorted(rows)


def line(row):
    name = ".".join(map(str, row.oid[len(oracle.ROOT):]))
    return f"{name} {row.type} {row.value.hex() if row.type == 'OCTETS' else row.value}\n"


def render(path):
    return "".join(map(line, tree(parse(path))))


def main():
    sources = sorted(glob.glob(os.path.join(HERE, "*.blocks")))
    checking = sys.argv[1:] == ["--check"]
    if checking:
        print(f"1..{len(sources)}")
    for number, source in enumerate(sources, 1):
        target = source.removesuffix(".blocks") + ".tree"
        if checking:
            with open(target, encoding="ascii") as file:
                good = file.read() == render(source)
            print(f"{'ok' if good else 'not ok'} {number} - {os.path.basename(target)} is current")
        else:
            with open(target, "w", encoding="ascii") as file:
                file.write(render(source))


if __name__ == "__main__":
    main()
