# SPDX-License-Identifier: BSD-2-Clause
"""What ibsmad --check prints, and an snmpd whose configuration it is to judge."""

import os
import re
import subprocess
import sys
from typing import NamedTuple

import bed
from agents import NODES, Daemon, Snmpd, copied
from tap import Tap, require_daemon

MIB = "1.3.6.1.3.117.3"
READABLE, UNREADABLE = "SMA-MIB is readable.", "SMA-MIB would not be readable"
NOT_TRIED = "that was not tried"

# ---- the report ----

FINDING = re.compile(r"^(ok|warn|FAIL|skip)  +(.{15}) (.*)$")


class Item(NamedTuple):
    finding: str
    text: str
    fixes: list


class Report:
    """What ibsmad --check printed: a line for each check, with those that fix it indented, and a conclusion."""

    def __init__(self, status, output, errors):
        self.status, self.output, self.errors = status, output, errors
        self.items, self.conclusion = {}, ""
        for line in output.splitlines():
            if match := FINDING.match(line):
                self.items[match[2].strip()] = Item(match[1], match[3], [])
            elif line.startswith("      ") and self.items:
                list(self.items.values())[-1].fixes.append(line.strip())
            else:
                self.conclusion = line

    def findings(self, *wanted):
        return [name for name, item in self.items.items() if item.finding in wanted]

    def notes(self):
        return [f"status {self.status}", *self.output.splitlines(), self.errors]


def run(daemon, env=None):
    os.makedirs(os.path.join(daemon.home, "memory", "cert_indexes"), exist_ok=True)
    done = subprocess.run([*daemon.command(), "--check"], env=os.environ | daemon.env() | (env or {}), cwd=daemon.home,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=bed.LIMIT, check=False)
    return Report(done.returncode, done.stdout, done.stderr)


def found(report, name, finding, text="", fix=None):
    """Whether a check found this; `fix` is part of a line that fixes it."""
    item = report.items.get(name)
    return bool(item and item.finding == finding and text in item.text and
                (fix is None or any(fix in line for line in item.fixes)))


def expect(tap, report, what, name, finding, text="", fix=None):
    """The check found this, and the exit status is right."""
    failed = bool(report.findings("FAIL"))
    tap.ok(found(report, name, finding, text, fix) and report.status == failed and
           (UNREADABLE in report.conclusion) == failed, what, report.notes())


def expect_failure(tap, report, what, name, text, fix):
    """One check failed, others at most for want of it."""
    alone = report.findings("FAIL") == [name]
    tap.ok(alone and found(report, name, "FAIL", text, fix) and report.status == 1 and
           UNREADABLE in report.conclusion, what, report.notes())


# ---- snmpd, its configuration, and the software SMA ----

HEAD = """\
agentaddress udp:127.0.0.1:{port}
master agentx
agentXSocket {agentx}
agentXPerms 0777 0755
"""
OPEN = "view everything included .1.3.6.1\nrocommunity public 127.0.0.1 -V everything\n"
# As Debian installs it.
DEBIAN = """\
view   systemonly  included   .1.3.6.1.2.1.1
view   systemonly  included   .1.3.6.1.2.1.25.1
rocommunity  public default -V systemonly
rocommunity6 public default -V systemonly
rouser authPrivUser authpriv -V systemonly
includeDir {home}/snmpd.conf.d
"""
SHOW = f"view systemonly included .{MIB}"


class Master(Snmpd):
    """snmpd with a configuration of the test's own, on disk from the start."""

    def __init__(self, folder, access=OPEN, head=HEAD):
        super().__init__(folder)
        os.mkdir(os.path.join(self.home, "snmpd.conf.d"))
        self.write(access, head)

    def write(self, access, head=HEAD):
        with open(self.conf, "w", encoding="ascii") as file:
            file.write((head + access).format(port=self.port, agentx=self.agentx, home=self.home))


def checked(master, args=None, config="", **options):
    """An ibsmad to be checked, with this snmpd."""
    if args is None:
        args = ("-S", copied(os.path.join(NODES, "ca.conf"), master.home))
    return Daemon(master.folder, master, args=args, config=config, **options)


def examine(master, *, conf=None, env=None, **options):
    """The report on an ibsmad that finds the configuration of snmpd, and of managers, in one folder."""
    return run(checked(master, **options), {"SNMPCONFPATH": conf or master.home} | (env or {}))


def main(cases):
    """Runs the cases, or those that are named on the command line."""
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    wanted = sys.argv[1:]
    with bed.scratch() as folder:
        for case in cases:
            if not wanted or case.__name__ in wanted:
                tap.case(case, folder)
    tap.done()
