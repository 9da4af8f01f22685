// SPDX-License-Identifier: BSD-2-Clause
/* The pieces of the AgentX session: addresses, connecting, sending without waiting, times. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/agentx/address.h"
#include "agent/agentx/backoff.h"
#include "agent/agentx/connect.h"
#include "agent/agentx/liveness.h"
#include "agent/agentx/protocol.h"
#include "agent/agentx/transport.h"
#include "tests/unit.h"

/* ---- addresses ---- */

static void test_paths(void)
{
	static const struct {
		const char *text;
		const char *path;
	} cases[] = {
		{"/var/agentx/master", "/var/agentx/master"},
		{"unix:/var/agentx/master", "/var/agentx/master"},
		{"local:/var/agentx/master", "/var/agentx/master"},
		{"unix:master", "master"},
		{"run/master", "run/master"},
		{"/odd:705", "/odd:705"},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct address address;

		unit_case("%s", cases[i].text);
		CHECK_EQUAL(address_parse(cases[i].text, &address), 0);
		CHECK_EQUAL(address.family, AF_UNIX);
		CHECK_EQUAL(address.path.sun_family, AF_UNIX);
		CHECK_TEXT(address.path.sun_path, cases[i].path);
		CHECK(address_is_local(&address));
	}
}

static void test_hosts(void)
{
	static const struct {
		const char *text;
		int family;
		const char *host;
		const char *port;
		bool local;
	} cases[] = {
		{"tcp:localhost:705", AF_INET, "localhost", "705", true},
		{"tcp:127.0.0.1:1705", AF_INET, "127.0.0.1", "1705", true},
		{"tcp:10.0.0.9", AF_INET, "10.0.0.9", "705", false},
		{"tcp:1705", AF_INET, "localhost", "1705", true},
		{"10.0.0.9:1", AF_INET, "10.0.0.9", "1", false},
		{"705", AF_INET, "localhost", "705", true},
		{"master.example:65535", AF_INET, "master.example", "65535", false},
		{"master.example", AF_INET, "master.example", "705", false},
		{"tcp6:[::1]:705", AF_INET6, "::1", "705", true},
		{"tcp6:[fd00::1]", AF_INET6, "fd00::1", "705", false},
		{"tcpv6:localhost:705", AF_INET6, "localhost", "705", true},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct address address;

		unit_case("%s", cases[i].text);
		CHECK_EQUAL(address_parse(cases[i].text, &address), 0);
		CHECK_EQUAL(address.family, cases[i].family);
		CHECK_TEXT(address.host, cases[i].host);
		CHECK_TEXT(address.port, cases[i].port);
		CHECK_EQUAL(address_is_local(&address), cases[i].local);
	}
}

static void test_no_addresses(void)
{
	static const char *const texts[] = {
		"",
		"unix:",
		"tcp:",
		"tcp:0",
		"tcp:localhost:0",
		"tcp:localhost:65536",
		"tcp:localhost:port",
		"tcp::705",
		"tcp:localhost:",
		"tcp6:[]:705",
		"123456",
	};
	struct address address;
	char text[400];

	for (size_t i = 0; i < UNIT_COUNT(texts); i++) {
		unit_case("\"%s\"", texts[i]);
		CHECK_EQUAL(address_parse(texts[i], &address), -EINVAL);
	}
	unit_case(NULL);
	memset(text, 'a', sizeof(text));
	text[0] = '/';
	text[108] = '\0'; /* unix(7): 108 with the final 0 */
	CHECK_EQUAL(address_parse(text, &address), -ENAMETOOLONG);
	text[107] = '\0';
	CHECK_EQUAL(address_parse(text, &address), 0);
	memset(text, 'a', sizeof(text));
	text[256] = '\0';
	CHECK_EQUAL(address_parse(text, &address), -EINVAL);
}

/* ---- connecting ---- */

static int listen_somewhere(char *text, size_t size, const char *host)
{
	struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t length = sizeof(name);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	CHECK(bind(fd, (const struct sockaddr *)&name, sizeof(name)) == 0);
	CHECK(getsockname(fd, (struct sockaddr *)&name, &length) == 0);
	snprintf(text, size, "tcp:%s:%u", host, ntohs(name.sin_port));
	return fd;
}

static int connect_to_address(const char *text)
{
	struct address address;
	struct connect attempt;
	int rc;

	CHECK_EQUAL(address_parse(text, &address), 0);
	rc = connect_start(&attempt, &address, 0);
	for (unsigned i = 0; i < 500 && rc == -EINPROGRESS; i++) {
		poll(NULL, 0, CONNECT_POLL_MS);
		rc = connect_continue(&attempt, 0);
	}
	if (rc == -EINPROGRESS)
		connect_stop(&attempt);
	return rc;
}

static void test_connect(void)
{
	static const char *const hosts[] = {"127.0.0.1", "localhost"};

	for (size_t i = 0; i < UNIT_COUNT(hosts); i++) {
		char text[64];
		int listener = listen_somewhere(text, sizeof(text), hosts[i]);
		int fd;

		unit_case("%s", hosts[i]);
		CHECK_EQUAL(connect_to_address(text), -ECONNREFUSED);
		CHECK(listen(listener, 1) == 0);
		fd = connect_to_address(text);
		CHECK(fd >= 0);
		CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
		CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
		close(fd);
		close(listener);
	}
}

static void test_connect_fails(void)
{
	CHECK_EQUAL(connect_to_address("/nonexistent/master"), -ENOENT);
	CHECK_EQUAL(connect_to_address("/"), -ECONNREFUSED);
	CHECK(strstr(connect_advice(-ENOENT), "master agentx") != NULL);
	CHECK(strstr(connect_advice(-EACCES), "agentXPerms") != NULL);
}

/* A full queue of those who wait to be accepted is no reason to wait, nor is a host that does not answer. */
static void test_connect_late(void)
{
	struct address address;
	struct connect attempt;
	char text[64];
	int listener = listen_somewhere(text, sizeof(text), "127.0.0.1");
	int fds[8];
	unsigned count = 0;
	int rc = 0;

	CHECK(listen(listener, 0) == 0);
	address_parse(text, &address);
	for (; count < UNIT_COUNT(fds) && rc != -EINPROGRESS; count++) {
		rc = connect_start(&attempt, &address, 1000);
		if (rc == -EINPROGRESS) {
			poll(NULL, 0, 5 * CONNECT_POLL_MS);
			rc = connect_continue(&attempt, 1000);
		}
		fds[count] = rc;
	}
	CHECK_EQUAL(rc, -EINPROGRESS);
	CHECK_EQUAL(connect_continue(&attempt, 999 + CONNECT_LIMIT_MS), -EINPROGRESS);
	CHECK_EQUAL(connect_continue(&attempt, 1000 + CONNECT_LIMIT_MS), -ETIMEDOUT);
	while (count-- > 0) {
		if (fds[count] >= 0)
			close(fds[count]);
	}
	close(listener);
}

/* ---- the transport ---- */

struct pipe {
	netsnmp_transport *transport;
	int peer;
};

static struct pipe open_pipe(void)
{
	int fds[2];

	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0);
	return (struct pipe){transport_new(fds[0]), fds[1]};
}

static void close_pipe(struct pipe *pipe)
{
	pipe->transport->f_close(pipe->transport);
	CHECK_EQUAL(pipe->transport->sock, -1);
	pipe->transport->f_close(pipe->transport); /* as the library does */
	netsnmp_transport_free(pipe->transport);
	close(pipe->peer);
}

static int send_block(struct pipe *pipe, uint8_t *block, size_t size, uint8_t value)
{
	memset(block, value, size);
	return pipe->transport->f_send(pipe->transport, block, (int)size, NULL, NULL);
}

/* A peer that reads nothing for a while gets all in order. */
static void test_backlog(void)
{
	enum { BLOCK = 60000, BLOCKS = 16 };
	static uint8_t block[BLOCK];
	struct pipe pipe = open_pipe();
	size_t got = 0;

	for (unsigned i = 0; i < BLOCKS; i++)
		CHECK_EQUAL(send_block(&pipe, block, BLOCK, (uint8_t)i), BLOCK);
	CHECK(transport_flush(pipe.transport));
	while (got < (size_t)BLOCK * BLOCKS) {
		ssize_t more = recv(pipe.peer, block, BLOCK - got % BLOCK, 0);

		if (!CHECK(more > 0) || !CHECK_EQUAL(block[0], got / BLOCK) ||
		    !CHECK_EQUAL(block[more - 1], got / BLOCK))
			break;
		got += (size_t)more;
		transport_flush(pipe.transport);
	}
	CHECK(!transport_flush(pipe.transport));
	close_pipe(&pipe);
}

/* One that never reads loses the connection. */
static void test_backlog_full(void)
{
	enum { BLOCK = 60000, BLOCKS = 64 };
	static uint8_t block[BLOCK];
	struct pipe pipe = open_pipe();
	unsigned sent = 0;

	while (sent < BLOCKS && send_block(&pipe, block, BLOCK, 1) == BLOCK)
		sent++;
	CHECK(sent >= TRANSPORT_BACKLOG_MAX / BLOCK && sent < BLOCKS);
	CHECK_EQUAL(pipe.transport->f_recv(pipe.transport, block, BLOCK, NULL, NULL), 0);
	CHECK(!(pipe.transport->flags & NETSNMP_TRANSPORT_FLAG_EMPTY_PKT));
	close_pipe(&pipe);
}

/* What the peer said before it went is read first, although sending fails. */
static void test_last_words(void)
{
	struct pipe pipe = open_pipe();
	uint8_t block[8];

	CHECK_EQUAL(pipe.transport->f_recv(pipe.transport, block, sizeof(block), NULL, NULL), 0);
	CHECK(pipe.transport->flags & NETSNMP_TRANSPORT_FLAG_EMPTY_PKT);
	pipe.transport->flags &= ~(unsigned)NETSNMP_TRANSPORT_FLAG_EMPTY_PKT;
	CHECK_EQUAL(send(pipe.peer, "bye", 3, 0), 3);
	CHECK_EQUAL(shutdown(pipe.peer, SHUT_RDWR), 0);
	CHECK_EQUAL(send_block(&pipe, block, sizeof(block), 1), sizeof(block));
	CHECK(!transport_flush(pipe.transport));
	CHECK_EQUAL(pipe.transport->f_recv(pipe.transport, block, sizeof(block), NULL, NULL), 3);
	CHECK_OCTETS(block, "bye", 3);
	CHECK_EQUAL(pipe.transport->f_recv(pipe.transport, block, sizeof(block), NULL, NULL), 0);
	CHECK(!(pipe.transport->flags & NETSNMP_TRANSPORT_FLAG_EMPTY_PKT));
	close_pipe(&pipe);
}

/* ---- times ---- */

static void test_backoff(void)
{
	static const unsigned delays[] = {200, 400, 800, 1600, 3200, 6400, 12800, 15000, 15000};
	struct backoff backoff = {0};

	for (size_t i = 0; i < UNIT_COUNT(delays); i++)
		CHECK_EQUAL(backoff_next(&backoff, 15000, 20), delays[i]);
	CHECK_EQUAL(backoff_next(&backoff, 1000, 20), 1000);
	CHECK_EQUAL(backoff_next(&backoff, 15000, 20), 2000);
	backoff = (struct backoff){0};
	CHECK_EQUAL(backoff_next(&backoff, 15000, 0), 160);
	backoff = (struct backoff){0};
	CHECK_EQUAL(backoff_next(&backoff, 15000, 40), 240);
	for (uint32_t chance = 0; chance < 1000; chance++) {
		unsigned delay;

		backoff = (struct backoff){0};
		delay = backoff_next(&backoff, 15000, chance * 4294967);
		CHECK(delay >= 160 && delay <= 240);
	}
}

static void test_liveness(void)
{
	struct liveness l = {0};

	CHECK(!liveness_wants_ping(&l, 1000, 500, 1499));
	CHECK(liveness_wants_ping(&l, 1000, 500, 1500));
	CHECK_EQUAL(liveness_due(&l, 1000, 500), 1500);
	CHECK_EQUAL(liveness_check(&l, 1000, 500, 9000), LIVENESS_SAME);
	liveness_ask(&l, 1600);
	CHECK(!liveness_wants_ping(&l, 1000, 500, 9000));
	CHECK_EQUAL(liveness_due(&l, 1000, 500), 2100);
	CHECK_EQUAL(liveness_check(&l, 1000, 500, 2099), LIVENESS_SAME);
	/* anything heard is a sign of life */
	CHECK_EQUAL(liveness_check(&l, 1700, 500, 2199), LIVENESS_SAME);
	CHECK_EQUAL(liveness_check(&l, 1700, 500, 2200), LIVENESS_FROZEN);
	CHECK_EQUAL(liveness_due(&l, 1700, 500), UINT64_MAX);
	CHECK_EQUAL(liveness_check(&l, 1700, 500, 9000), LIVENESS_SAME);
	CHECK_EQUAL(liveness_check(&l, 2199, 500, 9000), LIVENESS_SAME);
	CHECK_EQUAL(liveness_check(&l, 2200, 500, 9000), LIVENESS_ANSWERS);
	CHECK_EQUAL(liveness_check(&l, 2200, 500, 9000), LIVENESS_FROZEN);
	CHECK_EQUAL(liveness_check(&l, 9000, 500, 9000), LIVENESS_ANSWERS);
	CHECK_EQUAL(liveness_check(&l, 9000, 500, 9499), LIVENESS_SAME);
	liveness_answer(&l);
	CHECK_EQUAL(liveness_check(&l, 9000, 500, 99999), LIVENESS_SAME);
}

/* ---- names ---- */

static void test_names(void)
{
	/* RFC 2741 6.2.16 and 6.2.2 */
	CHECK_TEXT(protocol_error_name(256), "openFailed");
	CHECK_TEXT(protocol_error_name(257), "notOpen");
	CHECK_TEXT(protocol_error_name(258), "indexWrongType");
	CHECK_TEXT(protocol_error_name(259), "indexAlreadyAllocated");
	CHECK_TEXT(protocol_error_name(260), "indexNoneAvailable");
	CHECK_TEXT(protocol_error_name(261), "indexNotAllocated");
	CHECK_TEXT(protocol_error_name(262), "unsupportedContext");
	CHECK_TEXT(protocol_error_name(263), "duplicateRegistration");
	CHECK_TEXT(protocol_error_name(264), "unknownRegistration");
	CHECK_TEXT(protocol_error_name(265), "unknownAgentCaps");
	CHECK_TEXT(protocol_error_name(266), "parseError");
	CHECK_TEXT(protocol_error_name(267), "requestDenied");
	CHECK_TEXT(protocol_error_name(268), "processingError");
	CHECK_TEXT(protocol_error_name(5), "genErr");
	CHECK_TEXT(protocol_reason_name(1), "reasonOther");
	CHECK_TEXT(protocol_reason_name(2), "reasonParseError");
	CHECK_TEXT(protocol_reason_name(3), "reasonProtocolError");
	CHECK_TEXT(protocol_reason_name(4), "reasonTimeouts");
	CHECK_TEXT(protocol_reason_name(5), "reasonShutdown");
	CHECK_TEXT(protocol_reason_name(6), "reasonByManager");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"paths", test_paths},
		{"hosts", test_hosts},
		{"what is no address", test_no_addresses},
		{"connecting", test_connect},
		{"reasons of failure", test_connect_fails},
		{"an attempt takes no longer than its limit", test_connect_late},
		{"a peer that reads late", test_backlog},
		{"a peer that never reads", test_backlog_full},
		{"a peer that is gone", test_last_words},
		{"back-off", test_backoff},
		{"liveness", test_liveness},
		{"names", test_names},
	};

	return UNIT_MAIN("session parts", tests);
}
