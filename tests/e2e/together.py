# SPDX-License-Identifier: BSD-2-Clause
"""Cases that wait more than they work, some at a time, and their results as if one came after the other."""

from concurrent.futures import ThreadPoolExecutor

from tap import Tap


class _Part(Tap):
    """Keeps results, to be told later."""

    def __init__(self):
        super().__init__()
        self.told = []

    def ok(self, good, name, notes=()):
        notes = list(notes)
        self.told.append(lambda tap: tap.ok(good, name, notes))
        return good

    def skip(self, name, reason):
        self.told.append(lambda tap: tap.skip(name, reason))

    def note(self, lines):
        lines = list(lines)
        self.told.append(lambda tap: tap.note(lines))


def _run(function, *args):
    part = _Part()
    part.case(function, *args)
    return part.told


def together(tap, cases, at_once):
    """Runs cases, each a function and its arguments without tap.  What a thread has started ends with the thread (see
    bed.Child), and threads end when all cases have."""
    pool = ThreadPoolExecutor(at_once)
    try:
        for told in [pool.submit(_run, *case) for case in cases]:
            for tell in told.result():
                tell(tap)
    finally:
        pool.shutdown(cancel_futures=True)
