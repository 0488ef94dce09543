/*
 * The door of the live server: who is connected, and who must go. A connection has HEAD_SECONDS for its first head,
 * and there may be STRANGER_LIMIT at once that have not sent one; of more the oldest goes. So half-open
 * connections, of any client, block no one else: the head of one who has the key is there in a moment.
 */
#ifndef FLOC_COMMAND_LIVE_DOOR_H
#define FLOC_COMMAND_LIVE_DOOR_H

#include <microhttpd.h>
#include <stddef.h>

typedef struct live_door live_door;
typedef struct live_visitor live_visitor; /* socket_context of a connection */

/* With a thread that looks after it twice a second. NULL when out of memory or threads. */
live_door *live_door_open(void);
/* After the daemon has stopped. NULL is nothing. */
void live_door_close(live_door *door);
/* MHD_OPTION_NOTIFY_CONNECTION, with the door as context. */
void live_door_note(void *door, struct MHD_Connection *connection, void **place,
                    enum MHD_ConnectionNotificationCode what);
/* A whole head has come. */
void live_door_greet(live_door *door, live_visitor *who);
/* Adds to the length of the body of the present request, or begins with 0; the sum. */
size_t live_visitor_body(live_visitor *who, size_t more);

#endif
