// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sma/soft/file/writer.h"
#include "sma/thread.h"

struct contents {
	uint64_t version;
	char *bytes; /* NULL: there are none */
	size_t size;
};

struct writer {
	char *path;
	char *new_path; /* written first, then renamed to the other */
	char *copy;     /* of the path, and a part of it or a constant: */
	char *folder;
	int fd;
	pthread_t thread;
	bool has_thread;
	/* what the lock protects */
	pthread_mutex_t lock;
	pthread_cond_t work; /* there is something to write, or `stops` */
	struct contents next;
	struct written last;
	bool is_news; /* `last` was not taken yet */
	bool stops;
};

/* ---- the file ---- */

static int write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t written = write(fd, bytes, size);

		if (written < 0)
			return -errno;
		bytes += written;
		size -= (size_t)written;
	}
	return 0;
}

/* A file that nobody else had or can read: one that an earlier try left goes first. */
static int write_new(const char *path, const struct contents *contents)
{
	int rc;
	int fd;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (fd < 0)
		return -errno;
	rc = write_all(fd, contents->bytes, contents->size);
	if (rc == 0 && fsync(fd) < 0)
		rc = -errno;
	if (close(fd) < 0 && rc == 0)
		rc = -errno;
	return rc;
}

/* Make the renaming of a file last. */
static int sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = 0;

	if (fd < 0)
		return -errno;
	if (fsync(fd) < 0)
		rc = -errno;
	close(fd);
	return rc;
}

static int replace(const struct writer *writer, const struct contents *contents)
{
	int rc = write_new(writer->new_path, contents);

	if (rc == 0 && rename(writer->new_path, writer->path) < 0)
		rc = -errno;
	if (rc < 0) {
		unlink(writer->new_path);
		return rc;
	}
	return sync_folder(writer->folder);
}

/* ---- the thread ---- */

static void report(struct writer *writer, const struct written *written)
{
	const uint64_t one = 1;

	writer->last = *written;
	writer->is_news = true;
	/* fails only when the counter is full, and then the descriptor is readable anyway */
	if (write(writer->fd, &one, sizeof(one)) < 0)
		return;
}

/* Wait for what is to be written next. False: nothing will be any more. */
static bool take_next(struct writer *writer, struct contents *contents)
{
	while (!writer->next.bytes && !writer->stops)
		pthread_cond_wait(&writer->work, &writer->lock);
	*contents = writer->next;
	writer->next = (struct contents){0};
	return contents->bytes;
}

static void *write_versions(void *arg)
{
	struct writer *writer = arg;
	struct contents contents;

	pthread_mutex_lock(&writer->lock);
	while (take_next(writer, &contents)) {
		struct written written = {.version = contents.version};

		pthread_mutex_unlock(&writer->lock);
		written.error = replace(writer, &contents);
		free(contents.bytes);
		pthread_mutex_lock(&writer->lock);
		report(writer, &written);
	}
	pthread_mutex_unlock(&writer->lock);
	return NULL;
}

static int start_thread(struct writer *writer)
{
	int rc = writer->has_thread ? 0 : sma_thread_start(&writer->thread, write_versions, writer);

	writer->has_thread = rc == 0;
	return rc;
}

/* ---- in the loop ---- */

static bool set_paths(struct writer *writer, const char *path)
{
	writer->path = strdup(path);
	writer->copy = strdup(path);
	writer->new_path = malloc(strlen(path) + sizeof(".new"));
	if (!writer->path || !writer->copy || !writer->new_path)
		return false;
	stpcpy(stpcpy(writer->new_path, path), ".new");
	writer->folder = dirname(writer->copy);
	return true;
}

struct writer *writer_new(const char *path)
{
	struct writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return NULL;
	writer->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&writer->lock, NULL);
	pthread_cond_init(&writer->work, NULL);
	if (writer->fd >= 0 && set_paths(writer, path))
		return writer;
	writer_free(writer);
	return NULL;
}

void writer_stop(struct writer *writer)
{
	if (!writer->has_thread)
		return;
	pthread_mutex_lock(&writer->lock);
	writer->stops = true;
	pthread_cond_signal(&writer->work);
	pthread_mutex_unlock(&writer->lock);
	pthread_join(writer->thread, NULL);
	writer->has_thread = false;
}

void writer_free(struct writer *writer)
{
	if (!writer)
		return;
	writer_stop(writer);
	if (writer->fd >= 0)
		close(writer->fd);
	pthread_cond_destroy(&writer->work);
	pthread_mutex_destroy(&writer->lock);
	free(writer->path);
	free(writer->new_path);
	free(writer->copy);
	free(writer);
}

int writer_fd(const struct writer *writer)
{
	return writer->fd;
}

int writer_put(struct writer *writer, uint64_t version, char *bytes, size_t size)
{
	int rc = start_thread(writer);

	if (rc < 0) {
		free(bytes);
		return rc;
	}
	pthread_mutex_lock(&writer->lock);
	free(writer->next.bytes);
	writer->next = (struct contents){version, bytes, size};
	pthread_cond_signal(&writer->work);
	pthread_mutex_unlock(&writer->lock);
	return 0;
}

static void clear(const struct writer *writer)
{
	uint64_t count;

	/* fails only when there is nothing to be cleared */
	if (read(writer->fd, &count, sizeof(count)) < 0)
		return;
}

bool writer_take(struct writer *writer, struct written *written)
{
	bool is_news;

	pthread_mutex_lock(&writer->lock);
	is_news = writer->is_news;
	*written = writer->last;
	writer->is_news = false;
	if (is_news) /* which is asked in each round */
		clear(writer);
	pthread_mutex_unlock(&writer->lock);
	return is_news;
}
