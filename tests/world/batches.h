/*
 * Many cases, each of which may crash or never end: they run in a child, which notes in shared memory what it is
 * at; where it dies, or has used up its processor time, the parent reports it and another child continues behind
 * that case.
 */
#ifndef FLOC_TESTS_WORLD_BATCHES_H
#define FLOC_TESTS_WORLD_BATCHES_H

#include "support.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCH_KINDS = 16, BATCH_MOST_DEATHS = 200 };

typedef struct batch_notes {
  volatile long next;               /* the case that runs, or comes */
  volatile long count[BATCH_KINDS]; /* of what cases returned */
  volatile double longest;          /* processor time of a case [s], and which one it was */
  volatile long longest_case;
} batch_notes;

/* One case; returns a kind of outcome. */
typedef int (*batch_case)(void *context, long number);

static inline void batch_limit(int seconds)
{
  struct itimerval limit = {.it_value = {.tv_sec = seconds}};
  setitimer(ITIMER_PROF, &limit, NULL); /* of this process' processor time: it does not matter who else runs */
}

static inline double batch_processor_time(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void batch_child(batch_notes *notes, long end, int seconds, batch_case run, void *context)
{
  signal(SIGPROF, SIG_DFL);
  for (; notes->next < end; notes->next++) {
    batch_limit(seconds);
    double begin = batch_processor_time();
    int kind = run(context, notes->next);
    double took = batch_processor_time() - begin;
    notes->count[kind]++;
    if (took > notes->longest) {
      notes->longest = took;
      notes->longest_case = notes->next;
    }
  }
  batch_limit(0);
  _exit(0);
}

/* Runs cases begin .. end - 1, each within that number of seconds of processor time, and returns how many died;
 * counts of outcomes go to count. `describe` prints a case that died. */
static inline int batch_run(long begin, long end, int seconds, batch_case run, void *context,
                            void (*describe)(void *context, long number), long count[BATCH_KINDS])
{
  batch_notes *notes = mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(notes != MAP_FAILED);
  memset((void *)notes, 0, sizeof *notes);
  notes->next = begin;
  int deaths = 0, status;
  while (notes->next < end && deaths < BATCH_MOST_DEATHS) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) batch_child(notes, end, seconds, run, context);
    assert_true(waitpid(child, &status, 0) == child);
    if (status == 0) break;
    deaths++;
    bool slow = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    if (slow)
      print_error("case %ld: over %d s of processor time: ", notes->next, seconds);
    else
      print_error("case %ld: %s %d: ", notes->next, WIFSIGNALED(status) ? "signal" : "exit status",
                  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    describe(context, notes->next++);
  }
  print_message("the longest that ended took %.2f s of processor time: case %ld, ", notes->longest,
                notes->longest_case);
  describe(context, notes->longest_case);
  for (int k = 0; k < BATCH_KINDS; k++) count[k] = notes->count[k];
  munmap((void *)notes, sizeof *notes);
  return deaths;
}

#endif
