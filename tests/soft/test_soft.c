// SPDX-License-Identifier: BSD-2-Clause
/* The software SMA as a whole: what a reader in the same process sees of a change. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sma/iba/wire.h"
#include "sma/node/node.h"
#include "sma/soft/soft.h"
#include "tests/fakes/soft_reader.h"
#include "tests/soft/wire_client.h"
#include "tests/unit.h"

enum {
	SET = 0x02,
	GUID_INFO = 0x14,
	P_KEY_TABLE = 0x16,
	SL2VL = 0x17,
	VL_ARB = 0x18,
	LFT = 0x19,
	LED = 0x31
};

/* A switch whose ports 1 and 2 have a cable. */
static const char node_file[] = "nodeType switch\n"
				"ports 4\n"
				"nodeGuid 0x1000\n"
				"linearFDBCap 64\n"
				"multicastFDBCap 32\n"
				"capability 0 IsLedInfoSupported on\n"
				"link 1-2 up\n";

struct fixture {
	char folder[UNIT_FOLDER_SIZE];
	char path[UNIT_FOLDER_SIZE + 8];
	struct sma_soft *soft;
	struct mad_ports *ports;
	struct sma_node *node; /* reads it */
	struct wire_bed bed;
	struct wire_client client;
	uint64_t good[SMA_ATTR_COUNT]; /* blocks that have come */
};

static void begin(struct fixture *b)
{
	struct sma_config config;
	char error[1024];
	FILE *file;

	CHECK(unit_folder(b->folder));
	snprintf(b->path, sizeof(b->path), "%s/node", b->folder);
	file = fopen(b->path, "w");
	CHECK(file && fputs(node_file, file) >= 0 && fclose(file) == 0);
	CHECK_EQUAL(sma_soft_open(b->path, &b->soft, error, sizeof(error)), 0);
	sma_config_init(&config);
	b->ports = soft_reader_open(b->soft, &config, &b->node);
	wire_bed_serve(&b->bed, b->soft);
	CHECK(wire_attach(&b->client, &b->bed, NULL, false));
}

static void end(struct fixture *b)
{
	wire_detach(&b->client);
	sma_node_close(b->node);
	mad_ports_close(b->ports);
	sma_soft_close(b->soft);
	remove(b->path);
	CHECK_EQUAL(rmdir(b->folder), 0);
}

/* ---- what is read again ---- */

/* Read one block of each attribute. Attributes, as bits, of which a block had to be asked for. */
static unsigned read_all(struct fixture *b)
{
	const struct sma_key keys[] = {
		sma_key_node(sma_node_id(b->node), SMA_NodeDescription),
		sma_key_node(sma_node_id(b->node), SMA_NodeInfo),
		sma_key_node(sma_node_id(b->node), SMA_SwitchInfo),
		sma_key_guid(sma_node_id(b->node), 0, 0),
		sma_key_port(sma_node_id(b->node), 1),
		sma_key_pkey(sma_node_id(b->node), 0, 0),
		sma_key_sl2vl(sma_node_id(b->node), 1, 2),
		sma_key_vlarb(sma_node_id(b->node), 1, true, 0),
		sma_key_lft(sma_node_id(b->node), 1),
		sma_key_mft(sma_node_id(b->node), SMA_FIRST_MLID, 0),
		sma_key_led(sma_node_id(b->node), 0),
	};
	struct sma_condition condition;
	unsigned asked = 0;

	b->bed.now++;
	for (unsigned round = 0; round < 2; round++) {
		for (size_t i = 0; i < UNIT_COUNT(keys); i++) {
			struct sma_reader reader = {.node = b->node,
			                            .now = b->bed.now,
			                            .since = b->bed.now,
			                            .budget = 1,
			                            .patience = SMA_FRESH};
			const uint8_t *data;
			int rc = sma_read_block(&reader, &keys[i], &data);

			CHECK_EQUAL(rc, round == 0 && reader.missed ? -EAGAIN : 0);
			asked |= reader.missed ? 1U << keys[i].attr : 0;
		}
		/* the first sends, the second takes the answers */
		mad_ports_process(b->ports, b->bed.now);
		mad_ports_process(b->ports, b->bed.now);
	}
	sma_node_condition(b->node, &condition);
	for (unsigned i = 0; i < SMA_ATTR_COUNT; i++) {
		CHECK_EQUAL(condition.attrs[i].good > b->good[i], asked >> i & 1);
		b->good[i] = condition.attrs[i].good;
	}
	return asked;
}

enum {
	READ = (1 << SMA_ATTR_COUNT) - 1 - (1 << SMA_RandomForwardingTable) - (1 << SMA_SMInfo) -
	       (1 << SMA_VendorDiag), /* by read_all */
	PORT = 1 << SMA_PortInfo,
	SWITCH = 1 << SMA_SwitchInfo,
};

/* Lines of the console, in their order, and what changes by them. */
static const struct {
	const char *line;
	unsigned changed;
} lines[] = {
	{"", 0},
	{"# nothing", 0},
	{"show", 0},
	{"show port 1", 0},
	{"show node", 0},
	{"show counters", 0},
	{"help", 0},
	{"nonsense", 0},
	{"link 9 up", 0},
	{"link 1 up", 0}, /* as it is */
	{"description \"another one\"", 1 << SMA_NodeDescription},
	{"description \"another one\"", 0},
	{"systemguid 7", 1 << SMA_NodeInfo},
	{"systemguid 7", 0},
	{"link 1 down", PORT | SWITCH},
	{"diag 0 4", PORT},
	{"diag 0 4", 0},
	{"led 0 on", 1 << SMA_LedInfo},
	{"led 0 on", 0},
	{"badpkey", PORT},
	{"badqkey", PORT},
	{"integrity 1", 0},
	{"capability 0 IsSM on", READ}, /* what there is, capabilities say */
	{"capability 0 IsSM on", 0},
};

static void test_lines(void)
{
	static char reply[SMA_SOFT_REPLY_SIZE];
	struct fixture b = {0};

	begin(&b);
	CHECK_EQUAL(read_all(&b), READ);
	CHECK_EQUAL(read_all(&b), 0);
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		unit_case("%zu: %s", i, lines[i].line);
		sma_soft_command(b.soft, lines[i].line, strlen(lines[i].line), reply, sizeof(reply));
		sma_soft_process(b.soft, b.bed.now);
		CHECK_EQUAL(read_all(&b), lines[i].changed);
	}
	unit_case(NULL);
	end(&b);
}

/* Sets of a client, in their order: of one byte, with the rest as it was read. */
static const struct {
	uint16_t attribute;
	uint32_t modifier;
	unsigned at;
	uint8_t value;
	unsigned changed;
} sets[] = {
	{NODE_DESCRIPTION, 0, 0, 'x', 0}, /* refused: without IsSetNodeDescriptionSupported */
	{NODE_INFO, 0, 9, 1, 0},          /* refused */
	{GUID_INFO, 0, 15, 1, 1 << SMA_GUIDInfo},
	{GUID_INFO, 0, 15, 1, 0},
	{P_KEY_TABLE, 0, 3, 5, 1 << SMA_P_KeyTable},
	{P_KEY_TABLE, 0, 3, 5, 0},
	{SL2VL, 1 << 8 | 2, 0, 0x11, 1 << SMA_SLtoVLMappingTable},
	{SL2VL, 1 << 8 | 2, 0, 0x11, 0},
	{VL_ARB, 1 << 16 | 1, 1, 9, 1 << SMA_VLArbitration},
	{LFT, 0, 5, 2, 1 << SMA_LinearForwardingTable},
	{LFT, 0, 5, 2, 0},
	{LFT, 1, 5, 2, 0}, /* refused: beyond the table */
	{LED, 0, 0, 0x80, 1 << SMA_LedInfo},
	{PORT_INFO, 0, 17, 3, PORT}, /* LID */
	{PORT_INFO, 0, 17, 3, 0},
};

static bool exchange(struct fixture *b, struct wire_packet *packet, uint8_t method)
{
	struct wire_packet answer;
	bool good;

	packet->mad[AT_METHOD] = method;
	if (!CHECK(wire_exchange(&b->client, packet, &answer)))
		return false;
	CHECK_EQUAL(answer.status, 0);
	good = (wire_get16(answer.mad + AT_STATUS) & 0x7FFF) == 0;
	memcpy(packet->mad + AT_DATA, answer.mad + AT_DATA, SMA_BLOCK_SIZE);
	return good;
}

static void set_byte(struct fixture *b, size_t i)
{
	struct wire_packet packet = wire_directed(sets[i].attribute, (uint32_t)i + 1);

	wire_put32(packet.mad + 20, sets[i].modifier);
	exchange(b, &packet, 1);
	if (sets[i].attribute == PORT_INFO) { /* NoStateChange, and an SM LID as must be */
		packet.mad[AT_DATA + 19] = 3;
		packet.mad[AT_DATA + 32] &= 0xF0;
		packet.mad[AT_DATA + 33] &= 0x0F;
	}
	packet.mad[AT_DATA + sets[i].at] = sets[i].value;
	exchange(b, &packet, SET);
}

static void test_sets(void)
{
	struct fixture b = {0};

	begin(&b);
	CHECK_EQUAL(read_all(&b), READ);
	for (size_t i = 0; i < UNIT_COUNT(sets); i++) {
		unit_case("%zu: attribute 0x%x", i, sets[i].attribute);
		set_byte(&b, i);
		CHECK_EQUAL(read_all(&b), sets[i].changed);
	}
	unit_case(NULL);
	end(&b);
}

static const struct unit_test tests[] = {
	{"what a line of the console changes is read again", test_lines},
	{"what a Set changes is read again", test_sets},
};

int main(void)
{
	return UNIT_MAIN("soft", tests);
}
