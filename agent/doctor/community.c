// SPDX-License-Identifier: BSD-2-Clause
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/doctor/community.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

#define ANYWHERE "default"

enum { IPV4_BITS = 32 };

/* ---- lines ---- */

/* The next word of a line, or "" at its end; returns the rest. */
static const char *take_word(const char *rest, char *word, size_t size)
{
	word[0] = '\0';
	return rest && *rest ? copy_nword_const(rest, word, (int)size) : NULL;
}

/* COMMUNITY [SOURCE [OID | -V VIEW [CONTEXT]]] */
static void parse_simple(const char *rest, struct community *community)
{
	char word[SPRINT_MAX_LEN];

	rest = take_word(rest, community->name, sizeof(community->name));
	if (strcmp(community->name, "-v") == 0) {
		rest = take_word(rest, word, sizeof(word));
		community->can_ask = strcasecmp(word, "2c") == 0 || strcasecmp(word, "v2c") == 0;
		rest = take_word(rest, community->name, sizeof(community->name));
	}
	rest = take_word(rest, community->source, sizeof(community->source));
	rest = take_word(rest, word, sizeof(word));
	if (strcmp(word, "-V") == 0)
		rest = take_word(rest, community->view, sizeof(community->view));
	take_word(rest, word, sizeof(word));
	community->can_ask = community->can_ask && (!word[0] || strcmp(word, "*") == 0);
}

/* TYPES COMMUNITY ... */
static void parse_typed(const char *rest, struct community *community)
{
	char types[SPRINT_MAX_LEN];

	rest = take_word(rest, types, sizeof(types));
	parse_simple(rest, community);
	community->can_ask = community->can_ask && strstr(types, "read");
}

/* [-Cn CONTEXT] SECNAME SOURCE COMMUNITY */
static void parse_mapping(const char *rest, struct community *community)
{
	char word[SPRINT_MAX_LEN];

	rest = take_word(rest, word, sizeof(word));
	if (strcmp(word, "-Cn") == 0) {
		community->can_ask = false;
		rest = take_word(rest, word, sizeof(word));
		rest = take_word(rest, word, sizeof(word));
	}
	rest = take_word(rest, community->source, sizeof(community->source));
	take_word(rest, community->name, sizeof(community->name));
}

static const struct kind {
	const char *token;
	void (*parse)(const char *rest, struct community *community);
	bool is_v6;
} kinds[] = {
	{"rocommunity", parse_simple, false},  {"rwcommunity", parse_simple, false},
	{"rocommunity6", parse_simple, true},  {"rwcommunity6", parse_simple, true},
	{"authcommunity", parse_typed, false}, {"com2sec", parse_mapping, false},
	{"com2sec6", parse_mapping, true},
};

static const struct kind *find_kind(const char *token)
{
	for (size_t i = 0; i < COUNT(kinds); i++) {
		if (strcasecmp(kinds[i].token, token) == 0)
			return &kinds[i];
	}
	return NULL;
}

bool community_parse(const char *token, const char *line, struct community *community)
{
	const struct kind *kind = find_kind(token);

	*community = (struct community){.can_ask = true};
	if (!kind)
		return false;
	kind->parse(line, community);
	if (!community->source[0])
		snprintf(community->source, sizeof(community->source), "%s", ANYWHERE);
	community->is_v6 = kind->is_v6;
	community->is_denial = community->source[0] == '!';
	community->can_ask = community->can_ask && !community->is_v6 && !community->is_denial;
	return community->name[0] != '\0';
}

/* ---- sources ---- */

struct range {
	uint32_t network; /* in the order of the host */
	uint32_t mask;
};

/* The mask of a source: a number of bits, or an address. */
static bool parse_mask(const char *text, uint32_t *mask)
{
	struct in_addr address;
	char *end;
	unsigned long bits = strtoul(text, &end, 10);

	if (*text && !*end && bits <= IPV4_BITS) {
		*mask = bits ? UINT32_MAX << (IPV4_BITS - bits) : 0;
		return true;
	}
	if (inet_pton(AF_INET, text, &address) != 1)
		return false;
	*mask = ntohl(address.s_addr);
	return true;
}

/* Names are looked up as snmpd does. */
static bool parse_source(const char *source, struct range *range)
{
	char host[COMMUNITY_SOURCE_SIZE];
	const char *slash = strchr(source, '/');
	in_addr_t address;

	*range = (struct range){.mask = slash ? 0 : UINT32_MAX};
	if (strcmp(source, ANYWHERE) == 0) {
		range->mask = 0;
		return true;
	}
	if (strchr(source, ':') || (slash && !parse_mask(slash + 1, &range->mask)))
		return false;
	snprintf(host, sizeof(host), "%.*s", slash ? (int)(slash - source) : -1, source);
	if (netsnmp_gethostbyname_v4(host, &address) < 0)
		return false;
	range->network = ntohl(address) & range->mask;
	return true;
}

bool community_source_covers(const char *source, const char *other)
{
	struct range wide;
	struct range narrow;

	if (strcmp(source, ANYWHERE) == 0 || strcasecmp(source, other) == 0)
		return true;
	return parse_source(source, &wide) && parse_source(other, &narrow) &&
	       (wide.mask & narrow.mask) == wide.mask && (narrow.network & wide.mask) == wide.network;
}

const struct community *community_shadow(const struct community *lines, size_t index)
{
	const struct community *line = &lines[index];

	for (size_t i = 0; i < index; i++) {
		const struct community *earlier = &lines[i];

		if (earlier->is_v6 == line->is_v6 && strcmp(earlier->name, line->name) == 0 &&
		    community_source_covers(earlier->source + earlier->is_denial,
		                            line->source + line->is_denial))
			return earlier;
	}
	return NULL;
}
