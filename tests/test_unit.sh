#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What the service manager gets: the unit is correct and well confined, its user is made and may open the devices.
# Speaks TAP. Needs systemd's tools; with CI or IBSMAD_NO_SKIP set their absence is a failure.
srcdir=${srcdir:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
. "$srcdir/tests/tap.sh"

root=$scratch/root
prefix=$root$(sed -n 's/^prefix = //p' "$top_builddir/Makefile" 2>/dev/null)
installed=$prefix/lib/systemd/system/ibsmad.service
sysusers=$prefix/lib/sysusers.d/ibsmad-sysusers.conf
rules=$prefix/lib/udev/rules.d/60-ibsmad.rules
unit=$scratch/ibsmad.service

install_for_systemd()
{
	make -C "$top_builddir" install DESTDIR="$root" && ls "$installed" "$sysusers" "$rules"
}

starts_the_program()
{
	grep '^Exec' "$installed"
	program=$(sed -n 's/^ExecStart=\([^ ]*\) -f$/\1/p' "$installed")
	[ -x "$root$program" ]
}

# The program stands below $root, all that it depends on does not.
is_correct()
{
	sed "s,^ExecStart=,&$root," "$installed" >"$unit"
	systemd-analyze verify --man=no --recursive-errors=no "$unit" >"$scratch/faults" 2>&1 ||
		{ cat "$scratch/faults"; return 1; }
	! grep ibsmad "$scratch/faults"
}

is_confined()
{
	systemd-analyze security --offline=true --threshold=20 --no-pager "$unit" >"$scratch/exposure" 2>&1 ||
		{ grep -v '✓' "$scratch/exposure"; return 1; }
}

has_settings()
{
	# shellcheck disable=SC2016 # systemd replaces MAINPID
	for setting in Type=notify WatchdogSec=30s Restart=on-failure 'ExecReload=/bin/kill -HUP $MAINPID' \
		User=ibsmad Group=ibsmad 'DeviceAllow=char-infiniband_mad rw' \
		'DeviceAllow=char-infiniband_verbs rw'; do
		grep -Fqx "$setting" "$unit" || { echo "not there: $setting"; return 1; }
	done
	! grep -E '^(Requires|BindsTo|PartOf|EnvironmentFile)=' "$unit"
}

user_is_made()
{
	systemd-sysusers --dry-run --root="$root" "$sysusers" 2>&1 | tee "$scratch/made"
	grep -q "Creating group 'ibsmad'" "$scratch/made" && grep -q "Creating user 'ibsmad'" "$scratch/made"
}

user_may_open_devices()
{
	cat "$rules"
	grep -Eq '^ACTION!="remove", SUBSYSTEM=="infiniband_mad", KERNEL=="umad\*", GROUP="ibsmad", MODE="0660"$' "$rules"
}

need systemd-analyze systemd-sysusers
[ -f "$top_builddir/Makefile" ] || give_up "the tree is not configured"
# Options of the make that runs the tests are none of the make below.
unset MAKEFLAGS MFLAGS MAKELEVEL

check "it is installed where systemd and udev look" install_for_systemd
check "the unit starts the installed program" starts_the_program
check "systemd finds no fault with the unit" is_correct
check "it is exposed to 2.0 of 10 at most" is_confined
check "what the program and the devices need is set" has_settings
check "the user is made" user_is_made
check "the user may open the devices" user_may_open_devices
tap_done
