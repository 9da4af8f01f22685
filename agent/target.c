// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "agent/console.h"
#include "agent/target.h"
#include "sma/log.h"

enum { ERROR_SIZE = 1024 };

static int fail(int rc, const char *what, const char *error)
{
	sma_log(SMA_LOG_ERROR, "agent", "%s: %s", what, error);
	return rc;
}

static int choose_devices(const struct agent_config *config, struct sma_devices *devices)
{
	char error[ERROR_SIZE];
	int rc = sma_device_choose(config->ca[0] ? config->ca : NULL, config->port, devices, error,
	                           sizeof(error));

	return rc < 0 ? fail(rc, "no device", error) : 0;
}

/* An XDR adapter shows a port as two devices. */
static void log_device(const struct sma_device *device)
{
	const struct sma_gsi *gsi = &device->gsi[0];
	bool is_apart = strcmp(gsi->name, device->name) != 0;

	sma_log(SMA_LOG_INFO, "agent", "the SMA of %s port %u is served%s%s", device->name, device->port,
	        is_apart ? ", QP1 is that of " : "", is_apart ? gsi->name : "");
}

static int open_device(const struct agent_config *config, struct serving *serving)
{
	const struct engine_config engine = sma_config_engine(&config->sma);
	struct sma_devices devices;
	char error[ERROR_SIZE];
	int rc = choose_devices(config, &devices);

	if (rc < 0)
		return rc;
	rc = mad_ports_open(&devices, &engine, &serving->ports, error, sizeof(error));
	sma_devices_free(&devices);
	if (rc < 0)
		return fail(rc, "no SMA", error);
	log_device(serving->ports->device);
	return 0;
}

/* `wire`: "qp0", or the name of a simulator's socket. */
static int open_wire(const char *wire, const struct agent_config *config, struct serving *serving)
{
	bool is_qp0 = strcmp(wire, "qp0") == 0;
	struct sma_devices devices = {0};
	char error[ERROR_SIZE];
	int rc = is_qp0 ? choose_devices(config, &devices) : 0;

	if (rc < 0)
		return rc;
	rc = is_qp0 ? sma_soft_serve_qp0(serving->soft, &devices, error, sizeof(error))
	            : sma_soft_serve_sim(serving->soft, wire, error, sizeof(error));
	sma_devices_free(&devices);
	return rc < 0 ? fail(rc, "--wire", error) : 0;
}

static int open_soft(const struct options *options, const struct agent_config *config,
                     struct serving *serving)
{
	const struct engine_config engine = sma_config_engine(&config->sma);
	char error[ERROR_SIZE];
	int rc = sma_soft_open(options->software, &serving->soft, error, sizeof(error));

	if (rc < 0)
		return fail(rc, "software SMA", error);
	if (options->wire)
		rc = open_wire(options->wire, config, serving);
	if (rc < 0)
		return rc;
	rc = sma_soft_open_ports(serving->soft, &engine, &serving->ports, error, sizeof(error));
	if (rc < 0)
		return fail(rc, "software SMA", error);
	sma_soft_permit_user(serving->soft, config->wire_user);
	rc = options->console ? console_start(serving->soft) : 0;
	if (rc < 0)
		return fail(rc, "software SMA", strerror(-rc));
	sma_log(SMA_LOG_INFO, "agent", "the node of %s is served", options->software);
	return 0;
}

int target_open(const struct options *options, const struct agent_config *config, struct serving *serving)
{
	return options->software ? open_soft(options, config, serving) : open_device(config, serving);
}

void target_close(struct serving *serving)
{
	mad_ports_close(serving->ports);
	sma_soft_close(serving->soft);
}
