// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "mib/index.h"
#include "mib/tree.h"
#include "mib/value.h"

/* ---- one object ---- */

struct space {
	const struct mib_object *object;
	const struct mib_question *question;
	struct mib_answer *answer; /* takes the place where the first block was missed; NULL: not wanted */
};

/* A scalar has one instance, 0 (RFC 2578, 7.1.1). */
static int scalar_next(uint32_t from, uint32_t *value)
{
	*value = 0;
	return from == 0 ? 0 : -ENOENT;
}

static unsigned levels(const struct mib_object *object)
{
	return object->table ? object->table->levels : 1;
}

static void append(struct mib_answer *answer, const uint32_t *subid, size_t length)
{
	memcpy(answer->subid + answer->length, subid, length * sizeof(*subid));
	answer->length += length;
}

/* A block was missed while a value >= `from` of index object `level` was looked for: that is behind the OID
 * of the value before. Higher levels have a whole subtree below the value. */
static void note_place(const struct space *space, const uint32_t *index, unsigned level, uint32_t from)
{
	const struct mib_object *object = space->object;
	struct mib_answer *answer = space->answer;
	const uint32_t before = from - 1;

	answer->length = 0;
	append(answer, object->subid, object->length);
	append(answer, index, level);
	if (level + 1 < levels(object))
		append(answer, &from, 1);
	else if (from > 0)
		append(answer, &before, 1);
}

static int space_next(void *arg, const uint32_t *index, unsigned level, uint32_t from, uint32_t *value)
{
	const struct space *space = arg;
	const struct mib_table *table = space->object->table;
	struct sma_reader *reader = space->question->reader;
	bool missed;
	int rc;

	if (!table)
		return scalar_next(from, value);
	if (table->space->origin == MIB_OF_DAEMON)
		return table->space->next.of_daemon(space->question->daemon, index, level, from, value);
	missed = reader->missed;
	reader->place = from;
	rc = table->space->next.of_node(reader, index, level, from, value);
	if (!missed && reader->missed && space->answer)
		note_place(space, index, level, reader->missed_at);
	return rc;
}

static int get_value(const struct mib_question *q, const struct mib_object *object, const uint32_t *index,
                     struct mib_value *value)
{
	struct mib_cell cell = {.reader = q->reader, .object = object, .expose_keys = q->expose_keys};
	struct mib_daemon_cell of_daemon = {.daemon = q->daemon, .object = object};
	size_t size = levels(object) * sizeof(*index);

	switch (object->map->origin) {
	case MIB_OF_NODE:
		memcpy(cell.index, index, size);
		return object->map->get.of_node(&cell, value);
	case MIB_OF_DAEMON:
		memcpy(of_daemon.index, index, size);
		return object->map->get.of_daemon(&of_daemon, value);
	case MIB_OF_NOTICE:
		break;
	}
	return -ENOENT;
}

/* Read the value of the instance `index` and complete the answer. */
static int read_instance(const struct mib_question *q, const struct mib_object *object, const uint32_t *index,
                         struct mib_answer *answer)
{
	int rc = get_value(q, object, index, &answer->value);

	if (rc < 0)
		return rc;
	/* what is out of the range that the MIB promises is not shown at all */
	if (!value_is_in_range(object, &answer->value))
		return -ENOENT;
	answer->object = object;
	answer->length = object->length + levels(object);
	memcpy(answer->subid, object->subid, object->length * sizeof(*index));
	memcpy(answer->subid + object->length, index, levels(object) * sizeof(*index));
	return 0;
}

/* Nothing is said while blocks are missing, whatever was found without them. */
static int settle(const struct mib_question *q, int rc)
{
	if (q->reader->unknown)
		return -ETIMEDOUT;
	return q->reader->missed ? -EAGAIN : rc;
}

/* ---- the tree ---- */

/* Compare an OID with an object: negative before it, 0 at it or below it, positive after all below it. */
static int compare(const uint32_t *subid, size_t length, const struct mib_object *object)
{
	for (size_t i = 0; i < object->length; i++) {
		if (i == length || subid[i] < object->subid[i])
			return -1;
		if (subid[i] > object->subid[i])
			return 1;
	}
	return 0;
}

static const struct mib_object *find_object(const struct mib_module *module, const uint32_t *subid,
                                            size_t length)
{
	for (size_t i = 0; i < module->count; i++) {
		if (compare(subid, length, &module->objects[i]) == 0)
			return &module->objects[i];
	}
	return NULL;
}

int tree_get(const struct mib_question *q, const uint32_t *subid, size_t length, struct mib_answer *answer)
{
	const struct mib_object *object = find_object(q->module, subid, length);
	struct space space = {.object = object, .question = q};
	const uint32_t *index;
	int rc;

	if (!object)
		return -ENXIO;
	index = subid + object->length;
	q->reader->budget = 1;
	q->reader->exact = true;
	rc = index_check(space_next, &space, levels(object), index, length - object->length);
	if (rc == 0)
		rc = read_instance(q, object, index, answer);
	rc = settle(q, rc);
	return rc == -EIO ? -ENOENT : rc;
}

static int read_next(const struct space *space, const uint32_t *index)
{
	const struct mib_question *q = space->question;
	unsigned last = levels(space->object) - 1;
	int rc;

	rc = read_instance(q, space->object, index, space->answer);
	if (q->reader->missed)
		note_place(space, index, last, index[last]);
	return rc;
}

/* The first instance of an object after the index `after`. A walk that enters a table requests its first
 * block only, since it may be the walk of the table before that ends here. Blocks are fetched ahead from then
 * on, or when that block is slow to come. */
static int next_in_object(const struct mib_question *q, const struct mib_object *object,
                          const uint32_t *after, size_t length, struct mib_answer *answer)
{
	struct space space = {.object = object, .question = q, .answer = answer};
	uint32_t index[MIB_MAX_LEVELS];
	uint32_t passed[MIB_MAX_LEVELS];
	int rc;

	answer->entered = length == 0 || q->entered;
	q->reader->budget = answer->entered && !q->ahead ? 1 : q->window;
	q->reader->lost_budget = q->window;
	while ((rc = index_successor(space_next, &space, levels(object), after, length, index)) == 0 &&
	       !q->reader->missed) {
		rc = read_next(&space, index);
		if (rc == 0 || q->reader->missed || q->reader->unknown)
			break;
		/* a row without this column, or one whose value cannot be read */
		after = memcpy(passed, index, sizeof(passed));
		length = levels(object);
	}
	return settle(q, rc);
}

static bool is_before(const struct mib_answer *answer, const uint32_t *subid, size_t length)
{
	for (size_t i = 0; i < answer->length && i < length; i++) {
		if (answer->subid[i] != subid[i])
			return answer->subid[i] < subid[i];
	}
	return answer->length < length;
}

/* The search need not go back behind the OID with which it began. What follows an instance in that OID does
 * not matter. */
static void limit_place(struct mib_answer *answer, const uint32_t *subid, size_t length)
{
	const size_t most = sizeof(answer->subid) / sizeof(answer->subid[0]);

	if (!is_before(answer, subid, length))
		return;
	answer->length = 0;
	append(answer, subid, length < most ? length : most);
}

int tree_next(const struct mib_question *q, const uint32_t *subid, size_t length, struct mib_answer *answer)
{
	for (size_t i = 0; i < q->module->count; i++) {
		const struct mib_object *object = &q->module->objects[i];
		int order = compare(subid, length, object);
		size_t below = order == 0 ? length - object->length : 0;
		int rc = order > 0 ? -ENOENT
		                   : next_in_object(q, object, subid + object->length, below, answer);

		if (rc == -EAGAIN)
			limit_place(answer, subid, length);
		if (rc == 0 || rc == -EAGAIN || rc == -ETIMEDOUT)
			return rc;
	}
	return -ENOENT;
}
