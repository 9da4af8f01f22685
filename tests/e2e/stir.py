# SPDX-License-Identifier: BSD-2-Clause
"""Sets a node's attributes so that every block has a content of its own: then a wrong index shows."""

import random

import oracle

TOP = 200
MULTICAST_BLOCKS = 4
HOQ_LIFE, STATE_AND_WIDTH = 42, {29: 0, 32: 0, 33: 0, 35: 0}


def _noise(attribute, modifier, size=64):
    return random.Random(f"{attribute:#x} {modifier:#x}").randbytes(size)


def _holes_in_lids(noise):
    """With entries that drop, and entries for port 0."""
    return bytes(0xFF if at % 3 == 2 else 0 if at % 7 == 0 else octet for at, octet in enumerate(noise))


def _holes_in_keys(noise):
    """With unused entries in both forms."""
    return b"".join({1: b"\0\0", 3: b"\x80\0"}.get(at // 2 % 4, noise[at:at + 2]) for at in range(0, 64, 2))


def _fill(reader, attribute, modifiers, shape=bytes):
    for modifier in modifiers:
        reader.set(attribute, modifier, shape(_noise(attribute, modifier)))


def _port_masks(position, block, ports):
    """Masks of existing ports only, half of them empty, so that the table has holes."""
    noise = _noise(oracle.MULTICAST_TABLE, position << 28 | block)
    words = [int.from_bytes(noise[at:at + 2], "big") for at in range(0, 64, 2)]
    existing = sum(1 << bit for bit in range(16) if position * 16 + bit <= ports)
    return b"".join((0 if at % 2 else word & existing).to_bytes(2, "big") for at, word in enumerate(words))


def _head_of_queue(reader, ports):
    """A life time for each port, without a command to the link."""
    for port in ports:
        block = bytearray(reader.get(oracle.PORT_INFO, port))
        block[HOQ_LIFE] = block[HOQ_LIFE] & 0xE0 | port % 32
        for offset, nothing in STATE_AND_WIDTH.items():
            block[offset] = nothing
        reader.set(oracle.PORT_INFO, port, bytes(block))


def _switch_info(reader):
    info = bytearray(reader.get(oracle.SWITCH_INFO))
    info[6:8] = TOP.to_bytes(2, "big")
    info[8:11] = bytes((3, 255, 7))
    reader.set(oracle.SWITCH_INFO, 0, bytes(info))


def switch(reader):
    ports = reader.get(oracle.NODE_INFO)[3]
    every = range(ports + 1)
    _switch_info(reader)
    _head_of_queue(reader, every[1:])
    _fill(reader, oracle.PKEY_TABLE, [0] + [port << 16 | block for port in every[1:] for block in (0, 1)],
          _holes_in_keys)
    _fill(reader, oracle.SL_TO_VL, [into << 8 | out for into in every for out in every])
    _fill(reader, oracle.VL_ARBITRATION, [half << 16 | port for half in (1, 3) for port in every[1:]])
    _fill(reader, oracle.LINEAR_TABLE, range(TOP // 64 + 1), _holes_in_lids)
    for block in range(MULTICAST_BLOCKS):
        for position in range(ports // 16 + 1):
            reader.set(oracle.MULTICAST_TABLE, position << 28 | block, _port_masks(position, block, ports))


def channel_adapter(reader):
    _fill(reader, oracle.PKEY_TABLE, (0, 1), _holes_in_keys)
    _fill(reader, oracle.SL_TO_VL, (0,))
    _fill(reader, oracle.VL_ARBITRATION, (1 << 16, 3 << 16))
