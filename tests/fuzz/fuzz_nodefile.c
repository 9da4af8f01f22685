// SPDX-License-Identifier: BSD-2-Clause
/* Any bytes as a node file: a state, or a sentence that says why not. */
#include <stdlib.h>

#include "sma/soft/file/nodefile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char error[NODEFILE_ERROR_SIZE] = "";
	struct soft_state *state = NULL;
	int rc = nodefile_parse("fuzz", (const char *)data, size, &state, error, sizeof(error));

	if ((rc == 0) != (state != NULL) || (rc < 0) != (error[0] != '\0'))
		abort();
	state_free(state);
	return 0;
}
