// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "sma/node/node.h"

enum { SECOND = 1000 };

static const struct group {
	const char *name;
	unsigned age_ms; /* default */
} groups[SMA_READ_COUNT] = {
	[SMA_NodeDescription] = {"node", 60 * SECOND},
	[SMA_NodeInfo] = {"node", 60 * SECOND},
	[SMA_SwitchInfo] = {"switch", 5 * SECOND},
	[SMA_GUIDInfo] = {"guid", 60 * SECOND},
	[SMA_PortInfo] = {"port", 5 * SECOND},
	[SMA_P_KeyTable] = {"pkey", 60 * SECOND},
	[SMA_SLtoVLMappingTable] = {"sl2vl", 60 * SECOND},
	[SMA_VLArbitration] = {"vlarb", 60 * SECOND},
	[SMA_LinearForwardingTable] = {"lft", 60 * SECOND},
	[SMA_RandomForwardingTable] = {"rft", 60 * SECOND},
	[SMA_MulticastForwardingTable] = {"mft", 60 * SECOND},
	[SMA_SMInfo] = {"sm", 5 * SECOND},
	[SMA_VendorDiag] = {"diag", 10 * SECOND},
	[SMA_LedInfo] = {"led", 10 * SECOND},
	[SMA_DM_ClassPortInfo] = {"iou", 5 * SECOND},
	[SMA_DM_IOUnitInfo] = {"iou", 5 * SECOND},
	[SMA_DM_IOControllerProfile] = {"ioc", 60 * SECOND},
	[SMA_DM_ServiceEntries] = {"service", 60 * SECOND},
	[SMA_DM_DiagnosticTimeout] = {"devdiag", 10 * SECOND},
	[SMA_DM_PrepareToTest] = {"devdiag", 10 * SECOND},
	[SMA_DM_DiagCode] = {"devdiag", 10 * SECOND},
};

void sma_config_init(struct sma_config *config)
{
	*config = (struct sma_config){.timeout_ms = 250, .retries = 1, .window = 16, .background = 50};
	for (unsigned i = 0; i < SMA_READ_COUNT; i++)
		config->age_ms[i] = groups[i].age_ms;
}

int sma_config_set_age(struct sma_config *config, const char *group, unsigned age_ms)
{
	int rc = -ENOENT;

	for (unsigned i = 0; i < SMA_READ_COUNT; i++) {
		if (strcmp(groups[i].name, group) == 0) {
			config->age_ms[i] = age_ms;
			rc = 0;
		}
	}
	return rc;
}

const char *sma_config_groups(void)
{
	return "node switch guid port pkey sl2vl vlarb lft rft mft sm diag led iou ioc service devdiag";
}

struct engine_config sma_config_engine(const struct sma_config *config)
{
	return (struct engine_config){.window = config->window,
	                              .timeout_ms = config->timeout_ms,
	                              .tries = config->retries + 1,
	                              .background = config->background};
}
