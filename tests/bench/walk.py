#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""How fast a large table is walked: the SL to VL mappings of a 40-port switch on ibsim, 26240 rows.

Usage: walk.py [ROUNDS]; IBSMAD names the daemon.  Prints the median of a cold and of a warm walk.
"""

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

TABLE = "1.3.6.1.3.117.3.1.7"


def walk(port):
    """(seconds, rows)"""
    argv = [bed.find_tool("snmpbulkwalk"), *snmp.V2C, "-Cr50", "-On", f"127.0.0.1:{port}", TABLE]
    start = time.monotonic()
    output = subprocess.run(argv, stdout=subprocess.PIPE, check=True, env=os.environ | {"MIBS": ""}).stdout
    return time.monotonic() - start, output.count(b"\n")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    cold, warm, rows = [], [], 0
    with bed.scratch() as folder, bed.Fabric(netfiles.t1(), folder) as fabric:
        for _ in range(rounds):
            with agents.stack(fabric, "S-sw1") as agent:
                cold.append(walk(agent.snmpd.port)[0])
                seconds, rows = walk(agent.snmpd.port)
                warm.append(seconds)
    for name, times in (("cold", cold), ("warm", warm)):
        median = statistics.median(times)
        print(f"{name}: {median:.2f} s, {median / rows * 1e6:.0f} us a row, {rows} rows, median of {rounds}")


if __name__ == "__main__":
    main()
