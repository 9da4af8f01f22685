# SPDX-License-Identifier: BSD-2-Clause
"""The InfiniBand side of the test bed: ibsim, opensm and a reader of SMPs, as context managers.

Everything is private to a run: abstract sockets, scratch folder, free loopback
ports.  What a class starts, it stops.
"""

import codecs
import ctypes
import glob
import itertools
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PR_SET_PDEATHSIG = 1
# Far more than anything takes, also on a busy machine.
LIMIT, STOP_LIMIT = 60, 20
OPEN_FILES = 4096

# An ordinary user's path lacks the folders of opensm, snmpd and the InfiniBand tools.
os.environ["PATH"] += os.pathsep + os.pathsep.join(("/usr/local/sbin", "/usr/sbin", "/sbin"))

_libc = ctypes.CDLL(None)
_serial = itertools.count(1)


class NotInTime(Exception):
    """A condition did not come true within its limit."""


def wait_for(condition, what, limit=LIMIT, interval=0.02):
    """Returns the first true value of condition()."""
    deadline = time.monotonic() + limit
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise NotInTime(f"{what}: not within {limit} s")
        time.sleep(interval)
    return value


def find_tool(name):
    return shutil.which(name)


def simulator_library():
    found = glob.glob("/usr/lib*/umad2sim/libumad2sim.so") + glob.glob("/usr/lib/*/umad2sim/libumad2sim.so")
    return found[0] if found else None


def private_name():
    """A socket name for one run."""
    return f"ibsmad-e2e-{os.getpid()}-{next(_serial)}"


def end_on_sigterm():
    """Lets the context managers work when a test driver's time limit strikes."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def scratch():
    """A folder that vanishes; others may look in, for the tests with another user."""
    folder = tempfile.TemporaryDirectory(prefix="ibsmad-")
    os.chmod(folder.name, 0o755)
    return folder


def may_open(count):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return hard == resource.RLIM_INFINITY or hard >= count


def leave_open(count):
    """Opens descriptors that the program to come inherits."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    for _ in range(count):
        os.set_inheritable(os.dup(0), True)


class Child:
    """A process with its output in a file, ended at the latest by its context."""

    stop_signal = signal.SIGTERM

    def __init__(self, folder, name):
        self.folder = folder
        self.log_file = os.path.join(folder, f"{name}-{next(_serial)}.log")
        self.process = None
        self._read, self._decoder, self._log = 0, None, ""

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def spawn(self, argv, env=None, inherited=0, **options):
        """Starts argv, with a number of open descriptors to inherit."""
        parent = os.getpid()

        def prepare():
            _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
            if inherited:
                leave_open(inherited)

        options = {"stdin": subprocess.DEVNULL, "cwd": self.folder, "close_fds": not inherited} | options
        self._read, self._decoder, self._log = 0, codecs.getincrementaldecoder("utf-8")("replace"), ""
        with open(self.log_file, "wb") as log:
            options = {"stdout": log, "stderr": log} | options
            self.process = subprocess.Popen(argv, env=os.environ | (env or {}), preexec_fn=prepare, **options)

    def running(self):
        return self.process is not None and self.process.poll() is None

    def wait_end(self, limit=LIMIT):
        return self.process.wait(limit)

    def stop(self, limit=STOP_LIMIT):
        """Returns the exit status; a process that does not end in time is killed."""
        if self.process is None:
            return None
        if self.running():
            self.process.send_signal(self.stop_signal)
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def log(self):
        """All that it has written; each call reads only what came since the last."""
        if self._decoder:
            with open(self.log_file, "rb") as file:
                file.seek(self._read)
                new = file.read()
            self._read += len(new)
            self._log += self._decoder.decode(new)
        return self._log

    def log_lines(self):
        return self.log().splitlines()

    def wait_log(self, text, limit=LIMIT):
        """Waits for the text; the end of the process ends the waiting."""
        wait_for(lambda: text in self.log() or not self.running(), f"'{text}' in {self.log_file}", limit)
        if text not in self.log():
            raise NotInTime(f"{self.process.args[0]} ended: {self.log()[-2000:]}")


class Wire:
    """What programs with the simulator's library attach to: a socket name, and a folder to run them in."""

    socket_name = None
    folder = None

    def client_env(self, host=None):
        env = {"IBSIM_SOCKNAME": self.socket_name, "LD_PRELOAD": simulator_library()}
        return env | ({"SIM_HOST": host} if host else {})

    def tool(self, host, argv, limit=60):
        """Runs a tool on a node of the fabric; its standard output."""
        done = subprocess.run(argv, env=os.environ | self.client_env(host), cwd=self.folder, timeout=limit, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout

    def reader(self, host):
        return SmpReader(self, host)


class Fabric(Wire, Child):
    """ibsim with a fabric of its own, its console, and the tools that talk to it."""

    PROMPT = b"sim> "

    def __init__(self, netfile, folder):
        super().__init__(folder, "ibsim")
        self.netfile = netfile
        self.socket_name = private_name()

    def start(self):
        path = os.path.join(self.folder, f"{self.socket_name}.net")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.netfile)
        self.spawn([find_tool("ibsim"), "-s", path], {"IBSIM_SOCKNAME": self.socket_name},
                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._until_prompt()

    def stop(self, limit=STOP_LIMIT):
        if self.running():
            try:
                self.process.stdin.write(b"Quit\n")
                self.process.stdin.close()
                self.process.wait(limit)
            except (OSError, subprocess.TimeoutExpired):
                pass
        status = super().stop(limit)
        for pipe in (self.process.stdin, self.process.stdout) if self.process else ():
            try:
                pipe.close()
            except OSError:
                pass
        return status

    def _until_prompt(self, limit=LIMIT):
        output = b""
        deadline = time.monotonic() + limit
        while not output.endswith(self.PROMPT):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            piece = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not piece:
                raise NotInTime(f"ibsim gave no prompt: {output.decode()} {self.log()[-500:]}")
            output += piece
        return output[:-len(self.PROMPT)].decode()

    def command(self, text):
        """One console command; its answer."""
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()
        return self._until_prompt()

    def lose(self, node, port, percent, attribute=None):
        """Drops a share of the SMPs to a port, of one attribute or of all."""
        tail = "" if attribute is None else f" {attribute}"
        complaint = self.command(f'Error "{node}"[{port}] {percent}{tail}')
        if complaint.strip():
            raise ValueError(complaint)


class SmpReader(Child):
    """Reads a node's attributes, and sets them, with SMPs to its own port."""

    def __init__(self, fabric, host):
        super().__init__(fabric.folder, "smpread")
        self.fabric, self.host = fabric, host
        self.used = set()

    def start(self):
        self.spawn([sys.executable, "-B", os.path.join(HERE, "smpread.py")], self.fabric.client_env(self.host),
                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise NotInTime(f"smpread: {self.log()}")

    def stop(self, limit=STOP_LIMIT):
        """The end of its input lets it detach, which frees its place in ibsim."""
        if self.running():
            self.process.stdin.close()
            try:
                self.process.wait(limit)
            except subprocess.TimeoutExpired:
                pass
        status = super().stop(limit)
        if self.process:
            self.process.stdout.close()
        return status

    def ask(self, *words):
        """(status, data), or None without an answer."""
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline().split()
        if not reply:
            raise NotInTime(f"smpread ended: {self.log()}")
        return None if reply == ["timeout"] else (int(reply[0], 16), bytes.fromhex(reply[1]))

    def get(self, attribute, modifier=0):
        """The 64 octets, or None when the node has no such attribute."""
        self.used.add((attribute, modifier))
        reply = self.ask("get", f"{attribute:x}", f"{modifier:x}")
        return reply[1] if reply and reply[0] == 0 else None

    def set(self, attribute, modifier, data):
        reply = self.ask("set", f"{attribute:x}", f"{modifier:x}", data.ljust(64, b"\0").hex())
        if reply is None or reply[0] != 0:
            raise ValueError(f"set {attribute:#x} {modifier:#x}: {reply}")


class Station(SmpReader):
    """A process on a node that sends traps, and as an SM is subnet administration to those who subscribe."""

    def __init__(self, fabric, host, *roles):
        super().__init__(fabric, host)
        self.roles = roles

    def start(self):
        self.spawn([sys.executable, "-B", os.path.join(HERE, "inject.py"), *self.roles],
                   self.fabric.client_env(self.host), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise NotInTime(f"inject: {self.log()}")

    def say(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline()
        if not reply:
            raise NotInTime(f"inject ended: {self.log()}")
        return reply.rstrip("\n")

    def trap(self, lid, notice):
        """A Trap to QP0 of the port with this LID."""
        self.say("trap", f"{lid:x}", notice.hex())

    def request(self, lid, *numbers):
        """A request: method, attribute, modifier, M_Key; the answer is not looked at."""
        self.say("ask", f"{lid:x}", *(f"{number:x}" for number in numbers))

    def report(self, notice, count=1):
        """A Report to each subscriber."""
        self.say("report", count, notice.hex())

    def subscriptions(self):
        """The InformInfo of each subscriber, by its LID."""
        words = [word.split(":") for word in self.say("subscriptions").split()]
        return {int(lid, 16): bytes.fromhex(inform) for lid, inform in words}

    def answered(self):
        """How many Reports were answered."""
        return int(self.say("answered"))

    def unanswered(self):
        return int(self.say("unanswered"))

    def deaf(self, state):
        """Whether to pass over requests to subscribe."""
        self.say("deaf", "on" if state else "off")


class OpenSM(Child):
    """A subnet manager; the context begins when the subnet is up."""

    # A quiet end frees its place in ibsim.
    stop_signal = signal.SIGINT
    options = ()

    def __init__(self, fabric, host, config=""):
        """config: further lines of its configuration."""
        super().__init__(fabric.folder, "opensm")
        self.fabric, self.host, self.config = fabric, host, config
        self.osm_log = f"{self.log_file}.osm"

    def start(self):
        folder = tempfile.mkdtemp(prefix="osm-", dir=self.folder)
        config = os.path.join(folder, "opensm.conf")
        with open(config, "w", encoding="ascii") as file:
            file.write(f"force_log_flush TRUE\n{self.config}")
        # Without SIM_SET_ISSM: a second opensm would get a trap before it is ready, and crash.
        env = self.fabric.client_env(self.host) | {"OSM_TMP_DIR": folder, "OSM_CACHE_DIR": folder}
        self.spawn([find_tool("opensm"), "-F", config, "-f", self.osm_log, "-s", "10", *self.options], env)
        wait_for(lambda: self.is_up() or not self.running(), "SUBNET UP")
        if not self.running():
            raise NotInTime(f"opensm ended: {self.log()[-2000:]}")

    def is_up(self):
        if not os.path.exists(self.osm_log):
            return False
        with open(self.osm_log, encoding="utf-8", errors="replace") as file:
            return "SUBNET UP" in file.read()


class LoneSM(OpenSM):
    """It asks no other SM: the simulator would let it wait for an answer of whoever attached as an SM for ever."""

    options = ("-d", "0")
