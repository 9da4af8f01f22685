/* SPDX-License-Identifier: BSD-2-Clause */
/* What arguments may be, where that depends on the node and on the arguments before. */
#ifndef SOFT_TEXT_BOUNDS_H
#define SOFT_TEXT_BOUNDS_H

#include "sma/soft/text/arg.h"

arg_bounds bounds_end_ports, bounds_data_ports, bounds_ports, bounds_input_ports;
arg_bounds bounds_guids;       /* after a port */
arg_bounds bounds_pkeys;       /* after ports */
arg_bounds bounds_arbitration; /* after ports, priority */
arg_bounds bounds_lids, bounds_randoms, bounds_mlids;
arg_bounds bounds_component; /* after the component */
arg_bounds bounds_slots;     /* of the I/O unit */

/* What sets a component that no line may set by its name; NULL: nothing does. */
const char *bounds_setter(enum sma_component component);

/* What is needed and the node has not got; NULL: all is there. NEED_NOTHING looks at no node. */
const char *bounds_lack(const struct soft_state *state, enum need need);

#endif
