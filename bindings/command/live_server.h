/*
 * A small server on 127.0.0.1 for `floc run --live`, by libmicrohttpd. It runs in a thread of its own; the
 * simulation hands it frames and takes commands from it, and never waits for it: all that the two share is a frame
 * (the newest), a log, and a short row of commands, behind one lock that is held for pointers only.
 *
 * Requests are answered only with the key that is in the address (other users of the machine do not know it), with
 * a Host of this machine (a page of elsewhere that had its name point here is refused), and with no foreign Origin.
 * That is seen from the head of a request alone, and no body is longer than 4 kB. A connection has 5 s for its
 * first head; of many that have sent none the oldest goes, so that who has the key gets in.
 *
 *   GET  /                         the page
 *   GET  /frame?after=N            the newest frame if its number is above N, else 204; its number is X-Frame
 *   GET  /log?from=N               the log from byte N on; where that begins is X-From
 *   POST /command?do=WORD&name=&value=
 */
#ifndef FLOC_COMMAND_LIVE_SERVER_H
#define FLOC_COMMAND_LIVE_SERVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct live_server live_server;

/* port 0: any that is free. page must outlive the server. NULL with a message where it cannot listen. */
live_server *live_server_start(const char *page, size_t page_size, int port, char *message, size_t message_size);
void live_server_stop(live_server *self);
int live_server_port(const live_server *self);
const char *live_server_key(const live_server *self);

/* The bytes are copied; false when out of memory. */
bool live_server_publish(live_server *self, const char *bytes, size_t size);
bool live_server_log(live_server *self, const char *text, size_t size);
/* Whether somebody asked for a newer frame than the one there is. */
bool live_server_is_wanted(live_server *self);
/* Whether the newest frame was taken by somebody. */
bool live_server_is_taken(live_server *self);
/* Seconds since the last request; a large number when there was none. */
double live_server_silence(live_server *self);
/* The oldest command, "word\tname\tvalue"; false when there is none. */
bool live_server_command(live_server *self, char *text, size_t size);

#endif
