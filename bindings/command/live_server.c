/*
 * The server of `floc run --live`; see live_server.h. Left out where libmicrohttpd is missing.
 */
#ifdef FLOC_HAS_MICROHTTPD

#include "live_server.h"

#include "live_door.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { KEY_BYTES = 16, COMMAND_SIZE = 256, COMMAND_LIMIT = 64, BODY_LIMIT = 4096, LOG_LIMIT = 4 << 20 };
/* An idle connection, whose requests had the key, stays for TIMEOUT_SECONDS. */
enum { CONNECTION_LIMIT = 128, TIMEOUT_SECONDS = 30 };

/* A frame, held by the server and by every answer that is on its way. */
typedef struct shared_bytes {
  int holders;
  size_t size;
  char bytes[];
} shared_bytes;

struct live_server {
  struct MHD_Daemon *daemon;
  int port;
  char key[2 * KEY_BYTES + 1];
  const char *page;
  size_t page_size;
  pthread_mutex_t lock; /* of all below */
  shared_bytes *frame;
  int64_t frame_number;
  bool wanted, taken, asked;
  double last_request;
  char *log; /* the last LOG_LIMIT bytes at most; log_begin is the number of the first */
  size_t log_size, log_capacity;
  int64_t log_begin;
  char commands[COMMAND_LIMIT][COMMAND_SIZE];
  int first_command, command_count;
  live_door *door;
};

/* An answer's hold on a frame, for libmicrohttpd to release. */
typedef struct hold {
  live_server *server;
  shared_bytes *bytes;
} hold;

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* With the lock held. */
static void release(shared_bytes *bytes)
{
  if (bytes && --bytes->holders == 0) free(bytes);
}

/* ---- answers ----------------------------------------------------------------------------------------- */

static enum MHD_Result send_answer(struct MHD_Connection *connection, unsigned int code, const char *type,
                                   struct MHD_Response *answer)
{
  if (!answer) return MHD_NO;
  MHD_add_response_header(answer, "Content-Type", type);
  MHD_add_response_header(answer, "Cache-Control", "no-store");
  MHD_add_response_header(answer, "X-Content-Type-Options", "nosniff");
  MHD_add_response_header(answer, "Referrer-Policy", "no-referrer");
  MHD_add_response_header(answer, "Cross-Origin-Resource-Policy", "same-origin");
  MHD_add_response_header(answer, "X-Frame-Options", "DENY");
  enum MHD_Result result = MHD_queue_response(connection, code, answer);
  MHD_destroy_response(answer);
  return result;
}

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned int code, const char *text)
{
  return send_answer(
      connection, code, "text/plain; charset=utf-8",
      MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result send_page(live_server *self, struct MHD_Connection *connection)
{
  struct MHD_Response *answer =
      MHD_create_response_from_buffer(self->page_size, (void *)(uintptr_t)self->page, MHD_RESPMEM_PERSISTENT);
  return send_answer(connection, MHD_HTTP_OK, "text/html; charset=utf-8", answer);
}

/* NULL where there is none, or one with a zero byte in it, behind which more may follow. */
static const char *argument(struct MHD_Connection *connection, const char *name)
{
  const char *text = NULL;
  size_t size = 0;
  if (MHD_lookup_connection_value_n(connection, MHD_GET_ARGUMENT_KIND, name, strlen(name), &text, &size) != MHD_YES)
    return NULL;
  return text && strlen(text) == size ? text : NULL;
}

static enum MHD_Result note_zero(void *context, enum MHD_ValueKind kind, const char *name, size_t name_size,
                                 const char *text, size_t size)
{
  (void)kind;
  bool *found = context;
  *found = *found || strlen(name) != name_size || (text && strlen(text) != size);
  return MHD_YES;
}

static bool has_zero_bytes(struct MHD_Connection *connection)
{
  bool found = false;
  MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, note_zero, &found);
  return found;
}

static int64_t number_argument(struct MHD_Connection *connection, const char *name)
{
  const char *text = argument(connection, name);
  return text ? strtoll(text, NULL, 10) : 0;
}

static void let_go(void *context)
{
  hold *one = context;
  pthread_mutex_lock(&one->server->lock);
  release(one->bytes);
  pthread_mutex_unlock(&one->server->lock);
  free(one);
}

static ssize_t read_held(void *context, uint64_t at, char *buffer, size_t size)
{
  const hold *one = context;
  if (at >= one->bytes->size) return MHD_CONTENT_READER_END_OF_STREAM;
  size_t left = one->bytes->size - (size_t)at;
  if (size > left) size = left;
  memcpy(buffer, one->bytes->bytes + at, size);
  return (ssize_t)size;
}

/* The frame if it is newer than `after`, held for an answer; its number. */
static hold *take_frame(live_server *self, int64_t after, int64_t *number)
{
  hold *one = malloc(sizeof *one);
  if (!one) return NULL;
  pthread_mutex_lock(&self->lock);
  *one = (hold){self, self->frame_number > after ? self->frame : NULL};
  *number = self->frame_number;
  if (one->bytes) {
    one->bytes->holders++;
    self->taken = true;
  } else {
    self->wanted = true;
  }
  pthread_mutex_unlock(&self->lock);
  return one;
}

static enum MHD_Result send_frame(live_server *self, struct MHD_Connection *connection)
{
  int64_t number = 0;
  hold *one = take_frame(self, number_argument(connection, "after"), &number);
  if (!one) return MHD_NO;
  if (!one->bytes) {
    free(one);
    return send_answer(connection, MHD_HTTP_NO_CONTENT, "text/plain",
                       MHD_create_response_from_buffer(0, (void *)(uintptr_t) "", MHD_RESPMEM_PERSISTENT));
  }
  struct MHD_Response *answer =
      MHD_create_response_from_callback(one->bytes->size, 1 << 16, read_held, one, let_go);
  if (!answer) {
    let_go(one);
    return MHD_NO;
  }
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)number);
  MHD_add_response_header(answer, "X-Frame", text);
  return send_answer(connection, MHD_HTTP_OK, "application/octet-stream", answer);
}

static enum MHD_Result send_log(live_server *self, struct MHD_Connection *connection)
{
  int64_t from = number_argument(connection, "from");
  pthread_mutex_lock(&self->lock);
  if (from < self->log_begin) from = self->log_begin;
  if (from > self->log_begin + (int64_t)self->log_size) from = self->log_begin + (int64_t)self->log_size;
  size_t skipped = (size_t)(from - self->log_begin);
  struct MHD_Response *answer = MHD_create_response_from_buffer(
      self->log_size - skipped, self->log ? self->log + skipped : (void *)(uintptr_t) "", MHD_RESPMEM_MUST_COPY);
  pthread_mutex_unlock(&self->lock);
  if (!answer) return MHD_NO;
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)from);
  MHD_add_response_header(answer, "X-From", text);
  return send_answer(connection, MHD_HTTP_OK, "text/plain; charset=utf-8", answer);
}

static enum MHD_Result take_command(live_server *self, struct MHD_Connection *connection)
{
  const char *part[3];
  static const char *const names[3] = {"do", "name", "value"};
  char text[COMMAND_SIZE];
  for (int k = 0; k < 3; k++) {
    part[k] = argument(connection, names[k]);
    if (!part[k]) part[k] = "";
    if (strpbrk(part[k], "\t\r\n")) return send_text(connection, MHD_HTTP_BAD_REQUEST, "a command has no tabs\n");
  }
  int length = snprintf(text, sizeof text, "%s\t%s\t%s", part[0], part[1], part[2]);
  if (length >= COMMAND_SIZE) return send_text(connection, MHD_HTTP_BAD_REQUEST, "the command is too long\n");
  pthread_mutex_lock(&self->lock);
  bool full = self->command_count == COMMAND_LIMIT;
  if (!full)
    memcpy(self->commands[(self->first_command + self->command_count++) % COMMAND_LIMIT], text, sizeof text);
  pthread_mutex_unlock(&self->lock);
  if (full) return send_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "too many commands are queued\n");
  return send_text(connection, MHD_HTTP_OK, "noted\n");
}

/* ---- who may ask ------------------------------------------------------------------------------------- */

/* Whether text is PREFIX127.0.0.1:PORT or PREFIXlocalhost:PORT. */
static bool is_here(const live_server *self, const char *text, const char *prefix)
{
  char wanted[64];
  snprintf(wanted, sizeof wanted, "%s127.0.0.1:%d", prefix, self->port);
  if (strcmp(text, wanted) == 0) return true;
  snprintf(wanted, sizeof wanted, "%slocalhost:%d", prefix, self->port);
  return strcmp(text, wanted) == 0;
}

static const char *refusal(const live_server *self, struct MHD_Connection *connection)
{
  const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
  const char *origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
  const char *key = argument(connection, "key");
  if (!host || !is_here(self, host, "")) return "floc answers to 127.0.0.1 only\n";
  if (origin && !is_here(self, origin, "http://")) return "floc answers its own page only\n";
  if (!key || strcmp(key, self->key) != 0) return "open the whole address that floc printed, with its key\n";
  return NULL;
}

/* The end of this connection, too: what else it wants to send is not read. */
static enum MHD_Result send_away(struct MHD_Connection *connection, unsigned int code, const char *text)
{
  struct MHD_Response *answer =
      MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT);
  if (answer) MHD_add_response_header(answer, "Connection", "close");
  return send_answer(connection, code, "text/plain; charset=utf-8", answer);
}

/* By the head alone. */
static enum MHD_Result look_at_head(const live_server *self, struct MHD_Connection *connection, live_visitor *who)
{
  const char *refused = refusal(self, connection);
  if (refused) return send_away(connection, MHD_HTTP_FORBIDDEN, refused);
  const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
  if (length && strtoull(length, NULL, 10) > BODY_LIMIT)
    return send_away(connection, 413, "floc takes no body of more than 4 kB\n");
  if (has_zero_bytes(connection))
    return send_away(connection, MHD_HTTP_BAD_REQUEST, "a request has no zero bytes\n");
  live_visitor_body(who, 0);
  return MHD_YES;
}

static enum MHD_Result answer(live_server *self, struct MHD_Connection *connection, const char *path,
                              const char *method)
{
  bool get = strcmp(method, "GET") == 0;
  if (get && strcmp(path, "/") == 0) return send_page(self, connection);
  if (get && strcmp(path, "/frame") == 0) return send_frame(self, connection);
  if (get && strcmp(path, "/log") == 0) return send_log(self, connection);
  if (strcmp(method, "POST") == 0 && strcmp(path, "/command") == 0) return take_command(self, connection);
  return send_text(connection, MHD_HTTP_NOT_FOUND, "there is nothing here\n");
}

/* Called with the head, then with each part of the body, which is ignored, then without one. */
static enum MHD_Result respond(void *context, struct MHD_Connection *connection, const char *path,
                               const char *method, const char *version, const char *upload, size_t *upload_size,
                               void **state)
{
  live_server *self = context;
  (void)version;
  (void)upload;
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  live_visitor *who = info ? info->socket_context : NULL;
  if (!who) return MHD_NO;
  if (!*state) {
    *state = who;
    live_door_greet(self->door, who);
    return look_at_head(self, connection, who);
  }
  if (*upload_size > 0) { /* without a length in the head, it may continue for ever */
    size_t so_far = live_visitor_body(who, *upload_size);
    *upload_size = 0;
    return so_far > BODY_LIMIT ? MHD_NO : MHD_YES;
  }
  pthread_mutex_lock(&self->lock);
  self->last_request = now();
  self->asked = true;
  pthread_mutex_unlock(&self->lock);
  return answer(self, connection, path, method);
}

/* ---- start and stop ---------------------------------------------------------------------------------- */

static int listen_at(int port, int *chosen, char *message, size_t size)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const int yes = 1;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
      bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, CONNECTION_LIMIT) == 0 &&
      getsockname(fd, (struct sockaddr *)&address, &length) == 0) {
    *chosen = ntohs(address.sin_port);
    return fd;
  }
  if (errno == EADDRINUSE)
    snprintf(message, size, "port %d is in use; choose another one with --port=N, or omit --port", port);
  else
    snprintf(message, size, "it cannot listen on port %d: %s", port, strerror(errno));
  if (fd >= 0) close(fd);
  return -1;
}

static bool make_key(live_server *self)
{
  unsigned char bytes[KEY_BYTES];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
  for (int k = 0; k < KEY_BYTES; k++) snprintf(self->key + 2 * k, 3, "%02x", bytes[k]);
  return true;
}

/* Signals belong to the program's own thread. */
static struct MHD_Daemon *start_daemon(live_server *self, int fd)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, respond, self, MHD_OPTION_LISTEN_SOCKET, fd,
      MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CONNECTION_LIMIT, MHD_OPTION_CONNECTION_TIMEOUT,
      (unsigned int)TIMEOUT_SECONDS, MHD_OPTION_NOTIFY_CONNECTION, live_door_note, self->door, MHD_OPTION_END);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return daemon;
}

static void destroy(live_server *self)
{
  live_door_close(self->door);
  pthread_mutex_destroy(&self->lock);
  free(self);
}

live_server *live_server_start(const char *page, size_t page_size, int port, char *message, size_t message_size)
{
  live_server *self = calloc(1, sizeof *self);
  if (!self || !make_key(self)) {
    snprintf(message, message_size, "out of memory, or of random numbers");
    free(self);
    return NULL;
  }
  self->page = page;
  self->page_size = page_size;
  pthread_mutex_init(&self->lock, NULL);
  int fd = listen_at(port, &self->port, message, message_size);
  self->door = live_door_open();
  if (fd >= 0 && !self->door) {
    close(fd);
    fd = -1;
    snprintf(message, message_size, "out of memory, or of threads");
  }
  if (fd >= 0) {
    self->daemon = start_daemon(self, fd);
    if (self->daemon) return self;
    close(fd);
    snprintf(message, message_size, "libmicrohttpd did not start");
  }
  destroy(self);
  return NULL;
}

void live_server_stop(live_server *self)
{
  MHD_stop_daemon(self->daemon); /* ends all answers, so no answer holds a frame, and all connections */
  release(self->frame);
  free(self->log);
  destroy(self);
}

int live_server_port(const live_server *self)
{
  return self->port;
}

const char *live_server_key(const live_server *self)
{
  return self->key;
}

/* ---- the simulation's side --------------------------------------------------------------------------- */

bool live_server_publish(live_server *self, const char *bytes, size_t size)
{
  shared_bytes *frame = malloc(sizeof *frame + size);
  if (!frame) return false;
  frame->holders = 1;
  frame->size = size;
  memcpy(frame->bytes, bytes, size);
  pthread_mutex_lock(&self->lock);
  shared_bytes *before = self->frame;
  self->frame = frame;
  self->frame_number++;
  self->wanted = self->taken = false;
  release(before);
  pthread_mutex_unlock(&self->lock);
  return true;
}

bool live_server_log(live_server *self, const char *text, size_t size)
{
  pthread_mutex_lock(&self->lock);
  bool fine = true;
  if (self->log_size + size > self->log_capacity) {
    size_t grown = 2 * (self->log_size + size);
    char *larger = realloc(self->log, grown);
    fine = larger != NULL;
    if (larger) {
      self->log = larger;
      self->log_capacity = grown;
    }
  }
  if (fine) {
    memcpy(self->log + self->log_size, text, size);
    self->log_size += size;
  }
  if (self->log_size > LOG_LIMIT) { /* half of it goes, so that it is moved rarely */
    size_t gone = self->log_size - LOG_LIMIT / 2;
    memmove(self->log, self->log + gone, self->log_size - gone);
    self->log_begin += (int64_t)gone;
    self->log_size -= gone;
  }
  pthread_mutex_unlock(&self->lock);
  return fine;
}

bool live_server_is_wanted(live_server *self)
{
  pthread_mutex_lock(&self->lock);
  bool wanted = self->wanted;
  pthread_mutex_unlock(&self->lock);
  return wanted;
}

bool live_server_is_taken(live_server *self)
{
  pthread_mutex_lock(&self->lock);
  bool taken = self->taken;
  pthread_mutex_unlock(&self->lock);
  return taken;
}

double live_server_silence(live_server *self)
{
  pthread_mutex_lock(&self->lock);
  double silence = self->asked ? now() - self->last_request : 1e9;
  pthread_mutex_unlock(&self->lock);
  return silence;
}

bool live_server_command(live_server *self, char *text, size_t size)
{
  pthread_mutex_lock(&self->lock);
  bool found = self->command_count > 0;
  if (found) {
    snprintf(text, size, "%s", self->commands[self->first_command]);
    self->first_command = (self->first_command + 1) % COMMAND_LIMIT;
    self->command_count--;
  }
  pthread_mutex_unlock(&self->lock);
  return found;
}

#else

typedef int live_server_is_left_out; /* an empty source is no C */

#endif
