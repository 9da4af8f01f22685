// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/agentx/agentx.h"
#include "agent/config.h"
#include "agent/config_message.h"
#include "agent/config_token.h"
#include "agent/configfile.h"

static struct agent_config *target;
static unsigned mistakes;

static void take_line(const struct configfile_line *line)
{
	int rc = config_token_take(line, target);
	unsigned length = rc == -ENOENT ? config_token_prefix(line->token) : 0;

	if (length)
		config_message_blank(line, length);
	else if (rc == -ENOENT)
		config_message_unknown(line);
	if (length || rc == -EINVAL)
		mistakes++;
}

static int set_defaults(struct agent_config *config)
{
	*config = (struct agent_config){.agentx_peer = SESSION_NOBODY,
	                                .wire_user = SMA_NOBODY,
	                                .port = -1,
	                                .agentx_ping = 5,
	                                .agentx_timeout = 1,
	                                .views = view_config_new(),
	                                .sweep_ms = 300 * 1000,
	                                .notify = {.rate = 100, .burst = 1000, .queue = 10000, .pace = 150}};
	sma_config_init(&config->sma);
	sources_config_init(&config->sources);
	return config->views ? 0 : -ENOMEM;
}

int config_init(struct agent_config *config)
{
	target = config;
	return set_defaults(config);
}

void config_free(void)
{
	if (target)
		view_config_unref(target->views);
	target = NULL;
}

int config_read(const char *file)
{
	int rc;

	mistakes = 0;
	rc = file ? configfile_read(file, take_line) : configfile_search(AGENT_NAME, take_line);
	return rc == 0 && mistakes ? -EINVAL : rc;
}

int config_read_again(const char *file)
{
	const struct agent_config old = *target;
	int rc;

	rc = set_defaults(target);
	if (rc == 0)
		rc = config_read(file);
	view_config_unref(rc < 0 ? target->views : old.views);
	if (rc < 0)
		*target = old;
	return rc;
}

const char *config_kept(const struct agent_config *start, const struct agent_config *now)
{
	const struct {
		const char *token;
		bool differs;
	} kept[] = {
		{"ca", strcmp(start->ca, now->ca) != 0},
		{"port", start->port != now->port},
		{"smpWindow", start->sma.window != now->sma.window},
		{"agentUser", strcmp(start->user, now->user) != 0},
		{"agentGroup", strcmp(start->group, now->group) != 0},
		{"agentXSocket", strcmp(start->agentx, now->agentx) != 0},
	};
	static char text[128];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (kept[i].differs)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used ? ", " : "",
			                         kept[i].token);
	}
	return text;
}
