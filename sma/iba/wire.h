/* SPDX-License-Identifier: BSD-2-Clause */
/* Big-endian integers in MADs. */
#ifndef IBA_WIRE_H
#define IBA_WIRE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t wire_get16(const uint8_t *p)
{
	uint16_t value;

	memcpy(&value, p, sizeof(value));
	return be16toh(value);
}

static inline uint32_t wire_get32(const uint8_t *p)
{
	uint32_t value;

	memcpy(&value, p, sizeof(value));
	return be32toh(value);
}

static inline uint64_t wire_get64(const uint8_t *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return be64toh(value);
}

static inline void wire_put16(uint8_t *p, uint16_t value)
{
	value = htobe16(value);
	memcpy(p, &value, sizeof(value));
}

static inline void wire_put32(uint8_t *p, uint32_t value)
{
	value = htobe32(value);
	memcpy(p, &value, sizeof(value));
}

static inline void wire_put64(uint8_t *p, uint64_t value)
{
	value = htobe64(value);
	memcpy(p, &value, sizeof(value));
}

#endif
