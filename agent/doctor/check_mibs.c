// SPDX-License-Identifier: BSD-2-Clause
/* The proof: snmpd is asked, with each community that this host may use, and shows the MIBs or not. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/clock.h"
#include "agent/doctor/ask.h"
#include "agent/doctor/checks.h"
#include "agent/loop.h"

#define SYSTEM_GROUP "1.3.6.1.2.1.1"

static struct answers all[SNMPD_CONF_COMMUNITIES];

/* ---- serving: while no daemon runs, it is this process that snmpd asks ---- */

static void fill_daemon(void *arg, struct mib_daemon *daemon)
{
	(void)arg;
	*daemon = (struct mib_daemon){.version = IBSMAD_VERSION, .error = ""};
}

static uint64_t run_mib(void *arg, uint64_t now)
{
	return mib_run(arg, now);
}

static int serve(struct doctor *d)
{
	const struct mib_config config = {
		.window = d->config->sma.window, .clock = clock_ms, .daemon = fill_daemon};
	struct mib_shown *shown;
	int rc = mib_open(&config, &d->mib);

	if (rc == 0)
		rc = mib_show(d->mib, d->node, true, &shown);
	if (rc == 0)
		rc = mib_name(shown, "");
	return rc < 0 ? rc : loop_add(-1, run_mib, d->mib);
}

/* Whether the values came from this process. */
static bool has_served(const struct doctor *d)
{
	struct mib_counters counters;

	mib_count(d->mib, &counters);
	return counters.hits + counters.misses > 0;
}

/* ---- what to ask ---- */

/* The communities that this host may use, which snmpd sees at the address at which it is asked. */
static size_t choose(const struct snmpd_conf *conf, const char *address)
{
	const char *begin = strchr(address, ':') + 1; /* behind "udp:" */
	char host[SNMPD_CONF_TEXT];
	size_t count = 0;

	snprintf(host, sizeof(host), "%.*s", (int)strcspn(begin, ":"), begin);
	for (size_t i = 0; i < conf->community_count; i++) {
		const struct community *line = &conf->communities[i];

		if (line->can_ask && community_source_covers(line->source, host))
			all[count++] = (struct answers){.community = line};
	}
	return count;
}

/* ---- what the answers say ---- */

/* How much is shown. Of lines with the same community the first counts, as for snmpd. */
static unsigned rank(const struct answers *answers)
{
	bool is_value = answers->error == SNMP_ERR_NOERROR && answers->type == ASN_INTEGER;

	return answers->answered + answers->groups_shown + (answers->has_value && is_value ? 100 : 0);
}

static const struct answers *find_best(size_t count)
{
	const struct answers *best = &all[0];

	for (size_t i = 1; i < count; i++) {
		if (rank(&all[i]) > rank(best))
			best = &all[i];
	}
	return best;
}

static void fix_by_restart(void)
{
	report_fix("systemctl restart snmpd    (it reads its configuration when it starts)");
}

/* The folder beside snmpd.conf with the file that is installed for it. False: there is no such file. */
static bool find_installed(const struct snmpd_conf *conf, char folder[PATH_MAX])
{
	const char *slash = strrchr(conf->file, '/');
	char file[PATH_MAX + sizeof("/ibsmad.conf")];

	snprintf(folder, PATH_MAX, "%.*s/snmpd.conf.d", slash ? (int)(slash - conf->file) : 0, conf->file);
	snprintf(file, sizeof(file), "%s/ibsmad.conf", folder);
	return access(file, F_OK) == 0;
}

/* A new community widens the view of no other. */
static void fix_community(const struct snmpd_conf *conf)
{
	const char *file = conf->view_file[0] ? conf->view_file : conf->file;
	char folder[PATH_MAX];

	if (!conf->view_file[0] && find_installed(conf, folder)) {
		report_fix("%s: includeDir %s", file, folder);
	} else if (!conf->view_file[0]) {
		report_fix("%s: view " SNMPD_CONF_VIEW " included ." CHECKS_MIB, file);
		report_fix("%s: view " SNMPD_CONF_VIEW " included ." SYSTEM_GROUP, file);
	}
	report_fix("%s: rocommunity COMMUNITY 127.0.0.1 -V " SNMPD_CONF_VIEW
	           "    (with a COMMUNITY that no line has yet)",
	           file);
}

/* Widen the view of a line for all who use its community. */
static void fix_view(const struct snmpd_conf *conf, const struct community *line, const char *subtree)
{
	bool is_installed = conf->view_file[0] && strcmp(line->view, SNMPD_CONF_VIEW) == 0;
	const char *file = is_installed ? conf->view_file : conf->file;

	if (line->view[0])
		report_fix("%s: view %s included .%s", file, line->view, subtree);
	else
		report_fix("%s: view VIEW included .%s    (with the VIEW of that community)", file, subtree);
}

static enum finding report_hidden(struct doctor *d, const struct answers *answers)
{
	fix_community(&d->conf);
	if (answers->community->view[0]) {
		report_fix("or, for all who have the community of %s:", answers->community->place);
		fix_view(&d->conf, answers->community, CHECKS_MIB);
	}
	fix_by_restart();
	return report_say(FINDING_FAIL, "the view of the community of %s hides " CHECKS_MIB,
	                  answers->community->place);
}

static enum finding report_silence(struct doctor *d, const char *address)
{
	fix_by_restart();
	report_fix("%s: agentaddress udp:127.0.0.1:161", d->conf.file);
	return report_say(FINDING_FAIL, "no answer from %s to the communities of %s", address, d->conf.file);
}

static enum finding report_error(struct doctor *d, const struct answers *answers)
{
	if (!has_served(d)) {
		report_fix("see the log of the ibsmad that is running: its SMA does not answer");
		return report_say(FINDING_FAIL, "the ibsmad that is running has no value of " ASK_PROBE);
	}
	fix_by_restart();
	return report_say(FINDING_FAIL, "there is no value of " ASK_PROBE ": %s",
	                  !answers->has_value ? "no answer"
	                  : answers->error    ? snmp_errstring((int)answers->error)
	                                      : "noSuchInstance");
}

static enum finding report_value(struct doctor *d, const struct answers *answers)
{
	const struct community *line = answers->community;

	if (answers->groups_hidden) {
		fix_view(&d->conf, line, CHECKS_MIB);
		report_fix("remove lines that exclude a part of it from this view");
		fix_by_restart();
		return report_say(FINDING_WARN,
		                  "the view of the community of %s shows only part of " CHECKS_MIB,
		                  line->place);
	}
	return report_say(FINDING_OK, "read with the community of %s: " ASK_PROBE " = %ld%s", line->place,
	                  answers->value, has_served(d) ? "" : ", from the ibsmad that is running");
}

static enum finding judge(struct doctor *d, const struct answers *best, const char *address)
{
	if (!best->answered)
		return report_silence(d, address);
	if (best->groups_shown)
		d->answers = best;
	if (best->error == SNMP_ERR_NOERROR && best->has_value && best->type == ASN_INTEGER)
		return report_value(d, best);
	/* a subagent answers genErr for a value that it cannot read, so the view shows it */
	if (best->groups_shown || best->error == SNMP_ERR_GENERR)
		return report_error(d, best);
	if (best->error == SNMP_ERR_NOERROR)
		return report_hidden(d, best);
	fix_by_restart();
	return report_say(FINDING_FAIL, "%s refuses " ASK_PROBE ": %s", address,
	                  snmp_errstring((int)best->error));
}

/* There is no community to ask with. */
static enum finding report_nobody(struct doctor *d)
{
	const struct snmpd_conf *conf = &d->conf;

	if (!conf->community_count && !conf->users) {
		fix_community(&d->conf);
		fix_by_restart();
		return report_say(FINDING_FAIL, "%s lets nobody read anything", conf->file);
	}
	report_fix("query from a host, or as a user, with access: snmpget OPTIONS HOST " ASK_PROBE);
	return report_say(FINDING_SKIP, "%s has no community for this host", conf->file);
}

enum finding check_sma_mib(struct doctor *d)
{
	char address[SNMPD_CONF_TEXT + 32];
	size_t count;
	int rc;

	if (!d->knows_snmpd)
		return report_say(FINDING_SKIP, "the configuration of snmpd is not known");
	if (!snmpd_conf_address(&d->conf, address, sizeof(address)))
		return report_say(FINDING_SKIP, "snmpd has no address of UDP over IPv4: %s",
		                  d->conf.addresses);
	count = choose(&d->conf, address);
	if (!count)
		return report_nobody(d);
	rc = serve(d);
	if (rc == 0)
		rc = ask_communities(address, all, count);
	if (rc < 0)
		return report_say(FINDING_FAIL, "%s cannot be queried: %s", address, strerror(-rc));
	return judge(d, find_best(count), address);
}

/* ---- what else belongs in the view of a manager ---- */

static enum finding judge_extra(struct doctor *d, bool shown, const char *subtree, const char *what)
{
	const struct community *line = d->answers->community;

	if (shown)
		return report_say(FINDING_OK, "shown to the community of %s", line->place);
	fix_view(&d->conf, line, subtree);
	fix_by_restart();
	return report_say(FINDING_WARN, "the view of the community of %s hides %s: %s", line->place, subtree,
	                  what);
}

enum finding check_daemon_mib(struct doctor *d)
{
	const oid mib[] = {IBSMAD_MIB_OID};
	char name[SNMPD_CONF_TEXT];
	size_t used = 0;

	if (!d->answers)
		return report_say(FINDING_SKIP, "not known: no community reads SMA-MIB");
	for (size_t i = 0; i < OID_LENGTH(mib) && used < sizeof(name); i++)
		used += (size_t)snprintf(name + used, sizeof(name) - used, "%s%lu", i ? "." : "", mib[i]);
	return judge_extra(d, d->answers->shows_daemon, name, "the health of ibsmad");
}

enum finding check_system(struct doctor *d)
{
	if (!d->answers)
		return report_say(FINDING_SKIP, "not known: no community reads SMA-MIB");
	return judge_extra(d, d->answers->shows_system, SYSTEM_GROUP,
	                   "a management station reads sysObjectID first");
}
