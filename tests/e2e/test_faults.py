#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Lost SMPs, an SM that comes and goes, snmpd that is away, users without rights, and mistakes of the operator."""

import contextlib
import os
import re
import signal
import subprocess
import threading
import time

import bed
import netfiles
import oracle
import snmp
from agents import PROBE, Daemon, Snmpd, daemon_binary, serves, stack, wait_serving
from bed import wait_for
from oracle import OBJECTS, ROOT
from tap import Tap, require_daemon

PING_SECONDS = 2
PING = f"agentXPingInterval {PING_SECONDS}\n"
CACHE_SECONDS = 2
# Beside a period there is the time that a request may take.
SOON = 20
NOBODY = 65534


def tree_of(fabric, host):
    with fabric.reader(host) as reader:
        return oracle.expected_tree(reader)


def part(rows, *arcs):
    return oracle.within(rows, *(ROOT + arc for arc in arcs))


def without(rows, *arcs):
    gone = set(part(rows, *arcs))
    return [row for row in rows if row not in gone]


def log_about(agent, *words):
    return [line for line in agent.daemon.log_lines() if all(word in line for word in words)]


# Lost and refused SMPs.

LOSS_PERCENT = 30
# In the SL to VL mappings of S-sw1, for longer than a request is waited for.
STOP_AT, STOP_SECONDS = 8000, 0.9
# So many tries that what is there is found for certain, in the time that a request has.
STUBBORN = "smpTimeout 50\nsmpRetries 11\n"


def lossy(tap, fabric, host, port):
    wanted = tree_of(fabric, host)
    fabric.lose(host, port, LOSS_PERCENT)
    try:
        with stack(fabric, host, config=STUBBORN) as agent:
            start = time.monotonic()
            rows = agent.client.patient_walk(ROOT)
            spent = time.monotonic() - start
            wrong = oracle.differences(rows, wanted)
        tap.ok(not wrong, f"{host}: {LOSS_PERCENT} % of the SMPs lost, {len(wanted)} instances in {spent:.1f} s",
               [f"{len(wrong)} differences", *wrong[:20]])
    finally:
        fabric.lose(host, port, 0)


P_KEYS, PORT_INFOS = (1, 6), ((1, 4), (1, 5))


def one_attribute_lost(tap, fabric, host):
    wanted = tree_of(fabric, host)
    fabric.lose(host, 0, 100, oracle.PKEY_TABLE)
    with stack(fabric, host, config=f"cacheTime pkey {CACHE_SECONDS}\n") as agent:
        for _ in range(2):
            rows = agent.client.walk(ROOT)
        tap.equal(oracle.differences(rows, without(wanted, P_KEYS))[:20], [],
                  f"{host}: without P_KeyTable only its objects are missing")
        tap.equal(len(log_about(agent, "P_KeyTable")), 1, f"{host}: the log says so once")
        fabric.lose(host, 0, 0)
        wait_for(lambda: part(agent.client.walk(ROOT + P_KEYS), P_KEYS) == part(wanted, P_KEYS),
                 "the P_Keys", CACHE_SECONDS + SOON, 0.2)
        tap.equal(oracle.differences(agent.client.walk(ROOT), wanted)[:20], [],
                  f"{host}: all there within a cache period after it is cleared")
        tap.equal(len(log_about(agent, "P_KeyTable")), 2, f"{host}: the log says so once more")


def port_info_lost(tap, fabric, host):
    wanted = tree_of(fabric, host)
    fabric.lose(host, 0, 100, oracle.PORT_INFO)
    with stack(fabric, host, config=f"cacheTime port {CACHE_SECONDS}\n") as agent:
        rows = agent.client.walk(ROOT)
        tap.equal(part(rows, *PORT_INFOS), [], f"{host}: without PortInfo none of its objects, and no zeros")
        others = ((1, 1), (1, 2), P_KEYS, (1, 9), (1, 11))
        tap.equal(oracle.differences(part(rows, *others), part(wanted, *others))[:20], [],
                  f"{host}: NodeInfo, SwitchInfo and the tables without PortInfo are right")
        fabric.lose(host, 0, 0)
        wait_for(lambda: agent.client.walk(ROOT + (1, 5)) == part(wanted, (1, 5)), "PortInfo",
                 CACHE_SECONDS + SOON, 0.2)
        tap.equal(oracle.differences(agent.client.walk(ROOT), wanted)[:20], [],
                  f"{host}: full again within a cache period")


# The SM.

SM_ROW = {"ibSmaSmGuid": b"\0\0\0\0\0\x10\0\x01", "ibSmaSmSmKey": bytes(8), "ibSmaSmPriority": 0, "ibSmaSmState": 5}


def sm_row(agent):
    names = [OBJECTS[name].oid + (1,) for name in SM_ROW]
    return dict(zip(SM_ROW, (row.value for row in agent.client.get(*names))))


def manager_comes_and_goes(tap, fabric):
    config = f"cacheTime port {CACHE_SECONDS}\ncacheTime sm {CACHE_SECONDS}\n"
    with stack(fabric, "H-ca1", config=config) as agent:
        tap.equal(agent.client.walk(ROOT + (1, 12)), [], "no SM: ibSmaSmInfoTable is empty")
        with bed.OpenSM(fabric, "H-ca1"):
            wait_for(lambda: agent.client.walk(ROOT + (1, 12)), "a row", CACHE_SECONDS + SOON, 0.2)
            tap.equal(sm_row(agent), SM_ROW, "opensm on the node: its row, the key hidden")
            flag = agent.client.get(OBJECTS["ibSmaPortIsSubnetManager"].oid + (0,))[0]
            tap.equal(flag.value, 1, "opensm on the node: IsSubnetManager")
        wait_for(lambda: not agent.client.walk(ROOT + (1, 12)), "the end of the row", CACHE_SECONDS + SOON, 0.2)
        tap.ok(True, "opensm ended: the row is gone")


def exposed_keys(tap, fabric):
    with bed.OpenSM(fabric, "H-ca1"):
        with stack(fabric, "H-ca1", config="exposeKeys yes\n") as agent:
            tap.equal(sm_row(agent)["ibSmaSmSmKey"], bytes(7) + b"\x01", "exposeKeys yes shows opensm's SM_Key")


# snmpd.

def snmpd_late_and_restarted(tap, fabric):
    snmpd = Snmpd(fabric.folder)
    with Daemon(fabric.folder, snmpd, fabric, "H-ca1", config=PING) as daemon, snmp.Client(snmpd.port) as client:
        with contextlib.suppress(bed.NotInTime):
            wait_for(lambda: not daemon.running(), "its end", limit=3 * PING_SECONDS)
        tap.ok(daemon.running(), "without snmpd the daemon stays", daemon.log_lines())
        lines = [line for line in daemon.log_lines() if snmpd.socket in line]
        tap.ok(len(lines) == 1, "and says once what it waits for", daemon.log_lines())
        for when in ("started after the daemon", "restarted"):
            with snmpd:
                wait_for(lambda: serves(client), f"snmpd {when}")
                tap.ok(daemon.running(), f"snmpd {when}: served without help")


def closed_socket(tap, fabric):
    what = "a socket without rights"
    if os.geteuid() != 0 or not bed.find_tool("setpriv"):
        tap.skip(what, "needs root and setpriv")
        return
    with (Snmpd(fabric.folder, perms="0660 0700") as snmpd,
          Daemon(fabric.folder, snmpd, fabric, "H-ca1", config=PING, user=NOBODY) as daemon,
          snmp.Client(snmpd.port) as client):
        daemon.wait_log("Permission denied")
        lines = [line for line in daemon.log_lines() if "Permission denied" in line]
        tap.ok(len(lines) == 1 and snmpd.socket in lines[0], f"{what}: one line with name and reason", lines)
        os.chmod(snmpd.socket, 0o666)
        os.chmod(os.path.dirname(snmpd.socket), 0o755)
        wait_for(lambda: serves(client), "service after chmod", PING_SECONDS + SOON)
        tap.ok(daemon.running(), f"{what}: connects when it may")


def tcp_and_version_3(tap, fabric):
    with stack(fabric, "H-ca1", tcp=True) as agent:
        tap.ok(agent.snmpd.agentx.startswith("tcp:"), f"AgentX over {agent.snmpd.agentx.split(':')[0]}")
        secret = snmp.tool_get(agent.snmpd.port, PROBE, access=snmp.V3)
        tap.equal(secret, agent.client.get(PROBE), "an SNMPv3 user, authenticated and encrypted, reads the same")


# The process.

INHERITED = 1100


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def many_descriptors(tap, fabric):
    what = f"{INHERITED} inherited descriptors"
    if not bed.may_open(bed.OPEN_FILES):
        tap.skip(what, f"no right to open {bed.OPEN_FILES} files")
        return
    with (Snmpd(fabric.folder) as snmpd,
          Daemon(fabric.folder, snmpd, fabric, "H-ca1", inherited=INHERITED) as daemon,
          snmp.Client(snmpd.port) as client):
        wait_serving(client, daemon)
        before = cpu_seconds(daemon.process.pid)
        time.sleep(1)
        spent = cpu_seconds(daemon.process.pid) - before
        tap.ok(serves(client), what)
        tap.ok(spent < 0.2, f"{what}: {spent:.2f} s of processor time in an idle second")


def clean_end(tap, fabric):
    with stack(fabric, "H-ca1") as agent:
        agent.client.walk(ROOT)
        start = time.monotonic()
        status = agent.daemon.stop()
        spent = time.monotonic() - start
        tap.equal(status, 0, f"SIGTERM: exit status 0 in {spent:.1f} s")
        tap.equal([name for name in os.listdir(agent.daemon.home) if name.startswith("sys-")], [],
                  "SIGTERM: QP0 is given back")
        tap.equal([row for row in agent.client.get(PROBE) if row.value is not None], [],
                  "SIGTERM: snmpd no longer has the objects")


# Mistakes.  Arguments, configuration, and what the log must hold.

WRONG_ARGUMENTS = [
    (["--nonsense"], "", r"nonsense"),
    (["-Z"], "", r"Z"),
    (["-t", "soon"], "", r"soon"),
    (["-r", "-1"], "", r"-1"),
    (["-P", "many"], "", r"many"),
    (["-P", "9"], "", r"\b9\b"),
    (["-C", "mlx5_7"], "", r"mlx5_7.*ibsim0|ibsim0.*mlx5_7"),
]
WRONG_CONFIGURATION = [
    ([], "# a remark\n\nfrobnicate yes\n", r"ibsmad\.conf: line 3\b.*frobnicate"),
    ([], "smpTimeout soon\n", r"ibsmad\.conf: line 1\b.*(smpTimeout|soon)"),
    ([], "\nsmpRetries -1\n", r"ibsmad\.conf: line 2\b.*(smpRetries|-1)"),
    ([], "smpWindow 0\n", r"ibsmad\.conf: line 1\b.*(smpWindow|0)"),
    ([], "cacheTime everything 5\n", r"ibsmad\.conf: line 1\b.*(cacheTime|everything)"),
    ([], "cacheTime port\n", r"ibsmad\.conf: line 1\b.*cacheTime"),
    ([], "exposeKeys perhaps\n", r"ibsmad\.conf: line 1\b.*(exposeKeys|perhaps)"),
    ([], "port many\n", r"ibsmad\.conf: line 1\b.*(port|many)"),
]


def wrong_argument(tap, fabric, arguments, config, pattern):
    status, log = Daemon(fabric.folder, Snmpd(fabric.folder), fabric, "H-ca1", arguments, config).run()
    tap.ok(status != 0 and re.search(pattern, log), f"{' '.join(arguments)}: a message, and an exit status",
           [f"status {status}", log])


def wrong_configuration(tap, fabric, arguments, config, pattern):
    with Daemon(fabric.folder, Snmpd(fabric.folder), fabric, "H-ca1", arguments, config) as daemon:
        with contextlib.suppress(bed.NotInTime):
            wait_for(lambda: re.search(pattern, daemon.log()) or not daemon.running(), "a message")
        lines = [line for line in daemon.log_lines() if re.search(pattern, line)]
        tap.equal(len(lines), 1, f"'{config.splitlines()[-1]}': one line with file and line number")
        tap.note(daemon.log_lines() if len(lines) != 1 else ())


def search_path(tap, folder):
    """Without -c: ibsmad.conf in the folders of Net-SNMP's search path, and nobody else's file."""
    first, second = os.path.join(folder, "first"), os.path.join(folder, "second")
    for path, name, text in ((first, "snmp.conf", "nonsense 1\n"), (second, "ibsmad.conf", "\nsmpWindow many\n")):
        os.mkdir(path)
        with open(os.path.join(path, name), "w", encoding="ascii") as file:
            file.write(text)
    done = subprocess.run([daemon_binary(), "-f", "-Le"], env=os.environ | {"SNMPCONFPATH": f"{first}:{second}"},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20, check=False)
    tap.ok(done.returncode == 1 and "second/ibsmad.conf: line 2" in done.stdout and "nonsense" not in done.stdout,
           "ibsmad.conf is found on the search path", [done.stdout])


SYS_OR_ID = snmp.oid("1.3.6.1.2.1.1.9.1.2")
IB_SMA_MIB = snmp.oid("1.3.6.1.3.117.3")


def announced(tap, fabric):
    """The announcements follow the registrations, which are answered from already."""
    with stack(fabric, "H-ca1") as agent:
        def modules():
            return [binding.value for binding in agent.client.walk(SYS_OR_ID)]
        wait_for(lambda: IB_SMA_MIB in modules(), "the MIB in sysORTable")
        tap.ok(IB_SMA_MIB in modules(), "the MIB is announced in sysORTable", modules())


def no_device(tap, folder):
    what = "no InfiniBand device"
    if os.path.isdir("/sys/class/infiniband") and os.listdir("/sys/class/infiniband"):
        tap.skip(what, "there is one")
        return
    status, log = Daemon(folder, Snmpd(folder)).run()
    tap.ok(status not in (0, None) and "InfiniBand" in log, f"{what}: a message, and exit status {status}", [log])


OPTIONS = ("--ca", "--port", "--agentx", "--config", "--foreground", "--debug", "--timeout", "--retries",
           "--check")


def help_and_version(tap, folder):
    status, log = Daemon(folder, args=["-h"]).run()
    tap.ok(status == 0 and all(option in log for option in OPTIONS), "-h names the options", [log])
    status, log = Daemon(folder, args=["-V"]).run()
    tap.ok(status == 0 and "ibsmad" in log, "-V", [log])


def walk_stopped(agent, process):
    """A walk in which a process stands still for a while: (rows, status, complaint)."""
    argv = [bed.find_tool("snmpwalk"), *snmp.V2C, "-On", f"127.0.0.1:{agent.snmpd.port}", snmp.text(ROOT)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=os.environ | {"MIBS": ""}) as walk:
        rows = [walk.stdout.readline() for _ in range(STOP_AT)]
        os.kill(process.pid, signal.SIGSTOP)
        threading.Timer(STOP_SECONDS, os.kill, (process.pid, signal.SIGCONT)).start()
        rows += walk.stdout.readlines()
        # A long value goes on in further lines.
        return sum(row.startswith(".") for row in rows), walk.wait(), walk.stderr.read()


def stopped(tap, fabric, name, process_of, config=""):
    """A walk never ends well with rows missing."""
    with stack(fabric, "S-sw1", config="notify off\n" + config) as agent:
        rows, status, complaint = walk_stopped(agent, process_of(agent))
        wanted = len(agent.client.patient_walk(ROOT))
        tap.ok(rows == wanted if status == 0 else "genError" in complaint or "Timeout" in complaint,
               f"{name} stopped in a walk: all rows, or an error", [rows, wanted, status, complaint])
        tap.equal(oracle.differences(agent.client.walk(ROOT), tree_of(fabric, "S-sw1"))[:20], [],
                  f"{name} stopped in a walk: the next one is complete")


def simulator_stopped(tap, fabric):
    stopped(tap, fabric, "the SMA", lambda _: fabric.process)


def daemon_stopped(tap, fabric):
    stopped(tap, fabric, "ibsmad", lambda agent: agent.daemon.process, "smpWindow 1\n")


ON_T1 = (simulator_stopped, daemon_stopped, announced, manager_comes_and_goes, exposed_keys, snmpd_late_and_restarted,
         closed_socket, tcp_and_version_3, many_descriptors, clean_end)


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder:
        tap.case(help_and_version, folder)
        tap.case(no_device, folder)
        tap.case(search_path, folder)
        with bed.Fabric(netfiles.F36, folder) as fabric:
            for host, port in (("F-ca1", 1), ("F-sw2", 0), ("F-sw1", 0)):
                tap.case(lossy, fabric, host, port)
            for check in (one_attribute_lost, port_info_lost):
                tap.case(check, fabric, "F-sw2")
        with bed.Fabric(netfiles.t1(), folder) as fabric:
            for check in ON_T1:
                tap.case(check, fabric)
            for entry in WRONG_ARGUMENTS:
                tap.case(wrong_argument, fabric, *entry)
            for entry in WRONG_CONFIGURATION:
                tap.case(wrong_configuration, fabric, *entry)
    tap.done()


if __name__ == "__main__":
    main()
