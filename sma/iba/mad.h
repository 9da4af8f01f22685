/* SPDX-License-Identifier: BSD-2-Clause */
/* Management datagrams: what all of them begin with (IBA 13.4.3), and how each management class goes on. */
#ifndef IBA_MAD_H
#define IBA_MAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MAD_SIZE = 256,
	MAD_BASE_VERSION = 1,
	MAD_HEADER_SIZE = 24,
	MAD_DATA_MAX = 200,    /* the most attribute data of any class */
	MAD_MAX_HOPS = 63,     /* of a directed route (IBA 14.2.2) */
	MAD_PATH_SIZE = 64,    /* its InitialPath; byte 0 is not used */
	MAD_LAST_LID = 0xBFFF, /* unicast */
	MAD_PERMISSIVE_LID = 0xFFFF,
};

/* Management classes (IBA 13.4.4). */
enum {
	MAD_CLASS_SM = 0x01, /* subnet management, LID-routed */
	MAD_CLASS_SA = 0x03,
	MAD_CLASS_PERF = 0x04,
	MAD_CLASS_DEVICE = 0x06,
	MAD_CLASS_SM_DIRECTED = 0x81,
};

/* Methods (IBA 13.4.5); a response has the R bit. */
enum {
	MAD_GET = 0x01,
	MAD_SET = 0x02,
	MAD_SEND = 0x03,
	MAD_TRAP = 0x05,
	MAD_REPORT = 0x06,
	MAD_TRAP_REPRESS = 0x07,
	MAD_RESPONSE = 0x80,
};

/* The common part of the status (IBA 13.4.7). */
enum {
	MAD_STATUS_BUSY = 0x01,
	MAD_STATUS_REDIRECT = 0x02,
	MAD_STATUS_VERSION = 0x04,
	MAD_STATUS_METHOD = 0x08,
	MAD_STATUS_METHOD_ATTRIBUTE = 0x0C,
	MAD_STATUS_INVALID = 0x1C,
};

/* Where the header has its components, and an SMP what follows (IBA 13.4.3, 14.2.1). */
enum {
	MAD_AT_BASE_VERSION = 0,
	MAD_AT_CLASS = 1,
	MAD_AT_CLASS_VERSION = 2,
	MAD_AT_METHOD = 3,
	MAD_AT_STATUS = 4,
	MAD_AT_TID = 8,
	MAD_AT_ATTRIBUTE = 16,
	MAD_AT_MODIFIER = 20,
	SMP_AT_HOP_POINTER = 6,
	SMP_AT_HOP_COUNT = 7,
	SMP_AT_M_KEY = 24,
	SMP_AT_DR_SLID = 32,
	SMP_AT_DR_DLID = 34,
	SMP_AT_DATA = 64,
	SMP_AT_INITIAL_PATH = 128,
	SMP_AT_RETURN_PATH = 192,
	SMP_DIRECTION = 0x8000, /* the D bit of a directed route, at the place of the status */
};

/* How the MADs of a class go on behind the header. */
struct mad_class {
	uint8_t id;
	uint8_t version;
	uint8_t qp;         /* 0 or 1 */
	uint8_t key_at;     /* a 64-bit key that goes with requests; 0: the class has none */
	uint8_t data_at;    /* where the attribute begins */
	uint8_t data_size;  /* bytes of it that fit */
	uint16_t probes[2]; /* attributes that every agent of the class answers; 0: it is not probed */
	const char *agent;  /* what answers, for messages */
};

/* The class `id`; NULL: none that is known here. */
const struct mad_class *mad_class_find(uint8_t id);

/* The header in host order. */
struct mad_head {
	uint8_t class;
	uint8_t method;  /* without the R bit */
	bool response;   /* the R bit */
	uint16_t status; /* without the D bit of a directed route */
	uint64_t tid;
	uint16_t attribute;
	uint32_t modifier;
};

/* Read the header of a MAD of `size` bytes. -EPROTO: it is too short, or of another version, or of a class
 * that is not known here. */
int mad_read_head(const uint8_t *mad, size_t size, struct mad_head *head);

/* Begin a MAD of a known class: the header, and zeros behind it. */
void mad_build(uint8_t mad[MAD_SIZE], const struct mad_head *head);

/* Replace the method, which may have the R bit, and clear the status. */
void mad_set_method(uint8_t mad[MAD_SIZE], uint8_t method);

/* Write the key of a class that has one; other classes are left alone. */
void mad_set_key(uint8_t mad[MAD_SIZE], uint64_t key);

/* Make an SMP of class MAD_CLASS_SM_DIRECTED leave along `path`, whose bytes 1..hops are output ports; it is
 * directed at both ends (IBA 14.2.1.2, 14.2.2). */
void mad_set_route(uint8_t mad[MAD_SIZE], const uint8_t path[MAD_PATH_SIZE], uint8_t hops);

/* What the common part of a status means, in words. */
const char *mad_status_text(uint16_t status);

#endif
