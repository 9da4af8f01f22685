#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""ibsmad --check on snmpd and managers: each failure is reported with the line that fixes it, and nothing else fails."""

import contextlib
import grp
import os
import pwd
import socket
import subprocess
import tempfile
import threading

import agents
import bed
import checkup
import snmp
from agents import NODES, Daemon, wait_serving
from bed import wait_for
from checkup import (DEBIAN, HEAD, MIB, NOT_TRIED, OPEN, READABLE, SHOW, Master, examine, expect, expect_failure, found,
                     checked)

MIBS = os.path.abspath(os.path.join(bed.HERE, "..", "..", "mibs"))
NOBODY = 65534

# ---- a good one ----

GOOD_NAMES = f"mibdirs {MIBS}:{MIBS}/base\nmibs SMA-MIB\n"


def write_names(master, text=GOOD_NAMES):
    with open(os.path.join(master.home, "snmp.conf"), "w", encoding="utf-8") as file:
        file.write(text)


def all_good(tap, folder):
    with Master(folder, OPEN + f"trap2sink 127.0.0.1:{agents.free_port()} public\n") as master:
        write_names(master)
        report = examine(master)
        tap.equal({name: item.finding for name, item in report.items.items()},
                  dict.fromkeys(("node file", "rights", "AgentX", "snmpd.conf", "notifications", "SMA-MIB",
                                 "IBSMAD-MIB", "system group", "MIB names"), "ok"),
                  "all is well: each check says ok")
        tap.ok(report.status == 0 and report.conclusion == READABLE and not report.errors,
               "all is well: exit status 0, and nothing on standard error", report.notes())
        tap.ok(found(report, "SMA-MIB", "ok", f"{master.conf} line 6: {MIB}.1.1.2.0 = 1") and
               "runs" not in report.items["SMA-MIB"].text, "all is well: snmpd gave the value of the node, and to whom",
               report.notes())
        tap.ok(not any(item.fixes for item in report.items.values()), "all is well: nothing to fix", report.notes())
        tap.equal(examine(master).output, report.output, "once more: the same, nothing is left behind")


def beside_a_daemon(tap, folder):
    with Master(folder) as master, checked(master) as daemon, snmp.Client(master.port) as client:
        wait_serving(client, daemon)
        report = examine(master)
        expect(tap, report, "ibsmad runs already", "AgentX", "ok", "accepts")
        expect(tap, report, "ibsmad runs already: its value is read", "SMA-MIB", "ok",
               f"{MIB}.1.1.2.0 = 1, from the ibsmad that is running")
        expect(tap, report, "ibsmad runs already: its health is read", "IBSMAD-MIB", "ok")
        tap.ok(agents.serves(client), "ibsmad runs already, and still serves")
        tap.equal([line for line in master.log_lines() if "registration" in line], [],
                  "ibsmad runs already: snmpd has nothing to complain of")
        daemon.stop()
        wait_for(lambda: not agents.serves(client), "the end of ibsmad")
        tap.ok(found(examine(master), "SMA-MIB", "ok", f"{MIB}.1.1.2.0 = 1"),
               "ibsmad runs no more: the check answers in its place", report.notes())


# ---- the node file ----


def node_file(tap, folder):
    master = Master(folder)
    broken = os.path.join(folder, "broken.conf")
    with open(broken, "w", encoding="ascii") as file:
        file.write("nodeType ca\nnumPorts many\n")
    report = examine(master, args=("-S", broken))
    expect(tap, report, "a wrong node file", "node file", "FAIL", "broken.conf: line 2",
           f"{broken}: the line as ibsmad-node(5)")
    tap.ok(report.items["SMA-MIB"].finding == "skip", "without a node nobody is asked", report.notes())
    expect(tap, examine(master, args=("-S", "/nonexistent")), "no node file", "node file", "FAIL",
           "/nonexistent", "/ibsmad/nodes/ca.conf /nonexistent")


# ---- AgentX ----


def no_master(tap, folder):
    master = Master(folder)
    report = examine(master)
    expect_failure(tap, report, "no snmpd", "AgentX", f"{master.agentx}: No such file or directory",
                   "systemctl restart snmpd")
    tap.ok("snmpd.conf" not in str(report.items["AgentX"].fixes), "no snmpd: its configuration is right",
           report.notes())
    tap.ok(found(report, "SMA-MIB", "skip", "AgentX"), "no snmpd: nobody is asked", report.notes())
    for what, line in (("", ""), (", and says so", "master off\n")):
        master.write(OPEN, HEAD.replace("master agentx\n", line))
        expect_failure(tap, examine(master), f"snmpd is no master agent{what}", "AgentX", "No such file",
                       f"{master.conf}: master agentx")
    master.write(OPEN, HEAD.replace("{agentx}", "tcp:127.0.0.1:705"))
    expect_failure(tap, examine(master), "snmpd is elsewhere", "AgentX", "No such file",
                   "ibsmad.conf: agentXSocket tcp:127.0.0.1:705")
    master.agentx = f"tcp:127.0.0.1:{agents.free_port(socket.SOCK_STREAM)}"
    expect_failure(tap, examine(master), "nobody listens", "AgentX", "Connection refused",
                   "ibsmad.conf: agentXSocket tcp:127.0.0.1:705")
    master.agentx = "tcp:"
    report = examine(master)
    tap.ok(report.status == 1 and "--agentx takes the path of a socket" in report.errors, "an address that is none is refused",
           report.notes())


def closed_socket(tap, folder):
    if os.geteuid() != 0:
        tap.skip("a socket of others", "not root")
        return
    with Master(folder) as master:
        os.chmod(master.socket, 0o600)
        nobody = pwd.getpwnam("nobody")
        report = examine(master, config="agentUser nobody\n")
        expect_failure(tap, report, "a socket that is closed to agentUser", "AgentX", "Permission denied",
                       f"{master.conf}: agentXPerms 0660 0755 root {grp.getgrgid(nobody.pw_gid).gr_name}")
        tap.ok(found(report, "rights", "ok", f"user id {nobody.pw_uid}"), "rights are given up as the daemon does",
               report.notes())
        tap.ok("chmod" not in report.output, "the folder is open already, and stays as it is", report.notes())


def closed_folder(tap, folder):
    """As Debian has it: snmpd leaves the mode of a folder that is there already."""
    if os.geteuid() != 0:
        tap.skip("a folder of others", "not root")
        return
    master = Master(folder)
    place = os.path.dirname(master.socket)
    os.mkdir(place, 0o700)
    fixes = [f"{master.conf}: agentXPerms 0660 0755 root {grp.getgrgid(pwd.getpwnam('nobody').pw_gid).gr_name}",
             f"chmod 0755 {place}", "systemctl restart snmpd"]
    with master:
        report = examine(master, config="agentUser nobody\n")
        expect_failure(tap, report, "a folder that is closed to agentUser", "AgentX", "Permission denied", "chmod")
        tap.equal(report.items["AgentX"].fixes, fixes, "a closed folder: the lines that fix it")
        os.chmod(place, 0o755)
        expect(tap, examine(master, config="agentUser nobody\n"), "a closed folder, fixed", "AgentX", "ok")


SERVICE_UID, SERVICE_GID = 61234, 61235
# Its own /etc/passwd and /etc/group, for one command.
WITH_USERS = 'mount --bind "$0/passwd" /etc/passwd && mount --bind "$0/group" /etc/group && exec "$@"'


class Beside(Daemon):
    """An ibsmad on a machine that has a user ibsmad, as packages make it."""

    def command(self):
        for name, line in (("passwd", f"ibsmad:x:{SERVICE_UID}:{SERVICE_GID}::/:/bin/false"),
                           ("group", f"ibsmad:x:{SERVICE_GID}:\nfriends:x:{SERVICE_GID + 1}:ibsmad")):
            with open(os.path.join("/etc", name), encoding="utf-8") as file:
                lines = [known for known in file if not known.startswith("ibsmad:")]
            with open(os.path.join(self.home, name), "w", encoding="utf-8") as file:
                file.write("".join(lines) + line + "\n")
        return ["unshare", "--mount", "sh", "-c", WITH_USERS, self.home, *super().command()]


def can_mount():
    return os.geteuid() == 0 and not subprocess.run(["unshare", "--mount", "true"], check=False,
                                                    capture_output=True).returncode


def service_user(tap, folder):
    """Root may use the socket; the service is not root."""
    if not can_mount():
        tap.skip("the user of the service", "no root, or no mounts")
        return
    closed = "closed to user ibsmad"
    with Master(folder) as master:
        place = os.path.dirname(master.socket)

        def judge(what, finding, fixes, config="", mode=0o660, folder_mode=0o755, owner=0, group=0):
            os.chown(master.socket, owner, group)
            os.chmod(master.socket, mode)
            os.chmod(place, folder_mode)
            beside = Beside(folder, master, args=("-S", os.path.join(NODES, "ca.conf")), config=config)
            report = checkup.run(beside, {"SNMPCONFPATH": master.home})
            expect(tap, report, f"the user of the service: {what}", "AgentX", finding,
                   closed if finding == "warn" else "accepts")
            tap.equal(report.items["AgentX"].fixes, fixes, f"the user of the service: {what}: what fixes it")

        perms, restart = f"{master.conf}: agentXPerms 0660 0755 root ibsmad", "systemctl restart snmpd"
        judge("the socket is root's", "warn", [perms, restart])
        judge("so is its folder", "warn", [perms, f"chmod 0755 {place}", restart], folder_mode=0o700)
        judge("the socket is its group's", "ok", [], group=SERVICE_GID)
        judge("the socket is another of its groups'", "ok", [], group=SERVICE_GID + 1)
        judge("the folder alone is closed", "warn", [perms, f"chmod 0755 {place}", restart], folder_mode=0o700,
              group=SERVICE_GID)
        judge("the socket is everybody's", "ok", [], mode=0o666)
        judge("the socket is its own, and closed", "warn", [perms, restart], mode=0o066, owner=SERVICE_UID)
        judge("agentUser is judged in its place", "ok", [], config="agentUser root\n")


def unknown_user(tap, folder):
    if os.geteuid() != 0:
        tap.skip("agentUser", "not root")
        return
    master = Master(folder)
    for config, text, fix in (("agentUser nosuchuser", "no such user", "useradd --system --no-create-home nosuchuser"),
                               ("agentGroup nosuchgroup", "no such group", "groupadd --system nosuchgroup")):
        report = examine(master, config=config + "\n")
        expect_failure(tap, report, config, "rights", text, fix)
        tap.ok(report.items["AgentX"].finding == "skip", f"{config}: snmpd is not connected", report.notes())
    report = examine(master, config="agentUser root\n", user=NOBODY)
    expect(tap, report, "who is not root cannot become another", "rights", "FAIL", "Operation not permitted",
           "start as root, or without them")


@contextlib.contextmanager
def stranger(master, answer, user=None):
    """Somebody who listens in place of snmpd, perhaps as another user, and does something with each connection."""
    os.makedirs(os.path.dirname(master.socket), exist_ok=True)
    held = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(master.socket)
        os.seteuid(user or os.geteuid())
        listener.listen()
        os.seteuid(os.getuid())

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    held.append(listener.accept()[0])
                    answer(held[-1])

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in held:
                connection.close()


def other_user(tap, folder):
    if os.geteuid() != 0:
        tap.skip("another user listens", "not root")
        return
    master = Master(folder)
    with stranger(master, lambda connection: None, NOBODY):
        report = examine(master)
        expect_failure(tap, report, "another user listens", "AgentX", f"agentXPeer {NOBODY}", "systemctl restart snmpd")
        report = examine(master, config=f"agentXPeer {NOBODY}\n")
        expect_failure(tap, report, "another user listens, who may", "AgentX", "it does not answer",
                       "systemctl restart snmpd")


def strangers(tap, folder):
    for what, answer, text in (
            ("it is silent", lambda connection: None, "it does not answer"),
            ("it hangs up", lambda connection: connection.shutdown(socket.SHUT_RDWR), "it closed the connection"),
            ("it speaks another language", lambda connection: connection.send(b"HTTP/1.0 400 Bad Request\r\n\r\n"),
             "what it sent is not AgentX")):
        master = Master(folder)
        with stranger(master, answer):
            expect_failure(tap, examine(master), f"whoever listens is no snmpd: {what}", "AgentX", text,
                           "systemctl restart snmpd")


# ---- what snmpd shows to whom ----

OWN_MIB = "1.3.6.1.4.1.8072.9999.9999.117"
SYSTEM = "1.3.6.1.2.1.1"
COM2SEC = "com2sec local 127.0.0.1 secret\ngroup readers v2c local\n"
ACCESS = 'access readers "" any noauth exact {} none none\n'
FEW = f"rocommunity public default -V few\nview few included .{MIB}\n"
HIDES = "hides " + MIB
OWN_COMMUNITY = "rocommunity COMMUNITY 127.0.0.1 -V ibsma"
NOT_HERE = "no community for this host"
VALUE = f"{MIB}.1.1.2.0 = 1"

# Configuration, finding for SMA-MIB, text, fix.
VIEWS = [
    ("Debian's", DEBIAN, "FAIL", HIDES, SHOW),
    ("Debian's, fixed", DEBIAN + SHOW + "\n", "ok", VALUE, None),
    ("nobody", "", "FAIL", "nobody read anything", f"view ibsma included .{MIB}"),
    ("a community without a view", "rocommunity public\n", "ok", VALUE, None),
    ("a community for others", "rocommunity public 192.0.2.0/24\n", "skip", NOT_HERE, "snmpget"),
    ("a community for IPv6", "rocommunity6 public\n", "skip", NOT_HERE, "snmpget"),
    ("a community by name of the host", "rocommunity public localhost\n", "ok", VALUE, None),
    ("a community with the MIB alone", f"rocommunity public default .{MIB}\n", "ok", VALUE, None),
    ("a community with another subtree", "rocommunity public default .1.3.6.1.2.1\n", "FAIL", HIDES, OWN_COMMUNITY),
    ("a community that may write", "rwcommunity secret 127.0.0.1\n", "ok", VALUE, None),
    ("a community of SNMPv1", "rocommunity -v 1 public\n", "skip", NOT_HERE, "snmpget"),
    ("a quoted community", 'rocommunity "two words" 127.0.0.1\n', "ok", VALUE, None),
    ("a typed community", "authcommunity read secret\n", "ok", VALUE, None),
    ("the second of two communities", FEW.replace(MIB, "1.3.6.1.2.1") + "rocommunity secret\n", "ok", "line 7", None),
    ("a user", f"rouser operator priv .{MIB}\n", "skip", NOT_HERE, "as a user"),
    ("com2sec, group, access", COM2SEC + ACCESS.format("all") + "view all included .1\n", "ok", VALUE, None),
    ("com2sec to another context", COM2SEC.replace("local", "-Cn other local", 1) +
     ACCESS.format("all").replace("exact", "prefix") + "view all included .1\n", "skip", NOT_HERE, None),
    ("com2sec, group, access to less", COM2SEC + ACCESS.format("few") + "view few included .1.3.6.1.2.1\n", "FAIL",
     HIDES, OWN_COMMUNITY),
    ("com2sec, group, access to none", COM2SEC + ACCESS.format("none"), "FAIL", "", "systemctl restart snmpd"),
    ("a community that is denied", "com2sec local !127.0.0.1 public\n", "skip", NOT_HERE, None),
    ("all but the MIB", f"view most included .1\nview most excluded .{MIB}\nrocommunity public default -V most\n",
     "FAIL", HIDES, OWN_COMMUNITY),
    ("all but a part of the MIB",
     f"view most included .1\nview most excluded .{MIB}.1.2\nrocommunity public default -V most\n",
     "warn", "only part", "exclude a part of it"),
    ("all but a key", f"view most included .1\nview most excluded .{MIB}.1.4.1\nrocommunity public default -V most\n",
     "ok", VALUE, None),
    ("a part of the MIB", f"view part included .{MIB}.1.1\nrocommunity public default -V part\n", "warn", "only part",
     f"view part included .{MIB}"),
    ("a mask", "view masked included .1.3.6.1.3.99.3 FB\nrocommunity public default -V masked\n", "ok", VALUE, None),
    ("a comment that hides it", f"view part included .{MIB} # the MIB\nrocommunity public default -V part\n", "FAIL",
     "", OWN_COMMUNITY),
    ("a file of a folder", "includeDir {home}/snmpd.conf.d\n", "ok", "extra.conf line 1", None),
    ("a file by its name", "includeFile snmpd.conf.d/extra.conf\n", "ok", "extra.conf line 1", None),
]


def views(tap, folder):
    for what, access, finding, text, fix in VIEWS:
        master = Master(folder, access)
        with open(os.path.join(master.home, "snmpd.conf.d", "extra.conf"), "w", encoding="ascii") as file:
            file.write("rocommunity public\n")
        if "snmpd.conf.d/extra.conf" not in access and access != "includeDir {home}/snmpd.conf.d\n":
            os.remove(os.path.join(master.home, "snmpd.conf.d", "extra.conf"))
        with master:
            report = examine(master)
        expect(tap, report, f"SMA-MIB: {what}", "SMA-MIB", finding, text, fix)
        tap.ok(not any(word in report.output for word in ("public", "secret", "two words")) and not report.errors,
               f"SMA-MIB: {what}: no community is shown, and nothing else said", report.notes())


# Configuration, finding for IBSMAD-MIB, fix, finding for the system group, fix.
MORE_VIEWS = [
    ("both are in the view", OPEN, "ok", None, "ok", None),
    ("both are in a view of their own", f"{FEW}view few included .{OWN_MIB}\nview few included .{SYSTEM}\n", "ok", None,
     "ok", None),
    ("neither is", FEW, "warn", f"view few included .{OWN_MIB}", "warn", f"view few included .{SYSTEM}"),
    ("where no view is named", f"rocommunity public default .{MIB}\n", "warn", f"view VIEW included .{OWN_MIB}", "warn",
     f"view VIEW included .{SYSTEM}"),
    ("SMA-MIB is not, either", DEBIAN, "skip", None, "skip", None),
]


def more_views(tap, folder):
    for what, access, own, own_fix, system, system_fix in MORE_VIEWS:
        with Master(folder, access) as master:
            report = examine(master)
        expect(tap, report, f"IBSMAD-MIB: {what}", "IBSMAD-MIB", own, fix=own_fix)
        expect(tap, report, f"system group: {what}", "system group", system, fix=system_fix)


def local_configuration(tap, folder):
    master = Master(folder, DEBIAN)
    with open(os.path.join(master.home, "snmpd.local.conf"), "w", encoding="ascii") as file:
        file.write("rocommunity another\n")
    expect(tap, examine(master), "snmpd.local.conf is read as well", "snmpd.conf", "ok", "lines with communities: 3")


# Lines, finding for snmpd.conf, text, fix.
LINES = [
    ("well", OPEN, "ok", "communities: 1, with users: 0", None),
    ("a user", OPEN + "rouser operator\n", "ok", "communities: 1, with users: 1", None),
    ("a second line of a community", "rocommunity public\nrocommunity public 127.0.0.1 .1\n", "warn", "has no effect",
     "line 6: another community than that of {conf} line 5"),
    ("a second line for another source", "rocommunity public 192.0.2.1\nrocommunity public 127.0.0.1\n", "ok", "", None),
    ("a line of a folder", DEBIAN + "rocommunity public 127.0.0.1 -V systemonly\n", "warn", "has no effect",
     "line 11: another community than that of {conf} line 7"),
    ("a comment behind a view", OPEN + "view most included .1.3.6.1.2 # more\n", "warn",
     "in place of a mask: {conf} line 7: view ... # more", "# more: the comment on a line of its own"),
    ("a comment behind a community, which snmpd takes for one", "rocommunity public # all\n", "ok", "", None),
    ("a file that is not there", OPEN + "includeFile nowhere.conf\n", "warn", "nowhere.conf", None),
]


def lines(tap, folder):
    for what, text, finding, words, fix in LINES:
        master = Master(folder, text)
        report = examine(master)
        expect(tap, report, f"snmpd.conf: {what}", "snmpd.conf", finding, words.format(conf=master.conf),
               fix and fix.format(conf=master.conf))
        tap.equal(report.errors, "", f"snmpd.conf: {what}: nothing on standard error")


def shadowed(tap, folder):
    """A community that Debian's configuration has already, and one of its own in its place."""
    view = f"view ibsma included .{MIB}\n"
    with Master(folder, DEBIAN + view + "rocommunity public 127.0.0.1 -V ibsma\n") as master:
        report = examine(master)
    tap.ok(found(report, "snmpd.conf", "warn", "no effect") and found(report, "SMA-MIB", "FAIL", HIDES),
           "a community of Debian's: the line has no effect", report.notes())
    line = next(fix for fix in report.items["SMA-MIB"].fixes if OWN_COMMUNITY in fix)
    line = line.removeprefix(f"{master.conf}: ").partition("    (")[0].replace("COMMUNITY", "another")
    with Master(folder, DEBIAN + view + line + "\n") as master:
        report = examine(master)
    expect(tap, report, "a community of its own: the line that is printed fixes it", "SMA-MIB", "ok", "line 12")


def installed_file(tap, folder):
    """The file that comes with ibsmad is there, but snmpd does not read it: Fedora's snmpd.conf includes none."""
    master = Master(folder, "rocommunity public default .1.3.6.1.2.1\n")
    place = os.path.join(master.home, "snmpd.conf.d")
    with open(os.path.join(place, "ibsmad.conf"), "w", encoding="ascii") as file:
        file.write(f"view ibsma included .{MIB}\n")
    with master:
        report = examine(master)
    expect_failure(tap, report, "a file that is not included", "SMA-MIB", HIDES, f"{master.conf}: includeDir {place}")
    tap.ok("view ibsma" not in report.output, "a file that is not included: its lines need no other place", report.notes())


def no_configuration(tap, folder):
    with Master(folder) as master:
        with tempfile.TemporaryDirectory() as empty:
            report = examine(master, conf=empty)
        expect_failure(tap, report, "no snmpd.conf", "snmpd.conf", "there is no snmpd.conf", "SNMPCONFPATH=DIRECTORY")
        tap.equal(report.findings("skip"), ["notifications", "SMA-MIB", "IBSMAD-MIB", "system group"],
                  "no snmpd.conf: what needs it is skipped")
        if os.geteuid() != 0:
            tap.skip("an unreadable snmpd.conf", "not root")
            return
        os.chmod(master.conf, 0o600)
        report = examine(master, user=NOBODY)
        expect_failure(tap, report, "snmpd.conf is not for everybody", "snmpd.conf",
                       f"{master.conf} cannot be read: Permission denied", "as root")


def another_machine(tap, folder):
    master = Master(folder)
    master.agentx = f"tcp:0.0.0.0:{agents.free_port(socket.SOCK_STREAM)}"
    report = examine(master)
    expect(tap, report, "snmpd of another machine", "snmpd.conf", "skip", "on another machine")
    tap.equal(report.findings("skip"), ["snmpd.conf", "notifications", "SMA-MIB", "IBSMAD-MIB", "system group"],
              "snmpd of another machine: what is said there is not known")


WITHOUT_SNMPD = "for at in /usr/sbin/snmpd /usr/local/sbin/snmpd /sbin/snmpd; do "\
    '[ ! -e $at ] || mount --bind /dev/null $at; done; exec "$@"'


class Alone(Daemon):
    """An ibsmad on a machine without snmpd."""

    def command(self):
        return ["unshare", "--mount", "sh", "-c", WITHOUT_SNMPD, "sh", *super().command()]


def no_snmpd(tap, folder):
    if not can_mount():
        tap.skip("snmpd is not installed", "no root, or no mounts")
        return
    alone = Alone(folder, Master(folder), args=("-S", os.path.join(NODES, "ca.conf")))
    with tempfile.TemporaryDirectory() as empty:
        report = checkup.run(alone, {"SNMPCONFPATH": empty})
    expect_failure(tap, report, "snmpd is not installed: the package is named", "AgentX", "snmpd is not installed",
                   "apt-get install snmpd")
    tap.ok(found(report, "snmpd.conf", "skip", "not installed"), "snmpd is not installed: nor is it configured",
           report.notes())


# ---- where notifications go ----

# Lines, finding, text, fix.
SINKS = [
    ("none", "", "warn", "go nowhere", "trap2sink HOST COMMUNITY"),
    ("in a comment", "# trap2sink 192.0.2.1 public\n", "warn", "go nowhere", "trap2sink HOST COMMUNITY"),
    ("trapsink", "trapsink 192.0.2.1 secret\n", "ok", "receivers: 1", None),
    ("trap2sink", "trap2sink 192.0.2.1\n", "ok", "receivers: 1", None),
    ("informsink, with a port", "informsink 192.0.2.1 secret 1162\n", "ok", "receivers: 1", None),
    ("trapsess", "trapsess -v2c -c secret 192.0.2.1\n", "ok", "receivers: 1", None),
    ("options", "trap2sink -name one -tag two 192.0.2.1 secret\n", "ok", "receivers: 1", None),
    ("two", "trap2sink 192.0.2.1 secret\ninformsink 192.0.2.2 secret\n", "ok", "receivers: 2", None),
    ("of a folder", "includeDir {home}/snmpd.conf.d\n", "ok", "receivers: 1", None),
    ("a comment behind it", "trap2sink 192.0.2.1 secret   # SNMPv2c\n", "warn", "trap2sink ... # SNMPv2c",
     "a line of its own"),
    ("a comment behind a port", "trapsink 192.0.2.1 secret 162 # SNMPv1\n", "warn", "trapsink ... # SNMPv1",
     "a line of its own"),
    ("a comment for a community", "informsink 192.0.2.1 # informs\n", "warn", "informsink ... # informs",
     "a line of its own"),
    ("a comment behind trapsess, which snmpd takes for one", "trapsess -v2c -c secret 192.0.2.1 # b\n", "ok",
     "receivers: 1", None),
    ("a word for a port", "trap2sink 192.0.2.1 secret udp\n", "warn", "trap2sink ... udp", "host and community only"),
    ("too many words", "trap2sink 192.0.2.1 secret 162 udp\n", "warn", "trap2sink ... udp", "host and community only"),
    ("a second one has too much", "trap2sink 192.0.2.1 secret\ntrapsink 192.0.2.1 secret #b\n", "warn",
     "trapsink ... #b", "a line of its own"),
    ("a community that begins like a comment", "trap2sink 192.0.2.1 #secret\n", "ok", "receivers: 1", None),
]


def sinks(tap, folder):
    for what, lines, finding, text, fix in SINKS:
        master = Master(folder, OPEN + lines)
        if lines.startswith("include"):
            with open(os.path.join(master.home, "snmpd.conf.d", "extra.conf"), "w", encoding="ascii") as file:
                file.write("trap2sink 192.0.2.1 secret\n")
        report = examine(master)
        expect(tap, report, f"notifications: {what}", "notifications", finding, text, fix and master.conf)
        tap.ok((fix is None or fix in str(report.items["notifications"].fixes)) and "secret" not in report.output and
               not report.errors, f"notifications: {what}: how to fix it, and no community", report.notes())
        stray = "..." in text
        tap.equal(f"{master.conf} line 7: " in report.output or f"{master.conf} line 8: " in report.output, stray,
                  f"notifications: {what}: whether the line is named")
    report = examine(Master(folder, OPEN), config="notify off\n")
    expect(tap, report, "notifications: notify off", "notifications", "ok", "off")
    tap.equal(report.items["notifications"].fixes, [], "notifications: notify off: nothing to fix")


# ---- asking ----


def fixed(tap, folder):
    """Debian's configuration, then with a line that was printed."""
    with Master(folder, DEBIAN) as master:
        report = examine(master)
        expect_failure(tap, report, "Debian's snmpd", "SMA-MIB", HIDES, SHOW)
        fix = next(line for line in report.items["SMA-MIB"].fixes if SHOW in line).removeprefix(f"{master.conf}: ")
        master.write(DEBIAN + fix + "\n")
        expect_failure(tap, examine(master), "the line is there, but snmpd not restarted", "SMA-MIB", HIDES,
                       "systemctl restart snmpd")
        master.stop()
        master.start()
        report = examine(master)
        expect(tap, report, "Debian's snmpd, fixed", "SMA-MIB", "ok", VALUE)
        tap.ok(report.status == 0 and report.conclusion == READABLE, "Debian's snmpd, fixed: exit status 0",
               report.notes())


def unanswered(tap, folder):
    with Master(folder) as master:
        master.write(OPEN.replace("public", "another"))
        expect_failure(tap, examine(master), "snmpd does not know the community yet", "SMA-MIB", "no answer",
                       "systemctl restart snmpd")
        master.write(OPEN, HEAD.replace("udp:", "tcp:"))
        report = examine(master)
        tap.ok(found(report, "SMA-MIB", "skip", "UDP") and report.status == 0 and NOT_TRIED in report.conclusion,
               "snmpd that listens on TCP only is not asked", report.notes())


AUTHORIZATION_ERROR = 16


def refusal(request):
    version, community, (_, pdu) = snmp.elements(snmp.parse(request)[1])
    (_, serial), _, _, (_, bindings) = snmp.elements(pdu)
    body = snmp.tlv(0x02, serial) + snmp.integer(AUTHORIZATION_ERROR) + snmp.integer(1) + snmp.tlv(0x30, bindings)
    return snmp.tlv(0x30, snmp.tlv(*version) + snmp.tlv(*community) + snmp.tlv(snmp.RESPONSE, body))


@contextlib.contextmanager
def refuser(port):
    """An SNMP agent that answers each request with authorizationError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as agent:
        agent.bind(("127.0.0.1", port))

        def serve():
            with contextlib.suppress(OSError):
                while (request := agent.recvfrom(65536))[0]:
                    agent.sendto(refusal(request[0]), request[1])

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
                end.sendto(b"", ("127.0.0.1", port))
            thread.join()


def refused(tap, folder):
    with Master(folder) as master:
        port = agents.free_port()
        with refuser(port):
            master.write(OPEN, HEAD.replace("{port}", str(port)))
            report = examine(master)
    expect_failure(tap, report, "an agent that refuses", "SMA-MIB", "authorizationError", "systemctl restart snmpd")


# ---- names ----

NAMES = [
    ("nothing", "mibdirs {empty}\n", "warn", "SMA-MIB is not in", "/etc/snmp/snmp.conf: mibs SMA-MIB"),
    ("without the modules it needs", f"mibdirs {MIBS}\n", "warn", "module SNMPv2-SMI",
     "/etc/snmp/snmp.conf: mibdirs +"),
    ("with them", f"mibdirs {MIBS}:{MIBS}/base\n", "ok", "-m SMA-MIB", None),
    ("added to the default", f"mibdirs +{MIBS}:{MIBS}/base\n", "ok", "-m SMA-MIB", None),
    ("loaded", GOOD_NAMES, "ok", "or without", None),
    ("loaded, and then not", GOOD_NAMES + "mibs :\n", "ok", "-m SMA-MIB", None),
]


def names(tap, folder):
    master = Master(folder)
    for what, text, finding, words, fix in NAMES:
        write_names(master, text.format(empty=os.path.join(master.home, "snmpd.conf.d")))
        report = examine(master)
        tap.ok(found(report, "MIB names", finding, words, fix) and not report.errors and
               ("or without" in report.items["MIB names"].text) == (words == "or without"),
               f"MIB names: {what}", report.notes())
    write_names(master, NAMES[0][1].format(empty=os.path.join(master.home, "snmpd.conf.d")))
    line = examine(master).items["MIB names"].fixes[0].removeprefix("/etc/snmp/snmp.conf: ")
    places = line.removeprefix("mibdirs +").split(":")
    tap.ok(len(places) == 2 and places[0].endswith("/snmp/mibs") and places[1].endswith("/ibsmad/mibs"),
           "MIB names: the line names both folders of this project", [line])
    write_names(master, line.replace(places[0], MIBS).replace(places[1], f"{MIBS}/base") + "\n")
    tap.equal(examine(master).items["MIB names"].finding, "ok", "MIB names: the line fixes it")


CASES = (all_good, beside_a_daemon, node_file, no_master, no_snmpd, closed_socket, closed_folder, service_user,
         unknown_user, other_user, strangers, views, more_views, lines, shadowed, installed_file, local_configuration,
         sinks, no_configuration, another_machine, fixed, unanswered, refused, names)

if __name__ == "__main__":
    checkup.main(CASES)
