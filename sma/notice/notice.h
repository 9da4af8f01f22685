/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the notices of a node and of its subnet come from. */
#ifndef SMA_NOTICE_H
#define SMA_NOTICE_H

#include "sma/notice/sources.h"

#endif
