/* SPDX-License-Identifier: BSD-2-Clause */
/* Subnet management packets (IBA 14.2.1). */
#ifndef IBA_SMP_H
#define IBA_SMP_H

#include <stdbool.h>
#include <stdint.h>

enum { SMA_MAD_SIZE = 256 };

/* Status codes, without the D bit (IBA 13.4.7). */
enum {
	SMP_STATUS_BUSY = 0x01,
	SMP_STATUS_METHOD = 0x08,           /* method not supported */
	SMP_STATUS_METHOD_ATTRIBUTE = 0x0C, /* method and attribute not supported together */
	SMP_STATUS_INVALID = 0x1C,          /* invalid value in a component or the modifier */
};

struct smp {
	uint8_t method;
	bool response; /* the R bit */
	uint16_t status;
	uint32_t tid; /* the half of the TransactionID that the sender chose */
	uint16_t attribute;
	uint32_t modifier;
	const uint8_t *data; /* 64 bytes within the MAD */
};

/* Build a zero-hop directed-route SubnGet, which the SMA of the sending port answers. */
void smp_build_get(uint8_t mad[SMA_MAD_SIZE], uint16_t attribute, uint32_t modifier, uint32_t tid,
                   uint64_t m_key);

/* Take apart a MAD. -EPROTO: it is no SMP of version 1. */
int smp_parse(const uint8_t mad[SMA_MAD_SIZE], struct smp *smp);

/* What a status means, in words. */
const char *smp_status_text(uint16_t status);

#endif
