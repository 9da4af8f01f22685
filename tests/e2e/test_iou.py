#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""I/O units of the software node: as an independent client reads them, as unmodified ibsrpdm finds them, and their
traps."""

import contextlib
import os
import re
import subprocess
import sys

import bed
import iounit
from bed import wait_for
from iounit import Controller, Unit
from tap import Tap, require, require_daemon
from test_console import Console

BUILD = os.environ.get("top_builddir") or os.path.join(bed.HERE, "..", "..")

SRP = {"IOClass": 0x0100, "IOSubclass": 0x609E, "Protocol": 0x0108, "ProtocolVersion": 1, "SendMessageSize": 260}
ALL_VALUES = {name: int.from_bytes(bytes(0xA0 + place + i for i in range(size)), "big")
              for name, place, size in iounit.PLACES}


def services(count):
    """Names of 40 bytes, some of them in UTF-8, and all others shorter."""
    return [((f"service {i} " + "ü" * 20).encode()[:40].decode(errors="ignore") if i % 2 else f"{i}", 2 ** 63 + i)
            for i in range(count)]


UNITS = {
    "no slots": Unit(0),
    "one slot, no services": Unit(1, {1: Controller(0x0002C90000000001, ALL_VALUES, "x" * 64)}, option_rom=True),
    "16 slots with holes": Unit(16, {
        1: Controller(0x0002C90000000001, ALL_VALUES, "Schrank 7, unten: Gerät \"B\"", services(1)),
        4: Controller(0x0002C90000000004, {}, "", services(4)),
        15: Controller(0xFFFFFFFFFFFFFFFF, {}, "€" * 21 + "z", services(5), timeout=0xFFFFFFFF),
        16: Controller(0x0002C90000000010, SRP, "last", services(255))}),
    "255 slots": Unit(255, {slot: Controller(slot, {"DeviceID": slot}, f"slot {slot}", services(slot % 6))
                            for slot in range(1, 256)}),
}


def client_env(node):
    env = node.client_env()
    return env | {"LD_PRELOAD": f"{env['LD_PRELOAD']} {os.path.abspath(os.path.join(BUILD, 'tests', 'fakes', 'fakehca.so'))}"}


class Reader(bed.SmpReader):
    """The independent client."""

    def start(self):
        self.spawn([sys.executable, "-B", os.path.join(bed.HERE, "dmread.py"), f"{iounit.LID:x}"],
                   client_env(self.fabric), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise bed.NotInTime(f"dmread: {self.log()}")

    def read(self, attribute, modifier):
        """The status, or the attribute with the zeros behind it."""
        status, data = self.ask("get", f"{attribute:x}", f"{modifier:x}")
        return status or data

    def put(self, attribute, modifier, data=b""):
        """The status."""
        return self.ask("set", f"{attribute:x}", f"{modifier:x}", data.ljust(iounit.DATA_SIZE, b"\0").hex())[0]

    def say(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().split()

    def trap(self):
        """(TransactionID, attribute), or None."""
        reply = self.say("trap")
        return (int(reply[0], 16), bytes.fromhex(reply[1])) if len(reply) == 2 else None


def console(folder, unit, snmpd=None, **options):
    """A software node with an I/O unit, and its console."""
    path = os.path.join(folder, "unit.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(unit.node_file())
    return Console(folder, snmpd, path, **options)


@contextlib.contextmanager
def served(unit):
    """The same, without SNMP."""
    with bed.scratch() as folder, console(folder, unit) as node:
        wait_for(lambda: "is served" in node.log() or not node.running(), "the wire")
        yield node


def units_are_read(tap, name):
    """Each attribute has the bytes that the node file asks for, and zeros behind."""
    with served(UNITS[name]) as node, Reader(node, None) as reader:
        wanted = {key: value if isinstance(value, int) else value.ljust(iounit.DATA_SIZE, b"\0")
                  for key, value in UNITS[name].blocks().items()}
        wrong = [(hex(attribute), hex(modifier), reader.read(attribute, modifier), value)
                 for (attribute, modifier), value in wanted.items() if reader.read(attribute, modifier) != value]
    tap.ok(not wrong, f"{name}: {len(wanted)} attributes are as the file says", wrong[:3])


def controllers_change(tap):
    """ChangeID counts, and what is not there is refused."""
    unit = Unit(3, {2: Controller(2)})
    with served(unit) as node, Reader(node, None) as reader:
        for line, slots, change_id in (("ioc 2 remove", {}, 2), ("ioc 3 add 9", {3: Controller(9)}, 3),
                                       ("ioc 2 add", {3: Controller(9), 2: Controller(2)}, 4)):
            reply = node.say(line)
            now = Unit(3, slots, change_id=change_id)
            got = reader.read(iounit.UNIT_INFO, 0)
            profiles = [reader.read(iounit.PROFILE, slot) for slot in (1, 2, 3)]
            wanted = [slots[slot].profile().ljust(iounit.DATA_SIZE, b"\0") if slot in slots else iounit.NO_IOC
                      for slot in (1, 2, 3)]
            tap.ok(reply == ["ok"] and got[:132] == now.info() and profiles == wanted, f"the console: {line}",
                   [reply, got, profiles])


# ---- ibsrpdm ----

SRP_UNIT = Unit(16, {
    1: Controller(0x0002C90300005001, SRP | {"DeviceID": 0x5A44}, "Disks, upper shelf",
                  [("SRP.T10:0002C90300005001", 0x11), ("Console", 0x12), ("SRP.T10:00000000000000FF", 0x13),
                   ("SRP.T10:0002C90300005002", 0x14), ("SRP.T10:0002C90300005003", 0x15)]),
    4: Controller(0x0002C90300005004, SRP | {"IOClass": 0xFF00}, "", [("SRP.T10:0002C90300005004", 2 ** 63)]),
    7: Controller(0x0002C90300005007, {}, "No service", []),
    16: Controller(0x0002C90300005010, SRP, "y" * 63, [("Fan", 1)])})

SERVICE = re.compile(r"SRP\.T10:(\w{16})")


def expected_listing(unit, lid, gid):
    """What ibsrpdm prints of a unit, by its source."""
    yield from ("IO Unit Info:", f"    port LID:        {lid:04x}", f"    port GID:        {gid}",
                f"    change ID:       {unit.change_id:04x}", f"    max controllers: 0x{unit.slots:02x}")
    for slot, controller in unit.controllers.items():
        block = controller.profile()
        yield from ("", f"    controller[{slot:3}]", f"        GUID:      {controller.guid:016x}",
                    f"        vendor ID: {block[8:11].hex()}",
                    f"        device ID: {int.from_bytes(block[12:16], 'big'):06x}",
                    f"        IO class : {block[28:30].hex()}",
                    f"        Maximum size of Send Messages in bytes: {int.from_bytes(block[44:48], 'big')}",
                    f"        ID:        {controller.id_string}",
                    f"        service entries: {len(controller.services)}")
        for entry, (name, number) in enumerate(controller.services):
            if SERVICE.match(name):
                yield f"            service[{entry:3}]: {number:016x} / {name}"
    yield from ("", "")


def expected_targets(unit, gid):
    for controller in unit.controllers.values():
        for name, number in controller.services:
            io_class = controller.values.get("IOClass", 0xFFFF)
            if match := SERVICE.match(name):
                yield (f"id_ext={match[1]},ioc_guid={controller.guid:016x},dgid={gid},pkey=ffff,"
                       f"service_id={number:016x}" + (f",io_class={io_class:04x}" if io_class != 0x0100 else ""))


def ibsrpdm(node, *arguments):
    """(exit status, what it prints); the library of the simulator says on standard error that it attaches."""
    done = subprocess.run(["ibsrpdm", *arguments], env=os.environ | client_env(node), cwd=node.folder, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=bed.LIMIT, check=False)
    return done.returncode, done.stdout, done.stderr


def initiators_find_it(tap):
    """ibsrpdm asks opensm for ports with device management, and then the unit."""
    gid = "fe800000000000000002c90300005001"
    with served(SRP_UNIT) as node, bed.OpenSM(node, None):
        status, output, errors = ibsrpdm(node)
        lid = re.search(r"port LID: +([0-9a-f]{4})", output)
        wanted = list(expected_listing(SRP_UNIT, int(lid[1], 16) if lid else 0, gid))
        tap.ok(status == 0 and output.split("\n") == wanted, "ibsrpdm prints the controllers and services",
               [status, output, wanted, errors])
        status, output, errors = ibsrpdm(node, "-c")
        wanted = list(expected_targets(SRP_UNIT, gid))
        tap.ok(status == 0 and output.splitlines() == wanted, f"ibsrpdm -c prints {len(wanted)} targets",
               [status, output, wanted, errors])


# ---- traps ----

def class_port_info(lid):
    data = bytearray(72)
    data[60:62] = lid.to_bytes(2, "big")
    return bytes(data)


def ready_notice(slot, status):
    """Trap 514 of a class manager, with the GID of the port behind."""
    details = bytes(2) + iounit.LID.to_bytes(2, "big") + status.to_bytes(2, "big") + slot.to_bytes(4, "big")
    head = bytes.fromhex("84000004 0202") + iounit.LID.to_bytes(2, "big") + bytes(2)
    return head + details.ljust(54, b"\0") + bytes.fromhex("fe800000000000000002c90300005001")


def traps_come(tap):
    """Set(ClassPortInfo), PrepareToTest, ready: the trap, again and again until its repress."""
    unit = Unit(4, {2: Controller(2, diag=(0x0014, 2 ** 32 - 1, 1)), 3: Controller(3, diag=(0, 0))})
    with served(unit) as node, Reader(node, None) as reader:
        tap.equal(reader.put(iounit.CLASS_PORT_INFO, 0, class_port_info(iounit.LID)), 0, "Set(ClassPortInfo)")
        tap.equal(reader.put(iounit.PREPARE_TO_TEST, 2), 0, "Set(PrepareToTest)")
        tap.equal(reader.read(iounit.PREPARE_TO_TEST, 2), 1, "the controller prepares")
        tap.equal(node.say("ready 2 0"), ["ok"], "it is ready")
        first, again = reader.trap(), reader.trap()
        tap.ok(first and first[1][:80] == ready_notice(2, 0) and not any(first[1][80:]), "trap 514 comes", [first])
        tap.equal(again, first, "it is repeated")
        reader.say("repress")
        wait_for(lambda: "Notices: 1" in node.say("show unit")[1] and "Repress: 0" in node.say("show unit")[1],
                 "the repress")
        notice = reader.read(iounit.NOTICE, 0)
        tap.equal(notice[:8] + notice[10:80], first[1][:8] + first[1][10:80], "the Notice is kept")
        tap.equal(notice[8:10], b"\0\1", "it is the only one")
        tap.equal(reader.put(iounit.TEST_ONCE, 2, b"\0\0\0\1"), 0, "a test begins")
        wait_for(lambda: reader.read(iounit.DIAG_CODE, 2)[:2] == b"\0\x14", "the result of the test")
        tap.equal(reader.read(iounit.PREPARE_TO_TEST, 2), iounit.FAILED, "it has to prepare again")
        tap.equal(reader.put(iounit.PREPARE_TO_TEST, 3), 0, "Set(PrepareToTest) of one that needs no time")
        trap = reader.trap()
        while trap == first:  # on its way before the repress
            trap = reader.trap()
        tap.ok(trap and trap[1][:80] == ready_notice(3, 0), "its trap comes", [trap])


def main():
    require("opensm", "ibsrpdm")
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    for name in UNITS:
        tap.case(units_are_read, name)
    tap.case(controllers_change)
    tap.case(traps_come)
    tap.case(initiators_find_it)
    tap.done()


if __name__ == "__main__":
    main()
