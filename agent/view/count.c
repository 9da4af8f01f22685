// SPDX-License-Identifier: BSD-2-Clause
/* Counters of all ports of the host, and how far the sweeps are. */
#include "agent/view/views_parts.h"

unsigned views_count(const struct views *views)
{
	return views->count;
}

/* ---- SMPs ---- */

static void add_smps(const struct host_device *device, struct sma_counters *counters)
{
	struct engine_counters own;

	for (unsigned i = 0; i < device->count; i++) {
		const struct engine *engine = device->ports->list[i].engine;

		engine_count(engine, MAD_CLASS_SM, &own);
		counters->sent += own.sent;
		counters->answered += own.answered;
		counters->timed_out += own.timed_out;
		counters->refused += own.refused;
		counters->strange += engine_strange(engine);
	}
}

void views_count_smps(const struct views *views, struct sma_counters *counters)
{
	const struct host_device *device;

	*counters = views->gone.smps;
	TAILQ_FOREACH (device, &views->devices, link)
		add_smps(device, counters);
}

/* ---- notices ---- */

static void add_notices(const struct sources *sources, struct sources_counters *counters)
{
	struct sources_counters own;

	sources_count(sources, &own);
	for (unsigned i = 0; i < SMA_NOTICE_SOURCE_COUNT; i++)
		counters->found[i] += own.found[i];
	counters->given += own.given;
	counters->repeated += own.repeated;
	counters->foreign += own.foreign;
	counters->unwanted += own.unwanted;
	counters->malformed += own.malformed;
}

void views_count_notices(const struct views *views, struct sources_counters *counters)
{
	const struct host_device *device;

	*counters = views->gone.notices;
	TAILQ_FOREACH (device, &views->devices, link) {
		for (unsigned i = 0; i < device->count; i++) {
			if (device->list[i].sources)
				add_notices(device->list[i].sources, counters);
		}
	}
}

void count_retain_smps(const struct host_device *device)
{
	add_smps(device, &device->views->gone.smps);
}

void count_retain_notices(const struct host_port *port)
{
	if (port->sources)
		add_notices(port->sources, &port->device->views->gone.notices);
}

/* ---- sweeps ---- */

static void add_progress(struct fabric *fabric, struct fabric_progress *to)
{
	struct fabric_progress own;

	fabric_progress(fabric, &own);
	to->sweeps += own.sweeps;
	to->nodes += own.nodes;
	to->links += own.links;
	to->silent += own.silent;
	to->smps += own.smps;
	to->running = to->running || own.running;
	if (own.completed > to->completed)
		to->completed = own.completed;
}

void views_progress(const struct views *views, struct fabric_progress *progress)
{
	const struct host_device *device;

	*progress = (struct fabric_progress){0};
	TAILQ_FOREACH (device, &views->devices, link) {
		for (unsigned i = 0; i < device->count; i++) {
			if (device->list[i].fabric)
				add_progress(device->list[i].fabric, progress);
		}
	}
}
