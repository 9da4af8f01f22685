/* SPDX-License-Identifier: BSD-2-Clause */
/* The attributes of a software SMA. */
#ifndef SOFT_ATTRIBUTE_H
#define SOFT_ATTRIBUTE_H

#include "sma/soft/sma_request.h"

/* Carry out SubnGet or SubnSet. `data` holds the attribute of the request and takes that of the answer. 0 or
 * the MAD status. */
uint16_t attribute_serve(const struct sma_request *request, uint8_t data[SMA_BLOCK_SIZE]);

/* The port whose PortInfo or PortInfoExtended a request names; -1: there is none. */
int attribute_port(const struct sma_request *request);

/* The end port that a request is about: that of the SMA, unless it names another one. */
unsigned attribute_subject(const struct sma_request *request);

#endif
