// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaMgmtPortInfo: PortInfo of the management port. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

enum { LEVEL_HIDES_KEY = 1 }; /* M_KeyProtectBits at which a reader without the M_Key gets 0 for it */

static const uint32_t protections[] = {
	ibSmaPortMKeyProtectBits_succeedWithReturnKey,
	ibSmaPortMKeyProtectBits_succeedWithReturnZeroes,
	ibSmaPortMKeyProtectBits_failOnNoMatch,
	ibSmaPortMKeyProtectBits_failOnNoMatch,
};

struct protection {
	uint64_t key;
	uint64_t level;
	bool in_doubt; /* the key reads as 0, and there may be one */
};

/* An M_Key that reads as 0 is none: level 0 shows it, and levels 2 and 3 answer only who has it, and show it
 * (IBA 14.2.4.1). At level 1 the SMA may hide it, also from who has sent another key. */
static int read_protection(const struct mib_cell *cell, struct protection *p)
{
	int rc = map_read(cell, SMA_PortInfo_M_Key, &p->key);

	if (rc == 0)
		rc = map_read(cell, SMA_PortInfo_M_KeyProtectBits, &p->level);
	p->in_doubt = p->key == 0 && p->level == LEVEL_HIDES_KEY && !sma_node_is_trusted(cell->reader->node);
	return rc;
}

/* Zeros say that there is no key, so they do not stand for one that is not shown. */
static int m_key_get(const struct mib_cell *cell, struct mib_value *value)
{
	struct protection p = {0};
	int rc = read_protection(cell, &p);

	if (rc < 0)
		return rc;
	value_big_endian(value, p.key, cell->object->high);
	return p.in_doubt || (p.key && !cell->expose_keys) ? -ENOENT : 0;
}

/* The level means nothing without an M_Key. */
static int protect_bits_get(const struct mib_cell *cell, struct mib_value *value)
{
	struct protection p = {0};
	int rc = read_protection(cell, &p);

	if (rc < 0)
		return rc;
	value_number(value,
	             p.key || p.in_doubt ? protections[p.level] : ibSmaPortMKeyProtectBits_noMKeyProtection);
	return 0;
}

MAP(ibSmaPortMKey, m_key_get);
MAP_COMPONENT(ibSmaPortGidPrefix, map_octets, SMA_PortInfo_GidPrefix);
MAP_COMPONENT(ibSmaPortLid, map_zero_over, SMA_PortInfo_LID);
MAP_COMPONENT(ibSmaPortMasterSmLid, map_zero_over, SMA_PortInfo_MasterSMLID);
MAP_COMPONENT(ibSmaPortIsSubnetManager, map_truth, SMA_PortInfo_IsSM);
MAP_COMPONENT(ibSmaPortIsNoticeSupported, map_truth, SMA_PortInfo_IsNoticeSupported);
MAP_COMPONENT(ibSmaPortIsTrapSupported, map_truth, SMA_PortInfo_IsTrapSupported);
MAP_COMPONENT(ibSmaPortIsAutoMigrateSupported, map_truth, SMA_PortInfo_IsAutomaticMigrationSupported);
MAP_COMPONENT(ibSmaPortIsSlMappingSupported, map_truth, SMA_PortInfo_IsSLMappingSupported);
MAP_COMPONENT(ibSmaPortIsMKeyNvram, map_truth, SMA_PortInfo_IsMKeyNVRAM);
MAP_COMPONENT(ibSmaPortIsPKeyNvram, map_truth, SMA_PortInfo_IsPKeyNVRAM);
MAP_COMPONENT(ibSmaPortIsLedInfoSupported, map_truth, SMA_PortInfo_IsLedInfoSupported);
MAP_COMPONENT(ibSmaPortIsSmDisabled, map_truth, SMA_PortInfo_IsSMdisabled);
MAP_COMPONENT(ibSmaPortIsSysImgGuidSupported, map_truth, SMA_PortInfo_IsSystemImageGUIDSupported);
MAP_COMPONENT(ibSmaPortIsPKeyExtPortTrapSup, map_truth, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported);
MAP_COMPONENT(ibSmaPortIsCommManageSupported, map_truth, SMA_PortInfo_IsCommunicationManagementSupported);
MAP_COMPONENT(ibSmaPortIsSnmpTunnelSupported, map_truth, SMA_PortInfo_IsSNMPTunnelingSupported);
MAP_COMPONENT(ibSmaPortIsReinitSupported, map_truth, SMA_PortInfo_IsReinitSupported);
MAP_COMPONENT(ibSmaPortIsDevManageSupported, map_truth, SMA_PortInfo_IsDeviceManagementSupported);
MAP_COMPONENT(ibSmaPortIsVendorClassSupported, map_truth, SMA_PortInfo_IsVendorClassSupported);
MAP_COMPONENT(ibSmaPortIsDrNoticeSupported, map_truth, SMA_PortInfo_IsDRNoticeSupported);
MAP_COMPONENT(ibSmaPortIsCapMaskNoticSupported, map_truth, SMA_PortInfo_IsCapabilityMaskNoticeSupported);
MAP_COMPONENT(ibSmaPortIsBootMgmtSupported, map_truth, SMA_PortInfo_IsBootManagementSupported);
MAP_COMPONENT(ibSmaPortMKeyLeasePeriod, map_number, SMA_PortInfo_M_KeyLeasePeriod);
MAP(ibSmaPortMKeyProtectBits, protect_bits_get);
MAP_COMPONENT(ibSmaPortMasterSmSl, map_number, SMA_PortInfo_MasterSMSL);
MAP_COMPONENT(ibSmaPortInitTypeLoad, map_truth, SMA_PortInfo_InitTypeNoLoad);
MAP_COMPONENT(ibSmaPortInitTypeContent, map_truth, SMA_PortInfo_InitTypePreserveContent);
MAP_COMPONENT(ibSmaPortInitTypePresence, map_truth, SMA_PortInfo_InitTypePreservePresence);
MAP_COMPONENT(ibSmaPortInitTypeResuscitate, map_truth, SMA_PortInfo_InitTypeDoNotResuscitate);
MAP_COMPONENT(ibSmaPortInitNoLoadReply, map_truth, SMA_PortInfo_InitTypeReplyNoLoad);
MAP_COMPONENT(ibSmaPortInitPreserveContReply, map_truth, SMA_PortInfo_InitTypeReplyPreserveContent);
MAP_COMPONENT(ibSmaPortInitPreservePresReply, map_truth, SMA_PortInfo_InitTypeReplyPreservePresence);
MAP_COMPONENT(ibSmaPortMKeyViolations, map_number, SMA_PortInfo_M_KeyViolations);
MAP_COMPONENT(ibSmaPortPKeyViolations, map_number, SMA_PortInfo_P_KeyViolations);
MAP_COMPONENT(ibSmaPortQKeyViolations, map_number, SMA_PortInfo_Q_KeyViolations);
MAP_COMPONENT(ibSmaPortNumGuid, map_number, SMA_PortInfo_GUIDCap);
MAP_COMPONENT(ibSmaPortSubnetTimeout, map_number, SMA_PortInfo_SubnetTimeOut);
MAP_COMPONENT(ibSmaPortResponseTimeValue, map_number, SMA_PortInfo_RespTimeValue);
