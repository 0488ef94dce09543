/*
 * Wall time per stage. The clock of a step lives in the context, so worlds on several threads do not
 * disturb each other.
 */
#include "schemes/scheme.h"

#include <time.h>

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void stage_done(step_context *context, step_stage stage)
{
  double now = seconds_now();
  if (context->clock > 0.0) context->report->stage_seconds[stage] += now - context->clock;
  context->clock = now;
}

const char *floc_stage_name(int32_t stage)
{
  static const char *const names[FLOC_STAGE_COUNT] = {"bodies", "neighbors", "laws", "contacts",
                                                      "solve",  "positions", "rays", "other"};
  return stage >= 0 && stage < FLOC_STAGE_COUNT ? names[stage] : NULL;
}
