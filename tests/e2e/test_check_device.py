#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""ibsmad --check on devices and SMAs: each failure is reported with the line that fixes it, and nothing else fails."""

import os
import shutil
import sys

import bed
import checkup
import netfiles
from agents import NODES, Daemon, SoftwareNode
from checkup import READABLE, Master, examine, expect, expect_failure, run

sys.path.append(os.path.join(bed.HERE, "..", "mad"))
import test_devices as hosts  # noqa: E402  hosts of made-up files

# ---- devices ----

ONE = hosts.ONE_CA
DOWN_PORT = {"mlx5_0": hosts.device(hosts.port(hosts.DOWN))}
TWO_DEVICES = {"irdma0": hosts.device(hosts.ethernet()), **DOWN_PORT}

# Host, arguments, umad device or None, check, finding, text, fix.
DEVICES = [
    ("no device", {}, (), None, "devices", "FAIL", "/sys/class/infiniband is empty", "modprobe mlx5_ib"),
    ("only Ethernet", {"irdma0": hosts.device(hosts.ethernet())}, (), None, "devices", "FAIL",
     "no InfiniBand port, and others have no SMA: irdma0 port 1 Ethernet", "mlxconfig -d irdma0 set LINK_TYPE_P1=1"),
    ("all are listed", TWO_DEVICES, (), None, "devices", "ok",
     "irdma0 port 1 Ethernet; mlx5_0 port 1 InfiniBand, Down", None),
    ("one cannot be read", {"bad0": hosts.DEVICE_FILES, **ONE}, (), None, "devices", "ok",
     "bad0 cannot be read (No such file or directory); mlx5_0 port 1 InfiniBand, Active", None),
    ("forty", hosts.MANY | ONE, (), None, "devices", "ok", "mlx5_00 port 1 Ethernet; mlx5_01 port 1 Ethernet", None),
    ("one that is not there", ONE, ("-C", "mlx4_0"), None, "port", "FAIL",
     "there is no device mlx4_0; there are: mlx5_0", "ibsmad.conf: ca mlx5_0"),
    ("a port that is not there", ONE, ("-C", "mlx5_0", "-P", "3"), None, "port", "FAIL", "its last port is 1",
     "ibsmad.conf: port 1"),
    ("a port without a GUID", {"mlx5_0": hosts.device(hosts.port(files=hosts.GUID_0))}, (), None, "port", "FAIL",
     "no InfiniBand port can be used", "GUID of a port must not be 0"),
    ("a port that is down", DOWN_PORT, (), None, "port", "warn", "mlx5_0 port 1: Down, Polling", "ibstat mlx5_0 1"),
    ("one without QP0", hosts.XDR, (), None, "devices", "ok",
     "mlx5_0 port 1 InfiniBand, Active, without QP0; smi1 port 1 InfiniBand, Active;", None),
    ("QP0 and QP1 of two", hosts.XDR, (), None, "umad device", "ok",
     "QP0 of smi1 port 1 is open, QP1 is that of mlx5_0 port 1", None),
    ("a port that is up", ONE, (), None, "port", "ok", "mlx5_0 port 1: Active, LinkUp", None),
    ("no umad device", ONE, (), hosts.ABSENT, "umad device", "FAIL",
     "cannot open /dev/infiniband/umad0 (mlx5_0 port 1): No such file", "modprobe ib_umad"),
    ("a umad device of others", ONE, (), hosts.cannot_open(13), "umad device", "FAIL",
     "cannot open /dev/infiniband/umad0 (mlx5_0 port 1): Permission denied", 'GROUP="ibsmad"'),
    ("a silent SMA", ONE, (), None, "QP0", "FAIL",
     "tries: the M_Key is wrong (none is set)", "ibsmad.conf: mKey KEY"),
]
CHAIN = ["devices", "port", "umad device", "QP0", "subnet manager", "subscription"]


def on_host(master, devices, args, umad):
    host = hosts.Host(**devices)
    if umad is not None:
        host.replace_node(0, umad)
    env = hosts.environment(host, hosts.SHIM, {"SNMPCONFPATH": master.home})
    return examine(master, args=("-t", "20", *args), env=env)


def devices(tap, folder):
    with Master(folder) as master:

        def refused(tree, refuse):
            env = hosts.environment(hosts.Host(**tree), hosts.SHIM, {"FAKESYS_REFUSE": refuse})
            return examine(master, args=("-t", "20"), env=env | {"SNMPCONFPATH": master.home})

        for what, tree, args, umad, name, finding, text, fix in DEVICES:
            report = on_host(master, tree, args, umad)
            expect(tap, report, f"devices: {what}", name, finding, text, fix)
            if finding == "FAIL":
                rest = CHAIN[CHAIN.index(name) + 1:] + ["SMA-MIB", "IBSMAD-MIB", "system group"]
                tap.equal([n for n in report.items if report.items[n].finding == "skip"], rest,
                          f"devices: {what}: what needs it is skipped")
        expect_failure(tap, refused(ONE, "*:*:22"), "devices: QP0 is refused", "umad device",
                       "cannot use QP0 of mlx5_0 port 1: class 0x01 is refused: Invalid argument",
                       "modprobe -r ib_umad")
        expect(tap, refused(hosts.TWO_CAS, "0:0x81:1"), "devices: QP0 of the first is refused", "umad device", "warn",
               "QP0 of mlx5_1 port 1 is open; cannot use QP0 of mlx5_0 port 1: class 0x81 is refused: Operation not",
               "SELinux")


# ---- a fabric ----


def fabric_checks(tap, folder):
    with bed.Fabric(netfiles.t1(), folder) as fabric, Master(folder) as master:

        def look(config="", host="H-ca1"):
            return run(Daemon(folder, master, fabric, host, config=config), {"SNMPCONFPATH": master.home})

        report = look()
        expect(tap, report, "fabric: the SMA answers", "QP0", "ok", "a channel adapter with 2 ports answers")
        expect(tap, report, "fabric: no subnet manager", "subnet manager", "warn", "there is none",
               "systemctl start opensm")
        expect(tap, report, "fabric: no subscription", "subscription", "warn", "not possible yet")
        tap.ok(report.status == 0 and report.conclusion == READABLE, "fabric: readable without one", report.notes())
        expect(tap, look("notify off\n"), "fabric: notify off", "subscription", "ok", "notify off")
        expect(tap, look("notifySubscribe no\n"), "fabric: notifySubscribe no", "subscription", "ok",
               "notifySubscribe no")
        expect(tap, look(host="S-sw1"), "fabric: a switch", "QP0", "ok", "a switch with 40 ports answers")
        with bed.LoneSM(fabric, "H-ca2"):
            report = look()
        expect(tap, report, "fabric: a subnet manager", "subnet manager", "ok", "subnet manager at LID")
        expect(tap, report, "fabric: a subscription", "subscription", "ok", "possible")
        expect(tap, report, "fabric: the port is active", "port", "ok", "Active, LinkUp")
        tap.equal(report.findings("FAIL", "skip"), [], "fabric: nothing fails")
        fabric.lose("H-ca1", 1, 100)
        report = look("mKey 1234\n")
        expect_failure(tap, report, "fabric: all SMPs are lost", "QP0", "the M_Key is wrong, or",
                       "mKey KEY    (another")
        with Daemon(folder, master, fabric, "H-ca1") as daemon:
            daemon.wait_log("connected to snmpd")
            report = look(host="H-ca2")
        expect_failure(tap, report, "fabric: the SMA of the ibsmad that runs is silent", "SMA-MIB", "has no value",
                       "log of the ibsmad")
        fabric.lose("H-ca1", 1, 0)
        fabric.lose("H-ca1", 1, 100, 0x15)
        expect(tap, look(), "fabric: PortInfo is lost", "subnet manager", "warn", "PortInfo was not answered",
               "mKey KEY")


PROTECTED = "\nmKey 1 0x00000000deadbeef 2 0\n"


def protected(tap, folder):
    """An SMA that answers nobody without its M_Key."""
    node = os.path.join(folder, "protected.conf")
    with open(os.path.join(NODES, "ca.conf"), encoding="utf-8") as source, open(node, "w", encoding="utf-8") as copy:
        copy.write(source.read() + PROTECTED)
    with Master(folder) as master, SoftwareNode(folder, None, node) as sma:
        sma.wait_log("is served")

        def look(config):
            return run(Daemon(folder, master, sma, None, config=config), {"SNMPCONFPATH": master.home})

        expect_failure(tap, look(""), "M_Key: it is needed", "QP0", "(none is set)", "ibsmad.conf: mKey KEY    (where")
        report = look("mKey 1234\n")
        expect_failure(tap, report, "M_Key: another one", "QP0", "the M_Key is wrong, or", "mKey KEY    (another")
        tap.ok("1234" not in report.output, "M_Key: it is not shown", report.notes())
        report = look("mKey deadbeef\n")
        expect(tap, report, "M_Key: the right one", "QP0", "ok", "a channel adapter with 2 ports answers")
        tap.ok(report.status == 0, "M_Key: the right one: exit status 0", report.notes())


CASES = (devices, fabric_checks, protected)

if __name__ == "__main__":
    try:
        checkup.main(CASES)
    finally:
        shutil.rmtree(hosts.SCRATCH, ignore_errors=True)
