/*
 * Functions of the host: what runs in a world now, and what becomes of what they return.
 *
 * A call of the public surface marks the guard with its name for as long as it runs; a function of the host, and
 * the engine's threads, find it there. So a call from within is known, whatever function of the host it comes from,
 * and refused unless it only reads. The mark of the function itself serves the message. It is set by the thread
 * that makes the engine's call, before others begin to work, so that they all see it.
 *
 * Refusals of calls from within may come from several threads at once, while the message belongs to the call around
 * them. So there is a note of its own: the first to come writes it, nothing changes it until that call ends.
 */
#ifndef FLOC_BASE_CALLBACK_H
#define FLOC_BASE_CALLBACK_H

#include "base/environment.h"
#include "base/numbers/float_environment.h"

#include <stdatomic.h>

typedef enum callback_kind {
  CALLBACK_NONE,
  CALLBACK_ALLOCATOR,
  CALLBACK_LOG,
  CALLBACK_INTERRUPT,
  CALLBACK_PAIR_LAW,
  CALLBACK_FIELD,
  CALLBACK_WALL_LAW,
  CALLBACK_EVOLUTION,
  CALLBACK_FLOW,
  CALLBACK_A_PRIORI,
  CALLBACK_MOTION,
  CALLBACK_GAMMA_MIN,
  CALLBACK_PAIR,
  CALLBACK_MEDIUM_FLOW,
  CALLBACK_ELECTRIC_FIELD,
  CALLBACK_MAGNETIC_FIELD,
  CALLBACK_EMIT,
  CALLBACK_HIT,
  CALLBACK_POOL,
  CALLBACK_MEASURE,
  CALLBACK_CONTACT_LAW,
  CALLBACK_REGION,
  CALLBACK_KINDS
} callback_kind;

typedef struct call_guard {
  _Atomic(const char *) call;  /* the call that runs; NULL: none */
  atomic_int kind;             /* callback_kind of the function of the host that it is in */
  _Atomic(const char *) label; /* its name, or NULL */
  atomic_int noted;            /* NOTE_ */
  char note[MESSAGE_SIZE];
} call_guard;

enum { NOTE_NONE, NOTE_BEING_WRITTEN, NOTE_WRITTEN };

typedef struct callback_mark {
  int kind;
  const char *label;
} callback_mark;

/* From here on a function of the host runs; label may be NULL, and lives as long. Without a guard nothing is done.
 */
callback_mark callback_begin(const environment *env, callback_kind kind, const char *label);
/* Back to what was before. */
void callback_end(const environment *env, callback_mark before);

/* "the field \"drag\"", "the allocator" */
const char *callback_name(callback_kind kind, const char *label, char *text, size_t size);

/* Takes the note, unless it is taken. */
void guard_note(call_guard *guard, const char *text);
/* The note, or "". */
const char *guard_read_note(const call_guard *guard);

/* What a function of the host returned, and what it changed in the floating-point environment (FLOAT_). FLOC_OK
 * with nothing changed is FLOC_OK; FLOC_OUT_OF_MEMORY stays; everything else becomes FLOC_CALLBACK_FAILED. The
 * message begins with the formatted words, which name the function. */
floc_status callback_verdict(environment *env, floc_status returned, int32_t changed, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
