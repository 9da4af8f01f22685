// SPDX-License-Identifier: BSD-2-Clause
#include <stddef.h>

#include "agent/agentx/protocol.h"

struct name {
	long number;
	const char *text;
};

static const struct name errors[] = {
	{0, "noAgentXError"},
	{1, "tooBig"},
	{2, "noSuchName"},
	{3, "badValue"},
	{4, "readOnly"},
	{5, "genErr"},
	{6, "noAccess"},
	{7, "wrongType"},
	{8, "wrongLength"},
	{9, "wrongEncoding"},
	{10, "wrongValue"},
	{11, "noCreation"},
	{12, "inconsistentValue"},
	{13, "resourceUnavailable"},
	{14, "commitFailed"},
	{15, "undoFailed"},
	{16, "authorizationError"},
	{17, "notWritable"},
	{18, "inconsistentName"},
	{256, "openFailed"},
	{257, "notOpen"},
	{258, "indexWrongType"},
	{259, "indexAlreadyAllocated"},
	{260, "indexNoneAvailable"},
	{261, "indexNotAllocated"},
	{262, "unsupportedContext"},
	{263, "duplicateRegistration"},
	{264, "unknownRegistration"},
	{265, "unknownAgentCaps"},
	{266, "parseError"},
	{267, "requestDenied"},
	{268, "processingError"},
};

static const struct name reasons[] = {
	{1, "reasonOther"},    {2, "reasonParseError"}, {3, "reasonProtocolError"},
	{4, "reasonTimeouts"}, {5, "reasonShutdown"},   {6, "reasonByManager"},
};

static const char *find(const struct name *names, size_t count, long number)
{
	for (size_t i = 0; i < count; i++) {
		if (names[i].number == number)
			return names[i].text;
	}
	return "no name of it is known";
}

const char *protocol_error_name(long error)
{
	return find(errors, sizeof(errors) / sizeof(errors[0]), error);
}

const char *protocol_reason_name(long reason)
{
	return find(reasons, sizeof(reasons) / sizeof(reasons[0]), reason);
}
