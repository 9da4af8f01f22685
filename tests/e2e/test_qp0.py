#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""The software SMA on QP0: ibsmad answers what reaches its port of the fabric, and the MIB shows the same.

ibsim answers most attributes itself.  What it does not know it gives to the process that attached as an SM.
"""

import contextlib
import os
import re
import time

import bed
import netfiles
import snmp
from agents import NODES, Daemon, Snmpd, wait_serving
from bed import wait_for
from oracle import LED_INFO, OBJECTS, SM_INFO, VENDOR_DIAG
from tap import Tap, require, require_daemon

CA, SWITCH, ASKER = "H-ca1", "S-sw1", "H-ca2"
# From the asker; the switch has the SMA of its port 0.
ROUTES = {CA: "0,1,1", SWITCH: "0,1"}

NOTICE, RANDOM_TABLE, EXTENDED = 0x02, 0x1A, 0x33
UNKNOWN, VENDOR = 0x0C, 0xFF00
DIRECTION = 0x8000
ABSENT, INVALID = 0x0C, 0x1C

FEC = bytes.fromhex("00000001 0002 0003 0001 0007 0002")
CA_FEC = f"""
capability all IsCapabilityMask2Supported on
capability all IsPortInfoExtendedSupported on
portInfoExtended 1 {FEC.hex()}
"""
LED_ON = b"\x80"
BAD_M_KEY = "num:256"
EMPTY_NOTICE = b"\x7f"

# Attribute, modifier, and what ca.conf with CA_FEC gives: a status, or octets with zeros behind.
CA_READS = [
    (NOTICE, 0, EMPTY_NOTICE),
    (NOTICE, 1, INVALID),
    (SM_INFO, 0, ABSENT),
    (RANDOM_TABLE, 0, ABSENT),
    (VENDOR_DIAG, 0, b"\0\1ibsmad"),
    (VENDOR_DIAG, 1, b"\0\0\1\2\3\4\5"),
    (VENDOR_DIAG, 2, INVALID),
    (LED_INFO, 0, b""),
    (LED_INFO, 1, INVALID),
    (EXTENDED, 0, FEC),
    (EXTENDED, 1, FEC),
    (EXTENDED, 2, b""),
    (EXTENDED, 3, INVALID),
    (UNKNOWN, 0, ABSENT),
    (VENDOR, 0, ABSENT),
]

# The same for switch8-rft.conf: LID, valid bit with LMC, port.
SWITCH_READS = [
    (NOTICE, 0, EMPTY_NOTICE),
    (SM_INFO, 0, ABSENT),
    (RANDOM_TABLE, 0, bytes.fromhex("00018000 0004a001 0008a002 000c8003 000d80ff 00100008")),
    (RANDOM_TABLE, 63, b""),
    (RANDOM_TABLE, 64, INVALID),
    (VENDOR_DIAG, 0, ABSENT),
    (LED_INFO, 0, ABSENT),
    (EXTENDED, 0, ABSENT),
    (UNKNOWN, 0, ABSENT),
]


class Sma(Daemon):
    """ibsmad as the SMA of a node: it gets what ibsim does not know."""

    def __init__(self, fabric, host, node, snmpd=None, extra=""):
        path = os.path.join(fabric.folder, f"{host}-{node}")
        with open(os.path.join(NODES, node), encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + extra)
        super().__init__(fabric.folder, snmpd, fabric, host, ["-S", path, "--wire", "qp0", "-C", "ibsim0"])

    def env(self):
        return super().env() | {"SIM_SET_ISSM": "1"}


@contextlib.contextmanager
def served(fabric, host, node, extra=""):
    """The SMA of a host and a manager of its MIB."""
    with (Snmpd(fabric.folder) as snmpd,
          Sma(fabric, host, node, snmpd, extra) as daemon,
          snmp.Client(snmpd.port) as client):
        try:
            wait_serving(client, daemon)
            yield client
        except Exception as error:
            error.add_note(f"log of ibsmad: {daemon.log()[-2000:]}")
            raise
        if status := daemon.stop():
            raise snmp.SnmpError(f"ibsmad ended with status {status}: {daemon.log()[-4000:]}")


class Manager(bed.OpenSM):
    """The simulator's library has no answer for an SM that asks before its process has registered: ibsmad first."""

    def knows(self, text):
        with open(self.osm_log, encoding="utf-8", errors="replace") as file:
            return text in file.read()


def give_lids(fabric):
    with Manager(fabric, ASKER):
        pass


# ---- asking from another node ----

LINE = re.compile(r"^(?:[0-9a-f]{4} ){7}[0-9a-f]{4}$", re.MULTILINE)
STATUS = re.compile(r"^SMP status: 0x([0-9a-f]+)$", re.MULTILINE)


def by_route(_, host):
    return ["-D", ROUTES[host]]


def by_lid(fabric, host):
    output = fabric.tool(ASKER, ["smpquery", "-D", "portinfo", ROUTES[host]])
    return [re.search(r"^Lid:\.*(\d+)$", output, re.MULTILINE)[1]]


WAYS = [(by_route, "by a directed route"), (by_lid, "by its LID")]


def dump(fabric, way, attribute, modifier):
    """(status, 64 octets); a directed route has to come back with its direction bit."""
    output = fabric.tool(ASKER, ["smpdump", "-e", *way, f"{attribute:#x}", f"{modifier:#x}"])
    status = STATUS.search(output)
    direction = DIRECTION if "-D" in way else 0
    return (int(status[1], 16) if status else 0) ^ direction, bytes.fromhex("".join(LINE.findall(output)))


def outcome(wanted):
    return (0, wanted.ljust(64, b"\0")) if isinstance(wanted, bytes) else (wanted, None)


def seen(answer):
    """The data of a refusal mean nothing."""
    return answer if answer[0] == 0 else (answer[0], None)


def reads(tap, fabric, host, rows):
    wanted = {(attribute, modifier): outcome(answer) for attribute, modifier, answer in rows}
    for find_way, name in WAYS:
        way = find_way(fabric, host)
        got = {row: seen(dump(fabric, way, *row)) for row in wanted}
        tap.equal(got, wanted, f"{host}, {name}: {len(rows)} attributes and modifiers")
    with fabric.reader(host) as reader:
        got = {(a, m): seen(reader.ask("get", f"{a:x}", f"{m:x}")) for a, m in wanted}
    tap.equal(got, wanted, f"{host}, from its own node: the same")


# ---- the cases ----

SETS = [
    (LED_INFO, 0, LED_ON, "Set(LedInfo) answers with the new state"),
    (LED_INFO, 1, INVALID, "Set(LedInfo) of a modifier"),
    (VENDOR_DIAG, 0, ABSENT, "Set(VendorDiag)"),
    (UNKNOWN, 0, ABSENT, "Set of an unknown attribute"),
]
STATE_ON, STATE_OFF = 2, 3


def sets(tap, fabric, client):
    state = OBJECTS["ibSmaLedState"].oid + (1,)
    way = by_lid(fabric, CA)
    on = LED_ON.ljust(64, b"\0")
    with fabric.reader(CA) as reader:
        for attribute, modifier, wanted, name in SETS:
            got = reader.ask("set", f"{attribute:x}", f"{modifier:x}", on.hex())
            tap.equal(seen(got), outcome(wanted), name)
        tap.equal(dump(fabric, way, LED_INFO, 0), (0, on), "another node sees the LED on")
        wait_for(lambda: client.get(state)[0].value == STATE_ON, "ibSmaLedState on(2)")
        reader.set(LED_INFO, 0, b"")
        tap.equal(dump(fabric, way, LED_INFO, 0), (0, bytes(64)), "and off")
        wait_for(lambda: client.get(state)[0].value == STATE_OFF, "ibSmaLedState off(3)")
    tap.ok(True, "ibSmaLedState follows")


BURST = 1000
BURST_SECONDS = 10


def burst(tap, fabric):
    with fabric.reader(CA) as reader:
        start = time.monotonic()
        answers = {reader.ask("get", f"{VENDOR_DIAG:x}", "0") for _ in range(BURST)}
        spent = time.monotonic() - start
    tap.ok(len(answers) == 1 and spent < BURST_SECONDS, f"{BURST} requests, each answered, in {spent:.1f} s", answers)


def channel_adapter(tap, fabric):
    with served(fabric, CA, "ca.conf", CA_FEC) as client:
        tap.case(reads, fabric, CA, CA_READS)
        tap.case(sets, fabric, client)
        tap.case(burst, fabric)


def switch(tap, fabric):
    with served(fabric, SWITCH, "switch8-rft.conf") as client:
        tap.case(reads, fabric, SWITCH, SWITCH_READS)
        rows = client.walk(OBJECTS["ibSmaRandomForwEgressPort"].oid)
        tap.ok(len(rows) == 4, "the MIB shows the random forwarding table", rows)


# Everybody may read; the SM of the fabric does so without a key.
PROTECTED = """
mKey       1 0x00000000deadbeef 1 0
capability 1 IsTrapSupported on
capability 1 IsLedInfoSupported on
lid        1 17 1
portInfo   1 PortState 4
"""


def was_ignored(reader, *request):
    """Nobody sends a request back that was not answered, and the reader gives up."""
    try:
        reader.ask(*request)
    except bed.NotInTime:
        return "-110" in reader.log()
    return False


def wrong_key(tap, fabric):
    way = by_route(fabric, CA)
    with served(fabric, CA, "router.conf", PROTECTED) as client, Manager(fabric, ASKER) as subnet_manager:
        tap.equal(dump(fabric, way, LED_INFO, 0), (0, bytes(64)), "protected: Get without the M_Key")
        with fabric.reader(CA) as reader:
            tap.ok(was_ignored(reader, "set", f"{LED_INFO:x}", "0", LED_ON.ljust(64, b"\0").hex()),
                   "protected: no answer to Set without the M_Key", [reader.log()])
        tap.equal(dump(fabric, way, LED_INFO, 0), (0, bytes(64)), "and nothing is set")
        tap.equal(client.get(OBJECTS["ibSmaPortMKeyViolations"].oid + (0,))[0].value, 1, "the MIB counts it")
        wait_for(lambda: subnet_manager.knows(BAD_M_KEY), "trap 256 at the SM")
        tap.ok(True, "trap 256 reaches the SM")


def no_such_port(tap, fabric):
    with Sma(fabric, CA, "switch8-rft.conf") as daemon:
        status = daemon.wait_end()
    tap.ok(status == 1 and "has no SMA there" in daemon.log(), "a switch cannot be the SMA of a CA", [daemon.log()])


def main():
    require_daemon()
    require("smpdump", "smpquery")
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder, bed.Fabric(netfiles.t1(), folder) as fabric:
        give_lids(fabric)
        tap.case(channel_adapter, fabric)
        tap.case(switch, fabric)
        tap.case(wrong_key, fabric)
        tap.case(no_such_port, fabric)
    tap.done()


if __name__ == "__main__":
    main()
