/* SPDX-License-Identifier: BSD-2-Clause */
/* A node that reads the software node, as the daemon joins them. */
#ifndef TESTS_FAKES_SOFT_READER_H
#define TESTS_FAKES_SOFT_READER_H

#include "sma/node/node.h"
#include "sma/soft/soft.h"

/* Let `node` read the SMAs of all end ports; attributes that change are read anew. */
void soft_reader_attach(struct sma_soft *soft, struct sma_node *node);

#endif
