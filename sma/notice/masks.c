// SPDX-License-Identifier: BSD-2-Clause
#include "sma/notice/masks.h"

bool masks_learn(struct masks *masks, uint16_t issuer, uint32_t mask)
{
	bool is_new = masks->mask[issuer] != mask;

	masks->mask[issuer] = mask;
	return is_new;
}
