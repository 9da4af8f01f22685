// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sm.h>

#include "sma/sma.h"

struct attr {
	const char *name;
	uint16_t id;
	const char *group; /* in cacheTime */
	unsigned age_ms;   /* default */
};

enum { SECOND = 1000 };

static const struct attr attrs[SMA_ATTR_COUNT] = {
	[SMA_NodeDescription] = {"NodeDescription", UMAD_SM_ATTR_NODE_DESC, "node", 60 * SECOND},
	[SMA_NodeInfo] = {"NodeInfo", UMAD_SM_ATTR_NODE_INFO, "node", 60 * SECOND},
	[SMA_SwitchInfo] = {"SwitchInfo", UMAD_SM_ATTR_SWITCH_INFO, "switch", 5 * SECOND},
	[SMA_GUIDInfo] = {"GUIDInfo", UMAD_SM_ATTR_GUID_INFO, "guid", 60 * SECOND},
	[SMA_PortInfo] = {"PortInfo", UMAD_SM_ATTR_PORT_INFO, "port", 5 * SECOND},
	[SMA_P_KeyTable] = {"P_KeyTable", UMAD_SM_ATTR_PKEY_TABLE, "pkey", 60 * SECOND},
	[SMA_SLtoVLMappingTable] = {"SLtoVLMappingTable", UMAD_SM_ATTR_SLVL_TABLE, "sl2vl", 60 * SECOND},
	[SMA_VLArbitration] = {"VLArbitration", UMAD_SM_ATTR_VL_ARB_TABLE, "vlarb", 60 * SECOND},
	[SMA_LinearForwardingTable] = {"LinearForwardingTable", UMAD_SM_ATTR_LINEAR_FT, "lft", 60 * SECOND},
	[SMA_RandomForwardingTable] = {"RandomForwardingTable", UMAD_SM_ATTR_RANDOM_FT, "rft", 60 * SECOND},
	[SMA_MulticastForwardingTable] = {"MulticastForwardingTable", UMAD_SM_ATTR_MCAST_FT, "mft",
                                          60 * SECOND},
	[SMA_SMInfo] = {"SMInfo", UMAD_SM_ATTR_SM_INFO, "sm", 5 * SECOND},
	[SMA_VendorDiag] = {"VendorDiag", UMAD_SM_ATTR_VENDOR_DIAG, "diag", 10 * SECOND},
	[SMA_LedInfo] = {"LedInfo", UMAD_SM_ATTR_LED_INFO, "led", 10 * SECOND},
};

const char *sma_attr_name(enum sma_attr attr)
{
	return attrs[attr].name;
}

uint16_t sma_attr_id(enum sma_attr attr)
{
	return attrs[attr].id;
}

void sma_config_init(struct sma_config *config)
{
	*config = (struct sma_config){.timeout_ms = 250, .retries = 1, .window = 16};
	for (unsigned i = 0; i < SMA_ATTR_COUNT; i++)
		config->age_ms[i] = attrs[i].age_ms;
}

int sma_config_set_age(struct sma_config *config, const char *group, unsigned age_ms)
{
	int rc = -ENOENT;

	for (unsigned i = 0; i < SMA_ATTR_COUNT; i++) {
		if (strcmp(attrs[i].group, group) == 0) {
			config->age_ms[i] = age_ms;
			rc = 0;
		}
	}
	return rc;
}

const char *sma_config_groups(void)
{
	return "node switch guid port pkey sl2vl vlarb lft rft mft sm diag led";
}
