#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Every object of the MIB, for CAs, switches and a router, against the independent reading of the same node."""

import bed
import netfiles
import oracle
import snmp
import stir
from agents import stack
from tap import Tap, require_daemon

PARTS = {
    "ibSmaNodeInfo": (1, 1), "ibSmaSwitchInfo": (1, 2), "ibSmaGuidInfoTable": (1, 3), "ibSmaMgmtPortInfo": (1, 4),
    "ibSmaPortInfoTable": (1, 5), "ibSmaPKeyTable": (1, 6), "ibSmaSL2VLMapTable": (1, 7),
    "ibSmaHiPriVlArbTable": (1, 8, 1), "ibSmaLowPriVlArbTable": (1, 8, 2), "ibSmaLinForTable": (1, 9),
    "ibSmaRandomForwardingTable": (1, 10), "ibSmaMulForTable": (1, 11), "ibSmaSmInfoTable": (1, 12),
    "ibSmaVendDiagInfoTable": (1, 13), "ibSmaLedInfoTable": (1, 14),
    # Neither the index columns nor the objects of notifications are above; these have nothing to read.
    "ibSmaNotifications": (2,), "ibSmaConformance": (3,),
}


def node_agrees(tap, fabric, host, when):
    """The reading before is older, and the one after newer, than anything the daemon can show."""
    with fabric.reader(host) as reader:
        before = oracle.expected_tree(reader)
        with stack(fabric, host) as agent:
            rows = snmp.tool_walk("snmpbulkwalk", agent.snmpd.port, oracle.ROOT, ["-Cr50"])
        after = oracle.expected_tree(reader)
    for part, arcs in PARTS.items():
        wanted = [oracle.within(tree, oracle.ROOT + arcs) for tree in (before, after)]
        shown = oracle.within(rows, oracle.ROOT + arcs)
        wrong = oracle.differences(shown, *wanted)
        tap.ok(not wrong, f"{host} {when}: {part}, {len(wanted[0])} instances",
               [f"{len(wrong)} differences", *wrong[:20]])


def with_and_without_sm(tap, netfile, manager, hosts):
    with bed.scratch() as folder, bed.Fabric(netfile, folder) as fabric:
        for host in hosts:
            tap.case(node_agrees, fabric, host, "before opensm")
        with bed.OpenSM(fabric, manager):
            for host in hosts:
                tap.case(node_agrees, fabric, host, "after opensm")


def stirred(tap, netfile, hosts):
    with bed.scratch() as folder, bed.Fabric(netfile, folder) as fabric:
        for host, stirring in hosts.items():
            with fabric.reader(host) as reader:
                stirring(reader)
            tap.case(node_agrees, fabric, host, "with contents of its own in every block")


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with_and_without_sm(tap, netfiles.t1(), "H-ca1", ("H-ca1", "H-ca2", "S-sw1"))
    with_and_without_sm(tap, netfiles.F36, "F-ca1", ("F-ca1", "F-sw2", "F-sw1"))
    stirred(tap, netfiles.t1(), {"S-sw1": stir.switch, "H-ca1": stir.channel_adapter})
    stirred(tap, netfiles.VECTORS, {"Sw2": stir.switch, "R1": stir.channel_adapter})
    tap.done()


if __name__ == "__main__":
    main()
