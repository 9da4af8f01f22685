#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The committed mib/sma_mib_gen.[ch] are what mib/regen makes of mibs/SMA-MIB.txt. Speaks TAP.
# Needs mib2c and its Perl module; with CI or IBSMAD_NO_SKIP set their absence is a failure.
set -u

srcdir=${srcdir:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
csv=$srcdir/tests/data/sma-mib-objects.csv
generated="sma_mib_gen.c sma_mib_gen.h"

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

give_up()
{
	if [ -n "${CI:-}${IBSMAD_NO_SKIP:-}" ]; then
		printf '1..1\nnot ok 1 - %s\n' "$1"
	else
		printf '1..0 # SKIP %s\n' "$1"
	fi
	exit 0
}

count=0

# check TEXT COMMAND...: one test; what the command prints becomes a comment if it fails.
check()
{
	text=$1
	shift
	count=$((count + 1))
	if "$@" >"$scratch/log" 2>&1; then
		printf 'ok %d - %s\n' "$count" "$text"
	else
		printf 'not ok %d - %s\n' "$count" "$text"
		sed 's/^/# /' "$scratch/log"
	fi
}

regenerate()
{
	PERL_HASH_SEED=$1 PERL_PERTURB_KEYS=0 sh "$srcdir/mib/regen" "$scratch/$1"
}

only_generated_files()
{
	[ "$(cd "$scratch/$1" && find . -type f | sort | tr -d '\n')" = ./sma_mib_gen.c./sma_mib_gen.h ] ||
		{ find "$scratch/$1"; return 1; }
}

committed_files()
{
	[ "$(cd "$srcdir/mib" && echo ./*_gen.[ch])" = "./sma_mib_gen.c ./sma_mib_gen.h" ] ||
		{ ls "$srcdir/mib"; return 1; }
}

# same_number WHAT EXPECTED FOUND...
same_number()
{
	what=$1 expected=$2
	shift 2
	for found in "$@"; do
		[ "$found" = "$expected" ] || { echo "$what: $found, expected $expected"; return 1; }
	done
}

macro()
{
	sed -n "s/^#define $1 //p" "$scratch/1/sma_mib_gen.h"
}

lines()
{
	grep -c "$1" "$scratch/1/$2"
}

# listed KINDS [ACCESS]: how many lines the list has of them
listed()
{
	awk -F, -v kinds="^($1)\$" -v access="^(${2:-.*})\$" '$3 ~ kinds && $7 ~ access' "$csv" | wc -l | tr -d ' '
}

object_count()
{
	same_number objects "$(listed 'scalar|column' read-only)" \
		"$(macro SMA_MIB_OBJECT_COUNT)" \
		"$(lines '^	{\.name = "[^"]*", \.subid = {1,' sma_mib_gen.c)" &&
		same_number objects 117 "$(macro SMA_MIB_OBJECT_COUNT)"
}

notify_object_count()
{
	same_number "objects of notifications" "$(listed scalar accessible-for-notify)" \
		"$(macro SMA_MIB_NOTIFY_OBJECT_COUNT)" \
		"$(lines '^	[A-Za-z0-9]*_place,' sma_mib_gen.h)" \
		"$(lines '^	\[[A-Za-z0-9]*_place\] = ' sma_mib_gen.c)" &&
		same_number "objects of notifications" 15 "$(macro SMA_MIB_NOTIFY_OBJECT_COUNT)"
}

map_count()
{
	same_number maps "$(listed 'scalar|column' 'read-only|accessible-for-notify')" \
		"$(lines '^extern const struct mib_map ' sma_mib_gen.h)"
}

notification_count()
{
	same_number notifications "$(listed notification)" \
		"$(macro SMA_MIB_NOTIFICATION_COUNT)" \
		"$(lines '^extern const struct mib_trap ' sma_mib_gen.h)" \
		"$(lines '^	{\.name = "[^"]*", \.subid = {2,' sma_mib_gen.c)" &&
		same_number notifications 10 "$(macro SMA_MIB_NOTIFICATION_COUNT)"
}

table_count()
{
	same_number tables "$(listed table)" \
		"$(macro SMA_MIB_TABLE_COUNT)" \
		"$(lines '^extern const struct mib_space ' sma_mib_gen.h)" \
		"$(lines '^static const struct mib_table ' sma_mib_gen.c)" &&
		same_number tables 12 "$(macro SMA_MIB_TABLE_COUNT)"
}

command -v mib2c >/dev/null || give_up "mib2c is missing"
perl -MSNMP -e 1 2>/dev/null || give_up "the Perl module SNMP is missing"

echo 1..12
check "mib/regen runs" regenerate 1
check "mib/regen runs under another hash seed" regenerate 2
check "mib/regen writes the two files and nothing else" only_generated_files 1
check "both runs agree" diff -u -r "$scratch/1" "$scratch/2"
check "no other generated file is in mib/" committed_files
for file in $generated; do
	check "mib/$file is current" diff -u "$srcdir/mib/$file" "$scratch/1/$file"
done
check "each readable object is there" object_count
check "each object that only notifications have is there" notify_object_count
check "each object has its map" map_count
check "each notification is there" notification_count
check "each table is there" table_count
