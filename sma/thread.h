/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads beside the loop. */
#ifndef SMA_THREAD_H
#define SMA_THREAD_H

#include <pthread.h>

/* Start a thread that takes no signals: they are for the loop. 0 or -errno. */
int sma_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
