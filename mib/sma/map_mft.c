// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaMulForTable: MulticastForwardingTable by MLID, whose mask stands in one block for each 16 ports. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

/* The blocks of one MLID. A position that cannot be read has none. */
struct stripe {
	unsigned positions;
	const uint8_t *blocks[SMA_MAX_POSITIONS];
	int rc; /* 0, or why some position has no block */
};

static int read_stripe(struct sma_reader *reader, unsigned mlid, struct stripe *stripe)
{
	int rc = sma_mft_positions(reader, &stripe->positions);

	stripe->rc = 0;
	for (unsigned p = 0; rc == 0 && p < stripe->positions; p++) {
		struct sma_key key = sma_key_mft(sma_node_id(reader->node), mlid, p);
		int read = sma_read_block(reader, &key, &stripe->blocks[p]);

		if (read == -EBUSY || read == -ETIMEDOUT)
			return read;
		if (read < 0) {
			stripe->blocks[p] = NULL;
			stripe->rc = read;
		}
	}
	return rc;
}

static bool has_ports(const struct stripe *stripe, unsigned mlid)
{
	unsigned i = (mlid - SMA_FIRST_MLID) % SMA_MLIDS_PER_BLOCK;

	for (unsigned p = 0; p < stripe->positions; p++) {
		if (stripe->blocks[p] && sma_multicast_entry(stripe->blocks[p], i))
			return true;
	}
	return false;
}

static unsigned next_stripe(unsigned mlid)
{
	return (mlid / SMA_MLIDS_PER_BLOCK + 1) * SMA_MLIDS_PER_BLOCK;
}

static bool find_in_stripe(const struct stripe *stripe, uint32_t *mlid, unsigned end)
{
	for (; *mlid < end; ++*mlid) {
		if (has_ports(stripe, *mlid))
			return true;
	}
	return false;
}

static int mlid_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                     uint32_t *mlid)
{
	struct stripe stripe;
	unsigned count;
	unsigned end;
	int rc = sma_mft_count(reader, &count);

	(void)index;
	(void)level;
	*mlid = from > SMA_FIRST_MLID ? from : SMA_FIRST_MLID;
	while (rc == 0 && *mlid < SMA_FIRST_MLID + count) {
		reader->place = *mlid;
		rc = read_stripe(reader, *mlid, &stripe);
		end = next_stripe(*mlid) < SMA_FIRST_MLID + count ? next_stripe(*mlid)
		                                                  : SMA_FIRST_MLID + count;
		if (rc == 0 && find_in_stripe(&stripe, mlid, end))
			return 0;
		if (reader->exact)
			break;
	}
	return rc < 0 ? rc : -ENOENT;
}

const struct mib_space ibSmaMulForTable_space = {.next.of_node = mlid_next};

/* On the wire bit 0 of a mask is its lowest port; in an IbSmPortList port 0 is the highest bit of octet 0. */
static void add_ports(struct mib_value *value, unsigned position, uint16_t mask)
{
	for (unsigned bit = 0; bit < SMA_PORTS_PER_POSITION; bit++) {
		unsigned port = position * SMA_PORTS_PER_POSITION + bit;

		if (mask >> bit & 1)
			value->octets[port / 8] |= 0x80 >> port % 8;
	}
}

static int mask_get(const struct mib_cell *cell, struct mib_value *value)
{
	unsigned mlid = cell->index[0];
	struct stripe stripe;
	int rc = read_stripe(cell->reader, mlid, &stripe);

	if (rc == 0)
		rc = stripe.rc;
	if (rc < 0)
		return rc;
	value_zeros(value, cell->object->high);
	for (unsigned p = 0; p < stripe.positions; p++)
		add_ports(
			value, p,
			sma_multicast_entry(stripe.blocks[p], (mlid - SMA_FIRST_MLID) % SMA_MLIDS_PER_BLOCK));
	return 0;
}

MAP(ibSmaMulForwMask, mask_get);
