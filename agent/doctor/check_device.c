// SPDX-License-Identifier: BSD-2-Clause
/* What the kernel shows: the devices, and the chosen port. */
#include <stdio.h>
#include <string.h>

#include "agent/doctor/checks.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* PortInfo.PortState and PortPhysicalState (IBA 14.2.5.6) */
static const char *const states[] = {NULL, "Down", "Initialize", "Armed", "Active"};
static const char *const phys_states[] = {NULL,       "Sleep",  "Polling",           "Disabled",
                                          "Training", "LinkUp", "LinkErrorRecovery", "PhyTest"};

static const char *name_of(const char *const *names, size_t count, unsigned number)
{
	return number < count && names[number] ? names[number] : "in an unknown state";
}

/* ---- devices ---- */

struct survey {
	struct doctor *doctor;
	unsigned infiniband; /* ports */
	char other[64];      /* a device that has others */
	char list[REPORT_TEXT_SIZE / 2];
};

static void describe(const struct sma_port *port, char *text, size_t size)
{
	if (port->error)
		snprintf(text, size, "%s cannot be read (%s)", port->device, strerror(-port->error));
	else if (port->infiniband)
		snprintf(text, size, "%s port %u InfiniBand, %s%s", port->device, port->number,
		         name_of(states, COUNT(states), port->state),
		         port->sm_disabled ? ", without QP0" : "");
	else
		snprintf(text, size, "%s port %u %s", port->device, port->number, port->link_layer);
}

static void note_text(struct survey *survey, const char *text)
{
	size_t used = strlen(survey->list);

	if (used + strlen(text) + sizeof("; ...") < sizeof(survey->list))
		snprintf(survey->list + used, sizeof(survey->list) - used, "%s%s", used ? "; " : "", text);
	else if (used && survey->list[used - 1] != '.')
		snprintf(survey->list + used, sizeof(survey->list) - used, "...");
}

static void note_port(void *arg, const struct sma_port *port)
{
	struct survey *survey = arg;
	char text[256];

	describe(port, text, sizeof(text));
	note_text(survey, text);
	if (!port->infiniband) {
		snprintf(survey->other, sizeof(survey->other), "%s", port->device);
	} else if (survey->infiniband++ == 0) {
		snprintf(survey->doctor->first_device, sizeof(survey->doctor->first_device), "%s",
		         port->device);
		survey->doctor->first_port = port->number;
	}
}

enum finding check_devices(struct doctor *d)
{
	struct survey survey = {.doctor = d};
	int rc;

	rc = sma_device_list(note_port, &survey);
	if (rc < 0)
		return report_say(FINDING_FAIL, "cannot be listed: %s", strerror(-rc));
	if (survey.infiniband)
		return report_say(FINDING_OK, "%s", survey.list);
	if (survey.other[0]) {
		report_fix("mlxconfig -d %s set LINK_TYPE_P1=1    (for an adapter that supports both; then "
		           "reboot)",
		           survey.other);
		return report_say(FINDING_FAIL, "no InfiniBand port, and others have no SMA: %s",
		                  survey.list);
	}
	report_fix("modprobe mlx5_ib    (or the driver of the adapter: mlx4_ib, hfi1, ib_qib)");
	return report_say(FINDING_FAIL, "there is none: /sys/class/infiniband is empty");
}

/* ---- the port ---- */

static enum finding refuse_choice(struct doctor *d, const char *error)
{
	if (d->config->ca[0] || d->config->port >= 0) {
		report_fix("ibsmad.conf: ca %s", d->first_device);
		report_fix("ibsmad.conf: port %u", d->first_port);
	} else {
		report_fix("ibstat    (the GUID of a port must not be 0: is it set in the firmware?)");
	}
	return report_say(FINDING_FAIL, "%s", error);
}

struct wanted {
	const struct sma_device *device;
	struct sma_port port;
};

static void find_port(void *arg, const struct sma_port *port)
{
	struct wanted *wanted = arg;

	if (!port->error && port->number == wanted->device->port &&
	    strcmp(port->device, wanted->device->name) == 0)
		wanted->port = *port;
}

enum finding check_port(struct doctor *d)
{
	const struct agent_config *config = d->config;
	struct wanted wanted = {0};
	enum finding finding = FINDING_OK;
	char error[REPORT_TEXT_SIZE];

	if (sma_device_choose(config->ca[0] ? config->ca : NULL, config->port, &d->devices, error,
	                      sizeof(error)) < 0)
		return refuse_choice(d, error);
	d->device = wanted.device = &d->devices.list[0];
	sma_device_list(find_port, &wanted);
	if (wanted.port.state == SMA_PORT_DOWN) {
		finding = FINDING_WARN;
		report_fix("check the cable and the other end: ibstat %s %u", d->device->name,
		           d->device->port);
	}
	return report_say(finding, "%s port %u: %s, %s", d->device->name, d->device->port,
	                  name_of(states, COUNT(states), wanted.port.state),
	                  name_of(phys_states, COUNT(phys_states), wanted.port.phys_state));
}
