#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Unmodified InfiniBand tools on each example of a node file, with opensm as the subnet manager beside them."""

import contextlib
import os
import re
import subprocess
from typing import NamedTuple

import agents
import bed
from tap import Tap, require, require_daemon

PROBE = re.compile(r"query_smp.*Attr 0x11:0\) bad status 110")
NO_COUNTERS = re.compile(r"_do_madrpc failed|(query_cap_mask|print_errors): .* query failed on")
PORT_0 = re.compile(r"mad_dump_linkwidth: bad width 0")
# What may be said of a node that has nothing behind its ports, no link at port 0, and no class but those of subnet
# management.
HARMLESS = (re.compile(r"sim_connect: attached"), PROBE, NO_COUNTERS, PORT_0)


class Node(NamedTuple):
    """What the tools have to tell of an example."""
    letter: str
    ports: int
    guid: str
    port_guid: str
    vendor: int
    device: int
    description: str
    up: tuple
    lid: int = 1
    kind: str = "Switch"
    m_key: int = 0
    managed: bool = True

    @property
    def is_switch(self):
        return self.letter == "S"

    @property
    def seen(self):
        """The data ports that a tool on this node can look at."""
        return range(1, self.ports + 1) if self.is_switch else (1,)


# Notifications would wait for an snmpd, at the end for a second.
QUIET = "notify off\n"
ALL = tuple(range(1, 255))
NODES = {
    "ca.conf": Node("H", 2, "0002c90300001000", "0002c90300001001", 0x2C9, 0x673C, "ibsmad software CA", (1,),
                    kind="Channel Adapter"),
    "iou.conf": Node("H", 1, "0002c90300005000", "0002c90300005001", 0x2C9, 0, "ibsmad software I/O unit", (1,),
                     kind="Channel Adapter"),
    "router.conf": Node("R", 2, "0002c90300009000", "0002c90300009001", 0, 0, "ibsmad software router", (1,), lid=17,
                        kind="Router", m_key=0xDEADBEEF),
    "switch36.conf": Node("S", 36, "0002c90200004000", "0002c90200004000", 0x2C9, 0xBD36,
                          "ibsmad software switch, 36 ports", (1, 2, 3, 4)),
    "switch-max.conf": Node("S", 254, "0002c9020000f000", "0002c9020000f000", 0x2C9, 0,
                            "ibsmad software switch, 254 ports, 49152 LIDs, 16384 MLIDs, full", ALL),
    # opensm knows no random table, and crashes
    "switch8-rft.conf": Node("S", 8, "0002c90200008000", "0002c90200008000", 0, 0,
                             "ibsmad software switch, random table", (1, 2, 3, 8), managed=False),
}


class Output(NamedTuple):
    """Of a tool: its exit status, what it wrote, and what it complained of beyond HARMLESS."""
    status: int
    text: str
    complaints: list

    def has(self, *patterns):
        return all(re.search(pattern, self.text, re.MULTILINE) for pattern in patterns)


def run(wire, line):
    done = subprocess.run(line.split(), env=os.environ | wire.client_env(), cwd=wire.folder, timeout=bed.LIMIT,
                          check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    complaints = [line for line in done.stderr.splitlines() if not any(p.search(line) for p in HARMLESS)]
    return Output(done.returncode, done.stdout, complaints)


def shows(tap, wire, name, line, *patterns):
    output = run(wire, line)
    tap.ok(output.status == 0 and not output.complaints and output.has(*patterns), f"{name}: {line}",
           [output.status, *output.complaints[:5], *patterns, output.text[:4000]])
    return output


def fails(tap, wire, name, line, complaint):
    output = run(wire, line)
    tap.ok(output.status != 0 and complaint in "\n".join([output.text, *output.complaints]),
           f"{name}: {line}: {complaint}", output)


# ---- each tool ----


def port_states(tap, wire, name, node):
    for port in {1, node.ports} if node.is_switch else {1}:
        up = port in node.up
        shows(tap, wire, name, f"ibportstate -D 0 {port} query", f"^LinkState:\\.*{'Initialize' if up else 'Down'}$",
              f"^PhysLinkState:\\.*{'LinkUp' if up else 'Polling'}$", "^LinkWidthActive:\\.*4X$")


def links(tap, wire, name, node):
    output = shows(tap, wire, name, "iblinkinfo -l", f"^0x{node.port_guid} ")
    cables = [int(port) for port in re.findall(r"\b(\d+)\[ *\] ==\(.*LinkUp\)==>", output.text)]
    tap.equal(cables, list(node.up), f"{name}: iblinkinfo: cables")
    tap.equal(len(output.text.splitlines()), len(node.seen), f"{name}: iblinkinfo: ports")


def discovery(tap, wire, name, node):
    word = {"H": "Ca", "R": "Rt", "S": "Switch"}[node.letter]
    shows(tap, wire, name, "ibnetdiscover", f"^vendid={node.vendor:#x}$", f"^devid={node.device:#x}$",
          f'^{word}\t{node.ports} "{node.letter}-{node.guid}".*"{node.description}"')


def errors(tap, wire, name, node):
    """The node has no counters, so that each port is one of which they cannot be read. The paths come from the SA."""
    if node.managed:
        shows(tap, wire, name, "ibqueryerrors", "1 nodes checked, 0 bad nodes found", f"{len(node.seen)} ports checked")
        return
    output = run(wire, "ibqueryerrors")
    tap.ok(output.status == 0 and len(output.complaints) == 1 and "Query SA failed" in output.complaints[0],
           f"{name}: ibqueryerrors without an SA", output)


def attributes(tap, wire, name, node):
    shows(tap, wire, name, "smpquery -D nodeinfo 0", f"^NodeType:\\.*{node.kind}$", f"^Guid:\\.*0x{node.guid}$",
          f"^DevId:\\.*0x{node.device:04x}$")
    shows(tap, wire, name, f"smpquery -L nodedesc {node.lid}", f"^Node Description:\\.*{node.description}$")
    shows(tap, wire, name, "smpdump -D 0 0x11 0", f"^0101 0{'_HSR'.index(node.letter)}{node.ports:02x} ",
          "^SMP status: 0x8000$")


def administration(tap, wire, name, node):
    if not node.managed:
        fails(tap, wire, name, "sminfo", "failed: query")
        fails(tap, wire, name, "saquery", "Query SA failed")
        return
    shows(tap, wire, name, "sminfo", f"sm lid {node.lid} sm guid 0x{node.port_guid.lstrip('0')}.*SMINFO_MASTER")
    shows(tap, wire, name, "sminfo -D 0", "SMINFO_MASTER")
    shows(tap, wire, name, "saquery", f"^\t\tlid\\.*{node.lid}$", f"^\t\tnode_guid\\.*0x{node.guid}$",
          f"^\t\tNodeDescription\\.*{node.description}$")
    shows(tap, wire, name, "saquery -p", f"^\t\tdlid\\.*{node.lid}$", f"^\t\tslid\\.*{node.lid}$")


@contextlib.contextmanager
def subnet_manager(wire, node):
    if not node.managed:
        yield
        return
    with bed.OpenSM(wire, None, f"m_key {node.m_key:#x}\n"):
        yield


def example(tap, name, node):
    with bed.scratch() as folder, agents.SoftwareNode(folder, None, name, config=QUIET) as wire:
        wire.wait_log("is served")
        with subnet_manager(wire, node):
            for part in (port_states, links, discovery, errors, attributes, administration):
                part(tap, wire, name, node)
        tap.equal(wire.stop(), 0, f"{name}: ibsmad ends well")


# ---- what a node file says of links of today ----

SPLIT = """
capability 0   IsExtendedSpeedsSupported on
capability 0   IsCapabilityMask2Supported on
capability 0   IsLinkWidth2xSupported on
capability 0   IsLinkSpeedHDRSupported on
capability 0   IsLinkSpeedNDRSupported on
portInfo   all LinkWidthSupported 0x12
portInfo   all LinkWidthEnabled 0x12
portInfo   1-4 LinkWidthActive 16
portInfo   all LinkSpeedExtSupported 15
portInfo   1-4 LinkSpeedExtActive 8
"""


def split_ports(tap):
    """A switch whose port 0 says that its ports can be split, and that they know HDR and NDR."""
    name = "split ports"
    with bed.scratch() as folder:
        path = os.path.join(folder, "split.conf")
        with open(os.path.join(agents.NODES, "switch36.conf"), encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + SPLIT)
        with agents.SoftwareNode(folder, None, path, config=QUIET) as wire:
            wire.wait_log("is served")
            shows(tap, wire, name, "smpquery -D portinfo 0 0", "^CapabilityMask2:\\.*0x430$",
                  "^\t*IsLinkWidth2xSupported$", "^\t*IsLinkSpeedHDRSupported$", "^\t*IsLinkSpeedNDRSupported$")
            shows(tap, wire, name, "ibportstate -D 0 1 query", "^LinkWidthSupported:\\.*4X or 2X",
                  "^LinkSpeedExtActive:\\.*106.25 Gbps$")
            shows(tap, wire, name, "iblinkinfo", r"1\[ *\] ==\( *2X *106.25 Gbps Initialize/ *LinkUp\)")
            output = shows(tap, wire, name, "ibportstate -D 0 2 espeed 4")
            tap.ok(output.text.count("53.125 Gbps\n") == 1, f"{name}: HDR alone is enabled", [output.text])


def main():
    require("ibportstate", "iblinkinfo", "ibnetdiscover", "ibqueryerrors", "smpquery", "smpdump", "sminfo", "saquery",
            "opensm")
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    tap.equal(sorted(os.listdir(agents.NODES)), sorted(NODES), "each example is tried")
    for name, node in NODES.items():
        tap.case(example, name, node)
    tap.case(split_ports)
    tap.done()


if __name__ == "__main__":
    main()
