#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Make ./configure from configure.ac.
set -e
cd "$(dirname "$0")"
for tool in autoreconf automake pkg-config; do
	command -v "$tool" >/dev/null || {
		echo "autogen.sh: $tool is missing: install autoconf automake pkg-config (Fedora: pkgconf-pkg-config)" >&2
		exit 1
	}
done
exec autoreconf --install --force
