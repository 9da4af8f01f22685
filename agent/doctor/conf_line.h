/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What stands on a line of snmpd's configuration behind all that belongs there. Where snmpd divides a line at
 * its blanks, as it does those of views and sinks, a comment behind it is no comment, but an argument.
 */
#ifndef AGENT_DOCTOR_CONF_LINE_H
#define AGENT_DOCTOR_CONF_LINE_H

/* The comment at the end of a line, which is given without its token; NULL: there is none. Points into
 * `line`. */
const char *conf_line_comment(const char *line);

/* What follows host, community and port of trapsink, trap2sink or informsink, or stands where the port
 * should; NULL: nothing. Points into `line`. */
const char *conf_line_behind_sink(const char *line);

#endif
