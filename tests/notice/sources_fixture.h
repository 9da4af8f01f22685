/* SPDX-License-Identifier: BSD-2-Clause */
/* Sources that are stand-ins, and a sink that keeps what it is given. */
#ifndef TESTS_NOTICE_SOURCES_FIXTURE_H
#define TESTS_NOTICE_SOURCES_FIXTURE_H

#include "sma/notice/notice.h"
#include "tests/fakes/fake_qp0.h"
#include "tests/fakes/fake_sources.h"

/* The node as the local port has it at first, and its CapabilityMask. */
enum { OWN_LID = 5, OWN_MASK = 0x0250C048 };
extern const uint8_t own_gid[16];

struct sources_fixture {
	struct sources_config config; /* may be changed before it is opened */
	struct fake_sources *fake;
	struct fake_qp0 *sma;
	struct sma_node *node;
	struct mad_ports *ports;
	struct sources *sources;
	unsigned given;                   /* notices that came to the sink */
	struct sma_notice last;           /* of these */
	struct sources_counters counters; /* when a notice was found last */
};

/* The default configuration, and sources as of fake_sources_reset with the local port of the node. */
void sources_fixture_init(struct sources_fixture *fixture);

/* Open it, and run it to time 1000: its CapabilityMask is known then if it wants notices. */
void sources_fixture_open(struct sources_fixture *fixture);

/* Close all; the sources must all be closed by that. */
void sources_fixture_close(struct sources_fixture *fixture);

/* One round of the loop: the sources, then the SMA's answers. Returns when the sources are to be called
 * again.
 */
uint64_t sources_fixture_run(struct sources_fixture *fixture, uint64_t now);

/* The sink: a sma_notice_sink, whose argument is the fixture. */
void sources_fixture_take(void *arg, const struct sma_notice *notice);

/* A source finds a notice; `gid` of its issuer, or NULL. */
void sources_fixture_find(struct sources_fixture *fixture, enum sma_notice_source source,
                          const uint8_t *notice, const uint8_t *gid);

/* Likewise, a trap with no details and of a producer that has it. */
void sources_fixture_find_trap(struct sources_fixture *fixture, enum sma_notice_source source, unsigned trap,
                               uint16_t issuer, const uint8_t *gid);

/* Subnet administration reports a link state of the own node with that TID. */
void sources_fixture_report(struct sources_fixture *fixture, uint32_t tid);

/* It does so with TIDs 1 and 2: that is given once, and is to be given once more when its window ends. */
void sources_fixture_report_twice(struct sources_fixture *fixture);

#endif
