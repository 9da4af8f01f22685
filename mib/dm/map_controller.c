// SPDX-License-Identifier: BSD-2-Clause
/* ibDmControllerTable: IOControllerProfile. */
#include "mib/dm/dm_map.h"
#include "mib/dm/dm_mib_gen.h"
#include "mib/value.h"

const struct mib_space ibDmControllerTable_space = {.next.of_node = dm_map_next_controller};

static int id_string_get(const struct mib_cell *cell, struct mib_value *value)
{
	const uint8_t *profile;
	int rc = dm_map_block(cell, SMA_DM_IOControllerProfile, &profile);

	if (rc == 0)
		value_text(value, dm_component_octets(profile, DM_IOControllerProfile_IDString),
		           DM_ID_STRING_SIZE);
	return rc;
}

enum {
	ALL_OPERATIONS = 0xFF, /* every bit has a name */
	ALL_SERVICES = 1U << ibDmControllerServices_consoleServices |
	               1U << ibDmControllerServices_storageBootWireProtocol |
	               1U << ibDmControllerServices_networkBootWireProtocol,
};

MAP_DM(ibDmControllerGuid, dm_map_octets, DM_IOControllerProfile_GUID);
MAP_DM(ibDmControllerVendorId, dm_map_octets, DM_IOControllerProfile_VendorID);
MAP_DM(ibDmControllerDeviceId, dm_map_octets, DM_IOControllerProfile_DeviceID);
MAP_DM(ibDmControllerDeviceVersion, dm_map_number, DM_IOControllerProfile_DeviceVersion);
MAP_DM(ibDmControllerSubsystemVendorId, dm_map_octets, DM_IOControllerProfile_SubsystemVendorID);
MAP_DM(ibDmControllerSubsystemId, dm_map_octets, DM_IOControllerProfile_SubsystemID);
MAP_DM(ibDmControllerIoClass, dm_map_octets, DM_IOControllerProfile_IOClass);
MAP_DM(ibDmControllerIoSubclass, dm_map_octets, DM_IOControllerProfile_IOSubclass);
MAP_DM(ibDmControllerProtocol, dm_map_octets, DM_IOControllerProfile_Protocol);
MAP_DM(ibDmControllerProtocolVersion, dm_map_number, DM_IOControllerProfile_ProtocolVersion);
MAP_DM(ibDmControllerServiceConnections, dm_map_number, DM_IOControllerProfile_ServiceConnections);
MAP_DM(ibDmControllerInitiatorsSupported, dm_map_number, DM_IOControllerProfile_InitiatorsSupported);
MAP_DM(ibDmControllerSendMessageDepth, dm_map_number, DM_IOControllerProfile_SendMessageQueueDepth);
MAP_DM(ibDmControllerRdmaReadDepth, dm_map_number, DM_IOControllerProfile_RDMAReadQueueDepth);
MAP_DM(ibDmControllerSendMessageSize, dm_map_number, DM_IOControllerProfile_SendMessageSize);
MAP_DM(ibDmControllerRdmaTransferSize, dm_map_number, DM_IOControllerProfile_RDMATransferSize);
MAP_DM_BITS(ibDmControllerOperations, DM_IOControllerProfile_ControllerOperationsCapabilityMask,
            ALL_OPERATIONS);
MAP_DM_BITS(ibDmControllerServices, DM_IOControllerProfile_ControllerServicesCapabilityMask, ALL_SERVICES);
MAP_DM(ibDmControllerServiceEntries, dm_map_number, DM_IOControllerProfile_ServiceEntries);
MAP(ibDmControllerIdString, id_string_get);
