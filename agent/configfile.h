/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files in the format of snmp_config(5): a token and its value on each line, and comments that start with #.
 * They are not read by Net-SNMP, which would also accept tokens of its own that run code (perl) or read other
 * files, and would repeat words of lines that it does not know, keys among them, in the log.
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

/* Pass each line of a file to `take`. -EINVAL: it cannot be a configuration, for a reason that was logged;
 * another -errno: it cannot be read. */
int configfile_read(const char *file, configfile_take *take);

/* `arg` is that of configfile_each. */
typedef int configfile_visit(void *arg, const char *folder, const char *file);

/* Visit NAME.conf and NAME.local.conf, whether or not they exist, in each folder of Net-SNMP's search path
 * (snmp_config(5)). 0, the last negative result of `visit`, or -ENOMEM. */
int configfile_each(const char *name, configfile_visit *visit, void *arg);

/* Read NAME.conf and NAME.local.conf in the folders of Net-SNMP's search path (snmp_config(5)); started as
 * root, not in that of a home. Files that do not exist are passed over, and so is a closed folder such as the
 * home of another user. -EINVAL: a file that exists cannot be read, which was logged: continuing would mean
 * to continue with defaults. */
int configfile_search(const char *name, configfile_take *take);

#endif
