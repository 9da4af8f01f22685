/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages about mistakes in a configuration: with file and line, and never with a key, wherever it has
 * been put. */
#ifndef AGENT_CONFIG_MESSAGE_H
#define AGENT_CONFIG_MESSAGE_H

#include "agent/configfile.h"

/* The value of a token is wrong. `value` is what is shown of it. */
void config_message_value(const struct configfile_line *line, const char *value, const char *expected);

/* A token runs into its value after `length` characters, as in port=1. */
void config_message_blank(const struct configfile_line *line, unsigned length);

/* There is no such token; a warning. */
void config_message_unknown(const struct configfile_line *line);

#endif
