#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: fuzz.sh FOLDER SECONDS
# Build the fuzz targets of tests/fuzz in FOLDER with clang and run each for SECONDS, as TAP. What a target finds is
# left in FOLDER; its corpus there grows from run to run.
top=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1/objects"
mkdir -p "$1/objects" && folder=$(cd "$1" && pwd) || exit 2
seconds=$2
cd "$top" || exit 2

flags="-std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I$top \
	$(pkg-config --cflags libibmad libibumad libibverbs)"
libraries="$(pkg-config --libs libibmad libibumad libibverbs) -pthread"

# One object for each source, named after its path.
build_library() {
	rm -f "$folder/libfuzz.a"
	# shellcheck disable=SC2086,SC2016 # the flags are to be split; the inner shell has its own arguments
	find sma -name '*.c' -print0 | xargs -0 -P "$(nproc)" -I {} sh -c 'source=$1 folder=$2 && shift 2 &&
		clang "$@" -c "$source" -o "$folder/objects/$(echo "$source" | tr / -).o"' build {} "$folder" $flags &&
		ar rcs "$folder/libfuzz.a" "$folder"/objects/*.o
}

run() { # run NAME
	mkdir -p "$folder/$1"
	# shellcheck disable=SC2086 # the flags are to be split
	clang $flags "tests/fuzz/fuzz_$1.c" "$folder/libfuzz.a" $libraries -o "$folder/fuzz_$1" &&
		"$folder/fuzz_$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
			-artifact_prefix="$folder/$1-" "$folder/$1" "tests/fuzz/$1"
}

if ! build_library >"$folder/library.log" 2>&1; then
	echo "not ok 1 - build"
	tail -n 40 "$folder/library.log" | sed 's/^/# /'
	echo "1..1"
	exit
fi
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
