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
};

/* A scalar has one instance, 0 (RFC 2578, 7.1.1). */
static int scalar_next(uint32_t from, uint32_t *value)
{
	*value = 0;
	return from == 0 ? 0 : -ENOENT;
}

static int space_next(void *arg, const uint32_t *index, unsigned level, uint32_t from, uint32_t *value)
{
	const struct space *space = arg;
	const struct mib_table *table = space->object->table;

	if (!table)
		return scalar_next(from, value);
	if (table->space->next_of_daemon)
		return table->space->next_of_daemon(space->question->daemon, index, level, from, value);
	return table->space->next(space->question->reader, index, level, from, value);
}

static unsigned levels(const struct mib_object *object)
{
	return object->table ? object->table->levels : 1;
}

/* Read the value of the instance `index` and complete the answer. */
static int read_instance(const struct mib_question *q, const struct mib_object *object, const uint32_t *index,
                         struct mib_answer *answer)
{
	struct mib_cell cell = {
		.reader = q->reader, .daemon = q->daemon, .object = object, .expose_keys = q->expose_keys};
	int rc;

	memcpy(cell.index, index, levels(object) * sizeof(*index));
	rc = object->map->get(&cell, &answer->value);
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

/* While blocks are missing, whatever was found is provisional. */
static int settle(const struct mib_question *q, int rc)
{
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
	rc = index_check(space_next, &space, levels(object), index, length - object->length);
	if (rc == 0)
		rc = read_instance(q, object, index, answer);
	rc = settle(q, rc);
	return rc == -EIO ? -ENOENT : rc;
}

/* The first instance of an object after the index `after`. A walk that enters a table asks for its first
 * block only, since it may be the walk of the table before that ends here; from then on blocks are fetched
 * ahead. */
static int next_in_object(const struct mib_question *q, const struct mib_object *object,
                          const uint32_t *after, size_t length, struct mib_answer *answer)
{
	struct space space = {.object = object, .question = q};
	uint32_t index[MIB_MAX_LEVELS];
	uint32_t passed[MIB_MAX_LEVELS];
	int rc;

	q->reader->budget = length ? q->window : 1;
	while ((rc = index_successor(space_next, &space, levels(object), after, length, index)) == 0) {
		rc = read_instance(q, object, index, answer);
		if (rc == 0 || q->reader->missed)
			break;
		/* a row without this column, or one whose value cannot be read */
		after = memcpy(passed, index, sizeof(passed));
		length = levels(object);
	}
	return settle(q, rc);
}

int tree_next(const struct mib_question *q, const uint32_t *subid, size_t length, struct mib_answer *answer)
{
	for (size_t i = 0; i < q->module->count; i++) {
		const struct mib_object *object = &q->module->objects[i];
		int order = compare(subid, length, object);
		size_t below = order == 0 ? length - object->length : 0;
		int rc = order > 0 ? -ENOENT
		                   : next_in_object(q, object, subid + object->length, below, answer);

		if (rc == 0 || rc == -EAGAIN)
			return rc;
	}
	return -ENOENT;
}
