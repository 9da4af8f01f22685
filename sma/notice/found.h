/* SPDX-License-Identifier: BSD-2-Clause */
/* What the sources of notices have in common. */
#ifndef NOTICE_FOUND_H
#define NOTICE_FOUND_H

#include "sma/notice/notice.h"

/* A source found a notice; whoever listens judges it. `issuer_gid` is NULL unless the source knows it, `tid`
 * 0 likewise. `data` has `size` bytes, which are copied if they are kept. */
typedef void notice_found(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                          const uint8_t issuer_gid[16], uint32_t tid);

#endif
