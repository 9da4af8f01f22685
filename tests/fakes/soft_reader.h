/* SPDX-License-Identifier: BSD-2-Clause */
/* A node that reads the software node, as the daemon joins them. */
#ifndef TESTS_FAKES_SOFT_READER_H
#define TESTS_FAKES_SOFT_READER_H

#include "sma/node/node.h"
#include "sma/soft/soft.h"

/* Make a node that reads the SMAs of all end ports; attributes that change are read again. Its ports: the
 * caller closes the node before them, and them before the software node. */
struct mad_ports *soft_reader_open(struct sma_soft *soft, const struct sma_config *config,
                                   struct sma_node **node);

#endif
