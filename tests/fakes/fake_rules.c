// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "tests/fakes/fake_rules.h"

enum { STATUS_DIRECTION = 0x80 };

/* Offsets within a MAD. */
enum { AT_METHOD = 3, AT_STATUS = 4, AT_TID = 8, AT_ATTRIBUTE = 16, AT_MODIFIER = 20 };

static struct fake_rule *find(struct fake_rules *rules, uint16_t attribute)
{
	for (unsigned i = 0; i < rules->count; i++) {
		if (rules->all[i].attribute == attribute)
			return &rules->all[i];
	}
	return NULL;
}

struct fake_rule *fake_rules_find(struct fake_rules *rules, uint16_t attribute)
{
	struct fake_rule *rule = find(rules, attribute);

	return rule ? rule : find(rules, FAKE_ANY);
}

struct fake_rule *fake_rules_own(struct fake_rules *rules, uint16_t attribute)
{
	struct fake_rule *rule = find(rules, attribute);

	if (rule)
		return rule;
	if (rules->count == FAKE_MAX_RULES)
		abort();
	rule = &rules->all[rules->count++];
	*rule = (struct fake_rule){.attribute = attribute};
	return rule;
}

enum fake_fault fake_rule_take(struct fake_rule *rule)
{
	if (!rule || rule->times == 0)
		return FAKE_NONE;
	if (rule->times > 0)
		rule->times--;
	return rule->fault;
}

void fake_set_status(uint8_t mad[MAD_SIZE], uint16_t status)
{
	bool directed = mad[MAD_AT_CLASS] == MAD_CLASS_SM_DIRECTED;

	mad[AT_STATUS] = (uint8_t)((directed ? STATUS_DIRECTION : 0) | status >> 8);
	mad[AT_STATUS + 1] = (uint8_t)status;
}

void fake_spoil(uint8_t mad[MAD_SIZE], enum fake_fault fault)
{
	switch (fault) {
	case FAKE_BUSY:
		fake_set_status(mad, MAD_STATUS_BUSY);
		break;
	case FAKE_WRONG_TID:
		mad[AT_TID + 7]++;
		break;
	case FAKE_WRONG_ATTRIBUTE:
		mad[AT_ATTRIBUTE + 1]++;
		break;
	case FAKE_WRONG_MODIFIER:
		mad[AT_MODIFIER]++;
		break;
	case FAKE_NO_RESPONSE_BIT:
		mad[AT_METHOD] &= 0x7F;
		break;
	case FAKE_GARBAGE:
		memset(mad, 0xA5, MAD_SIZE);
		break;
	default:
		break;
	}
}
