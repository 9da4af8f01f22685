/* SPDX-License-Identifier: BSD-2-Clause */
/* What is on the wire, as pure functions and tables: no I/O, no clock, no state. */
#ifndef SMA_IBA_H
#define SMA_IBA_H

#include "sma/iba/component.h"
#include "sma/iba/dm.h"
#include "sma/iba/mad.h"
#include "sma/iba/notice.h"
#include "sma/iba/sa.h"
#include "sma/iba/wire.h"

#endif
