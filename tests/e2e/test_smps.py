#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""How many SMPs a walk costs, counted in the daemon's own debug log."""

import re
from collections import Counter

import bed
import netfiles
import oracle
from agents import stack
from bed import wait_for
from oracle import OBJECTS, ROOT
from tap import Tap, require_daemon

SENT = re.compile(r"smp: send port (\d+) attr (0x[0-9a-f]+) mod (0x[0-9a-f]+)", re.IGNORECASE)
DEBUG = ["-D", "smp"]
GROUPS = ("node", "switch", "port", "guid", "pkey", "sl2vl", "vlarb", "lft", "rft", "mft", "sm", "diag", "led")
TOP = 1023
PORTS = range(1, 41)


def ages(seconds, groups=GROUPS):
    return "".join(f"cacheTime {group} {seconds}\n" for group in groups)


class Meter:
    """The (attribute, modifier) pairs of the SMPs that were sent."""

    def __init__(self, agent):
        self.agent = agent
        self._seen, self._pairs = 0, []

    def all(self):
        log = self.agent.daemon.log()
        end = log.rfind("\n") + 1
        self._pairs += [(int(attribute, 16), int(modifier, 16))
                        for _, attribute, modifier in SENT.findall(log, self._seen, end)]
        self._seen = end
        return self._pairs

    def of(self, attribute):
        """{modifier: how often}"""
        return Counter(modifier for known, modifier in self.all() if known == attribute)


# Table, its arcs, the attribute, and the modifiers that it needs: each once.
TABLES = [
    ("ibSmaLinForTable", (1, 9), oracle.LINEAR_TABLE, list(range((TOP + 1) // 64))),
    ("ibSmaPortInfoTable", (1, 5), oracle.PORT_INFO, [0, *PORTS]),
    ("ibSmaMulForTable", (1, 11), oracle.MULTICAST_TABLE, [p << 28 | b for p in range(3) for b in range(32)]),
    ("ibSmaPKeyTable", (1, 6), oracle.PKEY_TABLE, [0, *(port << 16 | block for port in PORTS for block in (0, 1))]),
    ("ibSmaSL2VLMapTable", (1, 7), oracle.SL_TO_VL, [i << 8 | o for o in PORTS for i in [0, *PORTS]]),
    ("ibSmaVLArbitInfo", (1, 8), oracle.VL_ARBITRATION, [h << 16 | port for h in (1, 3) for port in PORTS]),
]


def table_costs(tap, agent, meter, table, arcs, attribute, modifiers):
    rows = agent.client.walk(ROOT + arcs)
    sent = meter.of(attribute)
    wanted = Counter(modifiers)
    tap.ok(sent == wanted, f"cold walk of {table}: {len(modifiers)} SMPs, each once",
           [f"missing {[hex(m) for m in wanted - sent]}", f"too many {[hex(m) for m in sent - wanted]}"])
    agent.client.walk(ROOT + arcs)
    tap.equal(meter.of(attribute) - sent, Counter(), f"warm walk of {table}: no SMP")
    if table == "ibSmaLinForTable":
        tap.equal(len(rows), TOP + 1, "every LID has a row")


def switch_costs(tap, fabric):
    with fabric.reader("S-sw1") as reader:
        wanted = oracle.expected_tree(reader)
        needed = set(reader.used)
    with stack(fabric, "S-sw1", DEBUG, "notify off\n" + ages(300)) as agent:
        meter = Meter(agent)
        for entry in TABLES:
            tap.case(table_costs, agent, meter, *entry)
        rows = agent.client.walk(ROOT)
        tap.equal(oracle.differences(rows, wanted)[:5], [], "the whole walk is right")
        sent = Counter(meter.all())
        tap.equal({hex(a): hex(m) for a, m in set(sent) - needed}, {}, "no SMP that nothing needs")
        tap.equal([pair for pair, count in sent.items() if count > 1], [], "no SMP twice")
        agent.client.walk(ROOT)
        tap.equal(Counter(meter.all()) - sent, Counter(), "a warm walk of everything sends no SMP")


def program_linear_table(fabric):
    with fabric.reader("S-sw1") as reader:
        info = bytearray(reader.get(oracle.SWITCH_INFO))
        info[6:8] = TOP.to_bytes(2, "big")
        reader.set(oracle.SWITCH_INFO, 0, bytes(info))
        for block in range((TOP + 1) // 64):
            reader.set(oracle.LINEAR_TABLE, block, bytes([1 + block]) * 64)


def ca_costs(tap, fabric):
    with fabric.reader("H-ca1") as reader:
        oracle.expected_tree(reader)
        needed = set(reader.used)
    with stack(fabric, "H-ca1", DEBUG, "notify off\n" + ages(300)) as agent:
        meter = Meter(agent)
        agent.client.walk(ROOT)
        sent = Counter(meter.all())
        tap.equal(meter.of(oracle.GUID_INFO), Counter(range(4)), "a CA's 32 GUIDs: four SMPs")
        tap.equal({pair for pair in sent if pair not in needed}, set(), "a CA: no SMP that nothing needs")
        tap.equal([pair for pair, count in sent.items() if count > 1], [], "a CA: no SMP twice")


CACHE_PERIODS = 5


def no_subnet_manager(tap, fabric):
    """A port that says it has no SM is not asked for SMInfo."""
    with stack(fabric, "H-ca1", DEBUG, ages(1, ("port", "sm"))) as agent:
        meter = Meter(agent)
        rows = []

        def periods_over():
            agent.client.get(OBJECTS["ibSmaPortIsSubnetManager"].oid + (0,))
            rows.extend(agent.client.walk(ROOT + (1, 12)))
            return max(meter.of(oracle.PORT_INFO).values()) > CACHE_PERIODS
        wait_for(periods_over, f"{CACHE_PERIODS} cache periods", interval=0.2)
        tap.equal(rows, [], "no SM, no row of ibSmaSmInfoTable")
        tap.equal(meter.of(oracle.SM_INFO), Counter(), f"no SM, no SMInfo SMP in {CACHE_PERIODS} cache periods")


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder, bed.Fabric(netfiles.t1(), folder) as fabric:
        program_linear_table(fabric)
        tap.case(switch_costs, fabric)
        tap.case(ca_costs, fabric)
        tap.case(no_subnet_manager, fabric)
    tap.done()


if __name__ == "__main__":
    main()
