#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""The software SMA by hand: what the console does shows in the MIB, and what NVRAM keeps outlives kill -9."""

import os
import resource
import shutil
import subprocess

import agents
import bed
import oracle
import snmp
from bed import wait_for
from tap import Tap, require_daemon

ROOT = snmp.oid("1.3.6.1.3.117.3")
NODE_STRING = ROOT + (1, 1, 1, 0)
SYSTEM_GUID = ROOT + (1, 1, 6, 0)
M_KEY = ROOT + (1, 4, 1, 0)
PROTECT_BITS = ROOT + (1, 4, 25, 0)
P_KEY_VIOLATIONS = ROOT + (1, 4, 35, 0)
LINK_STATE_1 = ROOT + (1, 5, 1, 1, 6, 1)
LINK_STATE_2 = ROOT + (1, 5, 1, 1, 6, 2)
DIAG_1 = ROOT + (1, 13, 1, 1, 2, 1)
LED_1 = ROOT + (1, 14, 1, 1, 2, 1)

NVRAM = "capability all IsMKeyNVRAM on\nportInfo all M_KeyProtectBits 1\n"
KEY = bytes.fromhex("0102030405060708")
M_KEY_AT, PROTECT_AT, PROTECT_LEVEL_2 = 0, 34, 0x80
STATES_AT = 32  # PortState with the supported speeds, and behind it the physical states

# A line of the console, and what the MIB shows then.
EVENTS = [
    ("link 1 down", LINK_STATE_1, 2),
    ("link 1 up", LINK_STATE_1, 3),
    ("badpkey port=1 key=0x8005", P_KEY_VIOLATIONS, 1),
    ("BADPKEY port=1 key=0x8006", P_KEY_VIOLATIONS, 2),
    ('description "another name"', NODE_STRING, b"another name"),
    ("systemguid 0x0102030405060708", SYSTEM_GUID, bytes(range(1, 9))),
    ("diag 1 4", DIAG_1, 5),
    ("led 1 on", LED_1, 2),
    ("led 1 off", LED_1, 3),
]

LONGEST = 1023
TOO_LONG = f"error: the line is too long: expected at most {LONGEST} bytes"
ODD_BYTES = [
    ("a line as long as may be", b"diag 1 4 #".ljust(LONGEST, b"x"), "ok"),
    ("a line that is too long", b"diag 1 4 #".ljust(LONGEST + 1, b"x"), TOO_LONG),
    ("a line that is much too long", b"diag 1 4 #".ljust(5000, b"x"), TOO_LONG),
    ("a line with a NUL", b"diag 1 4\0 and more", "error: diag: expected text, not the byte 0x00"),
    ("a line with an escape", b"description \x1b[31m", "error: description: expected text, not the byte 0x1b"),
]

MISTAKES = ["fly", "link", "link 99 up", "link 1 sideways", "diag 1 70000", "show switch", "flowcontrol 1"]


class Console(agents.SoftwareNode):
    """A software node with its standard input and output as the console."""

    def __init__(self, folder, snmpd, node, extra="", **options):
        super().__init__(folder, snmpd, node, ["--console"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        self.node_file = self.args[1]
        with open(self.node_file, "a", encoding="utf-8") as file:
            file.write(extra)

    def stop(self, limit=bed.STOP_LIMIT):
        status = super().stop(limit)
        for pipe in (self.process.stdin, self.process.stdout) if self.process else ():
            pipe.close()
        return status

    def say(self, line):
        """The lines of the answer; the last is `ok`, or an error."""
        return self.say_bytes(line.encode() + b"\n")

    def say_bytes(self, line, ends=False):
        self.process.stdin.write(line)
        self.process.stdin.flush()
        if ends:
            self.process.stdin.close()
        answer = []
        while not answer or not (answer[-1] == "ok" or answer[-1].startswith("error:")):
            got = self.process.stdout.readline()
            if not got:
                raise bed.NotInTime(f"the console ended: {self.log()}")
            answer.append(got.decode().rstrip("\n"))
        return answer


def odd_bytes(tap, node):
    """Each is one line, with one answer, and the next line is taken as ever."""
    for what, line, wanted in ODD_BYTES:
        tap.equal([node.say_bytes(line + b"\n"), node.say("diag 1 4")], [[wanted], ["ok"]], f"{what} on the console")


def events_show(tap, folder):
    extra = "capability all IsLedInfoSupported on\n"
    with (agents.Snmpd(folder) as snmpd, Console(folder, snmpd, "ca.conf", extra) as node,
          snmp.Client(snmpd.port) as client):
        agents.wait_serving(client, node)
        client.walk(ROOT)
        for line, name, wanted in EVENTS:
            answer = node.say(line)
            got = client.get(name)[0].value
            tap.ok(answer == ["ok"] and got == wanted, f"{line}: ok, and at once in the MIB", [answer, got])
        for line in MISTAKES:
            answer = node.say(line)
            tap.ok(answer[-1].startswith("error:") and "expected" in answer[-1], f"{line}: an error that helps", answer)
        tap.ok(len(node.say("help")) > 10, "help lists the commands")
        odd_bytes(tap, node)
        answer = node.say_bytes(b"link 2 up", ends=True)
        tap.equal([answer, client.get(LINK_STATE_2)[0].value], [["ok"], 3], "a last line needs no newline")
        tap.ok(node.running() and agents.serves(client), "the node outlives its console")


def set_key(node):
    """An SM sets the M_Key with a protection that forbids reading."""
    with node.reader(None) as sm:
        block = bytearray(sm.get(oracle.PORT_INFO))
        block[M_KEY_AT:M_KEY_AT + 8] = KEY
        block[PROTECT_AT] = block[PROTECT_AT] & 0x3F | PROTECT_LEVEL_2
        block[STATES_AT] &= 0xF0
        block[STATES_AT + 1] = 0
        # without a LID yet, as it was read; the SM gives one
        block[16:20] = b"\0\1\0\1"
        sm.set(oracle.PORT_INFO, 0, bytes(block))


def key_of(client):
    return [binding.value for binding in client.get(M_KEY, PROTECT_BITS)]


def key_survives(tap, folder):
    with agents.Snmpd(folder) as snmpd, snmp.Client(snmpd.port) as client:
        node = Console(folder, snmpd, "ca.conf", NVRAM, config="exposeKeys yes\n")
        file = f"{node.node_file}.nvram"
        with node:
            agents.wait_serving(client, node)
            set_key(node)
            tap.ok(os.path.exists(file), "the NVRAM is there when the Set is answered")
            tap.equal(key_of(client), [KEY, 4], "a key that was set shows in the MIB")
            tap.equal(os.stat(file).st_mode & 0o777, 0o600, "the NVRAM is its owner's")
            node.process.kill()
            node.process.wait()
        with node:
            agents.wait_serving(client, node)
            tap.equal(key_of(client), [KEY, 4], "after kill -9 the key is there again")
        damage(file)
        with node:
            agents.wait_serving(client, node)
            tap.equal(key_of(client), [bytes(8), 1], "with a damaged NVRAM the node starts from its node file")
            tap.ok(file in node.log() and os.path.exists(f"{file}.damaged"), "it is reported and set aside",
                   node.log_lines())


MANY_KEYS = 8192
MANY_KEYS_NODE = f"""\
nodeType ca
ports 1
nodeGuid 0x1
partitionCap {MANY_KEYS}
link 1 up
capability 1 IsPKeyNVRAM on
""" + "".join(f"pKey 1 {entry} {0x8001 + entry % 2}\n" for entry in range(MANY_KEYS))
# Fewer bytes than the keys take, and more than the log.
SIZE_LIMIT = 20000


def set_pkey(node, key):
    """A Set is answered, whatever becomes of the file."""
    with node.reader(None) as sm:
        sm.set(oracle.PKEY_TABLE, 0, key.to_bytes(2, "big").ljust(64, b"\0"))


def limit_of_size(tap, folder):
    path = os.path.join(folder, "keys.conf")
    with open(path, "w", encoding="ascii") as file:
        file.write(MANY_KEYS_NODE)
    with agents.Snmpd(folder) as snmpd, snmp.Client(snmpd.port) as client, Console(folder, snmpd, path) as node:
        agents.wait_serving(client, node)
        before = resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE, (SIZE_LIMIT, before[1]))
        set_pkey(node, 0x8005)
        set_pkey(node, 0x8006)
        tap.ok(agents.serves(client) and not os.path.exists(f"{node.node_file}.nvram"),
               "a limit of file sizes: the node continues")
        resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE, before)
        set_pkey(node, 0x8007)
        node.wait_log("nvram is written again")
        tap.equal(node.log().count("nvram cannot be written: File too large"), 1, "a limit of file sizes: reported once")


def damage(path):
    with open(path, "r+b") as file:
        file.seek(-3, os.SEEK_END)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))


def bad_node_file(tap, folder):
    path = os.path.join(folder, "bad.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write("nodeType switch\nports 300\nnodeGuid 0x1\n")
    with agents.Daemon(folder, args=["-S", path]) as node:
        status = node.wait_end()
        tap.equal(status, 1, "a mistake in the node file: exit status 1")
        tap.ok(f"{path}: line 2: ports 300: expected" in node.log() and "254" in node.log(),
               "a mistake in the node file: file, line, token and range are named", node.log_lines())


def no_nvram_file(tap, folder):
    """What opening does not come back from, or does something by itself."""
    path = shutil.copy(os.path.join(agents.NODES, "ca.conf"), os.path.join(folder, "odd.conf"))
    for what, make in (("FIFO", os.mkfifo), ("device", lambda name: os.symlink("/dev/zero", name))):
        make(f"{path}.nvram")
        with agents.Daemon(folder, args=["-S", path]) as node:
            status = node.wait_end()
            tap.ok(status == 1 and f"{path}.nvram: expected a regular file" in node.log(),
                   f"a {what} in the place of the NVRAM ends the start", [status, node.log()])
        os.unlink(f"{path}.nvram")


def main():
    bed.end_on_sigterm()
    require_daemon()
    tap = Tap()
    with bed.scratch() as folder:
        tap.case(events_show, folder)
        tap.case(key_survives, folder)
        tap.case(limit_of_size, folder)
        tap.case(no_nvram_file, folder)
        tap.case(bad_node_file, folder)
    tap.done()


if __name__ == "__main__":
    main()
