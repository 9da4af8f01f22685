// SPDX-License-Identifier: BSD-2-Clause
/* The tokens of node files. */
#include "sma/soft/file/nodefile_parts.h"

static const char *const types[] = {"ca", "switch", "router", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const low_high[] = {"low", "high", NULL};
static const char *const validity[] = {"valid", "invalid", NULL};

/* clang-format off */
#define NUMBER(noun, high) ARG_UP_TO(noun, high)
#define COMPONENT(attr)    ARG(COMPONENT, "a component of " #attr, SMA_##attr, 0)
#define SLOT               ARG_BOUND(NUMBER, "a slot", slots)
#define VALUE              ARG_BOUND(NUMBER, "a value", component)
#define END_PORT           ARG_BOUND(NUMBER, "a port with an SMA", end_ports)
#define END_PORTS          ARG_BOUND(PORTS, "all or ports with an SMA", end_ports)
#define DATA_PORTS         ARG_BOUND(PORTS, "all or ports", data_ports)
#define ANY_PORTS          ARG_BOUND(PORTS, "all or ports", ports)
#define TOKEN(name, usage, need, what, set, ...) \
	{{name, usage, NEED_##need, {__VA_ARGS__}}, what, nodefile_set_##set}
#define SIZE(name, what, noun, low, high) \
	TOKEN(name, "COUNT", NOTHING, SIZE_##what, size, ARG(NUMBER, noun, low, high))
/* clang-format on */

const struct token nodefile_tokens[] = {
	TOKEN("nodeType", "ca|switch|router", NOTHING, SIZE_NODE_TYPE, type,
              ARG_OF("ca, switch or router", types)),
	SIZE("ports", PORTS, "a number of ports", 1, SMA_MAX_PORTS),
	TOKEN("nodeGuid", "GUID", NOTHING, SIZE_NODE_GUID, size, ARG(NUMBER, "a GUID", 1, UINT64_MAX)),
	SIZE("guidCap", GUID_CAP, "a number of GUIDs", 1, UINT8_MAX),
	SIZE("partitionCap", PARTITION_CAP, "a number of P_Keys", 1, UINT16_MAX),
	SIZE("partitionEnforcementCap", ENFORCEMENT_CAP, "a number of P_Keys", 0, UINT16_MAX),
	SIZE("linearFDBCap", LINEAR_CAP, "a number of LIDs", 0, SOFT_MAX_LIDS),
	SIZE("randomFDBCap", RANDOM_CAP, "a number of entries", 0, SOFT_MAX_LIDS),
	SIZE("multicastFDBCap", MULTICAST_CAP, "a number of MLIDs", 0, SOFT_MAX_MLIDS),
	TOKEN("vlCap", "CODE", NOTHING, SIZE_VL_CAP, size, ARG(NUMBER, "a VLCap code", 1, 5)),

	TOKEN("description", "TEXT", NOTHING, 0, description,
              ARG(TEXT, "UTF-8 text, 0 to 64 bytes", 0, SMA_BLOCK_SIZE)),
	TOKEN("systemImageGuid", "GUID", NOTHING, SMA_NodeInfo_SystemImageGUID, node,
              NUMBER("a GUID", UINT64_MAX)),
	TOKEN("vendorId", "OUI", NOTHING, SMA_NodeInfo_VendorID, node, NUMBER("an OUI", 0xFFFFFF)),
	TOKEN("deviceId", "ID", NOTHING, SMA_NodeInfo_DeviceID, node, NUMBER("a device ID", UINT16_MAX)),
	TOKEN("revision", "ID", NOTHING, SMA_NodeInfo_Revision, node, NUMBER("a revision", UINT32_MAX)),
	TOKEN("nodeInfo", "COMPONENT VALUE", NOTHING, 0, node_component, COMPONENT(NodeInfo), VALUE),
	TOKEN("switchInfo", "COMPONENT VALUE", SWITCH, 0, node_component, COMPONENT(SwitchInfo), VALUE),
	TOKEN("diag", "INDEX NEXT [DATA]", NOTHING, 0, diag, NUMBER("an index", UINT16_MAX),
              NUMBER("an index", UINT16_MAX),
              ARG_OPT(HEX, "pairs of hexadecimal digits, 0 to 62", SMA_DIAG_DATA_SIZE)),
	TOKEN("vendorRange", "yes|no", NOTHING, 0, vendor_range, ARG_OF("yes or no", no_yes)),

	TOKEN("portGuid", "PORT GUID", NOTHING, 0, port_guid, END_PORT, ARG(NUMBER, "a GUID", 1, UINT64_MAX)),
	TOKEN("link", "PORTS up|down", NOTHING, 0, link, DATA_PORTS, ARG_OF("up or down", arg_down_up)),
	TOKEN("lid", "PORT LID [SMLID]", NOTHING, 0, lid, END_PORT, ARG(NUMBER, "a LID", 1, MAD_LAST_LID),
              ARG_OPT(NUMBER, "a LID", MAD_LAST_LID)),
	TOKEN("gidPrefix", "PORTS PREFIX", NOTHING, 0, gid_prefix, END_PORTS,
              NUMBER("a GID prefix", UINT64_MAX)),
	TOKEN("mKey", "PORTS KEY PROTECT LEASE", NOTHING, 0, m_key, END_PORTS,
              ARG(SECRET, "an M_Key", 0, UINT64_MAX), NUMBER("a protection level", 3),
              NUMBER("a lease period in seconds", UINT16_MAX)),
	TOKEN("capability", "PORTS NAME on|off", NOTHING, 0, port_component, END_PORTS,
              ARG(CAPABILITY, "a capability", 0, 0), ARG_OF("on or off", arg_off_on)),
	TOKEN("portInfo", "PORTS COMPONENT VALUE", NOTHING, 0, port_component, ANY_PORTS, COMPONENT(PortInfo),
              VALUE),
	TOKEN("portInfoExtended", "PORTS DATA", NOTHING, 0, extended, ANY_PORTS,
              ARG(HEX, "pairs of hexadecimal digits, 0 to 64", 0, SMA_BLOCK_SIZE)),
	TOKEN("led", "PORTS on|off", NOTHING, 0, led, ANY_PORTS, ARG_OF("on or off", arg_off_on)),

	TOKEN("guid", "PORT ENTRIES GUID", NOTHING, 0, guid, END_PORT, ARG_BOUND(RANGE, "entries", guids),
              NUMBER("a GUID", UINT64_MAX)),
	TOKEN("pKey", "PORTS ENTRIES P_KEY", NOTHING, 0, pkey, ANY_PORTS, ARG_BOUND(RANGE, "entries", pkeys),
              NUMBER("a P_Key", UINT16_MAX)),
	TOKEN("sl2vl", "OUT-PORTS IN-PORTS VLS", VLS, 0, sl2vl, ANY_PORTS,
              ARG_BOUND(PORTS, "all or input ports", input_ports),
              ARG(VLS, "16 VLs with commas between, 0 to 15", 0, 15)),
	TOKEN("vlArb", "PORTS high|low ENTRIES VL WEIGHT", VLS, 0, arbitration, DATA_PORTS,
              ARG_OF("high or low", low_high), ARG_BOUND(RANGE, "entries", arbitration), NUMBER("a VL", 14),
              NUMBER("a weight", UINT8_MAX)),

	TOKEN("lft", "LIDS PORT|none", LINEAR, 0, linear, ARG_BOUND(RANGE, "LIDs", lids),
              ARG_BOUND(EGRESS, "none or a port", ports)),
	TOKEN("rft", "ENTRY LID LMC PORT|none [valid|invalid]", RANDOM, 0, random,
              ARG_BOUND(NUMBER, "an entry", randoms), NUMBER("a LID", MAD_LAST_LID), NUMBER("an LMC", 7),
              ARG_BOUND(EGRESS, "none or a port", ports),
              {ARG_CHOICE, "valid or invalid", 0, 0, NULL, validity, true}),
	TOKEN("mft", "MLIDS PORTS|none", MULTICAST, 0, multicast, ARG_BOUND(RANGE, "MLIDs", mlids),
              ARG_BOUND(PORTS_OR_NONE, "none, all or ports", ports)),

	SIZE("iouSlots", IOU_SLOTS, "a number of slots", 0, DM_MAX_SLOTS),
	TOKEN("optionRom", "yes|no", UNIT, 0, option_rom, ARG_OF("yes or no", no_yes)),
	TOKEN("ioc", "SLOT GUID", UNIT, 0, ioc, SLOT, ARG(NUMBER, "a GUID", 1, UINT64_MAX)),
	TOKEN("iocProfile", "SLOT COMPONENT VALUE", UNIT, 0, profile, SLOT,
              ARG(PROFILE, "a component of IOControllerProfile", 0, 0), ARG(PROFILE_VALUE, "a value", 0, 0)),
	TOKEN("service", "SLOT ENTRY NAME ID", UNIT, 0, service, SLOT,
              NUMBER("an entry", DM_MAX_SERVICES - 1),
              ARG(TEXT, "UTF-8 text, 0 to 40 bytes", 0, DM_SERVICE_NAME_SIZE),
              NUMBER("a ServiceID", UINT64_MAX)),
	TOKEN("diagTimeout", "SLOT MILLISECONDS", UNIT, 0, diag_timeout, SLOT,
              NUMBER("a time in milliseconds", UINT32_MAX)),
	TOKEN("iocDiag", "SLOT CODE [PREPARATION [TEST]]", UNIT, 0, ioc_diag, SLOT,
              NUMBER("a DiagCode", UINT16_MAX), ARG_OPT(NUMBER, "a time in milliseconds", UINT32_MAX),
              {ARG_NUMBER, "a time in milliseconds", 1, UINT32_MAX, NULL, NULL, true}),
};

const unsigned nodefile_token_count = sizeof(nodefile_tokens) / sizeof(nodefile_tokens[0]);

bool nodefile_is_size(const struct token *token)
{
	return token->set == nodefile_set_size || token->set == nodefile_set_type;
}
