#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The committed mib/*/*_gen.[ch] are what mib/regen makes of the modules in mibs/. Speaks TAP.
# Needs mib2c and its Perl module; with CI or IBSMAD_NO_SKIP set their absence is a failure.
srcdir=${srcdir:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}
. "$srcdir/tests/tap.sh"

generated="dm/dm_mib_gen.c dm/dm_mib_gen.h ibsmad/ibsmad_mib_gen.c ibsmad/ibsmad_mib_gen.h sma/sma_mib_gen.c sma/sma_mib_gen.h"

regenerate()
{
	PERL_HASH_SEED=$1 PERL_PERTURB_KEYS=0 sh "$srcdir/mib/regen" "$scratch/$1"
}

only_generated_files()
{
	[ "$(cd "$scratch/$1" && echo */*)" = "$generated" ] ||
		{ find "$scratch/$1"; return 1; }
}

committed_files()
{
	[ "$(cd "$srcdir/mib" && echo */*_gen.[ch])" = "$generated" ] ||
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

# What follows is about MODULE, whose files have names with PREFIX.
macro()
{
	sed -n "s/^#define $(echo "$prefix" | tr '[:lower:]' '[:upper:]')_$1 //p" "$scratch/1/${prefix%_mib}/${prefix}_gen.h"
}

lines()
{
	grep -c "$1" "$scratch/1/${prefix%_mib}/${prefix}_gen.$2"
}

# listed KINDS [ACCESS]: how many lines the list has of them
listed()
{
	awk -F, -v kinds="^($1)\$" -v access="^(${2:-.*})\$" '$3 ~ kinds && $7 ~ access' \
		"$srcdir/tests/data/$(echo "$module" | tr '[:upper:]' '[:lower:]')-objects.csv" | wc -l | tr -d ' '
}

# object_count NUMBER, likewise below: that many are listed, and generated
object_count()
{
	same_number objects "$1" "$(listed 'scalar|column' read-only)" "$(macro OBJECT_COUNT)" \
		"$(lines '^	{\.name = "[^"]*", \.subid = {1,' c)"
}

notify_object_count()
{
	same_number "objects of notifications" "$1" "$(listed scalar accessible-for-notify)" \
		"$(macro NOTIFY_OBJECT_COUNT)" "$(lines '^	[A-Za-z0-9]*_place,' h)" \
		"$(lines '^	\[[A-Za-z0-9]*_place\] = ' c)"
}

map_count()
{
	same_number maps "$1" "$(lines '^extern const struct mib_map ' h)"
}

notification_count()
{
	same_number notifications "$1" "$(listed notification)" "$(macro NOTIFICATION_COUNT)" \
		"$(lines '^extern const struct mib_trap ' h)" "$(lines '^	{\.name = "[^"]*", \.subid = {[02],' c)"
}

table_count()
{
	same_number tables "$1" "$(listed table)" "$(macro TABLE_COUNT)" \
		"$(lines '^extern const struct mib_space ' h)" "$(lines '^static const struct mib_table ' c)"
}

# A module whose numbers have 64 bits; no module of mibs/ has one yet.
write_wide_module()
{
	mkdir "$scratch/wide" &&
		cat >"$scratch/wide/WIDE-MIB" <<'EOF'
WIDE-MIB DEFINITIONS ::= BEGIN
IMPORTS
    MODULE-IDENTITY, OBJECT-TYPE, Counter64, Integer32, experimental FROM SNMPv2-SMI;
wideMIB MODULE-IDENTITY
    LAST-UPDATED "202601010000Z"
    ORGANIZATION "none"
    CONTACT-INFO "none"
    DESCRIPTION "A test."
    ::= { experimental 118 }
wideTable OBJECT-TYPE
    SYNTAX SEQUENCE OF WideEntry
    MAX-ACCESS not-accessible
    STATUS current
    DESCRIPTION "A table."
    ::= { wideMIB 1 }
wideEntry OBJECT-TYPE
    SYNTAX WideEntry
    MAX-ACCESS not-accessible
    STATUS current
    DESCRIPTION "A row."
    INDEX { wideIndex }
    ::= { wideTable 1 }
WideEntry ::= SEQUENCE { wideIndex Integer32, wideOctets Counter64 }
wideIndex OBJECT-TYPE
    SYNTAX Integer32 (1..254)
    MAX-ACCESS not-accessible
    STATUS current
    DESCRIPTION "An index."
    ::= { wideEntry 1 }
wideOctets OBJECT-TYPE
    SYNTAX Counter64
    MAX-ACCESS read-only
    STATUS current
    DESCRIPTION "A column."
    ::= { wideEntry 2 }
END
EOF
}

# The template alone: what mib/regen adds is checked above.
wide_column()
{
	write_wide_module || return
	mkdir "$scratch/home" && cd "$scratch/wide" || return
	HOME=$scratch/home SNMPCONFPATH=$scratch/home SNMP_PERSISTENT_DIR=$scratch/home \
		MIBDIRS=$scratch/wide:$srcdir/mibs/base MIBS=WIDE-MIB LC_ALL=C \
		mib2c -q -i -s -I "$srcdir/mib" -c module.m2c -f wide_mib_gen wideMIB || return
	tr -s '\n\t' '  ' <wide_mib_gen.c >flat
	grep -F '{.name = "wideOctets", .subid = {1, 1, 2}, .length = 3, .type = ASN_COUNTER64, .low = 0, .high = UINT64_MAX, .table = &wideTable,' flat ||
		{ cat wide_mib_gen.c; return 1; }
}

need mib2c
perl -MSNMP -e 1 2>/dev/null || give_up "the Perl module SNMP is missing"

check "mib/regen runs" regenerate 1
check "mib/regen runs under another hash seed" regenerate 2
check "mib/regen writes the generated files and nothing else" only_generated_files 1
check "both runs agree" diff -u -r "$scratch/1" "$scratch/2"
check "no other generated file is in mib/" committed_files
for file in $generated; do
	check "mib/$file is current" diff -u "$srcdir/mib/$file" "$scratch/1/$file"
done

module=SMA-MIB prefix=sma_mib
check "$module: each readable object is there" object_count 117
check "$module: each object that only notifications have is there" notify_object_count 15
check "$module: each object has its map" map_count 132
check "$module: each notification is there" notification_count 10
check "$module: each table is there" table_count 12

module=IBSMAD-MIB prefix=ibsmad_mib
check "$module: each readable object is there" object_count 53
check "$module: each object has its map" map_count 53
check "$module: each table is there" table_count 2

module=IB-DM-MIB prefix=dm_mib
check "$module: each readable object is there" object_count 53
check "$module: each object that only notifications have is there" notify_object_count 3
check "$module: each object has its map" map_count 56
check "$module: each notification is there" notification_count 1
check "$module: each table is there" table_count 6

check "a Counter64 has all its 64 bits" wide_column
tap_done
