#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""How fast tables are walked, cold and warm; IBSMAD names the daemon.

A large one: the SL to VL mappings of a 40-port switch on ibsim, 26240 rows.  A sparse one: the multicast forwarding
table of a switch with 254 ports and 16384 MLIDs, of which the last has a port: one row behind 8192 blocks.

Usage: walk.py [ROUNDS].  Prints medians.
"""

import contextlib
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))

import agents  # noqa: E402
import bed  # noqa: E402
import netfiles  # noqa: E402
import snmp  # noqa: E402

MAPPINGS, MULTICAST = "1.3.6.1.3.117.3.1.7", "1.3.6.1.3.117.3.1.11"
SPARSE = """\
nodeType switch
ports 254
nodeGuid 0x0002c90300000100
linearFDBCap 64
multicastFDBCap 16384
mft 0xffff 254
"""


def walk(port, table):
    """(seconds, rows)"""
    argv = [bed.find_tool("snmpbulkwalk"), *snmp.V2C, "-Cr50", "-On", f"127.0.0.1:{port}", table]
    start = time.monotonic()
    output = subprocess.run(argv, stdout=subprocess.PIPE, check=True, env=os.environ | {"MIBS": ""}).stdout
    return time.monotonic() - start, output.count(f".{table}.".encode())


@contextlib.contextmanager
def software(folder):
    node = os.path.join(folder, "sparse.conf")
    with open(node, "w", encoding="ascii") as file:
        file.write(SPARSE)
    with (agents.Snmpd(folder) as snmpd, agents.Daemon(folder, snmpd, args=["-S", node]) as daemon,
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, daemon)
        yield snmpd


@contextlib.contextmanager
def simulated(fabric):
    with agents.stack(fabric, "S-sw1") as agent:
        yield agent.snmpd


def measure(name, table, rounds, begin):
    cold, warm, rows = [], [], 0
    for _ in range(rounds):
        with begin() as snmpd:
            cold.append(walk(snmpd.port, table)[0])
            seconds, rows = walk(snmpd.port, table)
            warm.append(seconds)
    for kind, times in (("cold", cold), ("warm", warm)):
        median = statistics.median(times)
        print(f"{name}, {kind}: {median:.3f} s, {median / rows * 1e6:.0f} us a row, {rows} rows, median of {rounds}")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with bed.scratch() as folder, bed.Fabric(netfiles.t1(), folder) as fabric:
        measure("mappings", MAPPINGS, rounds, lambda: simulated(fabric))
        measure("sparse", MULTICAST, rounds, lambda: software(folder))


if __name__ == "__main__":
    main()
