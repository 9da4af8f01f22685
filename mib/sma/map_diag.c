// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaVendDiagInfoTable: PortInfo.DiagCode, and the VendorDiag data that it points to. */
#include <errno.h>
#include <string.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

enum { DIAG_SOFT_ERROR = 3, DIAG_HARD_ERROR = 4 }; /* DiagCode bits 3:0 */

static int candidate_next(struct sma_reader *reader, uint32_t from, uint32_t *port)
{
	int rc = sma_is_switch(reader->node) ? -ENOENT : map_next_port(reader, from, port);

	if (rc != -ENOENT)
		return rc;
	*port = MIB_NO_DATA_PORT;
	return from <= MIB_NO_DATA_PORT ? 0 : -ENOENT;
}

/* Data ports of a switch have no DiagCode: its only row is that of port 0. */
static int port_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                     uint32_t *port)
{
	(void)index;
	(void)level;
	return map_scan(reader, candidate_next, map_check_port, from, port);
}

const struct mib_space ibSmaVendDiagInfoTable_space = {.next.of_node = port_next};

static int read_diag(const struct mib_cell *cell, unsigned index, const uint8_t **block)
{
	struct sma_key key = sma_key_diag(sma_node_id(cell->reader->node), map_port(cell->index[0]), index);

	return sma_read_block(cell->reader, &key, block);
}

/* The first block that DiagCode points to. -ENOENT: to none, or it cannot be read. */
static int first_block(const struct mib_cell *cell, const uint8_t **block)
{
	uint64_t status = 0;
	uint64_t indexed = 0;
	uint64_t code = 0;
	int rc = map_read(cell, SMA_PortInfo_DiagStatus, &status);

	if (rc == 0)
		rc = map_read(cell, SMA_PortInfo_DiagVendorIndexed, &indexed);
	if (rc == 0)
		rc = map_read(cell, SMA_PortInfo_DiagVendorCode, &code);
	if (rc < 0)
		return rc;
	if ((status != DIAG_SOFT_ERROR && status != DIAG_HARD_ERROR) || !indexed)
		return -ENOENT;
	rc = read_diag(cell, (unsigned)code, block);
	return rc == -EIO ? -ENOENT : rc;
}

static int forward_get(const struct mib_cell *cell, struct mib_value *value)
{
	const uint8_t *block;
	int rc = first_block(cell, &block);

	value_truth(value, rc == 0);
	return rc == -ENOENT ? 0 : rc;
}

static int add_next_block(const struct mib_cell *cell, unsigned index, struct mib_value *value)
{
	const uint8_t *block;
	int rc = index ? read_diag(cell, index, &block) : -ENOENT;

	if (rc == 0)
		memcpy(value->octets + SMA_DIAG_DATA_SIZE, sma_diag_data(block), SMA_DIAG_DATA_SIZE);
	return rc == -ENOENT || rc == -EIO ? 0 : rc;
}

static int data_get(const struct mib_cell *cell, struct mib_value *value)
{
	const uint8_t *block;
	int rc = first_block(cell, &block);

	value_zeros(value, cell->object->high);
	if (rc < 0)
		return rc == -ENOENT ? 0 : rc;
	memcpy(value->octets, sma_diag_data(block), SMA_DIAG_DATA_SIZE);
	return add_next_block(cell, (unsigned)sma_component_get(block, SMA_VendorDiag_NextIndex), value);
}

static const struct mib_name diag_codes[] = {
	{0, ibSmaPortGenericDiagCode_portReady},
	{1, ibSmaPortGenericDiagCode_performingSelfTest},
	{2, ibSmaPortGenericDiagCode_initializing},
	{DIAG_SOFT_ERROR, ibSmaPortGenericDiagCode_softError},
	{DIAG_HARD_ERROR, ibSmaPortGenericDiagCode_hardError},
	{0, 0},
};

MAP_NAMED(ibSmaPortGenericDiagCode, SMA_PortInfo_DiagStatus, diag_codes, ibSmaPortGenericDiagCode_other);
MAP_COMPONENT(ibSmaPortVendorDiagCode, map_number, SMA_PortInfo_DiagVendorCode);
MAP(ibSmaPortVendorDiagIndexFwd, forward_get);
MAP(ibSmaPortVendorDiagData, data_get);
