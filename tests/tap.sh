# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# What a test in shell begins with: a scratch folder that vanishes, and results in the Test Anything Protocol. The plan
# comes last, from tap_done, so that a script that ends early is an error.
set -u

# shellcheck disable=SC2034 # for the tests
top_builddir=${top_builddir:-.}
count=0

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# give_up REASON: nothing can be tested; with CI or IBSMAD_NO_SKIP set this is a failure.
give_up()
{
	if [ -n "${CI:-}${IBSMAD_NO_SKIP:-}" ]; then
		printf '1..1\nnot ok 1 - %s\n' "$1"
	else
		printf '1..0 # SKIP %s\n' "$1"
	fi
	exit 0
}

# need TOOL...: gives up where one is missing.
need()
{
	for tool in "$@"; do
		command -v "$tool" >/dev/null || give_up "$tool is missing"
	done
}

# check TEXT COMMAND...: one result; the end of what the command prints becomes a comment if it fails.
check()
{
	text=$1
	shift
	count=$((count + 1))
	if "$@" >"$scratch/log" 2>&1; then
		printf 'ok %d - %s\n' "$count" "$text"
	else
		printf 'not ok %d - %s\n' "$count" "$text"
		tail -n 40 "$scratch/log" | sed 's/^/# /'
	fi
}

tap_done()
{
	printf '1..%d\n' "$count"
}
