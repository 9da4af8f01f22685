// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sma/nodefile.h"
#include "sma/wire.h"
#include "tests/unit.h"

#define CA     "nodeType ca\nports 2\nnodeGuid 0x1000\n"
#define ROUTER "nodeType router\nports 2\nnodeGuid 0x1000\n"
#define SWITCH                                                                                               \
	"nodeType switch\nports 20\nnodeGuid 0x1000\nlinearFDBCap 1024\nmulticastFDBCap 64\n"                \
	"partitionEnforcementCap 8\n"
#define RANDOM  "nodeType switch\nports 20\nnodeGuid 0x1000\nrandomFDBCap 16\n"
#define ONE_VL  CA "vlCap 1\n"
#define LETTERS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde" /* 63 */

#define BYTES_62 LETTERS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abc"

static char error[NODEFILE_ERROR_SIZE];

static struct sma_store *parse(const char *text)
{
	struct sma_store *store = NULL;

	error[0] = '\0';
	if (nodefile_parse("f", text, strlen(text), &store, error, sizeof(error)) < 0)
		store = NULL;
	return store;
}

/* The last line tells the cases apart. */
static const char *last_line(const char *text)
{
	const char *newline = strrchr(text, '\n');

	return newline && newline[1] ? newline + 1 : "nothing more";
}

/* ---- lines that set one component ---- */

static const struct {
	const char *text;
	unsigned port;
	enum sma_component component;
	uint64_t value;
} components[] = {
	{CA, 0, SMA_NodeInfo_NodeType, 1},
	{ROUTER, 0, SMA_NodeInfo_NodeType, 3},
	{SWITCH, 0, SMA_NodeInfo_NodeType, 2},
	{SWITCH, 0, SMA_NodeInfo_NumPorts, 20},
	{CA, 0, SMA_NodeInfo_NodeGUID, 0x1000},
	{CA, 0, SMA_NodeInfo_SystemImageGUID, 0x1000},
	{CA "guidCap 255", 2, SMA_PortInfo_GUIDCap, 255},
	{CA "partitionCap 65535", 0, SMA_NodeInfo_PartitionCap, 65535},
	{SWITCH, 0, SMA_SwitchInfo_PartitionEnforcementCap, 8},
	{SWITCH, 0, SMA_SwitchInfo_LinearFDBCap, 1024},
	{SWITCH "randomFDBCap 0", 0, SMA_SwitchInfo_LinearFDBCap, 1024},
	{RANDOM, 0, SMA_SwitchInfo_RandomFDBCap, 16},
	{SWITCH, 0, SMA_SwitchInfo_MulticastFDBCap, 64},
	{CA "vlCap 5", 1, SMA_PortInfo_VLCap, 5},
	{CA "systemImageGuid 0xffffffffffffffff", 0, SMA_NodeInfo_SystemImageGUID, UINT64_MAX},
	{CA "systemImageGuid 0", 0, SMA_NodeInfo_SystemImageGUID, 0},
	{CA "vendorId 0xFFFFFF", 0, SMA_NodeInfo_VendorID, 0xFFFFFF},
	{CA "deviceId 65535", 0, SMA_NodeInfo_DeviceID, 65535},
	{CA "revision 0xa0b0c0d0", 0, SMA_NodeInfo_Revision, 0xA0B0C0D0},
	{CA "nodeInfo ClassVersion 2", 0, SMA_NodeInfo_ClassVersion, 2},
	{CA "NODEINFO revision 7", 0, SMA_NodeInfo_Revision, 7},
	{SWITCH "switchInfo LifeTimeValue 31", 0, SMA_SwitchInfo_LifeTimeValue, 31},
	{SWITCH "switchInfo LinearFDBTop 1023", 0, SMA_SwitchInfo_LinearFDBTop, 1023},
	{SWITCH "switchInfo MulticastFDBTop 0xC03F", 0, SMA_SwitchInfo_MulticastFDBTop, 0xC03F},
	{SWITCH "switchInfo MulticastFDBTop 0xBFFF", 0, SMA_SwitchInfo_MulticastFDBTop, 0xBFFF},
	{CA "link 1 up", 1, SMA_PortInfo_PortState, 2},
	{CA "link 1 up", 1, SMA_PortInfo_PortPhysicalState, 5},
	{CA "link 1 up", 2, SMA_PortInfo_PortState, 1},
	{CA "link all up\nlink 2 down", 2, SMA_PortInfo_PortState, 1},
	{CA "link all up\nlink 2 down", 2, SMA_PortInfo_PortPhysicalState, 2},
	{CA "lid 2 49151", 2, SMA_PortInfo_LID, 49151},
	{CA "lid 2 49151", 2, SMA_PortInfo_MasterSMLID, 0},
	{CA "lid 2 7 9", 2, SMA_PortInfo_MasterSMLID, 9},
	{SWITCH "lid 0 7", 0, SMA_PortInfo_LID, 7},
	{CA "gidPrefix all 0xfec0000000000001", 2, SMA_PortInfo_GidPrefix, 0xFEC0000000000001},
	{CA "mKey 1 0xffffffffffffffff 3 65535", 1, SMA_PortInfo_M_Key, UINT64_MAX},
	{CA "mKey 1 0xffffffffffffffff 3 65535", 1, SMA_PortInfo_M_KeyProtectBits, 3},
	{CA "mKey 1 0xffffffffffffffff 3 65535", 1, SMA_PortInfo_M_KeyLeasePeriod, 65535},
	{CA "mKey 1 0xffffffffffffffff 3 65535", 2, SMA_PortInfo_M_Key, 0},
	{SWITCH "mKey all 5 1 1", 0, SMA_PortInfo_M_Key, 5},
	{CA "capability all IsLedInfoSupported on", 2, SMA_PortInfo_IsLedInfoSupported, 1},
	{CA "capability 2 isnoticesupported off", 2, SMA_PortInfo_IsNoticeSupported, 0},
	{CA "capability 2 isnoticesupported off", 1, SMA_PortInfo_IsNoticeSupported, 1},
	{CA "capability 1 IsPortInfoExtendedSupported on", 1, SMA_PortInfo_IsPortInfoExtendedSupported, 1},
	{CA "portInfo 1 M_Key 0xfedcba9876543210", 1, SMA_PortInfo_M_Key, 0xFEDCBA9876543210},
	{CA "portInfo 1 CapabilityMask 0xffffffff", 1, SMA_PortInfo_CapabilityMask, 0xFFFFFFFF},
	{CA "portInfo 1 DiagCode 0x8014", 1, SMA_PortInfo_DiagVendorCode, 1},
	{CA "portInfo 1 OperationalVLs 4", 1, SMA_PortInfo_OperationalVLs, 4},
	{CA "portInfo 1 PortState 4", 1, SMA_PortInfo_PortState, 4},
	{SWITCH "portInfo 0 NeighborMTU 5", 0, SMA_PortInfo_NeighborMTU, 5},
	{SWITCH "portInfo all VLStallCount 7", 20, SMA_PortInfo_VLStallCount, 7},
	{SWITCH "portInfo all VLStallCount 7", 0, SMA_PortInfo_VLStallCount, 0},
	{SWITCH "portInfo 0,all VLStallCount 7", 0, SMA_PortInfo_VLStallCount, 7},
	{SWITCH "portInfo 1,5-7,20 HOQLife 3", 1, SMA_PortInfo_HOQLife, 3},
	{SWITCH "portInfo 1,5-7,20 HOQLife 3", 4, SMA_PortInfo_HOQLife, 20},
	{SWITCH "portInfo 1,5-7,20 HOQLife 3", 7, SMA_PortInfo_HOQLife, 3},
	{SWITCH "portInfo 1,5-7,20 HOQLife 3", 20, SMA_PortInfo_HOQLife, 3},
	{SWITCH "lft 0-9 1", 0, SMA_SwitchInfo_LinearFDBTop, 9},
	{SWITCH "lft 0-9 1\nlft 5 2", 0, SMA_SwitchInfo_LinearFDBTop, 9},
	{SWITCH "lft 0-9 none", 0, SMA_SwitchInfo_LinearFDBTop, 0},
	{SWITCH "lft 0-9 1\nswitchInfo LinearFDBTop 4", 0, SMA_SwitchInfo_LinearFDBTop, 4},
	{SWITCH "mft 0xC003 1", 0, SMA_SwitchInfo_MulticastFDBTop, 0xC003},
	{SWITCH "mft 0xC003 none", 0, SMA_SwitchInfo_MulticastFDBTop, 0xBFFF},
};

static uint64_t component_of(const struct sma_store *store, unsigned port, enum sma_component component)
{
	switch (sma_component_attr(component)) {
	case SMA_NodeInfo:
		return sma_component_get(store->node_info, component);
	case SMA_SwitchInfo:
		return sma_component_get(store->switch_info, component);
	default:
		return sma_component_get(store->port[port].info, component);
	}
}

static void test_components(void)
{
	for (size_t i = 0; i < UNIT_COUNT(components); i++) {
		struct sma_store *store = parse(components[i].text);

		unit_case("case %zu, %s", i, last_line(components[i].text));
		CHECK_TEXT(error, "");
		if (CHECK(store))
			CHECK_EQUAL(component_of(store, components[i].port, components[i].component),
			            components[i].value);
		store_free(store);
	}
}

/* ---- lines that set bytes ---- */

static const uint8_t *port_guid(const struct sma_store *store, unsigned port)
{
	return store->port[port].port_guid;
}

static const uint8_t *guids(const struct sma_store *store, unsigned port)
{
	return store->port[port].guids;
}

static const uint8_t *pkeys(const struct sma_store *store, unsigned port)
{
	return store->port[port].pkeys;
}

static const uint8_t *sl2vl(const struct sma_store *store, unsigned port)
{
	return store->port[port].sl2vl;
}

static const uint8_t *low_list(const struct sma_store *store, unsigned port)
{
	return store->port[port].vlarb[0];
}

static const uint8_t *high_list(const struct sma_store *store, unsigned port)
{
	return store->port[port].vlarb[2];
}

static const uint8_t *extended(const struct sma_store *store, unsigned port)
{
	return store->port[port].extended;
}

static const uint8_t *led(const struct sma_store *store, unsigned port)
{
	return &store->port[port].led;
}

static const uint8_t *description(const struct sma_store *store, unsigned port)
{
	(void)port;
	return store->description;
}

static const uint8_t *linear(const struct sma_store *store, unsigned port)
{
	(void)port;
	return store->linear;
}

static const uint8_t *random_table(const struct sma_store *store, unsigned port)
{
	(void)port;
	return store->random;
}

static const uint8_t *multicast(const struct sma_store *store, unsigned port)
{
	(void)port;
	return store->multicast;
}

static const uint8_t *diag(const struct sma_store *store, unsigned number)
{
	return number < store->diag_count ? store->diags[number].block : NULL;
}

#define BYTES(text) text, sizeof(text) - 1

static const struct {
	const char *text;
	const uint8_t *(*part)(const struct sma_store *store, unsigned port);
	unsigned port;
	size_t offset;
	const char *bytes;
	size_t size;
} parts[] = {
	{CA, port_guid, 2, 0, BYTES("\0\0\0\0\0\0\x10\x02")},
	{CA "portGuid 2 0xabcdef0000000001", port_guid, 2, 0, BYTES("\xab\xcd\xef\0\0\0\0\x01")},
	{CA "portGuid 2 0xabcdef0000000001", guids, 2, 0, BYTES("\xab\xcd\xef\0\0\0\0\x01")},
	{CA "portGuid 2 0xabcdef0000000001", port_guid, 1, 0, BYTES("\0\0\0\0\0\0\x10\x01")},
	{SWITCH "portGuid 0 9", port_guid, 0, 0, BYTES("\0\0\0\0\0\0\0\x09")},
	{CA "guid 1 7 0x0100000000000002", guids, 1, 56, BYTES("\x01\0\0\0\0\0\0\x02")},
	{CA "guid 1 1-2 0xff", guids, 1, 0,
         BYTES("\0\0\0\0\0\0\x10\x01\0\0\0\0\0\0\0\xff\0\0\0\0\0\0\x01\0")},
	{CA, pkeys, 1, 0, BYTES("\xff\xff\0\0")},
	{CA "pKey all 1-30 0x8001", pkeys, 2, 0, BYTES("\xff\xff\x80\x01")},
	{CA "pKey all 1-30 0x8001", pkeys, 2, 58, BYTES("\x80\x01\x80\x01\0\0")},
	{SWITCH "pKey 20 7 65535", pkeys, 20, 12, BYTES("\0\0\xff\xff")},
	{SWITCH "pKey 0 31 1", pkeys, 0, 62, BYTES("\0\x01")},
	{CA "sl2vl 2 0 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", sl2vl, 2, 0,
         BYTES("\x01\x23\x45\x67\x89\xab\xcd\xef")},
	{CA "sl2vl 2 all 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", sl2vl, 2, 0,
         BYTES("\x11\x11\x11\x11\x11\x11\x11\x11")},
	{CA "sl2vl 2 all 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", sl2vl, 1, 0, BYTES("\0\0\0\0\0\0\0\0")},
	{SWITCH "sl2vl 3 19-20 0xf,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", sl2vl, 3, 144,
         BYTES("\0\0\0\0\0\0\0\0\xf1\x11\x11\x11\x11\x11\x11\x11\xf1")},
	{CA "vlArb 1 low 0 14 255", low_list, 1, 0, BYTES("\x0e\xff\0\0")},
	{CA "vlArb 1 high 6-7 3 4", high_list, 1, 10, BYTES("\0\0\x03\x04\x03\x04\0\0")},
	{CA "portInfo 1 VLArbitrationHighCap 64\nvlArb 1 high 31-32 3 4", high_list, 1, 60,
         BYTES("\0\0\x03\x04\x03\x04\0\0")},
	{CA "portInfoExtended 1 00000001A5", extended, 1, 0, BYTES("\0\0\0\x01\xa5\0")},
	{CA "led 2 on", led, 2, 0, BYTES("\x80")},
	{CA "led all on\nled 2 off", led, 2, 0, BYTES("\0")},
	{CA "description \"a # b\" # c", description, 0, 0, BYTES("a # b\0\0")},
	{CA "description \"say \\\"\\\\\\n\\\"\"", description, 0, 0, BYTES("say \"\\\\n\"\0")},
	{CA "description \xc3\xa9t\xc3\xa9\r\n", description, 0, 0, BYTES("\xc3\xa9t\xc3\xa9\0")},
	{CA "description \"\xe2\x82\xac \xf0\x9f\x98\x80\"", description, 0, 0,
         BYTES("\xe2\x82\xac \xf0\x9f\x98\x80\0")},
	{CA "description long\ndescription \"\"", description, 0, 0, BYTES("\0\0\0\0")},
	{CA "description " LETTERS "f", description, 0, 0, BYTES(LETTERS "f")},
	{SWITCH, linear, 0, 0, BYTES("\xff\xff")},
	{SWITCH "lft 0-1023 20\nlft 0x10 0\nlft 18 none", linear, 0, 15, BYTES("\x14\0\x14\xff\x14")},
	{SWITCH "lft 0-1023 20", linear, 0, 1022, BYTES("\x14\x14")},
	{RANDOM "rft 15 49151 7 20", random_table, 0, 60, BYTES("\xbf\xff\xf0\x14")},
	{RANDOM "rft 1 8 1 none invalid", random_table, 0, 4, BYTES("\0\x08\x10\xff")},
	{RANDOM "rft 1 8 1 0 valid", random_table, 0, 4, BYTES("\0\x08\x90\0")},
	{SWITCH "mft 0xC000-0xC001 0,15-17", multicast, 0, 0, BYTES("\x80\x01\x80\x01\0\0")},
	{SWITCH "mft 0xC000-0xC001 0,15-17", multicast, 0, 128, BYTES("\0\x03\0\x03\0\0")},
	{SWITCH "mft 49215 all", multicast, 0, 126, BYTES("\xff\xfe\0\0")},
	{SWITCH "mft 49215 all", multicast, 0, 254, BYTES("\0\x1f")},
	{SWITCH "mft 0xC000 all\nmft 0xC000 none", multicast, 0, 0, BYTES("\0\0")},
	{CA "diag 65535 7", diag, 0, 0, BYTES("\0\x07\0\0")},
	{CA "diag 0 1 a0\ndiag 1 0 b0b1", diag, 1, 0, BYTES("\0\0\xb0\xb1\0")},
	{CA "diag 0 1 a0a1\ndiag 0 2 c0", diag, 0, 0, BYTES("\0\x02\xc0\0")},
	{CA "diag 0 0 " BYTES_62, diag, 0, 0, BYTES("\0\0\x01\x23\x45\x67\x89\xab\xcd\xef")},
};

static void test_bytes(void)
{
	for (size_t i = 0; i < UNIT_COUNT(parts); i++) {
		struct sma_store *store = parse(parts[i].text);
		const uint8_t *part = store ? parts[i].part(store, parts[i].port) : NULL;

		unit_case("case %zu, %s", i, last_line(parts[i].text));
		CHECK_TEXT(error, "");
		if (CHECK(part))
			CHECK_OCTETS(part + parts[i].offset, parts[i].bytes, parts[i].size);
		store_free(store);
	}
}

static void test_rest(void)
{
	struct sma_store *store = parse(CA "vendorRange yes\nlink 2 up\ndiag 5 0\ndiag 5 1");

	if (!CHECK(store))
		return;
	CHECK(store->vendor_range);
	CHECK(store->port[2].link);
	CHECK(!store->port[1].link);
	CHECK_EQUAL(store->diag_count, 1);
	CHECK_EQUAL(store->diags[0].index, 5);
	store_free(store);
	store = parse(CA "vendorRange yes\nvendorRange no");
	CHECK(store && !store->vendor_range);
	store_free(store);
}

/* ---- mistakes ---- */

static const struct {
	const char *text;
	const char *error;
} mistakes[] = {
	/* what a file must have */
	{"", "f: no nodeType: expected a line nodeType ca|switch|router"},
	{"nodeType ca", "f: no ports: expected a line ports COUNT"},
	{"nodeType ca\nports 1", "f: no nodeGuid: expected a line nodeGuid GUID"},
	{"nodeType switch\nports 1\nnodeGuid 1",
         "f: line 1: nodeType switch: expected linearFDBCap or randomFDBCap with it, 1 to 49152"},
	/* sizes */
	{"\nnodeType hub", "f: line 2: nodeType hub: expected ca, switch or router"},
	{"ports 0", "f: line 1: ports 0: expected a number of ports, 1 to 254"},
	{"ports 255", "f: line 1: ports 255: expected a number of ports, 1 to 254"},
	{"ports 0xff", "f: line 1: ports 0xff: expected a number of ports, 0x1 to 0xFE"},
	{"ports", "f: line 1: ports: expected ports COUNT"},
	{"ports 1 2", "f: line 1: ports: expected ports COUNT"},
	{"ports 1\n\nports 1", "f: line 3: ports: expected once only, and it stands in line 1"},
	{"nodeGuid 0x0", "f: line 1: nodeGuid 0x0: expected a GUID, 0x1 to 0xFFFFFFFFFFFFFFFF"},
	{"guidCap 256", "f: line 1: guidCap 256: expected a number of GUIDs, 1 to 255"},
	{"partitionCap 0", "f: line 1: partitionCap 0: expected a number of P_Keys, 1 to 65535"},
	{"partitionEnforcementCap 65536",
         "f: line 1: partitionEnforcementCap 65536: expected a number of P_Keys, 0 to 65535"},
	{"linearFDBCap 49153", "f: line 1: linearFDBCap 49153: expected a number of LIDs, 0 to 49152"},
	{"randomFDBCap 49153", "f: line 1: randomFDBCap 49153: expected a number of entries, 0 to 49152"},
	{"multicastFDBCap 16385", "f: line 1: multicastFDBCap 16385: expected a number of MLIDs, 0 to 16384"},
	{"vlCap 6", "f: line 1: vlCap 6: expected a VLCap code, 1 to 5"},
	{CA "linearFDBCap 1",
         "f: line 4: linearFDBCap 1: expected on a switch only; nodeType stands in line 1"},
	{CA "randomFDBCap 1",
         "f: line 4: randomFDBCap 1: expected on a switch only; nodeType stands in line 1"},
	{"multicastFDBCap 8\n" ROUTER,
         "f: line 1: multicastFDBCap 8: expected on a switch only; nodeType stands in line 2"},
	{CA "partitionEnforcementCap 8",
         "f: line 4: partitionEnforcementCap 8: expected on a switch only; nodeType stands in line 1"},
	{SWITCH "randomFDBCap 8",
         "f: line 7: randomFDBCap 8: expected one unicast table only; linearFDBCap stands in line 4"},
	{RANDOM "linearFDBCap 8",
         "f: line 5: linearFDBCap 8: expected one unicast table only; randomFDBCap stands in line 4"},
	/* lines and words */
	{CA "prots 1", "f: line 4: prots: unknown token; the nearest is ports"},
	{CA "swichtInfo LifeTimeValue 1", "f: line 4: swichtInfo: unknown token; the nearest is switchInfo"},
	{CA "\"\" 1",
         "f: line 4: : unknown token; expected one of nodeType, ports, nodeGuid, guidCap, partitionCap, "
         "partitionEnforcementCap, linearFDBCap, randomFDBCap, multicastFDBCap, vlCap, description, "
         "systemImageGuid, vendorId, deviceId, revision, nodeInfo, switchInfo, diag, vendorRange, portGuid, "
         "link, lid, gidPrefix, mKey, capability, portInfo, portInfoExtended, led, guid, pKey, sl2vl, vlArb, "
         "lft, rft, mft"},
	{CA "description \"a", "f: line 4: description: expected a quotation mark at the end of the text"},
	{CA "description \"a\\\"",
         "f: line 4: description: expected a quotation mark at the end of the text"},
	{CA "description \"a\"b",
         "f: line 4: description: expected a blank after the closing quotation mark"},
	{CA "description \"", "f: line 4: description: expected a quotation mark at the end of the text"},
	{CA "description a\x1b[2J", "f: line 4: description: expected text, not the byte 0x1b"},
	{CA "\x07", "f: line 4: expected text, not the byte 0x07"},
	{CA "description " LETTERS LETTERS LETTERS LETTERS "abcd",
         "f: line 4: description: expected words of at most 255 bytes"},
	{CA "ports\x9b 3", "f: line 4: ports?: unknown token; the nearest is ports"},
	/* numbers */
	{CA "deviceId -1", "f: line 4: deviceId -1: expected a device ID, 0 to 65535"},
	{CA "deviceId +1", "f: line 4: deviceId +1: expected a device ID, 0 to 65535"},
	{CA "deviceId \" 1\"", "f: line 4: deviceId  1: expected a device ID, 0 to 65535"},
	{CA "deviceId \"\"", "f: line 4: deviceId : expected a device ID, 0 to 65535"},
	{CA "deviceId 1x", "f: line 4: deviceId 1x: expected a device ID, 0 to 65535"},
	{CA "deviceId 0x", "f: line 4: deviceId 0x: expected a device ID, 0x0 to 0xFFFF"},
	{CA "deviceId 0xg", "f: line 4: deviceId 0xg: expected a device ID, 0x0 to 0xFFFF"},
	{CA "deviceId 18446744073709551616",
         "f: line 4: deviceId 18446744073709551616: expected a device ID, 0 to 65535"},
	{CA "deviceId " LETTERS,
         "f: line 4: deviceId 0123456789abcdef0123456789abcdef0123456789ab...: expected a device ID, 0 to "
         "65535"},
	/* the node */
	{CA "description " LETTERS "fg",
         "f: line 4: description 0123456789abcdef0123456789abcdef0123456789ab...: expected UTF-8 text, 0 to "
         "64 bytes"},
	{CA "description \xc3", "f: line 4: description ?: expected UTF-8 text, 0 to 64 bytes"},
	{CA "description \xc0\x80", "f: line 4: description ??: expected UTF-8 text, 0 to 64 bytes"},
	{CA "description \xed\xa0\x80", "f: line 4: description ???: expected UTF-8 text, 0 to 64 bytes"},
	{CA "description \xf0\x9f\x98", "f: line 4: description ???: expected UTF-8 text, 0 to 64 bytes"},
	{CA "description a b", "f: line 4: description: expected description TEXT"},
	{CA "systemImageGuid x", "f: line 4: systemImageGuid x: expected a GUID, 0 to 18446744073709551615"},
	{CA "vendorId 0x1000000", "f: line 4: vendorId 0x1000000: expected an OUI, 0x0 to 0xFFFFFF"},
	{CA "revision 4294967296", "f: line 4: revision 4294967296: expected a revision, 0 to 4294967295"},
	{CA "nodeInfo Revison 1",
         "f: line 4: nodeInfo Revison: expected a component of NodeInfo; the nearest is Revision"},
	{CA "nodeInfo NumPorts 1",
         "f: line 4: nodeInfo NumPorts: expected a component that is not set by ports"},
	{CA "nodeInfo ClassVersion 256", "f: line 4: nodeInfo 256: expected a value, 1 to 255"},
	{CA "switchInfo LifeTimeValue 1", "f: line 4: switchInfo: expected only with nodeType switch"},
	{SWITCH "switchInfo LifeTimeValue 32", "f: line 7: switchInfo 32: expected a value, 0 to 31"},
	{SWITCH "switchInfo LinearFDBTop 1024", "f: line 7: switchInfo 1024: expected a value, 0 to 1023"},
	{RANDOM "switchInfo LinearFDBTop 0", "f: line 5: switchInfo 0: expected a value, but there are none"},
	{SWITCH "switchInfo MulticastFDBTop 0xC040",
         "f: line 7: switchInfo 0xC040: expected a value, 0xBFFF to 0xC03F"},
	{SWITCH "switchInfo LinearFDBCap 5",
         "f: line 7: switchInfo LinearFDBCap: expected a component that is not set by linearFDBCap"},
	{CA "diag 65536 0", "f: line 4: diag 65536: expected an index, 0 to 65535"},
	{CA "diag 0 0 123", "f: line 4: diag 123: expected pairs of hexadecimal digits, 0 to 62"},
	{CA "diag 0 0 " BYTES_62 "00",
         "f: line 4: diag 0123456789abcdef0123456789abcdef0123456789ab...: expected pairs of hexadecimal "
         "digits, 0 to 62"},
	{CA "diag 0 0 1g", "f: line 4: diag 1g: expected pairs of hexadecimal digits, 0 to 62"},
	{CA "diag 0", "f: line 4: diag: expected diag INDEX NEXT [DATA]"},
	{CA "vendorRange maybe", "f: line 4: vendorRange maybe: expected yes or no"},
	/* ports */
	{CA "portGuid 0 1", "f: line 4: portGuid 0: expected a port with an SMA, 1 to 2"},
	{CA "portGuid 1 0", "f: line 4: portGuid 0: expected a GUID, 1 to 18446744073709551615"},
	{SWITCH "portGuid 1 1", "f: line 7: portGuid 1: expected a port with an SMA, 0 only"},
	{CA "link 0 up", "f: line 4: link 0: expected all or ports, 1 to 2"},
	{CA "link 1-3 up", "f: line 4: link 1-3: expected all or ports, 1 to 2"},
	{CA "link 2-1 up", "f: line 4: link 2-1: expected all or ports, 1 to 2"},
	{CA "link 1, up", "f: line 4: link 1,: expected all or ports, 1 to 2"},
	{CA "link ,1 up", "f: line 4: link ,1: expected all or ports, 1 to 2"},
	{CA "link 1;2 up", "f: line 4: link 1;2: expected all or ports, 1 to 2"},
	{CA "link any up", "f: line 4: link any: expected all or ports, 1 to 2"},
	{CA "link allx up", "f: line 4: link allx: expected all or ports, 1 to 2"},
	{CA "link 1 sideways", "f: line 4: link sideways: expected up or down"},
	{SWITCH "link 0 up", "f: line 7: link 0: expected all or ports, 1 to 20"},
	{CA "lid 1 0", "f: line 4: lid 0: expected a LID, 1 to 49151"},
	{CA "lid 1 1 49152", "f: line 4: lid 49152: expected a LID, 0 to 49151"},
	{CA "lid 1", "f: line 4: lid: expected lid PORT LID [SMLID]"},
	{SWITCH "lid 1 1", "f: line 7: lid 1: expected a port with an SMA, 0 only"},
	{CA "gidPrefix 3 1", "f: line 4: gidPrefix 3: expected all or ports with an SMA, 1 to 2"},
	{CA "mKey 1 0xabcdefg 1 0", "f: line 4: mKey ...: expected an M_Key, 0x0 to 0xFFFFFFFFFFFFFFFF"},
	{CA "mKey 0xabcdef 1 1 0", "f: line 4: mKey ...: expected all or ports with an SMA, 0x1 to 0x2"},
	{CA "mKey 1 0xabcdef 4 0", "f: line 4: mKey ...: expected a protection level, 0 to 3"},
	{CA "mKey 1 1 1 65536", "f: line 4: mKey ...: expected a lease period in seconds, 0 to 65535"},
	{CA "mKey 1 0xabcdef", "f: line 4: mKey: expected mKey PORTS KEY PROTECT LEASE"},
	{CA "portInfo 1 M_Key 12345x",
         "f: line 4: portInfo ...: expected a value, 0 to 18446744073709551615"},
	{CA "capability 1 LID on", "f: line 4: capability LID: expected a capability; the nearest is IsSM"},
	{CA "capability 1 IsTrapSuported on",
         "f: line 4: capability IsTrapSuported: expected a capability; the nearest is IsTrapSupported"},
	{CA "capability 1 IsSM 1", "f: line 4: capability 1: expected on or off"},
	{SWITCH "capability 1 IsSM on", "f: line 7: capability 1: expected all or ports with an SMA, 0 only"},
	{CA "portInfo 0 LID 1", "f: line 4: portInfo 0: expected all or ports, 1 to 2"},
	{CA "portInfo 1 LifeTimeValue 1",
         "f: line 4: portInfo LifeTimeValue: expected a component of PortInfo; the nearest is RespTimeValue"},
	{CA "portInfo 1 GUIDCap 1",
         "f: line 4: portInfo GUIDCap: expected a component that is not set by guidCap"},
	{CA "portInfo 1 VLCap 1", "f: line 4: portInfo VLCap: expected a component that is not set by vlCap"},
	{CA "portInfo 1 LID 0xC000", "f: line 4: portInfo 0xC000: expected a value, 0x0 to 0xBFFF"},
	{CA "portInfo 1 LMC 8", "f: line 4: portInfo 8: expected a value, 0 to 7"},
	{CA "portInfo 1 PortState 5", "f: line 4: portInfo 5: expected a value, 1 to 4"},
	{CA "portInfo 1 OperationalVLs 5", "f: line 4: portInfo 5: expected a value, 1 to 4"},
	{CA "portInfo 1 CapabilityMask 4294967296",
         "f: line 4: portInfo 4294967296: expected a value, 0 to 4294967295"},
	{CA "portInfo 1 VLArbitrationLowCap 65", "f: line 4: portInfo 65: expected a value, 0 to 64"},
	{CA "portInfoExtended 1 0",
         "f: line 4: portInfoExtended 0: expected pairs of hexadecimal digits, 0 to 64"},
	{CA "led 1 blinking", "f: line 4: led blinking: expected on or off"},
	/* tables of ports */
	{CA "guid 1 0 1", "f: line 4: guid 0: expected entries, 1 to 7"},
	{CA "guid 1 1-8 1", "f: line 4: guid 1-8: expected entries, 1 to 7"},
	{CA "guidCap 1\nguid 1 1 1", "f: line 5: guid 1: expected entries, but there are none"},
	{CA "guidCap 2\nguid 1 2 1", "f: line 5: guid 2: expected entries, 1 only"},
	{CA "pKey 1 32 1", "f: line 4: pKey 32: expected entries, 0 to 31"},
	{CA "pKey 1 0 0x10000", "f: line 4: pKey 0x10000: expected a P_Key, 0x0 to 0xFFFF"},
	{SWITCH "pKey 0,1 8 1", "f: line 7: pKey 8: expected entries, 0 to 7"},
	{RANDOM "pKey 1 0 1", "f: line 5: pKey 0: expected entries, but there are none"},
	{CA "sl2vl 1 1 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
         "f: line 4: sl2vl 1: expected all or input ports, 0 only"},
	{CA "sl2vl 1 0 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16",
         "f: line 4: sl2vl 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16: expected 16 VLs with commas between, 0 to 15"},
	{CA "sl2vl 1 0 0,0", "f: line 4: sl2vl 0,0: expected 16 VLs with commas between, 0 to 15"},
	{CA "sl2vl 1 0 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,",
         "f: line 4: sl2vl 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,: expected 16 VLs with commas between, 0 to 15"},
	{ONE_VL "sl2vl 1 0 0,0", "f: line 5: sl2vl: expected only with vlCap, 2 to 5"},
	{ONE_VL "vlArb 1 high 0 0 0", "f: line 5: vlArb: expected only with vlCap, 2 to 5"},
	{CA "vlArb 1 medium 0 0 0", "f: line 4: vlArb medium: expected high or low"},
	{CA "vlArb 1 low 8 0 0", "f: line 4: vlArb 8: expected entries, 0 to 7"},
	{CA "portInfo 1 VLArbitrationLowCap 0\nvlArb 1 low 0 0 0",
         "f: line 5: vlArb 0: expected entries, but there are none"},
	{CA "vlArb 1 low 0 15 0", "f: line 4: vlArb 15: expected a VL, 0 to 14"},
	{CA "vlArb 1 low 0 0 256", "f: line 4: vlArb 256: expected a weight, 0 to 255"},
	/* forwarding */
	{CA "lft 0 1", "f: line 4: lft: expected only with linearFDBCap on a switch"},
	{RANDOM "lft 0 1", "f: line 5: lft: expected only with linearFDBCap on a switch"},
	{SWITCH "lft 1024 1", "f: line 7: lft 1024: expected LIDs, 0 to 1023"},
	{SWITCH "lft 0-1024 1", "f: line 7: lft 0-1024: expected LIDs, 0 to 1023"},
	{SWITCH "lft 9-8 1", "f: line 7: lft 9-8: expected LIDs, 0 to 1023"},
	{SWITCH "lft 1- 1", "f: line 7: lft 1-: expected LIDs, 0 to 1023"},
	{SWITCH "lft 1 21", "f: line 7: lft 21: expected none or a port, 0 to 20"},
	{SWITCH "rft 0 1 0 1", "f: line 7: rft: expected only with randomFDBCap on a switch"},
	{RANDOM "rft 16 1 0 1", "f: line 5: rft 16: expected an entry, 0 to 15"},
	{RANDOM "rft 0 49152 0 1", "f: line 5: rft 49152: expected a LID, 0 to 49151"},
	{RANDOM "rft 0 1 8 1", "f: line 5: rft 8: expected an LMC, 0 to 7"},
	{RANDOM "rft 0 1 0 21", "f: line 5: rft 21: expected none or a port, 0 to 20"},
	{RANDOM "rft 0 1 0 1 void", "f: line 5: rft void: expected valid or invalid"},
	{RANDOM "rft 0 1 0 1 valid 1",
         "f: line 5: rft: expected rft ENTRY LID LMC PORT|none [valid|invalid]"},
	{RANDOM "mft 0xC000 1", "f: line 5: mft: expected only with multicastFDBCap on a switch"},
	{SWITCH "mft 0xC040 1", "f: line 7: mft 0xC040: expected MLIDs, 0xC000 to 0xC03F"},
	{SWITCH "mft 1 1", "f: line 7: mft 1: expected MLIDs, 49152 to 49215"},
	{SWITCH "mft 0xC000 21", "f: line 7: mft 21: expected none, all or ports, 0 to 20"},
};

static void test_mistakes(void)
{
	for (size_t i = 0; i < UNIT_COUNT(mistakes); i++) {
		struct sma_store *store = parse(mistakes[i].text);

		unit_case("case %zu, %s", i, last_line(mistakes[i].text));
		CHECK(!store);
		CHECK_TEXT(error, mistakes[i].error);
		store_free(store);
	}
}

/* ---- forms of text ---- */

static void test_forms(void)
{
	static const char *const texts[] = {
		CA,
		"nodeGuid 0x1000\nports 2\nnodeType ca",
		"lid 1 5\n\t ports\t2  \r\n#\n   # comment\n\n\nNODETYPE CA#a\n",
		"\n\nnodeguid 4096 # a GUID\nports \"2\"\nnodeType \"ca\"   #\n",
	};
	static const bool good[] = {true, true, false, true};

	for (size_t i = 0; i < UNIT_COUNT(texts); i++) {
		struct sma_store *store = parse(texts[i]);

		unit_case("text %zu", i);
		CHECK_EQUAL(store != NULL, good[i]);
		store_free(store);
	}
}

/* The text ends where its length says, and a NUL is no end of it. */
static void test_length(void)
{
	static const char text[] = CA "lid 1 7\0 1\n";
	struct sma_store *store = NULL;

	CHECK_EQUAL(nodefile_parse("f", text, sizeof(CA "lid 1 7") - 1, &store, error, sizeof(error)), 0);
	CHECK(store && store_get(store, 1, SMA_PortInfo_LID) == 7);
	store_free(store);
	store = NULL;
	CHECK_EQUAL(nodefile_parse("f", text, sizeof(text) - 1, &store, error, sizeof(error)), -EINVAL);
	CHECK_TEXT(error, "f: line 4: lid: expected text, not the byte 0x00");
	CHECK(!store);
}

static void test_long_line(void)
{
	size_t size = 1000000;
	char *text = calloc(1, size);
	struct sma_store *store = NULL;

	if (!text)
		abort();
	memset(text, 'x', size);
	CHECK_EQUAL(nodefile_parse("f", text, size, &store, error, sizeof(error)), -EINVAL);
	CHECK_TEXT(error, "f: line 1: expected words of at most 255 bytes");
	memset(text, '#', size);
	CHECK_EQUAL(nodefile_parse("f", text, size, &store, error, sizeof(error)), -EINVAL);
	CHECK_TEXT(error, "f: no nodeType: expected a line nodeType ca|switch|router");
	for (size_t i = 0; i < size; i++)
		text[i] = i % 2 ? ' ' : 'a';
	CHECK_EQUAL(nodefile_parse("f", text, size, &store, error, sizeof(error)), -EINVAL);
	free(text);
}

static void test_short_error(void)
{
	static const char text[] = "ports 255";
	char little[20];
	struct sma_store *store = NULL;

	for (size_t size = 1; size <= sizeof(little); size++) {
		memset(little, 'z', sizeof(little));
		CHECK_EQUAL(nodefile_parse("f", text, strlen(text), &store, little, size), -EINVAL);
		CHECK(strlen(little) < size);
	}
}

/* ---- files ---- */

static void test_examples(void)
{
	static const struct {
		const char *name;
		unsigned type, ports;
	} examples[] = {
		{"sma/nodes/ca.conf", SMA_NODE_CA, 2},
		{"sma/nodes/switch36.conf", SMA_NODE_SWITCH, 36},
		{"sma/nodes/switch8-rft.conf", SMA_NODE_SWITCH, 8},
		{"sma/nodes/router.conf", SMA_NODE_ROUTER, 2},
		{"sma/nodes/switch-max.conf", SMA_NODE_SWITCH, 254},
	};

	for (size_t i = 0; i < UNIT_COUNT(examples); i++) {
		struct sma_store *store = NULL;

		error[0] = '\0';
		unit_case("%s", examples[i].name);
		CHECK_EQUAL(nodefile_load(unit_source(examples[i].name), &store, error, sizeof(error)), 0);
		CHECK_TEXT(error, "");
		if (CHECK(store)) {
			CHECK_EQUAL(store->type, examples[i].type);
			CHECK_EQUAL(store->ports, examples[i].ports);
			CHECK(store->port[1].link);
		}
		store_free(store);
	}
}

static void check_ports_full(const struct sma_store *store)
{
	for (unsigned p = 1; p <= store->ports; p++) {
		unit_case("port %u", p);
		CHECK_EQUAL(store->port[p].pkey_count, 64);
		CHECK_EQUAL(wire_get16(store->port[p].pkeys + 126), 0x8001);
		CHECK_EQUAL(store->port[p].vlarb[3][63], 255);
		CHECK_EQUAL(store->port[p].sl2vl[254 * STORE_SL2VL_SIZE + 7], 0xEF);
	}
}

static void test_maximal(void)
{
	struct sma_store *store = NULL;

	if (!CHECK_EQUAL(
		    nodefile_load(unit_source("sma/nodes/switch-max.conf"), &store, error, sizeof(error)), 0))
		return;
	CHECK_EQUAL(store_get(store, 0, SMA_SwitchInfo_LinearFDBTop), 49151);
	CHECK_EQUAL(store_get(store, 0, SMA_SwitchInfo_MulticastFDBTop), 0xFFFF);
	CHECK_EQUAL(store->linear[0], 1);
	CHECK_EQUAL(store->linear[254], 254);
	CHECK_EQUAL(store->linear[49151], 1);
	CHECK_EQUAL(store->positions, 16);
	CHECK_EQUAL(wire_get16(store->multicast + 16 * 16384UL * 2 - 2), 0x7FFF);
	CHECK_EQUAL(wire_get16(store->port[0].pkeys + 131068), 0x8001);
	CHECK_EQUAL(wire_get64(store->port[0].guids + 2032), 0x0002C9020001F0FE);
	CHECK_EQUAL(store->description[63], 'l');
	check_ports_full(store);
	store_free(store);
}

static void test_unreadable(void)
{
	struct sma_store *store = NULL;
	char path[] = "/tmp/test_nodefile.XXXXXX";
	char wanted[128];
	int fd = mkstemp(path);

	CHECK_EQUAL(nodefile_load("/nonexistent/node", &store, error, sizeof(error)), -ENOENT);
	CHECK_TEXT(error, "/nonexistent/node: No such file or directory");
	CHECK_EQUAL(nodefile_load("/", &store, error, sizeof(error)), -EISDIR);
	CHECK_TEXT(error, "/: Is a directory");
	CHECK_EQUAL(ftruncate(fd, NODEFILE_MAX_SIZE + 1), 0);
	CHECK_EQUAL(nodefile_load(path, &store, error, sizeof(error)), -EFBIG);
	snprintf(wanted, sizeof(wanted), "%s: File too large", path);
	CHECK_TEXT(error, wanted);
	CHECK_EQUAL(ftruncate(fd, NODEFILE_MAX_SIZE), 0);
	CHECK_EQUAL(nodefile_load(path, &store, error, sizeof(error)), -EINVAL);
	CHECK(!store);
	close(fd);
	unlink(path);
}

/* The fuzzer's corpus: whatever it is, there is a store or a sentence. */
static void test_corpus(void)
{
	glob_t found = {0};

	CHECK_EQUAL(glob(unit_source("tests/fuzz/nodefile/*"), 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct sma_store *store = NULL;

		unit_case("%s", found.gl_pathv[i]);
		error[0] = '\0';
		nodefile_load(found.gl_pathv[i], &store, error, sizeof(error));
		CHECK((store != NULL) == (error[0] == '\0'));
		store_free(store);
	}
	globfree(&found);
}

static const struct unit_test tests[] = {
	{"lines that set components", test_components},
	{"lines that set bytes", test_bytes},
	{"links, diagnostics, vendor range", test_rest},
	{"mistakes", test_mistakes},
	{"forms of text", test_forms},
	{"length and NUL", test_length},
	{"long lines", test_long_line},
	{"a small buffer for the error", test_short_error},
	{"the examples", test_examples},
	{"the maximal switch", test_maximal},
	{"files that cannot be read", test_unreadable},
	{"the corpus", test_corpus},
};

int main(void)
{
	return UNIT_MAIN("nodefile", tests);
}
