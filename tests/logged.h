/* SPDX-License-Identifier: BSD-2-Clause */
/* Catches what is logged, so that tests can count it. */
#ifndef TESTS_LOGGED_H
#define TESTS_LOGGED_H

#include <stdbool.h>

#include "sma/log.h"

/* Catch all further lines; forget those caught so far. Debug lines are wanted if `debug`. */
void logged_start(bool debug);

/* Send lines to the default place again. */
void logged_stop(void);

/* How many lines of a level were caught. */
unsigned logged_level(enum sma_level level);

/* How many lines hold `text`. */
unsigned logged_with(const char *text);

#endif
