/* SPDX-License-Identifier: BSD-2-Clause */
/* A disk that takes its time, or fails: replaces fsync(2) of the program that it is linked into. */
#ifndef TESTS_FAKES_SLOW_DISK_H
#define TESTS_FAKES_SLOW_DISK_H

#include <stdbool.h>

/* Let each fsync wait from now on, until slow_disk_go. */
void slow_disk_hold(void);
void slow_disk_go(void);

/* Wait until an fsync waits. False: none does within a minute. */
bool slow_disk_await(void);

/* Let each fsync fail with an errno from now on; 0: no longer. */
void slow_disk_fail(int error);

#endif
