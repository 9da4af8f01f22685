#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Each header compiles alone, and includes go one way: agent -> mib -> sma. Speaks TAP.
srcdir=${srcdir:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
. "$srcdir/tests/tap.sh"

cc=${CC:-cc}

cd "$srcdir" || exit 1
flags="-std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -I. $(net-snmp-config --base-cflags) \
$(pkg-config --cflags libibmad libibumad libibverbs)" || exit 1

compiles()
{
	# shellcheck disable=SC2086 # the flags are words
	printf '#include "%s"\n' "$1" | $cc $flags -fsyntax-only -x c -
}

# only FOLDERS PATTERN ALLOWED: what is included in FOLDERS and matches PATTERN is ALLOWED.
only()
{
	found=$(for folder in $1; do
		grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*$2" "$folder"/*.[ch]
	done | grep -vE "$3")
	printf '%s' "$found"
	[ -z "$found" ]
}

for header in sma/*.h mib/*.h agent/*.h tests/*.h; do
	check "$header compiles alone" compiles "$header"
done

none='^$'
check "sma/ does not include Net-SNMP" only sma '[<"]net-snmp' "$none"
check "mib/ does not include libibumad or libibmad" only mib '[<"]infiniband' "$none"
check "agent/ does not include libibumad or libibmad" only agent '[<"]infiniband' "$none"
check "sma/ includes sma/ only" only sma '"' '"sma/[a-z0-9_]+\.h"'
check "mib/ includes mib/ and sma/sma.h only" only mib '"' '"(mib/[a-z0-9_]+|sma/sma)\.h"'
check "agent/ includes agent/, mib/mib.h and sma/sma.h only" only agent '"' \
	'"(agent/[a-z0-9_]+|mib/mib|sma/sma)\.h"'
check "quoted includes name their folder" only 'sma mib agent tests' '"[^/"]*"' "$none"
check "nothing includes a source file" only 'sma mib agent tests' '[<"].*\.c[>"]' "$none"
tap_done
