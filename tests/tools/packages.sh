#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: packages.sh demo|check
# Install the Debian packages that ./demo or ./check needs, or say which are missing. Where there is no dpkg, the
# user has installed what the README names; configure says what it misses.
set -e

build="autoconf automake gcc libc6-dev libibmad-dev libibumad-dev libibverbs-dev libsnmp-dev make pkg-config"
fabric="ibsim-utils infiniband-diags libumad2sim0 opensm python3 snmp snmpd snmptrapd"
check="build-essential clang clang-format clang-tidy cppcheck debhelper dpkg-dev git groff-base iproute2 libclang-rt-dev \
	libcunit1-dev libseccomp2 libsnmp-perl lintian logrotate rpm \
	rpmlint smitools srptools systemd udev valgrind"

case "$1" in
demo) wanted="$build $fabric" ;;
check) wanted="$build $fabric $check" ;;
*)
	echo "usage: packages.sh demo|check" >&2
	exit 2
	;;
esac

command -v dpkg-query >/dev/null || exit 0

is_installed() {
	dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'
}

# The sanitizers' run-time library of clang carries clang's version in its name.
sanitizer_package() {
	version=$(clang -dumpversion 2>/dev/null | cut -d. -f1)
	echo "libclang-rt-${version:-14}-dev"
}

missing=
for package in $wanted; do
	[ "$package" = libclang-rt-dev ] && package=$(sanitizer_package)
	is_installed "$package" || missing="$missing $package"
done
# npm also comes with Node.js from elsewhere.
[ "$1" = demo ] || command -v npm >/dev/null || missing="$missing npm"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ]; then
	echo "These packages are missing; as root, run: apt-get install$missing" >&2
	exit 1
fi
echo "Installing:$missing"
apt-get -qq -o Acquire::Retries=3 update
# shellcheck disable=SC2086 # the list is to be split
DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 install --no-install-recommends $missing >/dev/null
