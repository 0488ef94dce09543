/*
 * Who may stay connected to the live server; see live_door.h. Left out where libmicrohttpd is missing.
 */
#ifdef FLOC_HAS_MICROHTTPD

#include "live_door.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

enum { STRANGER_LIMIT = 24, HEAD_SECONDS = 5, ROUND_NANOSECONDS = 500000000 };

/* In a list by age, the oldest first. */
struct live_visitor {
  live_visitor *next;
  int socket;
  double since;
  bool is_stranger; /* has not sent a whole head yet */
  size_t body;      /* bytes of the present request's body */
};

struct live_door {
  pthread_t keeper;
  pthread_mutex_t lock; /* of all below */
  pthread_cond_t closing;
  bool is_closing;
  live_visitor *visitors;
};

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* With the lock held. The connection sees its end, and libmicrohttpd closes it. */
static void turn_away(live_visitor *who)
{
  shutdown(who->socket, SHUT_RDWR);
  who->is_stranger = false;
}

/* With the lock held: those who take too long for their head, and the oldest where there are too many. */
static void clear(live_door *door)
{
  int strangers = 0;
  for (live_visitor *who = door->visitors; who; who = who->next) strangers += who->is_stranger;
  double latest = now() - HEAD_SECONDS;
  for (live_visitor *who = door->visitors; who; who = who->next) {
    if (!who->is_stranger || (who->since > latest && strangers <= STRANGER_LIMIT)) continue;
    turn_away(who);
    strangers--;
  }
}

static void enter(live_door *door, struct MHD_Connection *connection, void **place)
{
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  live_visitor *who = info ? calloc(1, sizeof *who) : NULL;
  *place = who;
  if (!who) return;
  *who = (live_visitor){.socket = info->connect_fd, .since = now(), .is_stranger = true};
  live_visitor **last = &door->visitors;
  while (*last) last = &(*last)->next;
  *last = who;
  clear(door);
}

static void leave(live_door *door, live_visitor *who)
{
  live_visitor **at = &door->visitors;
  while (*at && *at != who) at = &(*at)->next;
  if (*at) *at = who->next;
  free(who);
}

void live_door_note(void *context, struct MHD_Connection *connection, void **place,
                    enum MHD_ConnectionNotificationCode what)
{
  live_door *door = context;
  pthread_mutex_lock(&door->lock);
  if (what == MHD_CONNECTION_NOTIFY_STARTED)
    enter(door, connection, place);
  else
    leave(door, *place);
  pthread_mutex_unlock(&door->lock);
}

void live_door_greet(live_door *door, live_visitor *who)
{
  pthread_mutex_lock(&door->lock);
  who->is_stranger = false;
  pthread_mutex_unlock(&door->lock);
}

/* Of the server's thread alone. */
size_t live_visitor_body(live_visitor *who, size_t more)
{
  who->body = more > 0 ? who->body + more : 0;
  return who->body;
}

static void *keep(void *context)
{
  live_door *door = context;
  pthread_mutex_lock(&door->lock);
  while (!door->is_closing) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ROUND_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&door->closing, &door->lock, &until);
    clear(door);
  }
  pthread_mutex_unlock(&door->lock);
  return NULL;
}

/* Signals belong to the program's own thread. */
live_door *live_door_open(void)
{
  live_door *door = calloc(1, sizeof *door);
  if (!door) return NULL;
  pthread_mutex_init(&door->lock, NULL);
  pthread_cond_init(&door->closing, NULL);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&door->keeper, NULL, keep, door);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!failed) return door;
  free(door);
  return NULL;
}

void live_door_close(live_door *door)
{
  if (!door) return;
  pthread_mutex_lock(&door->lock);
  door->is_closing = true;
  pthread_cond_signal(&door->closing);
  pthread_mutex_unlock(&door->lock);
  pthread_join(door->keeper, NULL);
  while (door->visitors) leave(door, door->visitors);
  pthread_cond_destroy(&door->closing);
  pthread_mutex_destroy(&door->lock);
  free(door);
}

#else

typedef int live_door_is_left_out; /* an empty source is no C */

#endif
