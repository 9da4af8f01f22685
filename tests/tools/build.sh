#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: build.sh FOLDER [CONFIGURE ARGUMENT]...
# Configure and build the tree in FOLDER below its top; the output of the tools stands in FOLDER/build.log.
set -e
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1
shift
cd "$top"
if [ -e config.status ]; then
	echo "The source tree itself is configured, which rules out other builds; undo it first: make distclean" >&2
	exit 1
fi
mkdir -p "$folder"
log="$top/$folder/build.log"
echo "Building in $folder"
build() {
	[ -x configure ] && [ configure -nt configure.ac ] && [ Makefile.in -nt Makefile.am ] || ./autogen.sh
	cd "$folder"
	[ -f Makefile ] && [ Makefile -nt "$top/configure" ] || "$top/configure" "$@"
	make -j"$(nproc)"
}
if ! (build "$@") >"$log" 2>&1; then
	tail -n 40 "$log" >&2
	echo "The build failed; all of it is in $log" >&2
	exit 1
fi
