#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""The configuration in README.md does what it says, in snmpd, snmptrapd and ibsmad, as it stands there.

It goes into the file that is installed for snmpd. Only the receiver's address is another, and nobody waits for a group
ibsmad. Addresses to listen on and the AgentX socket, of which it says nothing, are arguments.
"""

import os
import re
import shlex
import textwrap
from pathlib import Path

import agents
import bed
import checkup
import snmp
import trapd
from bed import wait_for
from tap import Tap, require, require_daemon
from test_console import Console

README = Path(os.environ.get("srcdir") or Path(bed.HERE, "..", "..")).resolve() / "README.md"
SHIPPED = README.parent / "agent" / "ibsmad-snmpd.conf"
RECEIVER = "192.0.2.10"
SMA_MIB, IBSMAD_MIB = snmp.oid("1.3.6.1.3.117.3"), snmp.oid("1.3.6.1.4.1.8072.9999.9999.117")
# ibSmaNodeBaseVersion, ibSmaPortLinkState of both ports; ibsmadVersion, ibsmadNotificationsSent.
SOME = {SMA_MIB + (1, 1, 2, 0), SMA_MIB + (1, 5, 1, 1, 6, 1), SMA_MIB + (1, 5, 1, 1, 6, 2)}
SOME_OF_IBSMAD = {IBSMAD_MIB + (1, 1, 1, 0), IBSMAD_MIB + (1, 3, 1, 0)}
START = "NET-SNMP version"

# ---- README.md ----


def block(heading, mark):
    """The block of a section that has the mark."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", README.read_text(encoding="utf-8"),
                        re.DOTALL | re.MULTILINE)[1]
    found = [textwrap.dedent(text) for text in re.findall(r"^ *```\n(.*?)^ *```$", section, re.DOTALL | re.MULTILINE)]
    (wanted,) = (text for text in found if mark in text)
    return wanted


def arguments(text, token):
    """Of the one line that begins with the token."""
    (line,) = (line for line in text.splitlines() if line.startswith(token + " "))
    return shlex.split(line)[1:]


ACCESS = ("Run it beside snmpd", "rocommunity")
SINKS = ("Notifications", "trap2sink")
TRAPD = ("Notifications", "authCommunity")

# What snmptrapd says of what each line sends.
KINDS = {
    "trapsink": "TRAP, SNMP v1, community ",
    "trap2sink": "TRAP2, SNMP v2c, community ",
    "informsink": "INFORM, SNMP v2c, community ",
    "trapsess": "INFORM, SNMP v3, user ",
}

# ---- with it ----


class Snmpd(agents.Snmpd):
    def __init__(self, folder, conf):
        super().__init__(folder)
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write(conf)

    def start(self):
        self.spawn([bed.find_tool("snmpd"), "-f", "-Lo", "-C", "-c", self.conf, "-I", "-smux", "-x", self.agentx,
                    f"udp:127.0.0.1:{self.port}"], agents.private_env(self.home))
        self.wait_log(START)


class Trapd(trapd.Trapd):
    def __init__(self, folder, conf):
        super().__init__(folder, names=True)
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write(conf)

    def start(self):
        self.spawn([bed.find_tool("snmptrapd"), "-f", "-Lo", "-C", "-c", self.conf, "-F", trapd.FORMAT, "-m", "SMA-MIB",
                    "-M", f"{trapd.MIBS}:{trapd.MIBS}/base", f"udp:127.0.0.1:{self.port}"],
                   agents.private_env(self.home))
        self.wait_log(START)

    def kinds(self):
        """Of the notifications of SMA-MIB."""
        return [security for security, *varbinds in self.records() if "SMA-MIB::ibSma" in " ".join(varbinds)]


def complaints(program):
    return [line for line in program.log_lines()
            if re.search(r"\bline \d+|\berror\b|\bwarning\b|cannot|fail", line, re.I)]


def access_as(conf):
    """For SNMPv2c and SNMPv3, as the tools want it."""
    user, auth, auth_key, priv, priv_key = arguments(conf, "createUser")
    return {"SNMPv2c": ["-v2c", "-c", arguments(conf, "rocommunity")[0]],
            "SNMPv3": ["-v3", "-u", user, "-l", "authPriv", "-a", auth, "-A", auth_key, "-x", priv, "-X", priv_key]}


def walked(port, root, access):
    """The names that snmpwalk prints."""
    status, output, complaint = snmp.run_tool("snmpwalk", port, [snmp.text(root)], access)
    if status or complaint:
        raise snmp.SnmpError(f"snmpwalk: status {status}: {complaint}")
    return {snmp.oid(name) for name in re.findall(r"^\.([0-9.]+) = (?!No )", output, re.MULTILINE)}


def walks(tap, conf, port):
    for version, access in access_as(conf).items():
        for mib, root, some in (("SMA-MIB", SMA_MIB, SOME), ("IBSMAD-MIB", IBSMAD_MIB, SOME_OF_IBSMAD)):
            names = walked(port, root, access)
            tap.ok(some <= names, f"{version}: a walk of {mib}", sorted(names))


def notifications(tap, conf, console, receiver):
    lines = [line.split() for line in conf.splitlines() if line and not line.startswith("#")]
    tap.equal(sorted(token for token, *_ in lines), sorted(KINDS), "README.md has each kind of receiver once")
    tap.equal(console.say("badpkey port=1 key=0x8005"), ["ok"], "something happens")
    try:
        wait_for(lambda: len(receiver.kinds()) >= len(KINDS), "a notification of each kind")
    except bed.NotInTime as error:
        tap.note([error])
    for token, kind in KINDS.items():
        tap.equal(sum(got.startswith(kind) for got in receiver.kinds()), 1, f"{token}: the notification has come")


def checked(tap, folder, conf):
    """ibsmad --check, which finds no fault with it; there is no snmpd."""
    snmpd = Snmpd(folder, conf)
    report = checkup.run(checkup.checked(snmpd), {"SNMPCONFPATH": snmpd.home})
    for name in ("snmpd.conf", "notifications"):
        tap.equal(report.items[name].finding, "ok", f"ibsmad --check: {name}")
    tap.equal(report.errors, "", "ibsmad --check: nothing on standard error")


def access_conf(tap):
    """The file that is installed, with README.md's line in force, and the user of the receiver for SNMPv3."""
    shipped, users = SHIPPED.read_text(encoding="utf-8"), block(*TRAPD)
    tap.equal([line for line in shipped.splitlines() if re.match(r"[^#\s]", line) and
               not line.startswith(("view ", "agentXPerms "))], [], "as it is installed, the file lets nobody in")
    for line in (*block(*ACCESS).splitlines(), "rouser operator priv -V ibsma"):
        tap.ok(f"\n#{line}\n" in shipped, f"the file has, as a comment: {line}")
        shipped = shipped.replace(f"\n#{line}\n", f"\n{line}\n")
    create, = (line for line in users.splitlines() if line.startswith("createUser"))
    return "master agentx\n" + re.sub(r"(?m)^agentXPerms.*$", "agentXPerms 0777 0755", shipped) + create + "\n"


def as_it_stands(tap, folder):
    access, sinks = access_conf(tap), block(*SINKS)
    with Trapd(folder, block(*TRAPD)) as receiver:
        conf = access + sinks.replace(RECEIVER, f"127.0.0.1:{receiver.port}")
        with (Snmpd(folder, conf) as snmpd, Console(folder, snmpd, "ca.conf") as console,
              snmp.Client(snmpd.port, arguments(access, "rocommunity")[0]) as client, agents.ends_well(console)):
            agents.wait_serving(client, console)
            walks(tap, access, snmpd.port)
            notifications(tap, sinks, console, receiver)
            tap.equal(complaints(snmpd), [], "snmpd complains of nothing")
            tap.equal(complaints(receiver), [], "snmptrapd complains of nothing")
    checked(tap, folder, access + sinks)


def main():
    require_daemon()
    require("snmptrapd")
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder:
        tap.case(as_it_stands, folder)
    tap.done()


if __name__ == "__main__":
    main()
