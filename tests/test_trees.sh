#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# TAP: the expected trees of the crafted nodes are what the oracle says.
exec python3 -B "${srcdir:-$(dirname "$0")/..}/tests/data/mktree.py" --check
