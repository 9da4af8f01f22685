# SPDX-License-Identifier: BSD-2-Clause
"""The show of ./demo.

By default ibsmad is the SMA of a switch of its own, which opensm brings up; with --fabric it reads a switch and a
channel adapter of a simulated fabric.
"""

import contextlib
import functools
import os
import signal
import subprocess
import sys
from typing import Callable, NamedTuple

import agents
import bed
import oracle
import snmp
import trapd

MULTICAST_TOP = 18  # offset in SwitchInfo

MIBS = os.path.abspath(os.path.join(bed.HERE, "..", "..", "mibs"))

FABRIC = """\
vendid=0x2c9
devid=0xb924
switchguid=0x0002c90200400100
Switch	8 "edge1"	# "edge switch 1" base port 0
[1]	"node1"[1]
[2]	"node2"[1]

vendid=0x2c9
devid=0x1003
caguid=0x0002c90300001000
Ca	2 "node1"	# "node1 HCA-1"
[1]	"edge1"[1]

vendid=0x2c9
devid=0x1003
caguid=0x0002c90300002000
Ca	2 "node2"	# "node2 HCA-1"
[1]	"edge1"[2]

"""

# What is shown of each node: a title, the tool with its options, the subtree, and how many lines of it.
SWITCH_SHOW = [
    ("The node", ["snmpwalk"], "ibSmaNodeInfo", 13),
    ("The switch", ["snmpwalk"], "ibSmaSwitchInfo", 16),
    ("States of the ports", ["snmpwalk"], "ibSmaPortLinkState", 8),
    ("Partition keys of port 0 (index 255)", ["snmpwalk"], "ibSmaPKeyMembership.255", 4),
    ("Service level to virtual lane, out of port 1, in from port 2", ["snmpwalk"], "ibSmaVirtualLane.1.2", 16),
    ("High priority VL arbitration", ["snmptable", "-Ci", "-CB"], "ibSmaHiPriVlArbTable", 12),
    ("Low priority VL arbitration of port 1", ["snmpwalk"], "ibSmaLowPriWeight.1", 8),
    ("Linear forwarding: LID to port (255: the switch itself)", ["snmptable", "-Ci"], "ibSmaLinForTable", 10),
    ("Multicast forwarding: ports 1 and 2 (port 0 is the highest bit)", ["snmpwalk"], "ibSmaMulForTable", 3),
]
ADAPTER_SHOW = [
    ("The management port", ["snmpwalk"], "ibSmaMgmtPortInfo", 12),
    ("GUIDs", ["snmpwalk"], "ibSmaGuidVal.1", 2),
    ("The subnet manager on this node", ["snmptable", "-Ci"], "ibSmaSmInfoTable", 10),
    ("Diagnostics", ["snmpwalk"], "ibSmaPortGenericDiagCode", 3),
]


def command(port, tool, subtree):
    access = ["-v2c", "-c", snmp.COMMUNITY, "-M", f"{MIBS}:{MIBS}/base", "-m", "SMA-MIB"]
    return [tool[0], *access, *tool[1:], f"127.0.0.1:{port}", subtree]


def print_lines(text, count):
    shown = [line for line in text.splitlines() if line.strip()]
    print("\n".join(shown[:count]), flush=True)
    if len(shown) > count:
        print(f"... and {len(shown) - count} more lines", flush=True)


def show(port, title, tool, subtree, lines):
    print(f"\n## {title}\n$ {tool[0]} ... {subtree}", flush=True)
    result = subprocess.run(command(port, tool, subtree), stdout=subprocess.PIPE, text=True, check=True)
    print_lines(result.stdout, lines)


def ask_sma(wire, title, argv, lines):
    """What an InfiniBand tool says of the same node."""
    print(f"\n## {title}\n$ {' '.join(argv)}", flush=True)
    said = [line for line in wire.tool(None, argv).splitlines() if "ibwarn" not in line]
    print_lines("\n".join(said), lines)


def join_group(wire, host=None):
    """What the SM programs when nodes behind ports 1 and 2 join a multicast group: MLID 0xC000 to both ports."""
    with wire.reader(host) as switch:
        info = bytearray(switch.get(oracle.SWITCH_INFO))
        info[MULTICAST_TOP:MULTICAST_TOP + 2] = b"\xc0\x00"
        switch.set(oracle.SWITCH_INFO, 0, bytes(info))
        switch.set(oracle.MULTICAST_TABLE, 0, bytes([0, 0b110]))


class Console:
    """Commands for a software SMA, through a named pipe that others may write into as well."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "console")
        os.mkfifo(self.path)
        self.descriptor = os.open(self.path, os.O_RDWR)

    def command(self, text):
        os.write(self.descriptor, f"{text}\n".encode())


# What happens to the switch, and the notification that tells of it.
EVENTS = [
    ("integrity 2", "ibSmaLinkIntegrityThresReached"),
    ("systemguid 0x0002c90200404099", "ibSmaSysImageGuidModified"),
    ("badpkey port=3 key=0x8005 lid1=17", "ibSmaBadPKeyAtSwitchPort"),
]


def notify(console, receiver):
    """What snmptrapd gets when something happens to the switch."""
    for happened, name in EVENTS:
        print(f"\n## {happened}", flush=True)
        console.command(happened)
        told = bed.wait_for(functools.partial(find_told, receiver, name), name)
        print("\n".join(told[2:]), flush=True)


def find_told(receiver, name):
    return next((record for record in receiver.records() if record[2].endswith(name)), None)


class Scene(NamedTuple):
    """What runs: SNMP ports by name, what to show, and further commands to try."""
    ports: dict
    present: Callable
    more: tuple = ()


@contextlib.contextmanager
def software():
    """A switch that ibsmad is itself."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(bed.scratch())
        console = Console(folder)
        receiver = stack.enter_context(trapd.Trapd(folder, names=True))
        snmpd = stack.enter_context(agents.Snmpd(folder, extra=receiver.line("trap2sink")))
        node = stack.enter_context(agents.SoftwareNode(folder, snmpd, "switch36.conf", ["--console"],
                                                       stdin=console.descriptor))
        client = stack.enter_context(snmp.Client(snmpd.port))
        agents.wait_serving(client, node)
        with bed.OpenSM(node, None):
            join_group(node)

            def present():
                print("# ibsmad is the SMA of a 36-port switch, which opensm has brought up. An InfiniBand tool asks it:")
                ask_sma(node, "Node information, by SMP", ["smpquery", "-D", "nodeinfo", "0"], 14)
                ask_sma(node, "Port 1, by SMP", ["smpquery", "-D", "portinfo", "0", "1"], 16)
                print("\n# The same through snmpd. Nothing is behind its ports, so that opensm leaves them in Initialize:")
                for entry in SWITCH_SHOW:
                    show(snmpd.port, *entry)
                print("\n# What happens to the switch leaves as notifications, here as snmptrapd shows them:")
                notify(console, receiver)

            yield Scene({"the switch": snmpd.port}, present,
                        (f"echo link 2 down >{console.path}; tail -n 3 {receiver.log_file}",))


@contextlib.contextmanager
def fabric():
    """Nodes of a simulated fabric, which ibsmad reads."""
    with (bed.scratch() as folder, bed.Fabric(FABRIC, folder) as net, bed.OpenSM(net, "node1"),
          agents.stack(net, "edge1") as switch, agents.stack(net, "node1") as adapter):
        join_group(net, "edge1")

        def present():
            print("# ibsmad on the switch edge1, as snmpd shows it")
            for entry in SWITCH_SHOW:
                show(switch.snmpd.port, *entry)
            print("\n# ibsmad on the channel adapter node1, where the subnet manager runs")
            for entry in ADAPTER_SHOW:
                show(adapter.snmpd.port, *entry)

        yield Scene({"the switch": switch.snmpd.port, "the adapter": adapter.snmpd.port}, present)


def leave_terminal():
    """Who reads the output shall see its end."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def keep(scene):
    """Hold everything until SIGTERM or SIGINT."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    print("\n# It goes on running. Try:")
    for name, port in scene.ports.items():
        print(f"  {' '.join(command(port, ['snmpwalk'], 'ibSmaMIB'))}   # {name}")
    for line in scene.more:
        print(f"  {line}")
    print(f"# Stop it with:\n  kill {os.getpid()}", flush=True)
    leave_terminal()
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


def into_background():
    """Continue in a child that outlives the shell's command; the parent waits until the show is over."""
    reading, writing = os.pipe()
    if os.fork():
        os.close(writing)
        sys.exit(int(os.read(reading, 1) or b"1"))
    os.setsid()
    os.close(reading)
    return writing


def main():
    kept = "--keep" in sys.argv[1:]
    parent = into_background() if kept else None
    with (fabric if "--fabric" in sys.argv[1:] else software)() as scene:
        scene.present()
        if kept:
            os.write(parent, b"0")
            keep(scene)
            return
    print("\n# Everything is stopped again.", flush=True)


if __name__ == "__main__":
    main()
