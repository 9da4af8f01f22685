// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "tests/soft/nodefile_fixture.h"

int nodefile_fixture_parse(struct nodefile_fixture *fixture, const char *text, size_t size)
{
	fixture->state = NULL;
	fixture->error[0] = '\0';
	return nodefile_parse("f", text, size, &fixture->state, fixture->error, sizeof(fixture->error));
}

int nodefile_fixture_load(struct nodefile_fixture *fixture, const char *path)
{
	fixture->state = NULL;
	fixture->error[0] = '\0';
	return nodefile_load(path, &fixture->state, fixture->error, sizeof(fixture->error));
}

void nodefile_fixture_close(struct nodefile_fixture *fixture)
{
	state_free(fixture->state);
}

const char *nodefile_fixture_case(const char *text)
{
	const char *newline = strrchr(text, '\n');

	return newline && newline[1] ? newline + 1 : "nothing more";
}
