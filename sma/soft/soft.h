/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A node that this process is itself: described by a node file (ibsmad-node(5)), answering SMPs by the rules
 * of IBA, reached from inside the process and, as wanted, by simulator clients or through a real QP0.
 */
#ifndef SMA_SOFT_H
#define SMA_SOFT_H

#include <sys/types.h>

#include "sma/iba/iba.h"
#include "sma/mad/mad.h"

struct sma_soft;

/* Make a node from a node file, with what its NVRAM file, FILE.nvram, kept. `error` as in sma_device_choose,
 * at least 1024 bytes. */
int sma_soft_open(const char *file, struct sma_soft **soft, char *error, size_t size);

/* Close the wires and free the node. NULL is allowed. */
void sma_soft_close(struct sma_soft *soft);

/* The management port: 0 of a switch, else the first port that is active, else 1. */
unsigned sma_soft_port(const struct sma_soft *soft);

/* Open all SMAs of the node for the process itself, which is shown all keys. The ports must be closed before
 * the node. 0, or -errno and why in `error`, of at least 256 bytes. */
int sma_soft_open_ports(struct sma_soft *soft, const struct engine_config *config, struct mad_ports **ports,
                        char *error, size_t size);

/* Have a function called from within sma_soft_process with the attributes that have changed, as bits
 * 1 << enum sma_attr. */
typedef void sma_soft_changed(void *arg, unsigned attrs);
void sma_soft_on_change(struct sma_soft *soft, sma_soft_changed *changed, void *arg);

/* Have a function called with each Notice that is raised at `now`, whether or not it leaves as a trap; NULL:
 * no longer. */
typedef void sma_soft_raised(void *arg, uint64_t now, const uint8_t notice[SMA_BLOCK_SIZE]);
void sma_soft_on_notice(struct sma_soft *soft, sma_soft_raised *raised, void *arg);

/* Serve programs that run with libumad2sim.so, under the socket name `name`: those of root and of the user of
 * this process. */
int sma_soft_serve_sim(struct sma_soft *soft, const char *name, char *error, size_t size);

/* Serve those of one more user from now on; SMA_NOBODY: of no one else. */
#define SMA_NOBODY ((uid_t)-1)
void sma_soft_permit_user(struct sma_soft *soft, uid_t user);

/* Serve QP0 of the first device that can be used, as mad_ports_open. */
int sma_soft_serve_qp0(struct sma_soft *soft, const struct sma_devices *devices, char *error, size_t size);

/* A descriptor that becomes readable when sma_soft_process has something to do. */
int sma_soft_fd(const struct sma_soft *soft);

/* Answer what came over the wires, send the traps that are due, keep the NVRAM. Returns when to be called
 * again. */
uint64_t sma_soft_process(struct sma_soft *soft, uint64_t now);

/* Why a device whose QP0 is served is lost for good, as engine_lost. */
int sma_soft_lost(const struct sma_soft *soft);

enum {
	SMA_SOFT_LINE_SIZE = 1024,       /* bytes of a line, its NUL included */
	SMA_SOFT_REPLY_SIZE = 64 * 1024, /* of a reply */
};

/* Do what a line of the console says (CONSOLE in ibsmad(8)): any `length` bytes without their newline; from
 * SMA_SOFT_LINE_SIZE on it is too long, and not looked at. `reply` takes the output and, as its last line,
 * "ok" or "error: " and a sentence. 0, or -errno with an error. */
int sma_soft_command(struct sma_soft *soft, const char *line, size_t length, char *reply, size_t size);

#endif
