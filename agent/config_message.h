/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said of mistakes in a configuration: with file and line, and never with a key, in whatever place
 * somebody has put it. */
#ifndef AGENT_CONFIG_MESSAGE_H
#define AGENT_CONFIG_MESSAGE_H

#include "agent/configfile.h"

/* A value of a token that is wrong. */
void config_message_value(const struct configfile_line *line, const char *token, const char *value,
                          const char *expected);

/* A token that goes over into its value after `length` characters, as in port=1. */
void config_message_blank(const struct configfile_line *line, unsigned length);

/* A token that does not exist; a warning. */
void config_message_unknown(const struct configfile_line *line);

#endif
