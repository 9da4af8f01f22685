// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "agent/agentx/warning.h"
#include "sma/log.h"

static char last[512];

void warning_once(const char *topic, const char *format, ...)
{
	char text[sizeof(last)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (strcmp(text, last) == 0)
		return;
	memcpy(last, text, sizeof(text));
	sma_log(SMA_LOG_WARNING, topic, "%s", text);
}

void warning_forget(void)
{
	last[0] = '\0';
}
