// SPDX-License-Identifier: BSD-2-Clause
/* Node files that cannot be used, with the sentences that say why, and the bounds of what is read. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/soft/nodefile_fixture.h"
#include "tests/unit.h"

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
         "lft, rft, mft, iouSlots, optionRom, ioc, iocProfile, service, diagTimeout, iocDiag"},
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
	{CA "nodeInfo BaseVersion 0", "f: line 4: nodeInfo 0: expected a value, 1 to 255"},
	{CA "nodeInfo ClassVersion 0", "f: line 4: nodeInfo 0: expected a value, 1 to 255"},
	{CA "portInfo 1 MTUCap 0", "f: line 4: portInfo 0: expected a value, 1 to 5"},
	{CA "portInfo 1 MTUCap 6", "f: line 4: portInfo 6: expected a value, 1 to 5"},
	{CA "portInfo 1 NeighborMTU 0", "f: line 4: portInfo 0: expected a value, 1 to 5"},
	{CA "portInfo 1 NeighborMTU 6", "f: line 4: portInfo 6: expected a value, 1 to 5"},
	{CA "portInfo 1 PortState 0", "f: line 4: portInfo 0: expected a value, 1 to 4"},
	{CA "portInfo 1 PortPhysicalState 0", "f: line 4: portInfo 0: expected a value, 1 to 7"},
	{CA "portInfo 1 PortPhysicalState 8", "f: line 4: portInfo 8: expected a value, 1 to 7"},
	{CA "portInfo 1 LinkDownDefaultState 0", "f: line 4: portInfo 0: expected a value, 1 to 2"},
	{CA "portInfo 1 LinkDownDefaultState 3", "f: line 4: portInfo 3: expected a value, 1 to 2"},
	{CA "portInfo 1 MasterSMLID 49152", "f: line 4: portInfo 49152: expected a value, 0 to 49151"},
	{CA "portInfo 1 OperationalVLs 0", "f: line 4: portInfo 0: expected a value, 1 to 4"},
	{CA "portInfo 1 VLArbitrationHighCap 65", "f: line 4: portInfo 65: expected a value, 0 to 64"},
	{CA "lid 1 0x", "f: line 4: lid 0x: expected a LID, 0x1 to 0xBFFF"},
	{CA "lid 1 0a", "f: line 4: lid 0a: expected a LID, 1 to 49151"},
	{CA "lid 1 049152", "f: line 4: lid 049152: expected a LID, 1 to 49151"},
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
		struct nodefile_fixture fixture;

		unit_case("case %zu, %s", i, nodefile_fixture_case(mistakes[i].text));
		CHECK_EQUAL(nodefile_fixture_parse(&fixture, mistakes[i].text, strlen(mistakes[i].text)),
		            -EINVAL);
		CHECK(!fixture.state);
		CHECK_TEXT(fixture.error, mistakes[i].error);
		nodefile_fixture_close(&fixture);
	}
}

/* ---- bounds ---- */

/* The text ends where its length says, and a NUL is no end of it. */
static void test_length(void)
{
	static const char text[] = CA "lid 1 7\0 1\n";
	struct nodefile_fixture fixture;

	CHECK_EQUAL(nodefile_fixture_parse(&fixture, text, strlen(text)), 0);
	CHECK(fixture.state && state_get(fixture.state, 1, SMA_PortInfo_LID) == 7);
	nodefile_fixture_close(&fixture);
	CHECK_EQUAL(nodefile_fixture_parse(&fixture, text, sizeof(text) - 1), -EINVAL);
	CHECK_TEXT(fixture.error, "f: line 4: lid: expected text, not the byte 0x00");
	CHECK(!fixture.state);
}

static void test_long_line(void)
{
	size_t size = 1000000;
	char *text = calloc(1, size);
	struct nodefile_fixture fixture;

	if (!text)
		abort();
	memset(text, 'x', size);
	CHECK_EQUAL(nodefile_fixture_parse(&fixture, text, size), -EINVAL);
	CHECK_TEXT(fixture.error, "f: line 1: expected words of at most 255 bytes");
	memset(text, '#', size);
	CHECK_EQUAL(nodefile_fixture_parse(&fixture, text, size), -EINVAL);
	CHECK_TEXT(fixture.error, "f: no nodeType: expected a line nodeType ca|switch|router");
	for (size_t i = 0; i < size; i++)
		text[i] = i % 2 ? ' ' : 'a';
	CHECK_EQUAL(nodefile_fixture_parse(&fixture, text, size), -EINVAL);
	free(text);
}

/* Words are shown up to 47 bytes. */
static void test_long_word(void)
{
	static const char full[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstu";
	struct nodefile_fixture fixture;
	char text[256];
	char wanted[256];

	for (size_t length = sizeof(full) - 1; length < 60; length++) {
		size_t shown = length < sizeof(full) ? length : sizeof(full) - sizeof("...");
		int size = snprintf(text, sizeof(text), CA "link 1 %s%.*s", full, (int)(length - 47),
		                    "0123456789012");

		unit_case("a word of %zu bytes", length);
		snprintf(wanted, sizeof(wanted), "f: line 4: link %.*s%s: expected up or down", (int)shown,
		         full, shown < length ? "..." : "");
		CHECK_EQUAL(nodefile_fixture_parse(&fixture, text, (size_t)size), -EINVAL);
		CHECK_TEXT(fixture.error, wanted);
	}
}

/* A small buffer holds the beginning of the sentence, and not a byte behind it is written. */
static void test_short_error(void)
{
	static const char *const texts[] = {CA "lid 1 0",  "ports 255",
	                                    "nodeType ca", CA "lft 0 1",
	                                    CA "fly",      "nodeType switch\nports 1\nnodeGuid 1"};
	struct nodefile_fixture fixture;
	char little[NODEFILE_ERROR_SIZE + 1];

	for (size_t i = 0; i < UNIT_COUNT(texts); i++) {
		nodefile_fixture_parse(&fixture, texts[i], strlen(texts[i]));
		for (size_t size = 1; size < NODEFILE_ERROR_SIZE; size++) {
			struct soft_state *state = NULL;

			unit_case("text %zu in %zu bytes", i, size);
			memset(little, 'z', sizeof(little));
			CHECK_EQUAL(nodefile_parse("f", texts[i], strlen(texts[i]), &state, little, size),
			            -EINVAL);
			CHECK(!state);
			CHECK_EQUAL(strlen(little), strnlen(fixture.error, size - 1));
			CHECK(strncmp(little, fixture.error, size - 1) == 0);
			CHECK_EQUAL(little[size], 'z');
		}
	}
}

/* Of a long path messages show the end. */
static void test_long_name(void)
{
	static const size_t lengths[] = {1, LOAD_NAME_SIZE - 1, LOAD_NAME_SIZE, 1999};
	static const char text[] = CA "lid 1 0";
	char name[2000];

	for (size_t i = 0; i < UNIT_COUNT(lengths); i++) {
		bool is_long = lengths[i] >= LOAD_NAME_SIZE;
		char error[NODEFILE_ERROR_SIZE];
		char wanted[NODEFILE_ERROR_SIZE];
		struct soft_state *state = NULL;

		for (size_t at = 0; at < lengths[i]; at++)
			name[at] = (char)('a' + at % 23);
		name[lengths[i]] = '\0';
		unit_case("a path of %zu bytes", lengths[i]);
		snprintf(wanted, sizeof(wanted), "%s%s: line 4: lid 0: expected a LID, 1 to 49151",
		         is_long ? "..." : "", is_long ? name + lengths[i] - 252 : name);
		CHECK_EQUAL(nodefile_parse(name, text, strlen(text), &state, error, sizeof(error)), -EINVAL);
		CHECK_TEXT(error, wanted);
	}
}

/* ---- files ---- */

static void test_unreadable(void)
{
	char folder[UNIT_FOLDER_SIZE];
	char path[UNIT_FOLDER_SIZE + 16];
	struct nodefile_fixture fixture;
	char long_path[2000];
	char wanted[128];
	int fd;

	CHECK(unit_folder(folder));
	snprintf(path, sizeof(path), "%s/node", folder);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	CHECK_EQUAL(nodefile_fixture_load(&fixture, "/nonexistent/node"), -ENOENT);
	CHECK_TEXT(fixture.error, "/nonexistent/node: No such file or directory");
	memset(long_path, 'p', sizeof(long_path) - 1);
	long_path[sizeof(long_path) - 1] = '\0';
	CHECK_EQUAL(nodefile_fixture_load(&fixture, long_path), -ENAMETOOLONG);
	CHECK(strstr(fixture.error, "pp: File name too long") != NULL);
	CHECK_EQUAL(nodefile_fixture_load(&fixture, "/"), -EISDIR);
	CHECK_TEXT(fixture.error, "/: Is a directory");
	CHECK_EQUAL(ftruncate(fd, NODEFILE_MAX_SIZE + 1), 0);
	CHECK_EQUAL(nodefile_fixture_load(&fixture, path), -EFBIG);
	snprintf(wanted, sizeof(wanted), "%s: File too large", path);
	CHECK_TEXT(fixture.error, wanted);
	CHECK_EQUAL(ftruncate(fd, NODEFILE_MAX_SIZE), 0);
	CHECK_EQUAL(nodefile_fixture_load(&fixture, path), -EINVAL);
	CHECK(!fixture.state);
	close(fd);
	unlink(path);
	rmdir(folder);
}

/* The fuzzer's corpus: whatever it is, there is a state or a sentence. */
static void test_corpus(void)
{
	glob_t found = {0};

	CHECK_EQUAL(glob(unit_source("tests/fuzz/nodefile/*"), 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct nodefile_fixture fixture;

		unit_case("%s", found.gl_pathv[i]);
		nodefile_fixture_load(&fixture, found.gl_pathv[i]);
		CHECK((fixture.state != NULL) == (fixture.error[0] == '\0'));
		nodefile_fixture_close(&fixture);
	}
	globfree(&found);
}

static const struct unit_test tests[] = {
	{"mistakes", test_mistakes},
	{"length and NUL", test_length},
	{"long lines", test_long_line},
	{"long words", test_long_word},
	{"a small buffer for the error", test_short_error},
	{"a long path", test_long_name},
	{"files that cannot be read", test_unreadable},
	{"the corpus", test_corpus},
};

int main(void)
{
	return UNIT_MAIN("nodefile_mistakes", tests);
}
