#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Each header compiles alone, includes go one way, and no two files include each other. Speaks TAP.
#
#     agent -> mib -> sma/notice -> sma/node -> sma/mad -> sma/iba        agent -> sma/soft, sma/fabric -> sma/mad, sma/iba
#
# Outside of a room nothing but its public header is included.
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

sources()
{
	find "$@" -name '*.[ch]' | sort
}

# only FOLDERS PATTERN ALLOWED: what is included in FOLDERS and matches PATTERN is ALLOWED.
only()
{
	# shellcheck disable=SC2046,SC2086 # lists of words
	found=$(grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*$2" $(sources $1) | grep -vE "$3")
	printf '%s' "$found"
	[ -z "$found" ]
}

for header in $(find sma mib agent tests -name '*.h' | sort); do
	check "$header compiles alone" compiles "$header"
done

# room FOLDER ROOMS: FOLDER includes its own files and the public headers of ROOMS.
room()
{
	allowed="\"$1/[a-z0-9_/]+\.h\""
	for other in $2; do
		allowed="$allowed|\"$other\""
	done
	check "$1/ includes itself and: $2" only "$1" '"' "$allowed"
}

common="sma/log.h sma/clock.h sma/thread.h"
iba=sma/iba/iba.h
mad=sma/mad/mad.h
node=sma/node/node.h
notice=sma/notice/notice.h
fabric=sma/fabric/fabric.h
soft=sma/soft/soft.h
room sma/iba ""
room sma/mad "$iba $common"
room sma/node "$mad $iba $common"
room sma/notice "$node $mad $iba $common"
room sma/fabric "$mad $iba $common"
room sma/soft "$mad $iba $common"
room mib "$notice $node $iba sma/log.h sma/clock.h"
room agent "mib/mib.h $soft $fabric $notice $node $mad $iba $common"

# Within agent/: its files -> doctor/ -> agentx/ -> what knows neither snmpd nor the configuration.
agentx=agent/agentx/agentx.h
check "agent/*.c include $agentx and agent/doctor/doctor.h alone of the two folders" \
	only 'agent -maxdepth 1' '"agent/(agentx|doctor)/' "\"($agentx|agent/doctor/doctor\.h)\""
check "agent/doctor includes $agentx alone of agent/agentx" only agent/doctor '"agent/agentx/' "\"$agentx\""
check "agent/agentx includes itself, the clock and the last error" \
	only agent/agentx '"agent/' '"agent/(agentx/[a-z_]+|agent|clock|last_error)\.h"'

# No circles: tsort complains of them.
one_way()
{
	circles=$(for file in $(sources sma mib agent); do
		sed -n "s,^#include \"\(.*\)\",$file \1,p" "$file"
	done | tsort 2>&1 >/dev/null)
	printf '%s' "$circles"
	[ -z "$circles" ]
}

# Whatever agent/agentx/undeclared.h declares configure looks for, and nothing else.
proven()
{
	declared=$(sed -n '/^[^/ #]/s/.*[ *]\([a-z_]*\)[;(].*/\1/p' agent/agentx/undeclared.h | sort)
	looked_for=$(sed -n '/^for symbol in/,/; do$/p' configure.ac |
		sed 's/^for symbol in//; s/; do$//; s/\\$//' | tr -s ' ' '\n' | sed '/^$/d' | sort)
	printf 'declared:\n%s\nlooked for:\n%s\n' "$declared" "$looked_for"
	[ -n "$declared" ] && [ "$declared" = "$looked_for" ]
}

none='^$'
check "sma/ does not include Net-SNMP" only sma '[<"]net-snmp' "$none"
check "mib/ does not include libibumad or libibmad" only mib '[<"]infiniband' "$none"
check "agent/ does not include libibumad or libibmad" only agent '[<"]infiniband' "$none"
check "only sma/mad includes libibumad" only 'sma/iba sma/node sma/notice sma/soft' '[<"]infiniband/umad.h' "$none"
check "quoted includes name their folder" only 'sma mib agent tests' '"[^/"]*"' "$none"
check "nothing includes a source file" only 'sma mib agent tests' '[<"].*\.c[>"]' "$none"
check "no files include each other" one_way
check "configure looks for each symbol that no header of Net-SNMP declares" proven
tap_done
