# SPDX-License-Identifier: BSD-2-Clause
"""Test Anything Protocol: results on standard output, one line each."""

import os
import sys
import traceback

import agents
import bed


def _forced():
    return any(os.environ.get(name) for name in ("CI", "IBSMAD_NO_SKIP"))


def skip_all(reason):
    """Ends the script; where nothing may be skipped this is a failure."""
    if _forced():
        print(f"Bail out! {reason}")
        sys.exit(1)
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)


def require(*tools):
    missing = [tool for tool in tools if bed.find_tool(tool) is None]
    if not bed.simulator_library():
        missing.append("libumad2sim.so")
    if missing:
        skip_all("not installed: " + ", ".join(missing))


def require_daemon():
    require("ibsim", "opensm", "snmpd", "snmpwalk", "snmpbulkwalk", "snmpget")
    if not os.access(agents.daemon_binary(), os.X_OK):
        skip_all(f"no daemon at {agents.daemon_binary()}")


class Tap:
    """Numbers the results and prints the plan at the end."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, good, name, notes=()):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}", flush=True)
        if not good:
            self.note(notes)
        return good

    def equal(self, got, wanted, name):
        return self.ok(got == wanted, name, [f"got    {got!r}", f"wanted {wanted!r}"])

    def skip(self, name, reason):
        """For what this user or machine cannot have; a missing tool is for require()."""
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {reason}", flush=True)

    def note(self, lines):
        for line in lines:
            for part in str(line).splitlines():
                print(f"# {part}", flush=True)

    def case(self, function, *args):
        """Runs one test function; an exception in it is one failed result."""
        name = f"{function.__name__} {' '.join(a for a in args if isinstance(a, str))}".rstrip()
        try:
            function(self, *args)
        except Exception:
            self.ok(False, name, traceback.format_exc().splitlines())

    def done(self):
        print(f"1..{self.count}")
        if self.failed:
            self.note([f"{self.failed} of {self.count} failed"])
