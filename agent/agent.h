/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H

#define AGENT_NAME "ibsmad" /* program, configuration file and log ident */

#endif
