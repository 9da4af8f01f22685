/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files of the form of snmp_config(5): a token and its value on each line, and comments that begin with #.
 * They are read here and not by Net-SNMP, which would also take the tokens of its own that run code (perl) or
 * read other files, and repeats words of lines that it does not know, keys among them, in the log.
 */
#ifndef AGENT_CONFIGFILE_H
#define AGENT_CONFIGFILE_H

struct configfile_line {
	const char *file;
	unsigned number; /* from 1 */
	char *token;     /* up to a blank */
	char *value;     /* without blanks around it; "": there is none */
};

typedef void configfile_take(const struct configfile_line *line);

/* Give each line of a file to `take`. -EINVAL: it cannot be a configuration, and the reason was logged;
 * another -errno: it cannot be read. */
int configfile_read(const char *file, configfile_take *take);

/* `arg` is that of configfile_each. */
typedef int configfile_visit(void *arg, const char *folder, const char *file);

/* Visit NAME.conf and NAME.local.conf, whether or not they exist, in each folder of Net-SNMP's search path
 * (snmp_config(5)). 0, the last negative result of `visit`, or -ENOMEM. */
int configfile_each(const char *name, configfile_visit *visit, void *arg);

/* Read NAME.conf and NAME.local.conf in the folders of Net-SNMP's search path (snmp_config(5)), but as root
 * not in that of a home. What is not there is passed over, and a folder that is closed, as the home of
 * another user. -EINVAL: a file that is there cannot be read, which was logged: to go on would be to go on
 * with defaults. */
int configfile_search(const char *name, configfile_take *take);

#endif
