#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Unmodified InfiniBand tools and opensm on the software SMA, against the node files and the MIB."""

import contextlib
import os
import re
import signal
import subprocess
import time

import agents
import bed
import oracle
import snmp
from bed import wait_for
from tap import Tap, require, require_daemon

SMPQUERY = ["smpquery", "-D"]
ABSENT, INVALID = 0x0C, 0x1C

# ---- what the tools show of a node file ----

# Node, arguments of smpquery, components.
COMPONENTS = [
    ("ca.conf", "nodeinfo 0", {
        "BaseVers": "1", "ClassVers": "1", "NodeType": "Channel Adapter", "NumPorts": "2",
        "SystemGuid": "0x0002c90300001000", "Guid": "0x0002c90300001000", "PortGuid": "0x0002c90300001001",
        "PartCap": "64", "DevId": "0x673c", "Revision": "0x00000001", "LocalPort": "1", "VendorId": "0x0002c9"}),
    ("ca.conf", "nodedesc 0", {"Node Description": "ibsmad software CA"}),
    ("ca.conf", "portinfo 0", {
        "Lid": "0", "SMLid": "0", "LocalPort": "1", "LinkState": "Initialize", "PhysLinkState": "LinkUp",
        "LinkWidthEnabled": "4X", "LinkWidthActive": "4X", "LinkSpeedActive": "10.0 Gbps", "ProtectBits": "0",
        "VLCap": "VL0-7", "GuidCap": "16", "SubnetTimeout": "18"}),
    ("ca.conf", "portinfo 0 2", {
        "LocalPort": "1", "LinkState": "Down", "PhysLinkState": "Polling", "LinkWidthEnabled": "4X",
        "LinkSpeedActive": "2.5 Gbps"}),
    ("switch36.conf", "nodeinfo 0", {
        "NodeType": "Switch", "NumPorts": "36", "Guid": "0x0002c90200004000", "PortGuid": "0x0002c90200004000",
        "PartCap": "32", "DevId": "0xbd36", "LocalPort": "0", "VendorId": "0x0002c9"}),
    ("switch36.conf", "nodedesc 0", {"Node Description": "ibsmad software switch, 36 ports"}),
    ("switch36.conf", "switchinfo 0", {
        "LinearFdbCap": "30720", "RandomFdbCap": "0", "McastFdbCap": "4096", "LifeTime": "18", "PartEnforceCap": "32",
        "InboundPartEnf": "1", "OutboundPartEnf": "1"}),
    ("switch36.conf", "portinfo 0 0", {"LinkState": "Active", "CapMask": "0x4260184c", "GuidCap": "1"}),
    ("switch36.conf", "portinfo 0 4", {"LinkState": "Initialize", "LinkSpeedActive": "10.0 Gbps", "HoqLife": "16"}),
    ("switch36.conf", "portinfo 0 5", {"LinkState": "Down", "HoqLife": "16"}),
    ("switch36.conf", "portinfo 0 36", {"LinkState": "Down", "HoqLife": "20"}),
    ("switch8-rft.conf", "nodeinfo 0", {"NodeType": "Switch", "NumPorts": "8", "Guid": "0x0002c90200008000"}),
    ("switch8-rft.conf", "switchinfo 0", {
        "LinearFdbCap": "0", "RandomFdbCap": "1024", "McastFdbCap": "256", "DefPort": "8", "DefMcastPrimPort": "255",
        "DefMcastNotPrimPort": "255", "LidsPerPort": "4", "PartEnforceCap": "0"}),
    ("switch8-rft.conf", "-L portinfo 1 8", {"LinkState": "Initialize", "VLCap": "VL0"}),
    ("router.conf", "nodeinfo 0", {
        "NodeType": "Router", "NumPorts": "2", "SystemGuid": "0x0002c90300009003", "Guid": "0x0002c90300009000",
        "PartCap": "128"}),
    ("router.conf", "-L portinfo 18", {
        "GidPrefix": "0xfec0000000000001", "Lid": "17", "SMLid": "1", "LMC": "1", "MkeyLeasePeriod": "60",
        "ProtectBits": "1", "HoqLife": "16"}),
    ("router.conf", "-K portinfo 0", {"Mkey": "0x0000000000000000"}),
    ("router.conf", "-K -y 0xdeadbeef portinfo 0", {"Mkey": "0x00000000deadbeef"}),
    ("router.conf", "portinfo 0 2", {"GidPrefix": "0xfec0000000000002", "Lid": "0", "LMC": "0"}),
]

# Node, arguments of smpquery, and lines of its tables.
TABLES = [
    ("ca.conf", "pkeys 0", ["0: 0xffff 0x8001 0x0000", "64 pkeys capacity"]),
    ("ca.conf", "guidinfo 0", ["0: 0x0002c90300001001 0x0002c90300002001",
                               "2: 0x0002c90300002002 0x0002c90300002003", "16 guids capacity"]),
    ("ca.conf", "sl2vl 0", ["out  0: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|"]),
    ("ca.conf", "vlarb 0", ["WEIGHT: |0x4 |0x4 |0x4 |0x4 |0x4 |0x4 |0x4 |0x4 |", "WEIGHT: |0x40|0x0 |"]),
    ("ca.conf", "switchinfo 0", ["switch info query failed"]),
    ("ca.conf", "mepi 0", ["ext port info query failed"]),
    ("ca.conf", "portinfoextended 0", ["not supported"]),
    ("switch36.conf", "pkeys 0", ["0: 0xffff 0x0000", "32 pkeys capacity"]),
    ("switch36.conf", "pkeys 0 36", ["0: 0x0000 0x0000", "32 pkeys capacity"]),
    ("switch36.conf", "sl2vl 0 36", ["in  0, out 36: | 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|",
                                     "in 35, out 36: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|"]),
    ("switch36.conf", "vlarb 0 7", ["WEIGHT: |0x40|0x40|0x40|0x40|0x40|0x40|0x40|0x40|"]),
    ("switch36.conf", "guidinfo 0", ["0: 0x0002c90200004000", "1 guids capacity"]),
    ("router.conf", "guidinfo 0", ["0: 0x0002c90300009001", "8 guids capacity"]),
]

# Node, attribute, modifier, and the octets with zeros behind, or a status.
ZEROS = b""
DUMPS = [
    ("ca.conf", 0x02, 0, b"\x7f"),
    ("ca.conf", 0x10, 0, b"ibsmad software CA"),
    ("ca.conf", 0x11, 0, bytes.fromhex("01010102 0002c90300001000 0002c90300001000 0002c90300001001 0040 673c"
                                       "00000001 01 0002c9")),
    ("ca.conf", 0x12, 0, ABSENT),
    ("ca.conf", 0x14, 0, bytes.fromhex("0002c90300001001 0002c90300002001 0002c90300002002 0002c90300002003")),
    ("ca.conf", 0x14, 1, ZEROS),
    ("ca.conf", 0x14, 2, INVALID),
    ("ca.conf", 0x15, 3, INVALID),
    ("ca.conf", 0x16, 0, bytes.fromhex("ffff 8001")),
    ("ca.conf", 0x16, 1, ZEROS),
    ("ca.conf", 0x16, 2, INVALID),
    ("ca.conf", 0x17, 0, bytes.fromhex("0123456701234567")),
    ("ca.conf", 0x18, 1 << 16, bytes.fromhex("0004") * 8),
    ("ca.conf", 0x18, 3 << 16, bytes.fromhex("0040")),
    ("ca.conf", 0x18, 5 << 16, INVALID),
    ("ca.conf", 0x19, 0, ABSENT),
    ("ca.conf", 0x1A, 0, ABSENT),
    ("ca.conf", 0x1B, 0, ABSENT),
    ("ca.conf", 0x20, 0, ABSENT),
    ("ca.conf", 0x30, 0, b"\0\1ibsmad"),
    ("ca.conf", 0x30, 1, b"\0\0\1\2\3\4\5"),
    ("ca.conf", 0x31, 0, ZEROS),
    ("ca.conf", 0x33, 0, ABSENT),
    ("ca.conf", 0xFF90, 0, ABSENT),
    ("switch36.conf", 0x12, 0, bytes.fromhex("7800 0000 1000 0000 00 00 00 90 0000 0020 c0 00 bfff")),
    ("switch36.conf", 0x14, 0, bytes.fromhex("0002c90200004000")),
    ("switch36.conf", 0x16, 36 << 16, ZEROS),
    ("switch36.conf", 0x16, 37 << 16, INVALID),
    ("switch36.conf", 0x17, 0 << 8 | 1, ZEROS),
    ("switch36.conf", 0x17, 36 << 8 | 1, bytes.fromhex("0123456701234567")),
    ("switch36.conf", 0x18, 3 << 16 | 36, bytes.fromhex("0040") * 8),
    ("switch36.conf", 0x19, 0, b"\xff" * 64),
    ("switch36.conf", 0x19, 479, b"\xff" * 64),
    ("switch36.conf", 0x19, 480, INVALID),
    ("switch36.conf", 0x1A, 0, ABSENT),
    ("switch36.conf", 0x1B, 2 << 28 | 127, ZEROS),
    ("switch36.conf", 0x1B, 3 << 28, INVALID),
    ("switch36.conf", 0x1B, 128, INVALID),
    ("switch8-rft.conf", 0x19, 0, ABSENT),
    ("switch8-rft.conf", 0x1A, 0, bytes.fromhex("00018000 0004a001 0008a002 000c8003 000d80ff 00100008")),
    ("switch8-rft.conf", 0x1A, 63, ZEROS),
    ("switch8-rft.conf", 0x1A, 64, INVALID),
    ("switch8-rft.conf", 0x1B, 0, bytes.fromhex("000f 01fe 01fe 01fe")),
    ("switch8-rft.conf", 0x17, 1, ABSENT),
    ("router.conf", 0x14, 0, bytes.fromhex("0002c90300009001")),
    ("router.conf", 0x16, 3, ZEROS),
    ("router.conf", 0x16, 4, INVALID),
]

# Node, and lines of ibstat.
STATIONS = [
    ("ca.conf", ["CA 'ibsim0'", "Node GUID: 0x0002c90300001000", "Hardware version: 1", "State: Initializing",
                 "Physical state: LinkUp", "Rate: 40", "Base lid: 0", "Port GUID: 0x0002c90300001001"]),
    ("switch36.conf", ["Switch 'ibsim0'", "Node GUID: 0x0002c90200004000", "Port 0:", "State: Active",
                       "Capability mask: 0x4260184c"]),
    ("switch8-rft.conf", ["Switch 'ibsim0'", "Base lid: 1", "SM lid: 1"]),
    ("router.conf", ["Router 'ibsim0'", "System image GUID: 0x0002c90300009003", "Base lid: 17", "LMC: 1",
                     "SM lid: 1"]),
]

LINE = re.compile(r"^(?:[0-9a-f]{4} ){7}[0-9a-f]{4}$", re.MULTILINE)
STATUS = re.compile(r"^SMP status: 0x([0-9a-f]+)$", re.MULTILINE)
COMPONENT = re.compile(r"^(\w[\w ]*):\.*(.*)$", re.MULTILINE)


def components(output):
    return dict(COMPONENT.findall(output))


def query(node, words):
    """smpquery by a directed route of no hops, unless the words say otherwise."""
    return node.tool(None, ["smpquery", *([] if "-L" in words else ["-D"]), *words.split()])


def dump(node, attribute, modifier):
    """(status, octets) as smpdump shows them."""
    output = node.tool(None, ["smpdump", "-D", "0", hex(attribute), hex(modifier)])
    octets = bytes.fromhex("".join(LINE.findall(output)))
    return (int(STATUS.search(output)[1], 16) & 0x7FFF, octets) if STATUS.search(output) else (None, output)


def components_show(tap, node, name):
    for words, wanted in [row[1:] for row in COMPONENTS if row[0] == name]:
        output = query(node, words)
        got = {key: components(output).get(key) for key in wanted}
        tap.ok(got == wanted, f"{name}: smpquery {words}", [got, wanted, output])


def tables_show(tap, node, name):
    for words, wanted in [row[1:] for row in TABLES if row[0] == name]:
        output = query(node, words)
        tap.ok(all(line in output for line in wanted), f"{name}: smpquery {words}", [wanted, output])


def dumps_show(tap, node, name):
    for attribute, modifier, wanted in [row[1:] for row in DUMPS if row[0] == name]:
        status, octets = dump(node, attribute, modifier)
        good = status == wanted if isinstance(wanted, int) else (status, octets) == (0, wanted.ljust(64, b"\0"))
        tap.ok(good, f"{name}: smpdump {attribute:#x} {modifier:#x}", [status, octets, wanted])


def stations_show(tap, node, name):
    wanted = dict(STATIONS)[name]
    output = node.tool(None, ["ibstat"])
    tap.ok(all(line in output for line in wanted), f"{name}: ibstat", [wanted, output])
    tap.ok("query" in node.tool(None, ["sminfo", "-D", "0"]), f"{name}: sminfo finds no SM")


def tools_show(tap, name):
    with bed.scratch() as folder, agents.SoftwareNode(folder, None, name) as node:
        wait_for(lambda: "is served" in node.log(), "the wire")
        for part in (components_show, tables_show, dumps_show, stations_show):
            part(tap, node, name)


STRANGER = 65533


def attaches(node, folder, user):
    """Whether smpquery, run as a user, reads the node."""
    switch = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    done = subprocess.run([*switch, *SMPQUERY, "nodedesc", "0"], env=os.environ | node.client_env(), cwd=folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=bed.LIMIT, check=False)
    return "ibsmad software CA" in done.stdout


def users_are_checked(tap):
    """The wire is for root and for whom the configuration names, as long as it does."""
    if os.geteuid() != 0 or not bed.find_tool("setpriv"):
        tap.skip("users of the wire", "needs root and setpriv")
        return
    with bed.scratch() as folder, agents.SoftwareNode(folder, None, "ca.conf") as node:
        os.chmod(folder, 0o1777) # the tools make a folder where they run
        wait_for(lambda: "is served" in node.log(), "the wire")
        tap.ok(not attaches(node, folder, STRANGER) and attaches(node, folder, 0), "the wire: root, and no other user")
        node.wait_log(f'"wireUser {STRANGER}" in ibsmad.conf')
        tap.equal(node.log().count(f'"wireUser {STRANGER}" in ibsmad.conf'), 1, "one line says who was refused")
        with open(node.conf, "w", encoding="ascii") as file:
            file.write(f"wireUser {STRANGER}\n")
        node.process.send_signal(signal.SIGHUP)
        node.wait_log("read again")
        tap.ok(attaches(node, folder, STRANGER), "the wire: the user that wireUser names")


def names_are_checked(tap):
    """A second daemon cannot have the name, and a client that names another node is not let in."""
    with bed.scratch() as folder, agents.SoftwareNode(folder, None, "ca.conf") as node:
        wait_for(lambda: "is served" in node.log(), "the wire")
        tap.ok("connect failed" in node.tool("nobody", [*SMPQUERY, "nodeinfo", "0"]), "another node's name is refused")
        second = components(node.tool("ibsmad software CA:2", [*SMPQUERY, "nodeinfo", "0"]))
        tap.equal(second.get("LocalPort"), "2", "a name with a port attaches there")
        status, log = agents.SoftwareNode(folder, None, "ca.conf", name=node.socket_name).run()
        tap.ok(status == 1 and f'"{node.socket_name}" is in use' in log, "the name of the wire is taken", [status, log])


# ---- opensm ----


class Manager(bed.OpenSM):
    """opensm on the node, with a log to look into."""

    def __init__(self, node, config=""):
        super().__init__(node, None, config)

    def count(self, text):
        with open(self.osm_log, encoding="utf-8", errors="replace") as file:
            return file.read().count(text)


@contextlib.contextmanager
def managed(name, options="", **node_options):
    """A software node with an agent, and an opensm that has brought it up."""
    with (bed.scratch() as folder, agents.Snmpd(folder) as snmpd,
          agents.SoftwareNode(folder, snmpd, name, **node_options) as node, snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, node)
        with Manager(node, options) as manager:
            yield node, client, manager
        if status := node.stop():
            raise snmp.SnmpError(f"ibsmad ended with status {status}: {node.log()[-4000:]}")


def instance(name, *index):
    return oracle.OBJECTS[name].oid + (index or (0,))


# Components that smpquery and the MIB write as the same number.
SCALARS = {
    "Lid": "ibSmaPortLid", "SMLid": "ibSmaPortMasterSmLid", "MkeyLeasePeriod": "ibSmaPortMKeyLeasePeriod",
    "SMSL": "ibSmaPortMasterSmSl", "MkeyViolations": "ibSmaPortMKeyViolations",
    "PkeyViolations": "ibSmaPortPKeyViolations", "QkeyViolations": "ibSmaPortQKeyViolations",
    "GuidCap": "ibSmaPortNumGuid", "SubnetTimeout": "ibSmaPortSubnetTimeout",
    "RespTimeVal": "ibSmaPortResponseTimeValue",
}
COLUMNS = {
    "VLHighLimit": "ibSmaPortVlHighPriorityLimit", "VLArbHighCap": "ibSmaPortVlArbHighCapacity",
    "VLArbLowCap": "ibSmaPortVlArbLowCapacity", "VLStallCount": "ibSmaPortVlStallCount",
    "HoqLife": "ibSmaPortHeadOfQueueLife", "LocalPhysErr": "ibSmaPortLocalPhysErrorThreshold",
    "OverrunErr": "ibSmaPortOverrunErrorThreshold",
}
LINK_STATES = {"NoState": 1, "Down": 2, "Initialize": 3, "Armed": 4, "Active": 5}
CELL = re.compile(r"\|\s*(?:0x)?([0-9a-f]+)\s*(?=\|)")
KEY = re.compile(r"\b0x([0-9a-f]{4})\b")


def shown(client, names):
    return [binding.value for binding in client.get_all(names)]


def scalars_agree(tap, node, client, label):
    output = components(query(node, "portinfo 0"))
    got = shown(client, map(instance, SCALARS.values()))
    tap.equal(got, [int(output[key]) for key in SCALARS], f"{label}: smpquery and the MIB agree on the port")
    tap.ok(got[0] and got[0] >= got[1] > 0, f"{label}: LID and SM LID are set", got)


def ports_agree(tap, node, client, label, ports):
    wrong = []
    for port in ports:
        output = components(query(node, f"portinfo 0 {port}"))
        names = [*COLUMNS.values(), "ibSmaPortLinkState"]
        got = shown(client, (instance(name, port) for name in names))
        wanted = [int(output[key]) for key in COLUMNS] + [LINK_STATES[output["LinkState"]]]
        if got != wanted:
            wrong.append(f"port {port}: {got}, wanted {wanted}")
    tap.ok(not wrong, f"{label}: smpquery and the MIB agree on {len(ports)} data ports", wrong)


def keys_agree(tap, node, client, label):
    keys = [int(key, 16) for key in KEY.findall(query(node, "pkeys 0"))]
    count = int(components(query(node, "nodeinfo 0"))["PartCap"])
    bases = shown(client, (instance("ibSmaPKeyBase", oracle.NO_DATA_PORT, at + 1) for at in range(count)))
    tap.equal(bases, [key & 0x7FFF for key in keys[:count]], f"{label}: smpquery and the MIB agree on {count} P_Keys")


def lanes_agree(tap, node, client, label, port):
    """The mapping of what comes in at port 0, and the high-priority table."""
    out, input_port = (port, oracle.NO_DATA_PORT)
    row = next(line for line in query(node, f"sl2vl 0 {port}").splitlines() if line.startswith("ports: in  0"))
    got = shown(client, (instance("ibSmaVirtualLane", out, input_port, level) for level in range(1, 17)))
    tap.equal(got, [int(cell) for cell in CELL.findall(row)], f"{label}: smpquery and the MIB agree on SL to VL")
    weights = [line for line in query(node, f"vlarb 0 {port}").splitlines() if line.startswith("WEIGHT")]
    for line, column in zip(weights, ("ibSmaLowPriWeight", "ibSmaHiPriWeight")):
        wanted = [int(cell, 16) for cell in CELL.findall(line)]
        got = shown(client, (instance(column, port, entry + 1) for entry in range(len(wanted))))
        tap.equal(got, wanted, f"{label}: smpquery and the MIB agree on {column}")


def forwarding_agrees(tap, node, client, label):
    """opensm has made way for its own LID; the rest is checked with the whole tree."""
    lid = shown(client, [instance("ibSmaPortLid")])[0]
    top = int(components(query(node, "switchinfo 0"))["LinearFdbTop"])
    _, octets = dump(node, oracle.LINEAR_TABLE, 0)
    got = shown(client, [instance("ibSmaSwLinearFdbTop"), instance("ibSmaLinForwEgressPort", lid)])
    tap.equal(got, [top, octets[lid] or oracle.NO_DATA_PORT], f"{label}: smpdump and the MIB agree on the LFT")
    tap.ok(top >= lid, f"{label}: opensm has programmed the LFT", [top, lid])


# Tables whose rows come from the SMA of the port that is their first index.
PER_PORT = ("ibSmaGuidVal", "ibSmaVirtualLane", "ibSmaHiPriVirtLane", "ibSmaHiPriWeight", "ibSmaLowPriVirtLane",
            "ibSmaLowPriWeight", "ibSmaSmGuid", "ibSmaSmSmKey", "ibSmaSmSmpCount", "ibSmaSmPriority", "ibSmaSmState",
            "ibSmaLedState")


def whole_tree(node, ports):
    """The independent reading of a node all of whose SMAs the agent reaches: those of the ports are added."""
    rows = {}
    for port in ports:
        with node.reader(f":{port}") as reader:
            tree = oracle.expected_tree(reader)
        own = [oracle.OBJECTS[name].oid + (port,) for name in PER_PORT]
        rows |= {row.oid: row for row in (oracle.within(tree, *own) if rows else tree)}
    return sorted(rows.values())


def tree_agrees(tap, node, client, label):
    ports = (0,) if "switch" in label else (1, 2)
    before = whole_tree(node, ports)
    rows = client.bulk_walk(oracle.ROOT)
    wrong = oracle.differences(rows, before, whole_tree(node, ports))
    tap.ok(rows and not wrong, f"{label}: {len(rows)} instances of the MIB are those of an independent reading",
           [f"{len(wrong)} differences", *wrong[:20]])


def sm_shows(tap, node, client, label):
    output = node.tool(None, ["sminfo"])
    lid, sm = shown(client, [instance("ibSmaPortLid"), instance("ibSmaPortIsSubnetManager")])
    tap.ok(f"sm lid {lid} " in output and "SMINFO_MASTER" in output, f"{label}: sminfo finds the master", [output])
    tap.equal(sm, oracle.TRUE, f"{label}: the port is an SM's")
    station = node.tool(None, ["ibstat"])
    tap.ok(f"Base lid: {lid}\n" in station, f"{label}: ibstat shows the LID", [station])


# Node, options of opensm, data ports to look at.
MANAGED = [
    ("ca.conf", "", (1,)),
    ("switch36.conf", "", (1, 4, 5, 36)),
    ("router.conf", "m_key 0xdeadbeef\n", (1,)),
]


def opensm_agrees(tap, name, options, ports):
    with managed(name, options) as (node, client, _):
        label = f"{name} with opensm"
        tap.ok(True, f"{label}: SUBNET UP")
        scalars_agree(tap, node, client, label)
        ports_agree(tap, node, client, label, ports)
        keys_agree(tap, node, client, label)
        lanes_agree(tap, node, client, label, ports[0])
        if name.startswith("switch"):
            forwarding_agrees(tap, node, client, label)
        tree_agrees(tap, node, client, label)
        sm_shows(tap, node, client, label)
    tap.ok(True, f"{name}: opensm and ibsmad end well")


def sm_comes_back(tap):
    """An opensm that was killed leaves no slot and no SM behind."""
    with managed("switch36.conf") as (node, client, manager):
        manager.process.kill()
        manager.process.wait()
        with Manager(node):
            tap.equal(shown(client, [instance("ibSmaPortIsSubnetManager")])[0], oracle.TRUE,
                      "another opensm takes the place of one that was killed")
        wait_for(lambda: shown(client, [instance("ibSmaPortIsSubnetManager")])[0] == oracle.FALSE, "the end of the SM")
        tap.ok(True, "an opensm that ends takes IsSM with it")


def trap_is_repressed(tap):
    """Trap 128 of a port that goes down: once, as opensm represses it."""
    with managed("switch36.conf", args=["--console"], stdin=subprocess.PIPE) as (node, _, manager):
        node.process.stdin.write(b"link 2 down\n")
        node.process.stdin.flush()
        wait_for(lambda: manager.count("num:128"), "trap 128 in opensm's log")
        time.sleep(3)
        tap.equal(manager.count("num:128"), 1, "opensm gets trap 128 and ends its repetition")
        node.process.stdin.close()


# ---- M_Key ----

M_KEY = 0x1122334455667788
KEY_OPTIONS = "m_key {key:#x}\nm_key_protection_level {level}\nm_key_lease_period {lease}\n"
KEY_OCTETS = M_KEY.to_bytes(8, "big")
# What a reader without the key gets for M_Key, by level of protection; None: no answer.
READERS = {0: KEY_OCTETS, 1: bytes(8), 2: None, 3: None}


def key_of(reader):
    reply = reader.ask("get", f"{oracle.PORT_INFO:x}", "0")
    return reply[1][:8] if reply else None


def level_holds(tap, level):
    options = KEY_OPTIONS.format(key=M_KEY, level=level, lease=0)
    with managed("switch36.conf", options, config="exposeKeys yes\n") as (node, client, manager):
        output = components(query(node, f"-K -y {M_KEY:#x} portinfo 0"))
        tap.equal((output.get("Mkey"), output.get("ProtectBits")), (f"{M_KEY:#x}", str(level)),
                  f"M_Key at level {level}: set by opensm")
        tap.equal(shown(client, [instance("ibSmaPortMKey")])[0], KEY_OCTETS, f"M_Key at level {level}: in the MIB")
        violations = [instance("ibSmaPortMKeyViolations")]
        before = shown(client, violations)[0]
        with node.reader(None) as reader:
            tap.equal(key_of(reader), READERS[level], f"M_Key at level {level}: a reader without it")
            tap.equal(shown(client, violations)[0] > before, READERS[level] is None,
                      f"M_Key at level {level}: violations are counted when a reading is dropped")
            before = shown(client, violations)[0]
            tap.equal(reader.ask("set", f"{oracle.PORT_INFO:x}", "0", bytes(64).hex()), None,
                      f"M_Key at level {level}: a Set without it is dropped")
        tap.ok(shown(client, violations)[0] > before, f"M_Key at level {level}: and counted")
        wait_for(lambda: manager.count("num:256"), "trap 256 in opensm's log")
        tap.ok(True, f"M_Key at level {level}: trap 256 reaches opensm")


# What ibsmad reads of a port at level 1 that is not its own, by configuration: ibSmaPortMKey, None: no instance.
ROUTER_KEY = 0xDEADBEEF
OUTSIDE = [
    ("", None),
    ("exposeKeys yes\n", None),
    ("mKey 1234\nexposeKeys yes\n", None),
    (f"mKey {ROUTER_KEY:x}\n", None),
    (f"mKey {ROUTER_KEY:x}\nexposeKeys yes\n", ROUTER_KEY.to_bytes(8, "big")),
]


def hidden_from_outside(tap):
    """router.conf at level 1, where a port shows zeros to whoever does not send its M_Key."""
    with (bed.scratch() as folder, agents.Snmpd(folder) as snmpd, agents.SoftwareNode(folder, None, "router.conf") as node,
          snmp.Client(snmpd.port) as client):
        wait_for(lambda: "is served" in node.log(), "the wire")
        with agents.Daemon(folder, snmpd, node, config="cacheTime port 0\n") as reader:
            agents.wait_serving(client, reader)
            for count, (config, wanted) in enumerate(OUTSIDE, 1):
                with open(reader.conf, "w", encoding="ascii") as file:
                    file.write(f"cacheTime port 0\n{config}")
                reader.process.send_signal(signal.SIGHUP)
                wait_for(lambda n=count: reader.log().count("configuration was read again") == n, "the configuration")
                key, level = client.get(instance("ibSmaPortMKey"), instance("ibSmaPortMKeyProtectBits"))
                tap.equal((key.value, level.value), (wanted, 3), f"level 1, read from outside: {config.split()}")


def lease_ends(tap):
    """An SM that lives keeps its protection: whatever it sends stops the timer.  So it has to go."""
    options = KEY_OPTIONS.format(key=M_KEY, level=2, lease=2)
    with managed("switch36.conf", options) as (node, _, manager), node.reader(None) as reader:
        # opensm makes a period that is too short longer than its pauses
        period = int(components(query(node, f"-y {M_KEY:#x} portinfo 0"))["MkeyLeasePeriod"])
        tap.ok(period > 0, "opensm sets a lease period", [period])
        manager.stop()
        start = time.monotonic()
        tap.equal(key_of(reader), None, "lease period: a reader without the M_Key gets nothing")
        wait_for(lambda: key_of(reader), "the end of protection", limit=period + bed.LIMIT, interval=0.2)
        tap.ok(time.monotonic() - start >= period - 0.1, "lease period: protection outlasts the SM by it", [period])
        tap.equal(key_of(reader), KEY_OCTETS, "lease period: the key stays, and is readable")


def main():
    require("smpquery", "smpdump", "sminfo", "ibstat")
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    for name in dict(STATIONS):
        tap.case(tools_show, name)
    tap.case(users_are_checked)
    tap.case(names_are_checked)
    for row in MANAGED:
        tap.case(opensm_agrees, *row)
    tap.case(sm_comes_back)
    tap.case(trap_is_repressed)
    for level in READERS:
        tap.case(level_holds, level)
    tap.case(hidden_from_outside)
    tap.case(lease_ends)
    tap.done()


if __name__ == "__main__":
    main()
