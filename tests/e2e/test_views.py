#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Views of the whole fabric: which there are, what each shows, and what becomes of them as links come and go."""

import re

import agents
import bed
import netfiles
import snmp
from bed import wait_for
from tap import Tap, require_daemon

HOST = "V-ca1"
SMA = snmp.oid("1.3.6.1.3.117.3")
NODE_TYPE, NODE_GUID, NODE_STRING = (SMA + (1, 1, number, 0) for number in (4, 7, 1))
VIEWS = snmp.oid("1.3.6.1.4.1.8072.9999.9999.117.1.4.1")
CONTEXT, STATE, GUID = 2, 5, 8
UNREACHABLE = 4
COMMUNITY = "spine-community"
SNMPD = f"""\
com2sec -Cn spine spineSec 127.0.0.1 {COMMUNITY}
group spineGroup v2c spineSec
access spineGroup spine any noauth exact everything none none
"""
CONFIG = "views discover all\nview spine guid 0x0b01\nview second path 0,1\ncacheTime port 1\nnotify off\n"


def v3(context):
    return ["-v3", "-l", "authPriv", "-u", snmp.V3_USER, "-a", "SHA", "-A", snmp.V3_AUTH, "-x", "AES",
            "-X", snmp.V3_PRIV, "-n", context]


def in_context(port, context, *names):
    return snmp.tool_get(port, *names, access=v3(context))


def found_by_ibnetdiscover(fabric):
    """GUID to kind and description."""
    output = fabric.tool(HOST, ["ibnetdiscover"])
    return {int(guid, 16): (kind, text) for kind, guid, text in
            re.findall(r'^(Switch|Ca|Rt)\t\d+ "[SHR]-([0-9a-f]{16})"\s+# "([^"]*)"', output, re.MULTILINE)}


def views(client):
    """Context to (state, GUID) of each view of another node."""
    rows = {}
    for row in client.walk(VIEWS):
        rows.setdefault(row.oid[-1], {})[row.oid[len(VIEWS)]] = row.value
    return {row[CONTEXT].decode(): (row[STATE], int.from_bytes(row.get(GUID, b""), "big"))
            for row in rows.values() if row.get(13) == 1}


def contexts_agree(tap, fabric, snmpd, client):
    wanted = found_by_ibnetdiscover(fabric)
    shown = wait_for(lambda: (now := views(client)) and len(now) > len(wanted) and now, "all views")
    tap.equal({guid for _, guid in shown.values()}, set(wanted), f"the nodes are the {len(wanted)} of ibnetdiscover")
    kinds = {1: "Ca", 2: "Switch", 3: "Rt"}
    for guid, (kind, text) in sorted(wanted.items()):
        context = f"{guid:016x}"
        values = [row.value for row in in_context(snmpd.port, context, NODE_TYPE, NODE_GUID, NODE_STRING)]
        tap.equal([kinds.get(values[0]), values[1], values[2].rstrip(b"\0")],
                  [kind, guid.to_bytes(8, "big"), text.encode()], f"{context}: the node that it names")
    same = [row.value for row in in_context(snmpd.port, "spine", NODE_GUID)]
    tap.equal(same, [(0x0b01).to_bytes(8, "big")], "a view by its GUID has a name of its own")
    with snmp.Client(snmpd.port, COMMUNITY) as spine:
        tap.equal([row.value for row in spine.get(NODE_GUID)], same, "the same by a community of SNMPv2c")
    same = [row.value for row in in_context(snmpd.port, "second", NODE_GUID)]
    tap.equal(same, [(0x0a01).to_bytes(8, "big")], "a view by its route")


def is_state(client, context, wanted):
    state = views(client).get(context, (None,))[0]
    return (state == UNREACHABLE) == wanted


def link_goes_and_comes(tap, fabric, snmpd, client):
    leaf = f"{0x0c03:016x}"
    fabric.command('Unlink "V-ca3"')
    wait_for(lambda: is_state(client, leaf, True), "the loss of the node", interval=0.3)
    gone = in_context(snmpd.port, leaf, NODE_TYPE)[0].type
    other = in_context(snmpd.port, f"{0x0c02:016x}", NODE_TYPE)[0].value
    tap.equal([gone, other], ["noSuchInstance", 1], "a node whose link is down has no instances, others have")
    fabric.command('ReLink "V-ca3"')
    wait_for(lambda: is_state(client, leaf, False), "the return of the node", interval=0.3)
    tap.equal(in_context(snmpd.port, leaf, NODE_TYPE)[0].value, 1, "it is back by itself")


def unknown_contexts(tap, snmpd):
    """snmpd has no answer, or one without a value."""
    output = snmp.run_tool("snmpget", snmpd.port, ["-r", "0", snmp.text(NODE_TYPE)], v3("nobody"))[1]
    tap.ok("INTEGER" not in output, "an unknown context has no values", output)


def snmpd_returns(tap, snmpd, daemon, client):
    snmpd.stop()
    snmpd.start()
    agents.wait_serving(client, daemon)
    wait_for(lambda: in_context(snmpd.port, f"{0x0b01:016x}", NODE_TYPE)[0].value == 2, "the views", interval=0.3)
    tap.ok(True, "after a restart of snmpd the views are there again")


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    config = CONFIG + "viewSweep 2\nbackgroundRate 1000\n"
    with (bed.scratch() as folder, bed.Fabric(netfiles.VIEWS, folder) as fabric, agents.Snmpd(folder, extra=SNMPD) as snmpd,
          agents.Daemon(folder, snmpd, fabric, HOST, config=config) as daemon, agents.ends_well(daemon),
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, daemon)
        contexts_agree(tap, fabric, snmpd, client)
        unknown_contexts(tap, snmpd)
        link_goes_and_comes(tap, fabric, snmpd, client)
        snmpd_returns(tap, snmpd, daemon, client)
    tap.done()


if __name__ == "__main__":
    main()
