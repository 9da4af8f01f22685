# SPDX-License-Identifier: BSD-2-Clause
"""The SNMP side of the test bed: snmpd, ibsmad, and both on a node of a fabric."""

import contextlib
import os
import random
import shutil
import socket
import subprocess
import tempfile
from typing import NamedTuple

import snmp
from bed import HERE, LIMIT, Child, Wire, find_tool, private_name, wait_for

# ibSmaNodeBaseVersion.0
PROBE = snmp.oid("1.3.6.1.3.117.3.1.1.2.0")


def daemon_binary():
    build = os.environ.get("top_builddir") or os.path.join(HERE, "..", "..")
    return os.path.abspath(os.environ.get("IBSMAD") or os.path.join(build, "ibsmad"))


# In a random order, and each once: the server that is to have the first may not listen yet.
_ports = iter(random.sample(range(20000, 32768), 12768))


def free_port(kind=socket.SOCK_DGRAM):
    """Below those that the system gives to any client, which could have it while its server is away."""
    for port in _ports:
        with socket.socket(socket.AF_INET, kind) as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("no port is free")


def copied(path, folder):
    """For another user: the tree may be in a home that is closed to others."""
    return shutil.copy(path, folder)


SNMPD_CONF = """\
agentaddress udp:127.0.0.1:{port}
master agentx
agentXSocket {agentx}
agentXPerms {perms}
createUser {user} SHA {auth} AES {priv}
view everything included .1.3.6.1
rocommunity {community} 127.0.0.1 -V everything
rouser {user} priv -V everything
{extra}
"""


def _private(home):
    """No names, no configuration and no memory but those in the folder.

    What an agent remembers has the name of its configuration, so the folder differs.
    """
    return {"MIBS": "", "SNMP_PERSISTENT_DIR": os.path.join(home, "memory"), "SNMPCONFPATH": home}


private_env = _private


def _as_user(user):
    """What a command line begins with that is to run as another user."""
    return [find_tool("setpriv"), f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []


class Snmpd(Child):
    """A master agent; may be stopped and started again on the same addresses."""

    def __init__(self, folder, tcp=False, perms="0777 0755", extra="", user=None):
        super().__init__(folder, "snmpd")
        self.user = user
        self.home = tempfile.mkdtemp(prefix="snmpd-", dir=folder)
        os.chmod(self.home, 0o755)
        self.port = free_port()
        self.socket = os.path.join(self.home, "agentx", "master")
        self.agentx = f"tcp:127.0.0.1:{free_port(socket.SOCK_STREAM)}" if tcp else self.socket
        self.conf = os.path.join(self.home, "snmpd.conf")
        with open(self.conf, "w", encoding="ascii") as file:
            file.write(SNMPD_CONF.format(port=self.port, agentx=self.agentx, perms=perms, community=snmp.COMMUNITY,
                                         user=snmp.V3_USER, auth=snmp.V3_AUTH, priv=snmp.V3_PRIV, extra=extra))

    def start(self):
        # smux would listen on a fixed port.
        self.spawn([*_as_user(self.user), find_tool("snmpd"), "-f", "-Lo", "-C", "-c", self.conf, "-I", "-smux"],
                   _private(self.home))
        self.wait_log("NET-SNMP version")


def _sanitizer_library(binary):
    """A sanitizer's run-time library must come before every other preloaded one."""
    linked = subprocess.run(["ldd", binary], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            text=True, check=False).stdout
    return [line.split()[2] for line in linked.splitlines() if "libasan" in line and "=>" in line]


def _sanitizer_options(home):
    """The simulator's library copies more than it was given with every MAD that it hands over."""
    suppressions = os.path.join(home, "asan.supp")
    with open(suppressions, "w", encoding="ascii") as file:
        file.write("interceptor_via_lib:libumad2sim.so\n")
    return ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), f"suppressions={suppressions}")))


class Daemon(Child):
    """ibsmad beside an snmpd, on a node of a fabric, or on none."""

    def __init__(self, folder, snmpd=None, fabric=None, host=None, args=(), config="", user=None, **spawn_options):
        super().__init__(folder, "ibsmad")
        self.snmpd, self.fabric, self.host = snmpd, fabric, host
        self.args, self.user, self.spawn_options = list(args), user, spawn_options
        self.home = tempfile.mkdtemp(prefix="ibsmad-", dir=folder)
        os.chmod(self.home, 0o777)
        self.conf = os.path.join(self.home, "ibsmad.conf")
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write(config)

    def binary(self):
        return copied(daemon_binary(), self.home) if self.user else daemon_binary()

    def command(self):
        address = ["-x", self.snmpd.agentx] if self.snmpd else []
        return [*_as_user(self.user), self.binary(), "-f", "-Le", *address, "-c", self.conf, *self.args]

    def env(self):
        env = _private(self.home)
        if not self.fabric:
            return env
        env |= self.fabric.client_env(self.host)
        preload = [*_sanitizer_library(daemon_binary()), env["LD_PRELOAD"]]
        return env | {"LD_PRELOAD": " ".join(preload), "ASAN_OPTIONS": _sanitizer_options(self.home)}

    def start(self):
        self.spawn(self.command(), self.env(), **({"cwd": self.home} | self.spawn_options))

    def run(self, limit=LIMIT):
        """For a start that is to fail: (exit status, log)."""
        self.start()
        try:
            return self.wait_end(limit), self.log()
        finally:
            self.stop()


NODES = os.path.join(HERE, "..", "..", "sma", "nodes")


class SoftwareNode(Daemon, Wire):
    """ibsmad as the SMA of a node of its own, which simulator clients reach."""

    def __init__(self, folder, snmpd, node, args=(), config="", name=None, **spawn_options):
        """node: a file of sma/nodes, or a path."""
        self.socket_name = name or private_name()
        path = os.path.join(folder, f"{self.socket_name}.conf")
        with open(os.path.join(NODES, node), encoding="utf-8") as source, open(path, "w", encoding="utf-8") as copy:
            copy.write(source.read())
        super().__init__(folder, snmpd, None, None, ["-S", path, "--wire", self.socket_name, *args], config,
                         **spawn_options)


def serves(client):
    try:
        return client.get(PROBE)[0].type == "INTEGER"
    except snmp.SnmpError:
        return False


def wait_serving(client, daemon, limit=LIMIT):
    wait_for(lambda: serves(client) or not daemon.running(), "an answer from ibsmad", limit)
    if not daemon.running():
        raise snmp.SnmpError(f"ibsmad ended: {daemon.log()}")


class Stack(NamedTuple):
    """An agent that serves a node, and a manager."""
    snmpd: Snmpd
    daemon: Daemon
    client: snmp.Client


@contextlib.contextmanager
def stack(fabric, host, args=(), config="", **snmpd_options):
    with (Snmpd(fabric.folder, **snmpd_options) as snmpd,
          Daemon(fabric.folder, snmpd, fabric, host, args, config) as daemon,
          snmp.Client(snmpd.port) as client):
        try:
            wait_serving(client, daemon)
            yield Stack(snmpd, daemon, client)
        except Exception as error:
            error.add_note(f"log of ibsmad: {daemon.log()[-2000:]}")
            raise
        # A sanitizer tells of its findings with the exit status.
        if status := daemon.stop():
            raise snmp.SnmpError(f"ibsmad ended with status {status}: {daemon.log()[-4000:]}")


class Subscriber(Daemon):
    """ibsmad where it gets Reports: ibsim gives them only to who attached as an SM."""

    def env(self):
        return super().env() | {"SIM_SET_ISSM": "1"}


@contextlib.contextmanager
def ends_well(daemon):
    """A sanitizer tells of its findings with the exit status."""
    try:
        yield daemon
    except Exception as error:
        error.add_note(f"log of ibsmad: {daemon.log()[-2000:]}")
        raise
    if status := daemon.stop():
        raise snmp.SnmpError(f"ibsmad ended with status {status}: {daemon.log()[-4000:]}")
