#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""README.md and ibsmad(8), ACCESS, followed word by word on Debian, with its own snmpd.conf as it is installed.

The script runs itself again in namespaces of its own, on an overlay of the machine's files: what it changes below /etc
and /var, and the ports that it takes, are nobody else's. What systemctl would start and stop is started and stopped as
Debian's unit says.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys

import agents
import bed
import checkup
from bed import wait_for
from tap import Tap, require, require_daemon
from test_readme import README, block

TREE = README.parent
SNMPD_CONF, OURS = "/etc/snmp/snmpd.conf", "/etc/snmp/snmpd.conf.d/ibsmad.conf"
SHIPPED = TREE / "agent" / "ibsmad-snmpd.conf"
UNIT = "/lib/systemd/system/snmpd.service"
NODE = "/var/lib/ibsmad-node.conf"
USER = 61234
SETUP = """
mount -t tmpfs tmpfs "$0" && mkdir "$0/upper" "$0/work" "$0/root" &&
mount -t overlay overlay -o "lowerdir=/,upperdir=$0/upper,workdir=$0/work" "$0/root" &&
mount --rbind /dev "$0/root/dev" && mount -t proc proc "$0/root/proc" && mount -t tmpfs tmpfs "$0/root/tmp" &&
mkdir -p "$0/root$1" "$0/root$2" && mount --rbind "$1" "$0/root$1" && mount --rbind "$2" "$0/root$2" &&
ip link set lo up && ip address add 192.0.2.1/24 dev lo && ip address add 192.0.2.10/24 dev lo
"""
NAMESPACES = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--propagation=private"]
# What snmpd says of "root" in agentXPerms; ibsmad(8) tells of it.
HARMLESS = "Can't identify user (root)."

# ---- the machine ----


def is_pristine():
    """Whether snmpd.conf is as the package has it."""
    files = subprocess.run(["dpkg-query", "-W", "-f", "${Conffiles}\n", "snmpd"], check=False, capture_output=True, text=True)
    known = re.search(rf"^ {SNMPD_CONF} (\w+)$", files.stdout, re.MULTILINE)
    if not known or not os.access(SNMPD_CONF, os.R_OK):
        return False
    with open(SNMPD_CONF, "rb") as file:
        return hashlib.md5(file.read()).hexdigest() == known[1]


def enter(folder):
    """From here on this is a machine of its own."""
    places = [folder, str(TREE), os.path.dirname(agents.daemon_binary())]
    subprocess.run(["sh", "-c", SETUP, *places], check=True)
    os.chroot(os.path.join(folder, "root"))
    os.chdir("/")


def install():
    """What the package installs, where it does."""
    for name, line in (("passwd", f"ibsmad:x:{USER}:{USER}::/:/bin/false"), ("group", f"ibsmad:x:{USER}:")):
        with open(os.path.join("/etc", name), "a", encoding="ascii") as file:
            file.write(line + "\n")
    os.makedirs("/usr/share/ibsmad", exist_ok=True)
    shutil.copytree(TREE / "mibs" / "base", "/usr/share/ibsmad/mibs", dirs_exist_ok=True)
    for module in (TREE / "mibs").glob("*.txt"):
        shutil.copy(module, "/usr/share/snmp/mibs")
    shutil.copy(TREE / "sma" / "nodes" / "ca.conf", NODE)
    shutil.copy(SHIPPED, OURS)
    shutil.copy(agents.daemon_binary(), "/usr/sbin/ibsmad")
    for line in (TREE / "agent" / "ibsmad-tmpfiles.conf").read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            kind, path, mode, *_ = line.split()
            os.makedirs(path, exist_ok=kind == "d")
            os.chmod(path, int(mode, 8))


class Snmpd(bed.Child):
    """As the unit starts it."""

    def __init__(self):
        super().__init__("/tmp", "snmpd")
        with open(UNIT, encoding="ascii") as file:
            self.command = shlex.split(re.search(r"^ExecStart=(.*)$", file.read(), re.MULTILINE)[1])

    def start(self):
        self.spawn(self.command)
        wait_for(lambda: answers("-v2c -c public 127.0.0.1 1.3.6.1.2.1.1.2.0") or not self.running(), "an answer of snmpd")

    def restart(self):
        self.stop()
        self.start()


class Daemon(bed.Child):
    def start(self):
        self.spawn(["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", "/usr/sbin/ibsmad", "-f", "-S", NODE],
                   {"SNMP_PERSISTENT_DIR": "/tmp/memory", "SNMPCONFPATH": "/nonexistent"})
        self.wait_log("connected to snmpd")


def answers(arguments):
    return subprocess.run(["snmpget", "-t", "1", "-r", "0", *shlex.split(arguments)], check=False,
                          capture_output=True).returncode == 0


def edit(path, old, new):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))
    return text != text.replace(old, new)


def shell(command):
    """(exit status, lines of output)"""
    done = subprocess.run(["sh", "-c", command], check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=bed.LIMIT)
    return done.returncode, done.stdout.splitlines()


def check():
    done = subprocess.run(["/usr/sbin/ibsmad", "--check", "-S", NODE], check=False, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=bed.LIMIT)
    return checkup.Report(done.returncode, done.stdout, done.stderr)


# ---- the documents ----


def blocks_of_access():
    """Of ibsmad(8), ACCESS, as they are to be typed."""
    page = (TREE / "agent" / "ibsmad.8").read_text(encoding="utf-8")
    section = re.search(r"^\.SH ACCESS\n(.*?)^\.SH ", page, re.DOTALL | re.MULTILINE)[1]
    found = re.findall(r"^\.nf\n(.*?)^\.fi", section, re.DOTALL | re.MULTILINE)
    return [text.replace("\\-", "-").replace("\\e", "\\") for text in found]


def access_block(mark):
    (wanted,) = (text for text in blocks_of_access() if mark in text)
    return wanted


def uncomment(lines):
    """Of the file that is installed; whether it has each line."""
    return all(edit(OURS, f"\n#{line}\n", f"\n{line}\n") for line in lines)


def commands(text):
    """Of a transcript, with what they print."""
    return [(command, output.splitlines()) for command, output in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", text, re.MULTILINE)]


# ---- followed ----


def on_this_host(tap, snmpd):
    report = check()
    tap.ok(checkup.found(report, "SMA-MIB", "FAIL", f"{SNMPD_CONF} line ", f"{OURS}: rocommunity COMMUNITY") and
           checkup.found(report, "AgentX", "warn", "closed to user ibsmad") and not report.errors,
           "before anything is done: what is missing", report.notes())
    tap.equal(report.items["AgentX"].fixes, ["systemctl restart snmpd"], "before anything is done: snmpd has to start again")
    snmpd.restart()
    report = check()
    tap.ok(checkup.found(report, "AgentX", "ok") and checkup.found(report, "SMA-MIB", "FAIL"),
           "snmpd started again: ibsmad may connect, and nobody reads more than before", report.notes())
    tap.ok(uncomment(block("Run it beside snmpd", "rocommunity").splitlines()), "README.md: its line is in the file")
    snmpd.restart()
    report = check()
    wanted = dict.fromkeys(("AgentX", "snmpd.conf", "SMA-MIB", "IBSMAD-MIB", "system group"), "ok")
    tap.equal({name: report.items[name].finding for name in wanted}, wanted, "README.md: ibsmad --check is content")
    tap.ok(report.status == 0 and not report.errors, "README.md: ibsmad --check: status 0, nothing on standard error",
           report.notes())


def shadow(tap, snmpd):
    """What the file would be with Debian's own community."""
    edit(OURS, "rocommunity fabric 127", "rocommunity public 127")
    snmpd.restart()
    report = check()
    tap.ok(checkup.found(report, "snmpd.conf", "warn", "no effect", f"{OURS} line ") and
           checkup.found(report, "SMA-MIB", "FAIL", "hides"), "Debian's own community: the line has no effect",
           report.notes())
    edit(OURS, "rocommunity public 127", "rocommunity fabric 127")
    snmpd.restart()


def asked(tap):
    (number, shown), = commands(block("Run it beside snmpd", "$ snmpwalk"))
    status, lines = shell(number)
    form = [re.sub(r"\d+$", "N", line) for line in shown]
    tap.ok(status == 0 and [re.sub(r"\d+$", "N", line) for line in lines] == form, f"README.md: {number}", lines)
    names = block("Run it beside snmpd", "mibdirs")
    tap.ok(edit("/etc/snmp/snmp.conf", "mibs :\n", names), "README.md: snmp.conf has the line that is replaced")
    command = re.search(r"`(snmpwalk [^`]* ibSmaPortLinkState)`", README.read_text(encoding="utf-8"))[1]
    status, lines = shell(command)
    tap.ok(status == 0 and lines and all(line.startswith("SMA-MIB::ibSmaPortLinkState.") for line in lines),
           f"README.md: {command}: names, and no complaint", lines)
    status, lines = shell("snmpget -v2c -c fabric localhost ibsmadViewState.1")
    tap.equal(lines, ["IBSMAD-MIB::ibsmadViewState.1 = INTEGER: answering(1)"], "names of IBSMAD-MIB")
    report = check()
    tap.ok(checkup.found(report, "MIB names", "ok") and checkup.found(report, "SMA-MIB", "ok", "from the ibsmad that is running") and
           not report.errors, "ibsmad --check beside the daemon", report.notes())


def from_elsewhere(tap, snmpd):
    tap.ok(uncomment(access_block("agentaddress").splitlines()), "ibsmad(8): a management station: the lines are in the file")
    snmpd.restart()
    wait_for(lambda: answers("-v2c -c fabric --clientaddr=192.0.2.10 192.0.2.1 1.3.6.1.3.117.3.1.1.2.0"),
             "an answer to a management station")
    for what, expected in (("1.3.6.1.2.1.1.2.0", True), ("1.3.6.1.4.1.8072.9999.9999.117.1.1.1.0", True)):
        tap.equal(answers(f"-v2c -c fabric --clientaddr=192.0.2.10 192.0.2.1 {what}"), expected, f"a management station: {what}")
    tap.ok(not answers("-v2c -c fabric --clientaddr=192.0.2.1 192.0.2.1 1.3.6.1.3.117.3.1.1.2.0"),
           "another address gets no answer")


def by_user(tap, snmpd):
    create = access_block("systemctl stop snmpd").splitlines()
    tap.equal((create[0], create[-1]), ("systemctl stop snmpd", "systemctl start snmpd"), "ibsmad(8): SNMPv3: snmpd is stopped")
    tap.ok(uncomment(access_block("rouser").splitlines()), "ibsmad(8): SNMPv3: the line is in the file")
    snmpd.stop()
    shell("\n".join(create[1:-1]))
    snmpd.start()
    walk = access_block("snmpwalk")
    wait_for(lambda: any("3.6.1.3.117.3.1.1.2.0 =" in line or "BaseVersion.0 =" in line for line in shell(walk)[1]),
             "a walk by SNMPv3")
    tap.ok(True, "ibsmad(8): SNMPv3: a walk")
    status, lines = shell(walk.replace("authPriv", "authNoPriv"))
    tap.ok(status and not any("117.3.1.1.2.0" in line for line in lines), "SNMPv3: not without encryption", lines)
    with open("/var/lib/snmp/snmpd.conf", encoding="utf-8") as file:
        tap.ok("passphrase" not in file.read(), "SNMPv3: the passphrases are gone from the file")


def follow(tap):
    with Snmpd() as snmpd:  # as it was before ibsmad came: the folder of its socket is closed
        install()
        on_this_host(tap, snmpd)
        shadow(tap, snmpd)
        with Daemon("/tmp", "ibsmad") as daemon:
            asked(tap)
            from_elsewhere(tap, snmpd)
            by_user(tap, snmpd)
            tap.equal(daemon.stop(), 0, "ibsmad ends well")
        tap.equal(sorted({line for line in snmpd.log_lines() if line and not line.startswith("NET-SNMP version")}), [HARMLESS],
                  "snmpd has nothing else to complain of")


def inside(folder):
    enter(folder)
    tap = Tap()
    tap.case(follow)
    tap.done()


def main():
    require_daemon()
    require("ip")
    if not is_pristine() or not os.path.exists(UNIT):
        skip("no snmpd.conf as Debian has it")
    if os.geteuid() != 0 or subprocess.run([*NAMESPACES, "true"], check=False, capture_output=True).returncode:
        skip("no root, or no namespaces")
    bed.end_on_sigterm()
    with bed.scratch() as folder:
        child = bed.Child(folder, "inside")
        child.spawn([*NAMESPACES, sys.executable, "-B", __file__, "--inside", folder], stdout=None, stderr=None)
        try:
            sys.exit(child.wait_end(4 * bed.LIMIT))
        finally:
            child.stop()


def skip(reason):
    """For what this user or machine cannot have."""
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2])
    else:
        main()
