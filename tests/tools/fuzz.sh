#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: fuzz.sh FOLDER SECONDS
# Build the fuzz targets of tests/fuzz in FOLDER with clang and run each for SECONDS, as TAP. What a target finds is
# left in FOLDER; its corpus there grows from run to run.
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1" && folder=$(cd "$1" && pwd) || exit 2
seconds=$2
cd "$top" || exit 2

flags="-std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I$top \
	$(pkg-config --cflags libibmad libibumad libibverbs)"
libraries="$(pkg-config --libs libibmad libibumad libibverbs) -pthread"

run() { # run NAME
	mkdir -p "$folder/$1"
	# shellcheck disable=SC2086 # the flags are to be split
	clang $flags "tests/fuzz/fuzz_$1.c" sma/*.c $libraries -o "$folder/fuzz_$1" &&
		"$folder/fuzz_$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
			-artifact_prefix="$folder/$1-" "$folder/$1" "tests/fuzz/$1"
}

number=0
for source in tests/fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	name=${name#fuzz_}
	number=$((number + 1))
	if run "$name" >"$folder/$name.log" 2>&1; then
		echo "ok $number - $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.log") inputs"
	else
		echo "not ok $number - $name"
		tail -n 40 "$folder/$name.log" | sed 's/^/# /'
	fi
done
echo "1..$number"
