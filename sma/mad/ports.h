/* SPDX-License-Identifier: BSD-2-Clause */
/* The ports of this process's node: each with the engine for its MADs, whatever carries them. */
#ifndef MAD_PORTS_H
#define MAD_PORTS_H

#include "sma/mad/engine.h"
#include "sma/mad/host.h"

struct mad_port {
	unsigned number;
	struct sma_gsi gsi; /* where QP1 of the port is, or may be; no name: a software node has none */
	bool has_qp1;       /* it is open there */
	struct engine *engine;
	struct transport *transport; /* the engine's */
	bool trusted;                /* its SMA shows M_Keys to this process whatever the protection level */
};

struct mad_ports {
	struct sma_device *device; /* NULL: a software node */
	int fd;                    /* readable while MADs wait at any port */
	unsigned count;
	struct mad_port list[]; /* the management port first */
};

/* Open QP0 of the chosen port of the first device that can be used, and of its further ports, through umad.
 * Where a management class is refused, or libibumad has no room for a device, that is logged and the next one
 * is tried; a further port that cannot be opened is logged and left out. On
 * failure -errno, and `error`, of at least 512 bytes, says which device failed, why, and how to fix it; on
 * success it says that of the device that was tried before, or is empty. */
int mad_ports_open(const struct sma_devices *devices, const struct engine_config *config,
                   struct mad_ports **ports, char *error, size_t size);

/* Open QP0 of all ports of one device, of which `port` comes first, likewise; another is not tried. */
int mad_ports_open_device(const struct sma_device *device, const struct engine_config *config,
                          struct mad_ports **ports, char *error, size_t size);

/* Open QP1 of the port at `index`, wherever it is, unless it is open. Errors as umadtransport_open_qp1;
 * -ENODEV: a software node has none. */
int mad_ports_open_qp1(struct mad_ports *ports, unsigned index, char *error, size_t size);

/* Process all engines, as engine_process. */
uint64_t mad_ports_process(struct mad_ports *ports, uint64_t now);

/* Send what was submitted since mad_ports_process, as engine_begin. */
uint64_t mad_ports_begin(struct mad_ports *ports);

/* Use another configuration for all engines, but for the numbers of their ports. */
void mad_ports_configure(struct mad_ports *ports, const struct engine_config *config);

/* Why a port is lost for good, as engine_lost. */
int mad_ports_lost(const struct mad_ports *ports);

/* Room for `count` ports, none of which is open yet. NULL with errno when out of memory or descriptors. */
struct mad_ports *mad_ports_new(unsigned count);

/* Open what carries the MADs of a port, which go to `box`. 0, or -errno and why in `error`. */
typedef int mad_port_open(void *arg, unsigned number, struct mailbox *box, struct transport **transport,
                          char *error, size_t size);

/* Add a port, of those there is room for, with an engine of its own: by `config`, but for the port's number.
 * 0, or -errno and why in `error`, of at least 256 bytes: there is no memory or descriptor, or as `open`. */
int mad_ports_add(struct mad_ports *ports, unsigned number, const struct engine_config *config,
                  mad_port_open *open, void *arg, char *error, size_t size);

/* Close the engines, whose peers must be closed, with their transports. NULL is allowed. */
void mad_ports_close(struct mad_ports *ports);

#endif
