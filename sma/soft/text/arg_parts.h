/* SPDX-License-Identifier: BSD-2-Clause */
/* The readers of arguments that are names, for the table in arg.c. */
#ifndef SOFT_TEXT_ARG_PARTS_H
#define SOFT_TEXT_ARG_PARTS_H

#include "sma/soft/text/arg.h"

typedef int arg_reader(struct statement *statement, const struct arg *arg, const char *word,
                       struct value *value);

arg_reader arg_read_component, arg_read_profile, arg_read_profile_value;

#endif
