# SPDX-License-Identifier: BSD-2-Clause
"""An I/O unit as data: the node file that makes it, and the bytes of its attributes as IBA 16.3.3 lays them out."""

import struct
from dataclasses import dataclass, field

LID = 7
DATA_SIZE = 192
CLASS_PORT_INFO, NOTICE, UNIT_INFO, PROFILE, SERVICES = 0x01, 0x02, 0x10, 0x11, 0x12
DIAGNOSTIC_TIMEOUT, PREPARE_TO_TEST, TEST_ONCE, TEST_LOOP, DIAG_CODE = 0x20, 0x21, 0x22, 0x23, 0x24
NO_IOC, NO_SERVICES, FAILED = 0x0100, 0x0200, 0x8000
EMPTY, PRESENT, NO_SLOT = 0x0, 0x1, 0xF

# Components of a profile that a node file sets, with their sizes, in the order of their places.
PLACES = [("VendorID", 8, 3), ("DeviceID", 12, 4), ("DeviceVersion", 16, 2), ("SubsystemVendorID", 20, 3),
          ("SubsystemID", 24, 4), ("IOClass", 28, 2), ("IOSubclass", 30, 2), ("Protocol", 32, 2),
          ("ProtocolVersion", 34, 2), ("ServiceConnections", 36, 2), ("InitiatorsSupported", 38, 2),
          ("SendMessageQueueDepth", 40, 2), ("RDMAReadQueueDepth", 43, 1), ("SendMessageSize", 44, 4),
          ("RDMATransferSize", 48, 4), ("ControllerOperationsCapabilityMask", 52, 1),
          ("ControllerServicesCapabilityMask", 53, 1)]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass
class Controller:
    guid: int
    values: dict = field(default_factory=dict)  # of PLACES
    id_string: str = ""
    services: list = field(default_factory=list)  # (name, ServiceID)
    timeout: int = 10000
    diag: tuple = ()  # code, preparation, test

    def lines(self, slot):
        yield f"ioc {slot} {self.guid:#x}"
        for name, value in self.values.items():
            yield f"iocProfile {slot} {name} {value:#x}"
        yield f"iocProfile {slot} IDString {quoted(self.id_string)}"
        for entry, (name, number) in enumerate(self.services):
            yield f"service {slot} {entry} {quoted(name)} {number:#x}"
        yield f"diagTimeout {slot} {self.timeout}"
        if self.diag:
            yield f"iocDiag {slot} {' '.join(map(str, self.diag))}"

    def profile(self):
        block = bytearray(128)
        struct.pack_into(">Q", block, 0, self.guid)
        values = {"VendorID": self.guid >> 40, "IOClass": 0xFFFF} | self.values
        for name, place, size in PLACES:
            block[place:place + size] = values.get(name, 0).to_bytes(size, "big")
        block[54] = len(self.services)
        block[64:128] = self.id_string.encode().ljust(64, b"\0")
        return bytes(block)

    def entries(self, first, last):
        return b"".join(struct.pack(">40sQ", name.encode(), number) for name, number in self.services[first:last + 1])


@dataclass
class Unit:
    slots: int
    controllers: dict = field(default_factory=dict)  # by slot
    option_rom: bool = False
    change_id: int = 1

    def node_file(self, more=""):
        lines = ["nodeType ca", "ports 1", "nodeGuid 0x0002c90300005000", 'description "I/O unit"', "link 1 up",
                 f"lid 1 {LID} {LID}", "portInfo 1 PortState 4", "portInfo 1 SubnetTimeOut 13", f"iouSlots {self.slots}",
                 f"optionRom {'yes' if self.option_rom else 'no'}"]
        for slot, controller in self.controllers.items():
            lines += controller.lines(slot)
        return "\n".join(lines) + "\n" + more

    def info(self):
        states = [PRESENT if slot in self.controllers else EMPTY if slot <= self.slots else NO_SLOT
                  for slot in range(1, 257)]
        pairs = bytes(high << 4 | low for high, low in zip(states[::2], states[1::2]))
        return struct.pack(">HBB", self.change_id, self.slots, 2 | self.option_rom) + pairs

    def blocks(self):
        """{(attribute, modifier): status, or the attribute}"""
        found = {(UNIT_INFO, 0): self.info(), (CLASS_PORT_INFO, 0): bytes.fromhex("01010003" + "00000010") + bytes(64)}
        for slot in range(1, self.slots + 1):
            controller = self.controllers.get(slot)
            if not controller:
                found[PROFILE, slot] = NO_IOC
                continue
            found |= {(PROFILE, slot): controller.profile(),
                      (DIAGNOSTIC_TIMEOUT, slot): controller.timeout.to_bytes(4, "big"),
                      (DIAG_CODE, slot): bytes(2), (PREPARE_TO_TEST, slot): FAILED}
            if not controller.services:
                found[SERVICES, slot << 16] = NO_SERVICES
            for first in range(0, len(controller.services), 4):
                last = min(first + 3, len(controller.services) - 1)
                found[SERVICES, slot << 16 | last << 8 | first] = controller.entries(first, last)
        return found
