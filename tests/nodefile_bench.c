// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "tests/nodefile_bench.h"

int nodefile_bench_parse(struct nodefile_bench *bench, const char *text, size_t size)
{
	bench->store = NULL;
	bench->error[0] = '\0';
	return nodefile_parse("f", text, size, &bench->store, bench->error, sizeof(bench->error));
}

int nodefile_bench_load(struct nodefile_bench *bench, const char *path)
{
	bench->store = NULL;
	bench->error[0] = '\0';
	return nodefile_load(path, &bench->store, bench->error, sizeof(bench->error));
}

void nodefile_bench_close(struct nodefile_bench *bench)
{
	store_free(bench->store);
}

const char *nodefile_bench_case(const char *text)
{
	const char *newline = strrchr(text, '\n');

	return newline && newline[1] ? newline + 1 : "nothing more";
}
