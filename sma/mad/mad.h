/* SPDX-License-Identifier: BSD-2-Clause */
/* Talking to agents: the devices and ports of this host, and what carries MADs. */
#ifndef SMA_MAD_H
#define SMA_MAD_H

#include "sma/mad/device.h"
#include "sma/mad/engine.h"
#include "sma/mad/host.h"
#include "sma/mad/hotplug.h"
#include "sma/mad/mailbox.h"
#include "sma/mad/ports.h"
#include "sma/mad/transport.h"
#include "sma/mad/umadtransport.h"
#include "sma/mad/verbs.h"

#endif
