#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Runs a program as agent/ibsmad.service.in has systemd run it, where there is no systemd.

Usage, as root: restricted.py UID STATE PROGRAM [ARGUMENT]...

The user UID, no capability, no new privileges, the system calls of SystemCallFilter= and
RestrictAddressFamilies= refused, and nothing but the folder STATE, where it runs, may be written to.
"""

import ctypes
import errno
import os
import re
import socket
import sys

# Read while it can be: it may be in a home that is closed to others.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "agent", "ibsmad.service.in"),
          encoding="utf-8") as _file:
    UNIT = _file.read()
CLONE_NEWNS, MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 0x20000, 1, 32, 4096, 16384, 1 << 18
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 24, 38, 47, 4
LAST_CAPABILITY = 63
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
COMPARE_LARGER = 6  # of libseccomp's scmp_compare

# What systemd.exec(5) puts into these sets, as `systemd-analyze syscall-filter` lists it.
SETS = {
    "@privileged": """
        acct adjtimex bpf capset chown chown32 chroot clock_adjtime clock_adjtime64 clock_settime clock_settime64
        delete_module fanotify_init fanotify_mark fchown fchown32 fchownat finit_module init_module ioperm iopl
        kexec_file_load kexec_load lchown lchown32 open_by_handle_at pivot_root quotactl quotactl_fd reboot
        setdomainname setfsuid setfsuid32 setgroups setgroups32 sethostname setresuid setresuid32 setreuid
        setreuid32 settimeofday setuid setuid32 swapoff swapon vhangup""",
    "@resources": """
        ioprio_set mbind migrate_pages move_pages nice sched_setaffinity sched_setattr sched_setparam
        sched_setscheduler set_mempolicy setpriority setrlimit""",
}

libc = ctypes.CDLL(None, use_errno=True)


class Comparison(ctypes.Structure):
    """scmp_arg_cmp"""
    _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def call(function, *arguments):
    if function(*arguments) < 0:
        raise OSError(ctypes.get_errno(), f"{function.__name__} {arguments}")


def unit(key):
    """The values of a key in the unit, line for line."""
    return re.findall(rf"^{key}=(.*)$", UNIT, re.MULTILINE)


def refused_calls():
    """What lines with ~ take away, less what later lines give again; all that no line with ~ names is left."""
    refused = set()
    for line in unit("SystemCallFilter"):
        names = {name for word in line.lstrip("~").split() for name in SETS.get(word, word).split()}
        refused = refused | names if line.startswith("~") else refused - names
    return refused


def refuse_writing(state):
    call(libc.unshare, CLONE_NEWNS)
    call(libc.mount, None, b"/", None, MS_REC | MS_PRIVATE, None)
    call(libc.mount, state, state, None, MS_BIND, None)
    call(libc.mount, None, b"/", None, MS_REMOUNT | MS_BIND | MS_RDONLY, None)


def refuse_calls():
    """RestrictAddressFamilies=: of those that the unit leaves, the largest."""
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(seccomp.seccomp_init(ALLOW))
    for name in refused_calls():
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            seccomp.seccomp_rule_add(context, ERRNO | errno.EPERM, number, 0)
    largest = max(getattr(socket, name) for line in unit("RestrictAddressFamilies") for name in line.split())
    rule = Comparison(0, COMPARE_LARGER, largest, 0)
    seccomp.seccomp_rule_add_array(context, ERRNO | errno.EAFNOSUPPORT,
                                   seccomp.seccomp_syscall_resolve_name(b"socket"), 1, ctypes.byref(rule))
    if seccomp.seccomp_load(context):
        raise OSError("seccomp_load")


def become(uid):
    for capability in range(LAST_CAPABILITY):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails where the kernel has no such
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    os.umask(0o077)
    call(libc.prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def main():
    uid, state, *program = sys.argv[1:]
    os.chown(state, int(uid), int(uid))
    refuse_writing(state.encode())
    become(int(uid))
    refuse_calls()
    os.chdir(state)
    os.execv(program[0], program)


if __name__ == "__main__":
    main()
