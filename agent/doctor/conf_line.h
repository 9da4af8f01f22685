/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words at the end of a line of snmpd's configuration that do not belong there. Where snmpd splits a line at
 * its blanks, as it does with views and sinks, a comment at the end is no comment but an argument.
 */
#ifndef AGENT_DOCTOR_CONF_LINE_H
#define AGENT_DOCTOR_CONF_LINE_H

/* The comment at the end of a line, which is given without its token. Points into `line`; NULL: there is
 * none. */
const char *conf_line_comment(const char *line);

/* What follows host, community and port of trapsink, trap2sink or informsink, or stands in place of the port.
 * Points into `line`; NULL: nothing. */
const char *conf_line_behind_sink(const char *line);

#endif
