#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: lint.sh
# The static checks, as TAP: layout, cppcheck, clang-tidy.
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 2

number=0
report() { # report STATUS NAME OUTPUT-FILE
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' "$3"
	fi
}

output=$(mktemp)
trap 'rm -f "$output"' EXIT
sources=$(git ls-files '*.c' '*.h' | grep -v '_gen\.')
units=$(git ls-files '*.c' | grep -v '_gen\.')
flags="-std=gnu11 -D_GNU_SOURCE -DIBSMAD_VERSION=\"x\" -I$top $(net-snmp-config --base-cflags) \
	$(pkg-config --cflags libibmad libibumad libibverbs cunit)"

# shellcheck disable=SC2086 # the lists are to be split
{
	clang-format --dry-run --Werror $sources >"$output" 2>&1
	report $? "clang-format" "$output"

	# it looks into no headers of the system, but has to know the loops over lists
	lists=$(printf '#include <sys/queue.h>\n' | cc -E - | sed -n 's/^# 1 "\(.*sys\/queue.h\)".*/\1/p')
	cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 --enable=warning,performance,portability \
		--include="$lists" \
		--library=posix -I"$top" $units >"$output" 2>&1
	report $? "cppcheck" "$output"

	printf '%s\n' $units | xargs -P "$(nproc)" -n 1 sh -c 'flags=$0; clang-tidy --quiet "$@" -- $flags' "$flags" \
		>"$output" 2>/dev/null
	report $? "clang-tidy" "$output"
}
echo "1..$number"
