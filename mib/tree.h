/* SPDX-License-Identifier: BSD-2-Clause */
/* GET and GETNEXT over the objects of a generated module, for one evaluation of the node's blocks. Knows no
 * Net-SNMP. */
#ifndef MIB_TREE_H
#define MIB_TREE_H

#include "mib/map.h"

/* An instance and its value; or the place where a search for one has to wait, of which only `subid` and
 * `entered` are set. */
struct mib_answer {
	const struct mib_object *object;
	uint32_t subid[MIB_MAX_SUBIDS + MIB_MAX_LEVELS]; /* an OID below the base */
	size_t length;
	bool entered; /* the search came from before the object, and waits for its first block */
	struct mib_value value;
};

struct mib_question {
	const struct mib_module *module;
	struct sma_reader *reader; /* of a node; its budget is set by the functions below */
	const struct mib_daemon *daemon;
	unsigned window; /* blocks to request ahead in a walk */
	bool entered;    /* the search has just entered an object: request one block only, */
	bool ahead;      /* but here those behind it as well, since it is slow to come */
	bool expose_keys;
};

/* The value of the instance `subid`, an OID below the base. -ENXIO: no such object; -ENOENT: no such
 * instance, or none that the SMA shows; -EAGAIN: blocks were requested, ask again when reader->waits_for has
 * come; -ETIMEDOUT: whether there is such an instance is not known, and will not be. */
int tree_get(const struct mib_question *question, const uint32_t *subid, size_t length,
             struct mib_answer *answer);

/* The first instance after `subid`, which may be any OID. -ENOENT: there is none; -ETIMEDOUT as above;
 * -EAGAIN as above: `answer` has an OID to ask with then, since there is nothing between `subid` and it.
 * `subid` is no part of `answer`. */
int tree_next(const struct mib_question *question, const uint32_t *subid, size_t length,
              struct mib_answer *answer);

#endif
