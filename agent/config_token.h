/* SPDX-License-Identifier: BSD-2-Clause */
/* The tokens of ibsmad.conf(5): what their values may be, and where these go. */
#ifndef AGENT_CONFIG_TOKEN_H
#define AGENT_CONFIG_TOKEN_H

#include "agent/config.h"
#include "agent/configfile.h"

/* Take the value of a line into `config`. 0; -ENOENT: there is no such token; -EINVAL: the value is wrong,
 * which was logged. */
int config_token_take(const struct configfile_line *line, struct agent_config *config);

/* The length of a token that a word begins with and that runs into its value, as in port=1; 0: there is none.
 */
unsigned config_token_prefix(const char *word);

/* Parse a whole number. -EINVAL: it is none, or not in low..high. */
int config_token_number(const char *text, long low, long high, long *number);

/* Parse a hexadecimal number of up to 64 bits, with or without 0x. -EINVAL: it is none. */
int config_token_hex(const char *text, uint64_t *number);

#endif
