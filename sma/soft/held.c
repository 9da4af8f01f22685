// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "sma/soft/held.h"

int held_add(struct held *held, held_send *send, void *wire, unsigned to, const void *answer, size_t size)
{
	struct held_answer *added = &held->answers[held->count];

	if (held->count == HELD_COUNT || size > HELD_SIZE)
		return -ENOBUFS;
	held->count++;
	*added = (struct held_answer){.send = send, .wire = wire, .to = to, .version = HELD_OPEN};
	memcpy(added->bytes, answer, size);
	return 0;
}

void held_seal(struct held *held, uint64_t version)
{
	for (unsigned i = 0; i < held->count; i++) {
		if (held->answers[i].version == HELD_OPEN)
			held->answers[i].version = version;
	}
}

static bool is_done(const struct held_answer *answer, uint64_t version)
{
	if (!answer->send)
		return true;
	return answer->version <= version && answer->send(answer->wire, answer->to, answer->bytes);
}

void held_release(struct held *held, uint64_t version)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < held->count; i++) {
		if (!is_done(&held->answers[i], version))
			held->answers[kept++] = held->answers[i];
	}
	held->count = kept;
}

void held_forget(struct held *held, const void *wire, unsigned to)
{
	for (unsigned i = 0; i < held->count; i++) {
		if (held->answers[i].wire == wire && held->answers[i].to == to)
			held->answers[i].send = NULL;
	}
}
