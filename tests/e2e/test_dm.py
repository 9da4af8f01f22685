#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""IB-DM-MIB of I/O units of the software node, against the independent reading of the same attributes: while nothing
changes, while controllers come and go, and the notification."""

import contextlib
import threading
import time
from typing import NamedTuple

import agents
import bed
import dmoracle
import iounit
import snmp
import trapd
from agents import wait_serving
from bed import wait_for
from iounit import Controller, Unit
from oracle import NO_DATA_PORT
from tap import Tap, require_daemon
from test_iou import UNITS, Reader, client_env, console

WALKS = 60
PAUSE = 0.02  # of some walks are without a change, and some are not
ABSENT = ("noSuchInstance", "noSuchObject")


class Stack(NamedTuple):
    """A node with an I/O unit, its agent, and who asks it."""
    node: object
    reader: Reader
    client: snmp.Client
    port: int


@contextlib.contextmanager
def shown(unit, config="", extra=""):
    with bed.scratch() as folder, agents.Snmpd(folder, extra=extra) as snmpd:
        with console(folder, unit, snmpd, config=config) as node, snmp.Client(snmpd.port) as client:
            wait_serving(client, node)
            with Reader(node, None) as reader:
                yield Stack(node, reader, client, snmpd.port)


def walks_agree(tap, name):
    """Each value of each table, in the order of the OIDs; by GETNEXT, GETBULK and GET."""
    with shown(UNITS[name]) as stack:
        wanted = dmoracle.expected_tree(stack.reader.read)
        for how, rows in (("snmpwalk", snmp.tool_walk("snmpwalk", stack.port, dmoracle.ROOT)),
                          ("snmpbulkwalk", snmp.tool_walk("snmpbulkwalk", stack.port, dmoracle.ROOT, ["-Cr40"])),
                          ("GET", stack.client.get_all([row.oid for row in wanted]))):
            wrong = dmoracle.differences(rows, wanted)
            tap.ok(not wrong and [row.oid for row in rows] == [row.oid for row in wanted],
                   f"{name}: {how}, {len(wanted)} values", [f"{len(wrong)} differences", *wrong[:10]])


class Elsewhere:
    """The node as a fabric, with the whole of each MAD."""

    def __init__(self, node):
        self.node = node

    def client_env(self, _host):
        return client_env(self.node)


def another_daemon_agrees(tap, name):
    """An ibsmad that reaches the node by QP0 and QP1 of a device."""
    with bed.scratch() as folder, agents.Snmpd(folder) as snmpd, console(folder, UNITS[name]) as node:
        wait_for(lambda: "is served" in node.log() or not node.running(), "the wire")
        with agents.Daemon(folder, snmpd, Elsewhere(node)) as daemon, snmp.Client(snmpd.port) as client:
            wait_serving(client, daemon)
            rows = client.bulk_walk(dmoracle.ROOT)
            with Reader(node, None) as reader:
                wanted = dmoracle.expected_tree(reader.read)
            wrong = dmoracle.differences(rows, wanted)
            tap.ok(not wrong, f"{name}: through a device, {len(wanted)} values", [*wrong[:10], daemon.log()[-600:]])


def no_unit(tap):
    """A node without device management has no rows."""
    with bed.scratch() as folder, agents.Snmpd(folder) as snmpd:
        with agents.SoftwareNode(folder, snmpd, "ca.conf") as node, snmp.Client(snmpd.port) as client:
            wait_serving(client, node)
            tap.equal(client.walk(dmoracle.ROOT), [], "no I/O unit: no rows")


# ---- changes ----

def column(name, *index):
    return dmoracle.OBJECTS[name][0] + (NO_DATA_PORT, *index)


class Changes(threading.Thread):
    """The console adds and removes controllers, each with a GUID of its own; what each ChangeID stands for is kept."""

    def __init__(self, node):
        super().__init__()
        self.node, self.ending, self.replies = node, False, []
        self.count, self.guids = 1, {1: {2: 0x2000, 3: 0x3000}}

    def run(self):
        while not self.ending:
            guids = dict(self.guids[self.count])
            self.count += 1
            slot = 2 + self.count % 3
            if slot in guids:
                del guids[slot]
                line = f"ioc {slot} remove"
            else:
                guids[slot] = 0x10000 + self.count
                line = f"ioc {slot} add {guids[slot]:#x}"
            self.guids[self.count] = guids
            self.replies.append(self.node.say(line))
            time.sleep(PAUSE)

    def end(self):
        self.ending = True
        self.join()


def one_state(rows, guids):
    """What is wrong with rows that are to be of the change whose number they show."""
    found = {row.oid: row.value for row in rows}
    change_id = found[column("ibDmUnitChangeId")]
    present = {slot: guid.to_bytes(8, "big") for slot, guid in guids[change_id].items()}
    states = {slot: found.get(column("ibDmSlotState", slot)) for slot in range(1, 7)}
    shown_guids = {slot: found[column("ibDmControllerGuid", slot)] for slot in range(1, 7)
                   if column("ibDmControllerGuid", slot) in found}
    tests = {slot for slot in range(1, 7) if column("ibDmTestDiagCode", slot) in found}
    wanted_states = {slot: 2 if slot in present else 1 for slot in range(1, 7)}
    return [f"ChangeID {change_id}: {what}: {got}, wanted {wanted}" for what, got, wanted in (
        ("slots", states, wanted_states), ("GUIDs", shown_guids, present), ("tests", tests, set(present)))
        if got != wanted]


def walks_are_whole(tap):
    """A walk at whose beginning and end ChangeID is the same shows one state, and so does each PDU."""
    unit = Unit(6, {2: Controller(0x2000), 3: Controller(0x3000)})
    names = [column("ibDmUnitChangeId")] + [column(name, slot) for slot in range(1, 7) for name in (
        "ibDmSlotState", "ibDmControllerGuid", "ibDmTestDiagCode")]
    config = "cacheTime iou 0\ncacheTime ioc 60\n"
    with shown(unit, config) as stack:
        changes = Changes(stack.node)
        changes.start()
        whole, moved, torn, asked, refused = 0, 0, [], 0, 0
        while asked < WALKS:
            rows = stack.client.patient_walk(dmoracle.ROOT)
            after = stack.client.get(column("ibDmUnitChangeId"))[0].value
            if after == rows[0].value:
                whole += 1
                torn += one_state(rows, changes.guids)
            else:
                moved += 1
            asked += 1
            try:
                found = [row for row in stack.client.get(*names) if row.type not in ABSENT]
                torn += one_state(found, changes.guids)
            except snmp.Refused:
                refused += 1
        changes.end()
        tap.ok(not torn, f"{WALKS} walks while controllers come and go: each is of one ChangeID", torn[:5])
        tap.ok(refused < WALKS, "most PDUs are answered", [f"{refused} of {WALKS} are not"])
        tap.note([f"{changes.count} changes, {whole} walks without one, {moved} with, {refused} PDUs with one"])
        tap.ok(all(reply == ["ok"] for reply in changes.replies), "the console takes each change", changes.replies[:3])
        rows = stack.client.walk(dmoracle.ROOT)
        tap.equal(one_state(rows, changes.guids) + [rows[0].value - changes.count], [0], "the last state is shown")


# ---- units that change what they answer ----

def results_show(tap):
    """What a test leaves is shown when it is read again."""
    unit = Unit(2, {1: Controller(1, diag=(0x0124, 0, 1)), 2: Controller(2)})
    with shown(unit, "cacheTime devdiag 0\n") as stack:
        names = [column(name, 1) for name in ("ibDmTestReadiness", "ibDmTestDiagCode", "ibDmTestDiagState",
                                              "ibDmTestVendorCode")]

        def values():
            return [row.value for row in stack.client.get(*names)]
        tap.equal(values(), [3, 0, 1, 0], "a controller that was not told to prepare")
        stack.reader.put(iounit.PREPARE_TO_TEST, 1)
        tap.equal(values(), [1, 0, 1, 0], "one that is ready")
        stack.reader.put(iounit.TEST_ONCE, 1, b"\0\0\0\1")
        wait_for(lambda: values() == [3, 0x124, 5, 0x12], "the result")
        tap.ok(True, "the result of its test")


# ---- the notification ----

def ready(receiver):
    return [one for one in receiver.everything() if one.name == dmoracle.NOTIFICATION]


def notification_comes(tap):
    """With the LID, the slot and the status, though nobody told the unit where traps go; once for each."""
    unit = Unit(4, {2: Controller(2, diag=(0, 2 ** 32 - 1, 1)), 3: Controller(3, diag=(0, 2 ** 32 - 1, 1))})
    with (bed.scratch() as folder, trapd.Trapd(folder) as daemon, trapd.Sink() as sink,
          shown(unit, "cacheTime devdiag 3600\n",
                extra=sink.line("trap2sink") + "\n" + daemon.line("trap2sink")) as stack):
        test = column("ibDmTestStatus", 2)
        stack.reader.put(iounit.PREPARE_TO_TEST, 2)
        stack.reader.put(iounit.PREPARE_TO_TEST, 3)
        tap.equal(stack.client.get(test)[0].value, 1, "the controller prepares")
        stack.node.say("ready 2 0")
        stack.node.say("ready 3 0x8000")
        wait_for(lambda: len(ready(sink)) == 2, "two notifications")
        for one, (slot, status) in zip(ready(sink), ((2, 0), (3, iounit.FAILED))):
            wanted = [(dmoracle.OBJECTS[name][0] + (0,), value) for name, value in (
                ("ibDmEventLid", iounit.LID), ("ibDmEventSlot", slot), ("ibDmEventStatus", status))]
            tap.equal([(varbind.oid, trapd.binding(varbind).value) for varbind in one.varbinds], wanted,
                      f"ibDmReadyToTest of slot {slot}")
        wait_for(lambda: len(ready(daemon)) == 2, "two notifications at snmptrapd")
        tap.equal([[(binding.oid, binding.value) for binding in one.bindings] for one in ready(daemon)],
                  [[(varbind.oid, trapd.binding(varbind).value) for varbind in one.varbinds] for one in ready(sink)],
                  "snmptrapd shows them as they were sent")
        tap.equal(stack.client.get(test)[0].value, 0, "what it says is read again before its time")
        tap.equal(sink.errors, [], "nothing else comes")


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    for name in UNITS:
        tap.case(walks_agree, name)
    for name in ("one slot, no services", "16 slots with holes"):
        tap.case(another_daemon_agrees, name)
    tap.case(no_unit)
    tap.case(walks_are_whole)
    tap.case(results_show)
    tap.case(notification_comes)
    tap.done()


if __name__ == "__main__":
    main()
