// SPDX-License-Identifier: BSD-2-Clause
/* Arguments that name a component, and the values of such. */
#include <string.h>
#include <strings.h>

#include "sma/iba/iba.h"
#include "sma/soft/text/arg_parts.h"
#include "sma/soft/text/bounds.h"

struct names {
	unsigned count;
	line_name *name_of; /* given the argument */
	/* what sets the component, in place of its name; NULL: nothing does */
	const char *(*setter_of)(unsigned component);
};

static int read_name(struct statement *statement, const struct arg *arg, const struct names *names,
                     const char *word, struct value *value)
{
	struct line *line = &statement->line;
	unsigned distance;

	for (unsigned i = 0; i < names->count; i++) {
		const char *name = names->name_of(arg, i);

		if (!name || strcasecmp(name, word) != 0)
			continue;
		value->first = i;
		if (names->setter_of(i))
			return line_fail(line, word, "expected a component that is not set by %s",
			                 names->setter_of(i));
		return 0;
	}
	return line_fail(line, word, "expected %s; the nearest is %s", arg->noun,
	                 line_nearest(word, names->name_of, arg, names->count, &distance));
}

/* ---- of the SMA ---- */

static bool is_capability(enum sma_component component)
{
	return strncmp(sma_component_name(component), "Is", 2) == 0;
}

static const char *component_name(const void *context, unsigned i)
{
	const struct arg *arg = context;
	enum sma_attr attr = arg->kind == ARG_CAPABILITY ? SMA_PortInfo : (enum sma_attr)arg->low;

	if (sma_component_attr(i) != attr || (arg->kind == ARG_CAPABILITY && !is_capability(i)))
		return NULL;
	return sma_component_name(i);
}

static const char *component_setter(unsigned component)
{
	return bounds_setter(component);
}

int arg_read_component(struct statement *statement, const struct arg *arg, const char *word,
                       struct value *value)
{
	static const struct names names = {SMA_COMPONENT_COUNT, component_name, component_setter};

	return read_name(statement, arg, &names, word, value);
}

/* ---- of I/O controllers ---- */

static const char *profile_name(const void *context, unsigned i)
{
	(void)context;
	return dm_component_attr(i) == DM_IOControllerProfile ? dm_component_name(i) : NULL;
}

static const char *profile_setter(unsigned component)
{
	if (component == DM_IOControllerProfile_GUID)
		return "ioc";
	return component == DM_IOControllerProfile_ServiceEntries ? "service" : NULL;
}

int arg_read_profile(struct statement *statement, const struct arg *arg, const char *word,
                     struct value *value)
{
	static const struct names names = {DM_COMPONENT_COUNT, profile_name, profile_setter};

	return read_name(statement, arg, &names, word, value);
}

int arg_read_profile_value(struct statement *statement, const struct arg *arg, const char *word,
                           struct value *value)
{
	static const struct arg text = ARG(TEXT, "UTF-8 text, 0 to 64 bytes", 0, DM_ID_STRING_SIZE);
	enum dm_component component = (enum dm_component)statement->value[statement->value_count - 1].first;
	struct arg number = ARG_UP_TO(arg->noun, 0);

	if (component == DM_IOControllerProfile_IDString)
		return arg_read(statement, &text, word, value);
	number.high = UINT64_MAX >> (64 - dm_component_bits(component));
	return arg_read(statement, &number, word, value);
}
