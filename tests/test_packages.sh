#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A release is the same bytes each time, and what Debian's and Fedora's tools make of it is right. Speaks TAP.
# Needs dpkg-dev, debhelper, lintian, logrotate, rpm, rpmlint; with CI or IBSMAD_NO_SKIP set their absence is a failure.
srcdir=${srcdir:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
. "$srcdir/tests/tap.sh"

# ---- the release ----

# From the sources of the tree, configured afresh: the tree may be configured in place, or be built just now.
make_release()
{
	make -C "$top_builddir" distdir distdir="$scratch/source" && mkdir "$scratch/build" &&
		cd "$scratch/build" && ../source/configure && make dist && mv ibsmad-*.tar.gz "$scratch/first.tar.gz"
}

again()
{
	find "$scratch/source" -type f -name '*.md' -exec touch {} +
	chmod -R go= "$scratch/source" && (cd "$scratch/build" && umask 077 && TZ=Asia/Kolkata make dist) &&
		cmp "$scratch/first.tar.gz" "$scratch"/build/ibsmad-*.tar.gz
}

takes_the_date()
{
	(cd "$scratch/build" && SOURCE_DATE_EPOCH=1234567890 make dist) &&
		TZ=UTC tar -tvzf "$scratch"/build/ibsmad-*.tar.gz >"$scratch/list" &&
		! grep -v ' 2009-02-13 23:31 ' "$scratch/list"
}

unpack()
{
	tar -xzf "$scratch/first.tar.gz" -C "$scratch" && mv "$scratch"/ibsmad-* "$scratch/ibsmad" &&
		mkdir "$scratch/SOURCES" && cp "$scratch/first.tar.gz" "$scratch/SOURCES/ibsmad-$version.tar.gz"
}

# same_version PACKAGE FOUND
same_version()
{
	[ "$2" = "$version" ] || { echo "$1 has version $2, the release $version"; return 1; }
}

same_versions()
{
	same_version debian "$(cd "$scratch/ibsmad" && dpkg-parsechangelog -S Version)" &&
		same_version rpm "$(rpmspec -q --srpm --qf '%{version}' "$spec")"
}

# ---- what is installed ----

# Names relative to /usr. Where /lib is a link to /usr/lib, both names are as good.
expected_files()
{
	cat <<-END
		/etc/logrotate.d/ibsmad
		/lib/systemd/system/ibsmad.service
		/lib/sysusers.d/ibsmad-sysusers.conf
		/lib/tmpfiles.d/ibsmad-tmpfiles.conf
		/lib/udev/rules.d/60-ibsmad.rules
		/sbin/ibsmad
	END
	(cd "$srcdir" && printf '%s\n' mibs/*.txt | sed 's,^,/share/snmp/,' &&
		printf '%s\n' mibs/base/*.txt | sed 's,^mibs/base,/share/ibsmad/mibs,' &&
		printf '%s\n' sma/nodes/*.conf | sed 's,^sma,/share/ibsmad,' &&
		printf '%s\n' agent/*.[58] mib/*.7 sma/*.[58] | sed 's,^[a-z]*/\(.*\)\(.\)$,/share/man/man\2/\1\2,') &&
		echo /etc/snmp/snmpd.conf.d/ibsmad.conf
}

# has_files LIST EXTRA...: LIST holds what the tree has for the user, EXTRA, and nothing else.
has_files()
{
	list=$1
	shift
	sed 's,^\./,/,; s,^/usr,,; s,\.gz$,,; /\/$/d' "$list" | sort >"$scratch/found"
	{ expected_files && printf '%s\n' "$@"; } | sort >"$scratch/expected"
	diff "$scratch/expected" "$scratch/found"
}

# The program of the package in FOLDER runs, and the unit starts it.
starts()
{
	"$1/usr/sbin/ibsmad" --version &&
		find "$1" -name ibsmad.service -exec grep -Fx 'ExecStart=/usr/sbin/ibsmad -f' {} + | grep .
}

# ---- by hand ----

by_hand()
{
	make -C "$top_builddir" "$1" DESTDIR="$scratch/by-hand"
}

# What the administrator has made of the configuration stays.
keeps_configuration()
{
	conf=$(by_hand install >&2 && find "$scratch/by-hand" -path '*/snmpd.conf.d/ibsmad.conf') && [ -n "$conf" ] &&
		echo "rocommunity own 127.0.0.1 -V ibsma" >>"$conf" && by_hand install && grep '^rocommunity own' "$conf" &&
		by_hand uninstall && rm "$conf" && by_hand install && [ -e "$conf" ] && by_hand uninstall &&
		! find "$scratch/by-hand" ! -type d | grep .
}

# ---- Debian ----

# One unit test stands for all, which make check runs anyway.
build_deb()
{
	cd "$scratch/ibsmad" && MAKEFLAGS=unit_tests=tests/notice/test_local_port \
		DEB_BUILD_OPTIONS="noautodbgsym parallel=2" dpkg-buildpackage -b -us -uc && ls "$scratch"/*.deb
}

ran_unit_test()
{
	grep '^PASS: tests/notice/test_local_port ' "$scratch/deb.log"
}

lint_deb()
{
	lintian --allow-root --fail-on error,warning "$scratch"/ibsmad_*.changes
}

deb_has_files()
{
	dpkg-deb --fsys-tarfile "$scratch"/ibsmad_*.deb | tar -t >"$scratch/list" &&
		has_files "$scratch/list" /share/doc/ibsmad/README.md /share/doc/ibsmad/changelog \
			/share/doc/ibsmad/copyright /share/lintian/overrides/ibsmad
}

deb_starts()
{
	mkdir "$scratch/deb" && dpkg-deb -x "$scratch"/ibsmad_*.deb "$scratch/deb" && starts "$scratch/deb"
}

# dpkg in a folder of its own.
dpkg_there()
{
	PATH=$PATH:/usr/sbin:/sbin dpkg --root="$scratch/root" --force-depends,not-root,script-chrootless \
		--log=/dev/null "$@"
}

install_deb()
{
	mkdir -p "$scratch/root/etc" "$scratch/root/var/lib/dpkg/info" "$scratch/root/var/lib/dpkg/updates" &&
		: >"$scratch/root/var/lib/dpkg/status" && dpkg_there -i "$scratch"/ibsmad_*.deb &&
		grep '^ibsmad:' "$scratch/root/etc/passwd" &&
		ls "$scratch/root/etc/systemd/system/multi-user.target.wants/ibsmad.service" \
			"$scratch/root/etc/systemd/system/rdma-hw.target.wants/ibsmad.service"
}

# What stays is the user, and what dpkg itself keeps.
purge_deb()
{
	mkdir -p "$scratch/root/var/lib/ibsmad" "$scratch/root/var/log/ibsmad" &&
		touch "$scratch/root/var/lib/ibsmad/state" "$scratch/root/var/log/ibsmad/ibsmad.log" &&
		dpkg_there --purge ibsmad && (cd "$scratch/root" && ! find . ! -type d ! -path './var/lib/dpkg/*' \
			! -path './etc/passwd*' ! -path './etc/group*' ! -path './etc/shadow*' ! -path './etc/gshadow*' \
			! -path './etc/.pwd.lock' | grep .) && ! ls -d "$scratch/root/var/lib/ibsmad" &&
		! ls -d "$scratch/root/var/log/ibsmad"
}

# By logrotate itself, for this user, in a folder of its own, and with a command that leaves a mark.
rotates_logs()
{
	mkdir "$scratch/logs" && echo "a line" >"$scratch/logs/ibsmad.log" &&
		sed "s,/var/log/ibsmad,$scratch/logs,; /^\tsu /d; s/\(create 0640\).*/\1/; s,systemctl.*,touch $scratch/told," \
			"$scratch/deb/etc/logrotate.d/ibsmad" >"$scratch/logrotate.conf" &&
		chmod 0644 "$scratch/logrotate.conf" && chmod 0755 "$scratch/logs" &&
		logrotate --force --state "$scratch/logrotate.state" "$scratch/logrotate.conf" &&
		grep "a line" "$scratch/logs/ibsmad.log.1" && [ -f "$scratch/logs/ibsmad.log" ] &&
		! [ -s "$scratch/logs/ibsmad.log" ] && ls "$scratch/told"
}

# ---- Fedora ----

lint_spec()
{
	rpmlint "$spec"
}

# The macros are those of systemd-rpm-macros; the tests were run once for Debian.
build_rpm()
{
	cat >"$scratch/macros" <<-'END'
		%_unitdir %{_prefix}/lib/systemd/system
		%_udevrulesdir %{_prefix}/lib/udev/rules.d
		%_sysusersdir %{_prefix}/lib/sysusers.d
		%_tmpfilesdir %{_prefix}/lib/tmpfiles.d
		%systemd_post() :
		%systemd_preun() :
		%systemd_postun_with_restart() :
	END
	rpmbuild -bb --nodeps --nocheck --load "$scratch/macros" --define "_topdir $scratch" \
		--define "_tmppath $scratch" --define "_dbpath $scratch/db" --define 'optflags -O0' \
		--define '_build_id_links none' "$spec"
}

rpm_has_files()
{
	rpm -qp --dbpath "$scratch/db" --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$scratch"/RPMS/*/ibsmad-*.rpm |
		sed "/^d/d; s/^[^ ]* //; s,/ibsmad-$version/,/ibsmad/," >"$scratch/list"
	has_files "$scratch/list" /share/doc/ibsmad/README.md /share/licenses/ibsmad/LICENSE
}

need dpkg-buildpackage dpkg-parsechangelog dh lintian logrotate rpmbuild rpmspec rpmlint
[ -f "$top_builddir/Makefile" ] || give_up "the tree is not configured"
# Options of the make that runs the tests are none of the make below, nor its flags those of packages.
unset MAKEFLAGS MFLAGS MAKELEVEL SOURCE_DATE_EPOCH CC CFLAGS CPPFLAGS LDFLAGS

version=$(sed -n 's/^PACKAGE_VERSION = //p' "$top_builddir/Makefile")
spec=$scratch/ibsmad/packaging/ibsmad.spec

check "a release is made" make_release
check "another run makes the same bytes" again
check "files bear the date of SOURCE_DATE_EPOCH" takes_the_date
check "the release unpacks" unpack
check "packages have its version" same_versions
check "make install keeps what it finds, make uninstall what was changed, and nothing else" keeps_configuration
check "the Debian package builds" build_deb
cp "$scratch/log" "$scratch/deb.log"
check "its unit tests are run" ran_unit_test
check "lintian has no complaint" lint_deb
check "the Debian package has the right files" deb_has_files
check "its program runs, and the unit starts it" deb_starts
check "it installs, makes its user and enables the unit" install_deb
check "it leaves nothing when it is purged" purge_deb
check "logrotate takes its configuration, and tells the service" rotates_logs
check "rpmlint finds no error in the spec" lint_spec
check "the RPM builds" build_rpm
check "it has the right files" rpm_has_files
tap_done
