/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The I/O unit of a node: its slots, the controllers in them, and the services that these offer (IBA 16.3).
 *
 * All attributes stand as they go over the wire. What is added or taken out counts in IOUnitInfo.ChangeID.
 */
#ifndef SOFT_DM_UNIT_H
#define SOFT_DM_UNIT_H

#include "sma/iba/iba.h"
#include "sma/soft/dm/diag.h"

enum { UNIT_INFO_SIZE = 132, UNIT_PROFILE_SIZE = 128 };

struct ioc {
	uint8_t profile[UNIT_PROFILE_SIZE]; /* IOControllerProfile */
	uint8_t *services; /* its ServiceEntries in a row; those that were not set are zero */
	struct diag diag;
};

struct unit {
	uint8_t info[UNIT_INFO_SIZE]; /* IOUnitInfo */
	struct ioc
		*iocs[DM_MAX_SLOTS]; /* of the slots from 1 on, also the last one of a slot that is empty */
};

/* A unit with so many empty slots, 0..DM_MAX_SLOTS, and ChangeID 1; the others do not exist. NULL when out of
 * memory. */
struct unit *unit_new(unsigned slots);

/* NULL is allowed. */
void unit_free(struct unit *unit);

unsigned unit_slots(const struct unit *unit);

/* The controller in a slot; NULL: the slot is empty or there is none. */
struct ioc *unit_ioc(const struct unit *unit, unsigned slot);

/* Put a new controller into a slot: GUID, the vendor of which it names, no services, IOClass of the vendor.
 * -ERANGE: there is no such slot; -EEXIST: it is not empty; -ENOMEM. */
int unit_add(struct unit *unit, unsigned slot, uint64_t guid);

/* Put the controller back that was in a slot last. Also -ENOENT: there never was one. */
int unit_put_back(struct unit *unit, unsigned slot);

/* Take the controller out of a slot, which ends its tests. -ERANGE; -ENOENT: it is empty. */
int unit_remove(struct unit *unit, unsigned slot);

/* Name a service, 0..DM_MAX_SERVICES - 1; a controller offers all up to the highest that was set. `size` at
 * most DM_SERVICE_NAME_SIZE. -ERANGE; -ENOMEM. */
int unit_set_service(struct ioc *ioc, unsigned entry, const void *name, size_t size, uint64_t id);

/* How many there are, and where the entry `first` stands; the others follow it. */
unsigned unit_service_count(const struct ioc *ioc);
const uint8_t *unit_services(const struct ioc *ioc, unsigned first);

#endif
