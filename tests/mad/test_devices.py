#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Which device and port ibsmad takes, what it says when it cannot, and how it starts and ends. Speaks TAP.

Each test makes a host of files for tests/fakes/fakesys.c and runs ibsmad on it, with no snmpd to be found.
"""

import ctypes
import errno
import itertools
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

BUILD = Path(os.environ.get("top_builddir", ".")).resolve()
IBSMAD = Path(os.environ.get("IBSMAD", BUILD / "ibsmad")).resolve()
SCRATCH = Path(tempfile.mkdtemp(prefix="test_devices."))

REFUSAL_LIMIT = 2  # seconds until a start that cannot succeed has ended
SERVING_LIMIT = 10
END_LIMIT = 3
WORKERS = 6
NOBODY = 65534
PR_SET_CHILD_SUBREAPER = 36
NO_SNMPD = "no connection to snmpd at /nonexistent/socket: No such file or directory"


class Unavailable(Exception):
    """What a test needs is not here."""


def find_shim():
    if "FAKESYS" in os.environ:
        return Path(os.environ["FAKESYS"]).resolve()
    places = [BUILD / "tests/fakes/.libs/fakesys.so", BUILD / "tests/fakes/fakesys.so"]
    return next((place for place in places if place.exists()), places[-1])


SHIM = find_shim()

# ---- hosts ----


class Fault(str):
    """Stands for a file: how the shim lets it fail."""


EINVAL_ON_READ = Fault("read-EINVAL")
ABSENT = Fault("")


def cannot_open(error):
    return Fault(f"open-errno-{error}")


ACTIVE = {"state": "4: ACTIVE", "phys_state": "5: LinkUp"}
INIT = {"state": "2: INIT", "phys_state": "5: LinkUp"}
DOWN = {"state": "1: DOWN", "phys_state": "2: Polling"}
GUID_0 = {"gids/0": "fe80:0000:0000:0000:0000:0000:0000:0000"}
PLANE = {"gids/0": "fe80:0000:0000:0000:0002:c903:0099:0001"}  # what two devices of an adapter have in common
PORT_FILES = {
    "link_layer": "InfiniBand",
    "lid": "0x1",
    "sm_lid": "0x1",
    "sm_sl": "0",
    "lid_mask_count": "0",
    "rate": "100 Gb/sec (4X EDR)",
    "cap_mask": "0x02514868",
    "pkeys/0": "0xffff",
}
DEVICE_FILES = {
    "node_type": "1: CA",
    "fw_ver": "16.35.2000",
    "hw_rev": "0",
    "hca_type": "MT4119",
    "node_guid": "0002:c903:0001:0000",
    "sys_image_guid": "0002:c903:0001:0000",
}


def port(state=ACTIVE, files=()):
    return {**PORT_FILES, **state, **dict(files)}


def ethernet(state=ACTIVE):
    return port(state, {"link_layer": "Ethernet"})


def device(*ports, first=1, files=()):
    """The files of a device below its folder, by path."""
    tree = {**DEVICE_FILES, **dict(files)}
    for number, content in enumerate(ports, first):
        tree[f"ports/{number}/gids/0"] = f"fe80:0000:0000:0000:0002:c903:{{device:04x}}:{number:04x}"
        tree.update({f"ports/{number}/{name}": text for name, text in content.items()})
    return tree


def unreadable(tree):
    return {name: cannot_open(errno.EIO) for name in tree}


def switch(*ports):
    return device(*ports, first=0, files={"node_type": "2: SWITCH"})


def write(path, content, number=0):
    """`number` is that of the device."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if content is ABSENT:
        return
    if isinstance(content, Fault):
        path.symlink_to(content)
    else:
        path.write_text(content.format(device=number) + "\n")


def ports_of(tree):
    return sorted({int(name.split("/")[1]) for name in tree if name.startswith("ports/")})


class Host:
    """A folder with the devices of a host. Each port has a umad device, numbered in order."""

    serial = itertools.count(1)

    def __init__(self, **devices):
        self.root = SCRATCH / f"host{next(Host.serial)}"
        self.classes = self.root / "sys/class"
        self.nodes = self.root / "dev/infiniband"
        self.nodes.mkdir(parents=True)
        (self.classes / "infiniband").mkdir(parents=True)
        write(self.classes / "infiniband_mad/abi_version", "5")
        self.devices = self.umads = 0
        for name, tree in devices.items():
            self.add(name, tree)

    def add(self, name, tree):
        self.devices += 1
        for path, content in tree.items():
            write(self.classes / "infiniband" / name / path, content, self.devices)
        for number in ports_of(tree):
            folder = self.classes / f"infiniband_mad/umad{self.umads}"
            write(folder / "ibdev", name)
            write(folder / "port", str(number))
            write(self.nodes / f"umad{self.umads}", "")
            write(self.nodes / f"issm{self.umads}", "")
            self.umads += 1

    def replace_node(self, number, content):
        (self.nodes / f"umad{number}").unlink()
        write(self.nodes / f"umad{number}", content)


# ---- the daemon ----


def wait_until(condition, limit):
    """Whether the condition comes true within `limit` seconds."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def environment(host, shim, extra):
    inherited = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    options = os.environ.get("ASAN_OPTIONS", "")
    return {
        **inherited,
        "LD_PRELOAD": str(shim),
        "FAKESYS_ROOT": str(host.root),
        "MIBS": "",
        "SNMPCONFPATH": str(SCRATCH / "no-configuration"),
        "SNMP_PERSISTENT_DIR": str(SCRATCH / "persistent"),
        "ASAN_OPTIONS": f"{options}:verify_asan_link_order=0",  # the shim is loaded before it
        **extra,
    }


class Daemon:
    """ibsmad on a host, with its standard error in a file."""

    running = []

    def __init__(self, host, *args, prefix=(), binary=IBSMAD, shim=SHIM, extra=(), pass_fds=()):
        self.host = host
        self.log_file = host.root / "stderr"
        self.started = time.monotonic()
        with open(self.log_file, "wb") as log:
            self.process = subprocess.Popen(
                [*prefix, str(binary), *args, "-x", "/nonexistent/socket"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                env=environment(host, shim, dict(extra)), pass_fds=pass_fds,
            )
        Daemon.running.append(self.process)

    def log(self):
        return self.log_file.read_text(errors="replace")

    def ended(self):
        return self.process.poll() is not None

    def wait_for(self, text, limit=SERVING_LIMIT):
        wait_until(lambda: text in self.log() or self.ended(), limit)
        return text in self.log()

    def wait_for_end(self, limit):
        """The exit status, None when it did not end."""
        left = self.started + limit - time.monotonic()
        return self.process.returncode if wait_until(self.ended, left) else None

    def terminate(self):
        self.started = time.monotonic()
        self.process.terminate()
        return self.wait_for_end(END_LIMIT)

    def problems(self, conditions):
        """The texts of the conditions that are false, with the log."""
        false = [text for text, good in conditions if not good]
        return false + ["log: " + line for line in self.log().splitlines()] if false else []


def end_all():
    for process in Daemon.running:
        if process.poll() is None:
            process.kill()
            process.wait()


# ---- what a test wants to see ----


def has_words(log, words):
    return [(f"the log does not say {word!r}", word in log) for word in words]


def has_one_line(log, names):
    lines = log.splitlines()
    return [
        (f"not one line of the log names {name}", sum(name in line for line in lines) == 1) for name in names
    ]


@dataclass
class Case:
    text: str
    host: dict
    args: str = ""
    words: tuple = ()
    named_once: tuple = ()
    served: str = ""  # empty: the start is refused
    extra: tuple = ()
    nodes: tuple = ()  # umad devices that are something else
    opened: tuple = ()  # numbers of the umad devices for QP0, the management port's first
    qp1: int = -1  # that for QP1; that of the management port
    refuse: str = ""  # registrations that are, as fakesys has it


def refusal(daemon, case):
    status = daemon.wait_for_end(REFUSAL_LIMIT)
    return [
        (f"exit status {status}, not 1, within {REFUSAL_LIMIT} s", status == 1),
        ("it says that it serves", "is served" not in daemon.log()),
    ]


def service(daemon, case):
    served = daemon.wait_for(f"the SMA of {case.served} is served")
    waits = served and daemon.wait_for(NO_SNMPD)
    status = daemon.terminate()
    return [
        (f"{case.served} is not served", served),
        ("it does not wait for snmpd", waits),
        (f"exit status {status}, not 0, within {END_LIMIT} s of SIGTERM", status == 0),
    ]


def recorded(host, name):
    record = host.root / name
    return record.read_text().splitlines() if record.exists() else []


def has_opened(host, case):
    """The devices with the classes of QP0, in order, and at last those for QP1."""
    if not case.opened:
        return []
    qp1 = case.opened if case.qp1 < 0 else [case.qp1]
    wanted = [f"umad{number} {cls}" for number in case.opened for cls in ("0x01", "0x81")]
    wanted += [f"umad{number} 0x04" for number in qp1]
    lines = recorded(host, "registered")
    # those of further adapters follow
    return [(f"{lines} were registered, not {wanted}", lines[:len(wanted)] == wanted)]


def run_case(case):
    host = Host(**case.host)
    for number, content in case.nodes:
        host.replace_node(number, content)
    daemon = Daemon(host, "-f", "-Le", *case.args.split(), extra=(*case.extra, ("FAKESYS_REFUSE", case.refuse)))
    conditions = (service if case.served else refusal)(daemon, case)
    log = daemon.log()
    conditions += has_words(log, case.words) + has_one_line(log, case.named_once)
    return daemon.problems(conditions + has_opened(host, case))


# ---- tables ----

ONE_CA = {"mlx5_0": device(port())}
TWO_PORTS = {"mlx5_0": device(port(), port())}
MANY = {f"mlx5_{number:02}": device(ethernet()) for number in range(40)}

CHOICES = [
    Case("Ethernet sorts first: the InfiniBand device is taken",
         {"irdma0": device(ethernet()), "mlx5_0": device(port())}, served="mlx5_0 port 1"),
    Case("the link layer is written IB, as simulators do",
         {"sim0": device(port(files={"link_layer": "IB"}))}, served="sim0 port 1"),
    Case("a device without a link layer is InfiniBand, as in old kernels",
         {"mthca0": device(port(files={"link_layer": ABSENT}))}, served="mthca0 port 1"),
    Case("an Ethernet port before an InfiniBand port of the same device",
         {"mlx4_0": device(ethernet(), port())}, served="mlx4_0 port 2", opened=(1,)),
    Case("the first active port is taken, in the order of names",
         {"mlx5_2": device(port()), "mlx5_1": device(port(DOWN), port()), "mlx5_0": device(port(INIT))},
         served="mlx5_1 port 2"),
    Case("no port is active: one whose link is up is preferred",
         {"mlx5_0": device(port(DOWN)), "mlx5_1": device(port(DOWN), port(INIT))}, served="mlx5_1 port 2"),
    Case("no link is up: the first port is taken",
         {"mlx5_1": device(port(DOWN)), "mlx5_0": device(port(DOWN), port(DOWN))}, served="mlx5_0 port 1"),
    Case("a device that is named is taken", {**ONE_CA, "mlx5_1": device(port(DOWN))}, "-C mlx5_1",
         served="mlx5_1 port 1"),
    Case("a port that is named is taken although it is down", {"mlx5_0": device(port(), port(DOWN))},
         "-C mlx5_0 -P 2", served="mlx5_0 port 2"),
    Case("a port that is named without a device", {**ONE_CA, "mlx5_1": device(port(), port(DOWN))}, "-P 2",
         served="mlx5_1 port 2"),
    Case("a switch has port 0 only", {"mlxsw0": switch(port())}, served="mlxsw0 port 0"),
    Case("port 0 of a switch, by its number", {**ONE_CA, "mlxsw0": switch(port())}, "-P 0",
         served="mlxsw0 port 0"),
    Case("40 devices, the first unreadable, the second with port GUID 0, the last good",
         {**MANY, "mlx5_00": unreadable(device(port())), "mlx5_01": device(port(files=GUID_0)),
          "mlx5_39": device(port())},
         served="mlx5_39 port 1", named_once=("mlx5_00", "mlx5_01")),
    Case("one folder of ports is missing",
         {"mlx5_0": DEVICE_FILES, "mlx5_1": device(port())}, served="mlx5_1 port 1", named_once=("mlx5_0",)),
    Case("two ports: both are opened", TWO_PORTS, served="mlx5_0 port 1", opened=(0, 1)),
    Case("two ports, the second one chosen: both are opened", {"mlx5_0": device(port(DOWN), port())},
         served="mlx5_0 port 2", opened=(1, 0)),
    Case("two ports: the node of the second is missing", TWO_PORTS, served="mlx5_0 port 1",
         nodes=((1, ABSENT),), named_once=("/dev/infiniband/umad1",),
         words=("cannot open /dev/infiniband/umad1 (mlx5_0 port 2): No such file or directory",
                "tables of that port are not shown")),
]

REFUSALS = [
    Case("no device at all", {}, words=("no InfiniBand device", "/sys/class/infiniband is empty")),
    Case("only Ethernet ports", {"irdma0": device(ethernet()), "mlx5_0": device(ethernet(), ethernet())},
         words=("only Ethernet ports found", "irdma0, mlx5_0")),
    Case("only iWARP devices", {"irdma0": device(ethernet(), files={"node_type": "4: RNIC"})},
         words=("only Ethernet ports found", "irdma0")),
    Case("the named device is an Ethernet one", {"irdma0": device(ethernet()), **ONE_CA}, "-C irdma0",
         words=("only Ethernet ports found",)),
    Case("there is no device of that name", {"mlx5_1": device(port()), "mlx5_0": device(port())}, "-C mlx4_0",
         words=("there is no device mlx4_0", "there are: mlx5_0, mlx5_1")),
    Case("a name that is the beginning of another", {"mlx5_10": device(port())}, "-C mlx5_1",
         words=("there is no device mlx5_1", "there are: mlx5_10")),
    Case("there is no device of that name among 40", MANY, "-C mlx4_0",
         words=("there is no device mlx4_0", ", ".join(MANY))),
    Case("a port beyond the last", TWO_PORTS, "-C mlx5_0 -P 3",
         words=("mlx5_0 has no port 3", "its last port is 2")),
    Case("a data port of a switch", {"mlxsw0": switch(port())}, "-C mlxsw0 -P 1",
         words=("mlxsw0 has no port 1", "its last port is 0")),
    Case("port 0 of a CA", ONE_CA, "-C mlx5_0 -P 0", words=("InfiniBand port 0", "mlx5_0")),
    Case("no device has the port", {**ONE_CA, "irdma0": device(ethernet())}, "-P 2",
         words=("no device has an InfiniBand port 2", "irdma0, mlx5_0")),
    Case("the named device is unreadable", {"mlx5_0": {"node_type": "1: CA", "node_guid": EINVAL_ON_READ}},
         "-C mlx5_0 -P 1", words=("mlx5_0 cannot be read", "no device has an InfiniBand port 1")),
    Case("the only port has GUID 0", {"mlx5_0": device(port(files=GUID_0))},
         words=("mlx5_0 port 1 has port GUID 0", "no InfiniBand port can be used (devices: mlx5_0)")),
]

# An odd file of sysfs that nothing depends on must not cost the device.
ODD_FILES = [
    ("ports/1/rate", "0 GB/sec"),
    ("ports/1/rate", EINVAL_ON_READ),
    ("ports/1/lid", EINVAL_ON_READ),
    ("ports/1/sm_lid", cannot_open(errno.EIO)),
    ("ports/1/cap_mask", ABSENT),
    ("ports/1/pkeys/0", EINVAL_ON_READ),
    ("ports/2/rate", EINVAL_ON_READ),
    ("fw_ver", EINVAL_ON_READ),
    ("node_guid", EINVAL_ON_READ),
    ("node_type", EINVAL_ON_READ),
]


def odd_file(path, content):
    what = f"holds {content!r}" if not isinstance(content, Fault) else str(content) or "is missing"
    return Case(f"the file {path} of the device: {what}",
                {"mlx5_0": device(port(), port(DOWN), files={path: content})
                 | {path: content}}, served="mlx5_0 port 1")


NODE_MESSAGE = "cannot open /dev/infiniband/umad0 (mlx5_0 port 1): "
LOAD_UMAD = "modprobe ib_umad"
ALLOW_GROUP = 'GROUP="ibsmad"'
NODE_FAULTS = [
    (ABSENT, "No such file or directory", LOAD_UMAD),
    (cannot_open(errno.ENXIO), "No such device or address", LOAD_UMAD),
    (cannot_open(errno.EACCES), "Permission denied", ALLOW_GROUP),
    (cannot_open(errno.EPERM), "Operation not permitted", ALLOW_GROUP),
    (cannot_open(errno.EBUSY), "Device or resource busy", "in use"),
]


def node_fault(content, reason, advice):
    return Case(f"the umad device cannot be opened: {reason}", ONE_CA, nodes=((0, content),),
                words=(NODE_MESSAGE + reason, advice))


TWO_CAS = {**ONE_CA, "mlx5_1": device(port())}
NO_QP0 = {"cap_mask": "0x02514c68"}  # IsSMDisabled


def planes(*states):
    return device(*(port(state, PLANE) for state in states))


GSI = device(port(files=PLANE | NO_QP0))
XDR = {"mlx5_0": GSI, "smi1": planes(ACTIVE, ACTIVE)}
# The same without the bit that tells which is which.
UNMARKED = {"mlx5_0": device(port(files=PLANE)), "smi1": planes(ACTIVE)}
REFUSED = "class 0x{:02x} is refused: {}"
NO_PROTOCOL = os.strerror(errno.EPROTONOSUPPORT)
SECOND_TRIED = "trying mlx5_1 port 1 in its place"

ADAPTERS = [
    Case("XDR: QP0 of the one device and QP1 of the other, without options", XDR, served="smi1 port 1",
         words=("is served, QP1 is that of mlx5_0",), opened=(1, 2), qp1=0),
    Case("XDR: the driver's events are those of the device with QP1", XDR, served="smi1 port 1",
         words=("libibverbs cannot open mlx5_0: Permission denied",),
         extra=(("LD_PRELOAD", f"{SHIM}:{SHIM.with_name('fakeverbs.so')}"), ("FAKEVERBS_DEVICE", "mlx5_0"),
                ("FAKEVERBS_ERRNO", str(errno.EACCES)))),
    Case("XDR: the device with QP0 sorts first", {"a_smi": planes(ACTIVE), "mlx5_0": GSI}, served="a_smi port 1",
         opened=(0,), qp1=1),
    Case("XDR: the device with QP1 is named", XDR, "-C mlx5_0", served="smi1 port 1", opened=(1, 2), qp1=0),
    Case("XDR: the device with QP1 and its port are named", XDR, "-C mlx5_0 -P 1", served="smi1 port 1",
         opened=(1, 2), qp1=0),
    Case("XDR: a plane is named", XDR, "-C smi1 -P 2", served="smi1 port 2", opened=(2, 1), qp1=0),
    Case("XDR: the first plane is down", {"mlx5_0": GSI, "smi1": planes(DOWN, ACTIVE)}, served="smi1 port 2",
         opened=(2, 1), qp1=0),
    Case("XDR: another adapter whose port is active comes first", {"mlx5_0": GSI, "mlx5_1": device(port()),
         "smi1": planes(DOWN)}, served="mlx5_1 port 1", opened=(1,)),
    Case("XDR: two adapters, and each has its own pair",
         {"mlx5_0": GSI, "mlx5_1": device(port(files=NO_QP0)), "smi1": planes(DOWN), "smi2": device(port())
          | {"ports/1/gids/0": "fe80:0000:0000:0000:0002:c903:0002:0001"}},
         served="smi2 port 1", opened=(3,), qp1=1),
    Case("XDR: the device with QP0 is not there", {"mlx5_0": GSI}, refuse="0:1:93 0:0x81:93",
         words=(f"cannot use QP0 of mlx5_0 port 1: {REFUSED.format(1, NO_PROTOCOL)}", "rdma dev add")),
    Case("XDR: the device with QP0 is not there, and another adapter is taken",
         {"mlx5_0": GSI, "mlx5_1": device(port(DOWN))}, served="mlx5_1 port 1", opened=(1,)),
    Case("an adapter that disables SMs has QP0 all the same", {"mlx5_0": GSI}, served="mlx5_0 port 1", opened=(0,)),
    Case("XDR: nothing tells which device has QP0", UNMARKED, refuse="0:1:93 0:0x81:93 1:3:93 1:4:93",
         served="smi1 port 1", opened=(1,), qp1=0,
         words=(f"cannot use QP0 of mlx5_0 port 1: {REFUSED.format(1, NO_PROTOCOL)}",
                "trying smi1 port 1 in its place")),
    Case("XDR: nothing tells which device has QP0, and the one is named", UNMARKED, "-C mlx5_0",
         served="mlx5_0 port 1", opened=(0,)),
    Case("XDR: nothing tells which device has QP0, and the other is named", UNMARKED, "-C smi1",
         served="smi1 port 1", opened=(1,)),
    Case("a further port without QP0 is not opened", {"mlx5_0": device(port(), port(files=NO_QP0))},
         served="mlx5_0 port 1", opened=(0,)),
    Case("a port without GUID is no pair with another", {"mlx5_0": device(port(files=GUID_0 | NO_QP0)), "mlx5_1":
         device(port(files={"gids/0": ABSENT})), "mlx5_2": device(port(files=NO_QP0 | {"gids/0": ABSENT}))},
         served="mlx5_1 port 1", opened=(1,)),
]


def registration_refused(error):
    reason = os.strerror(error)
    return Case(f"registration is refused: {reason}", ONE_CA, refuse=f"*:*:{error}",
                words=(f"cannot use QP0 of mlx5_0 port 1: {REFUSED.format(1, reason)}",))


def class_refused(cls, error):
    """Field report 58."""
    text = REFUSED.format(cls, os.strerror(error))
    return [
        Case(f"{text}: the only adapter", ONE_CA, refuse=f"0:{cls}:{error}",
             words=(f"cannot use QP0 of mlx5_0 port 1: {text}",)),
        Case(f"{text}: the next adapter is taken", TWO_CAS, refuse=f"0:{cls}:{error}", served="mlx5_1 port 1",
             words=(f"cannot use QP0 of mlx5_0 port 1: {text}", SECOND_TRIED)),
        Case(f"{text}: not by the adapter that was named", TWO_CAS, "-C mlx5_0", refuse=f"0:{cls}:{error}",
             words=(f"cannot use QP0 of mlx5_0 port 1: {text}",)),
        Case(f"{text}: by all adapters", TWO_CAS, refuse=f"*:{cls}:{error}",
             words=(f"cannot use QP0 of mlx5_0 port 1: {text}", f"cannot use QP0 of mlx5_1 port 1: {text}")),
    ]


CLASSES_REFUSED = [case for cls, error in ((0x81, errno.EPERM), (0x81, errno.EBUSY), (0x01, errno.EPROTONOSUPPORT))
                   for case in class_refused(cls, error)]
CLASSES_REFUSED.append(
    Case("no class of QP1 is to be had: the SMA is served", ONE_CA, refuse="*:4:93", served="mlx5_0 port 1",
         words=(f"no subscription to traps: cannot use QP1 of mlx5_0 port 1: {REFUSED.format(4, NO_PROTOCOL)}",)))

LONG = "mlx5_0123456789abcdef"  # 21


def name_of(length):
    return (LONG * 3)[:length]


def too_long(length):
    text = f"its name has {length} characters, and libibumad takes 19"
    return [
        Case(f"a name of {length} characters", {name_of(length): device(port())},
             words=(text, f"rdma dev set {name_of(length)} name")),
        Case(f"a name of {length} characters, and another adapter",
             {name_of(length): device(port()), "mlx6": device(port())}, served="mlx6 port 1",
             words=(text, "trying mlx6 port 1 in its place")),
    ]


NAMES = [Case("a name of 19 characters", {name_of(19): device(port())}, served=f"{name_of(19)} port 1")]
NAMES += [case for length in (20, 21, 42, 63) for case in too_long(length)]
MANY_UMADS = {f"irdma{number:02}": device(ethernet(), ethernet()) for number in range(32)}
UMAD_64 = "cannot open umad64 of mlx5_0: libibumad takes the first 64 umad devices only"
NAMES += [
    Case("more umad devices than libibumad looks at", MANY_UMADS | ONE_CA, words=(UMAD_64,)),
    Case("more umad devices than libibumad looks at, and a better one", {"a": device(port(DOWN))} | MANY_UMADS | ONE_CA,
         served="a port 1", words=("cannot open umad65", "trying a port 1 in its place")),
]

CASES = (
    CHOICES
    + [odd_file(*row) for row in ODD_FILES]
    + REFUSALS
    + ADAPTERS
    + [node_fault(*row) for row in NODE_FAULTS]
    + [registration_refused(error) for error in (errno.EINVAL, errno.EPERM)]
    + CLASSES_REFUSED
    + NAMES
)

# ---- tests that are no table ----


def without_umad_module(remove):
    """ib_umad is not loaded, or does not know the port."""

    def test():
        host = Host(**ONE_CA)
        shutil.rmtree(host.classes / "infiniband_mad" / remove)
        daemon = Daemon(host, "-f", "-Le")
        words = ["mlx5_0 port 1", LOAD_UMAD]
        return daemon.problems(refusal(daemon, None) + has_words(daemon.log(), words))

    return test


def copy_for_everyone(source):
    copy = SCRATCH / source.name
    if not copy.exists():
        shutil.copy(source, copy)
        copy.chmod(0o755)
    return copy


def start_as_nobody(mode):
    if os.geteuid() != 0:
        raise Unavailable("not root")
    if not shutil.which("setpriv"):
        raise Unavailable("no setpriv")
    SCRATCH.chmod(0o755)
    host = Host(**ONE_CA)
    (host.nodes / "umad0").chmod(mode)
    prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]
    return Daemon(host, "-f", "-Le", prefix=prefix, binary=copy_for_everyone(IBSMAD),
                  shim=copy_for_everyone(SHIM))


def node_is_private():
    daemon = start_as_nobody(0o600)
    words = [NODE_MESSAGE + "Permission denied", ALLOW_GROUP]
    return daemon.problems(refusal(daemon, None) + has_words(daemon.log(), words))


def node_is_shared():
    daemon = start_as_nobody(0o666)
    return daemon.problems(service(daemon, Case("", {}, served="mlx5_0 port 1")))


@contextmanager
def many_descriptors(count, limit):
    """Descriptors to inherit, beyond what select() can take."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < limit:
        raise Unavailable(f"no more than {hard} descriptors are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(count)]
    try:
        yield opened
    finally:
        for fd in opened:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


NO_DESCRIPTORS = os.strerror(errno.EMFILE)
LIMITS = range(4, 22)  # with fewer nothing can be loaded


def may_open(limit, args):
    """With so few descriptors ibsmad serves, or says what is missing: the problems."""
    args = [arg.format(limit=limit) for arg in args]
    daemon = Daemon(Host(**ONE_CA), "-f", "-Le", *args, prefix=["prlimit", f"--nofile={limit}:{limit}", "--"],
                    extra=(("LSAN_OPTIONS", "detect_leaks=0"),))  # which needs some, too
    wait_until(lambda: daemon.ended() or "connection to snmpd" in daemon.log(), SERVING_LIMIT)
    status = daemon.terminate()
    good = status == 0 or (status == 1 and NO_DESCRIPTORS in "".join(daemon.log().splitlines()[-2:]))
    return daemon.problems([(f"{limit} descriptors: exit status {status}", good)])


def descriptors_are_few(*args):
    """Field report 70."""

    def test():
        if not shutil.which("prlimit"):
            raise Unavailable("no prlimit")
        with ThreadPoolExecutor(WORKERS) as pool:
            found = pool.map(lambda limit: may_open(limit, args), LIMITS)
            return [problem for problems in found for problem in problems]

    return test


def node_file(ports):
    path = SCRATCH / f"ca{ports}.conf"
    path.write_text(f"nodeType ca\nports {ports}\nnodeGuid 0x0002c90300001000\nlink 1 up\n")
    return str(path)


def other_sma():
    """Another SMA holds QP0 of the first adapter: the next one is taken, or none."""
    text = ("cannot be the SMA of mlx5_0 port 1: class 0x01 is refused: Invalid argument; "
            "another SMA or SM holds its QP0")
    args = ["-f", "-Le", "-S", node_file(1), "--wire", "qp0"]
    next_one = Daemon(Host(**TWO_CAS), *args, extra=(("FAKESYS_REFUSE", "0:1:22"),))
    served = next_one.wait_for("is served")
    lines = recorded(next_one.host, "registered")
    problems = next_one.problems([
        ("it does not serve", served), (f"{lines} were registered", {"umad1 0x01", "umad1 0x81"} <= set(lines)),
        *has_words(next_one.log(), [text, SECOND_TRIED]),
    ])
    next_one.terminate()
    named = Daemon(Host(**TWO_CAS), *args, "-C", "mlx5_0", extra=(("FAKESYS_REFUSE", "0:1:22"),))
    return problems + named.problems(refusal(named, None) + has_words(named.log(), [text]))


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idle_share(daemon):
    """The share of a processor that the daemon uses for a second; None when it ends meanwhile."""
    before, start = cpu_seconds(daemon.process.pid), time.monotonic()
    if wait_until(daemon.ended, 1):
        return None
    return (cpu_seconds(daemon.process.pid) - before) / (time.monotonic() - start)


def descriptors_are_inherited():
    with many_descriptors(1100, 4096) as opened:
        daemon = Daemon(Host(**TWO_PORTS), "-f", "-Le", pass_fds=opened)
    waits = daemon.wait_for(NO_SNMPD)
    share = idle_share(daemon) if waits else None
    status = daemon.terminate()
    return daemon.problems([
        ("it does not wait for snmpd", waits),
        ("it ended while it waited", share is not None),
        (f"it uses {share} of a processor", share is None or share < 0.05),
        (f"exit status {status}, not 0, within {END_LIMIT} s of SIGTERM", status == 0),
    ])


def processes_with(text):
    """Processes that have a text in their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text.encode() in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:  # it has ended
            pass
    return found


def reap(pid):
    """The exit status of an adopted process once it has ended, None when it does not."""
    result = []

    def ended():
        found, status = os.waitpid(pid, os.WNOHANG)
        result.append(os.waitstatus_to_exitcode(status))
        return found == pid

    if wait_until(ended, END_LIMIT):
        return result[-1]
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def refused_in_background():
    daemon = Daemon(Host())
    words = ["no InfiniBand device"]
    return daemon.problems(refusal(daemon, None) + has_words(daemon.log(), words))


def served_in_background():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    host = Host(**ONE_CA)
    log = host.root / "log"
    daemon = Daemon(host, "-Lf", str(log))
    parent = daemon.wait_for_end(SERVING_LIMIT)
    children = processes_with(str(log))
    statuses = []
    for pid in children:
        os.kill(pid, signal.SIGTERM)
        statuses.append(reap(pid))
    text = log.read_text() if log.exists() else ""
    return daemon.problems([
        (f"exit status {parent} of the start, not 0", parent == 0),
        (f"{len(children)} processes in the background, not 1", len(children) == 1),
        ("the log file does not say what is served", "the SMA of mlx5_0 port 1 is served" in text),
        (f"exit statuses {statuses}, not 0, within {END_LIMIT} s of SIGTERM", statuses == [0]),
    ])


TESTS = [(case.text, lambda case=case: run_case(case)) for case in CASES]
ALONE = [
    ("ib_umad is not loaded", without_umad_module("")),
    ("ib_umad does not know the port", without_umad_module("umad0")),
    ("the umad device belongs to root, ibsmad runs as somebody else", node_is_private),
    ("the umad device is open to all, ibsmad runs as somebody else", node_is_shared),
    ("another SMA holds QP0", other_sma),
    ("few descriptors may be open", descriptors_are_few()),
    ("few descriptors may be open, with a software SMA on QP0",
     descriptors_are_few("-S", node_file(1), "--wire", "qp0")),
    ("few descriptors may be open, with a software SMA for simulator clients",
     descriptors_are_few("-S", node_file(1), "--wire", f"test-devices-{os.getpid()}-{{limit}}")),
    ("1100 descriptors are inherited", descriptors_are_inherited),
    ("a start in the background that fails says so", refused_in_background),
    ("a start in the background succeeds, and SIGTERM ends the daemon", served_in_background),
]


def outcome(test):
    """What a test found wrong, and why it was skipped."""
    try:
        return test(), None
    except Unavailable as reason:
        if os.environ.get("CI") or os.environ.get("IBSMAD_NO_SKIP"):
            return [f"may not be skipped: {reason}"], None
        return [], reason
    except Exception as error:  # one broken test must not hide the other results
        return [f"{type(error).__name__}: {error}"], None


def main():
    for needed in (IBSMAD, SHIM):
        if not needed.exists():
            sys.exit(print(f"Bail out! there is no {needed}") or 1)
    print(f"1..{len(TESTS) + len(ALONE)}")
    with ThreadPoolExecutor(WORKERS) as pool:  # they wait, mostly
        together = list(pool.map(lambda entry: outcome(entry[1]), TESTS))
    outcomes = itertools.chain(together, (outcome(test) for _, test in ALONE))
    for number, ((text, _), (problems, skipped)) in enumerate(zip(TESTS + ALONE, outcomes), 1):
        directive = f" # SKIP {skipped}" if skipped else ""
        print(f"{'not ok' if problems else 'ok'} {number} - {text}{directive}", flush=True)
        for problem in problems:
            print("# " + problem.replace("\n", "\n# "), flush=True)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    try:
        main()
    finally:
        end_all()
        shutil.rmtree(SCRATCH, ignore_errors=True)
