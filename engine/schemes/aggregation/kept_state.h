/*
 * The state of a scheme as it was before a step that the host may interrupt. The ballistic schemes change theirs in
 * place while they step; their sections for checkpoints hold all of it, to the last bit, so these are listed before
 * and read back when the step is given up. Where no interruption is possible, nothing is kept.
 */
#ifndef FLOC_SCHEMES_AGGREGATION_KEPT_STATE_H
#define FLOC_SCHEMES_AGGREGATION_KEPT_STATE_H

#include "schemes/scheme.h"

typedef struct kept_state {
  section_list list; /* of what the scheme has copied */
  bool is_kept;
} kept_state;

/* Lists the state, if the host can interrupt. env NULL: not worth it. Want of memory means that it is not kept. */
void kept_state_take(kept_state *kept, environment *env, floc_status (*sections)(void *state, section_list *list),
                     void *state);
/* After a step that failed: reads it back. false: nothing was kept, or memory is short; then state is as the step
 * left it. */
bool kept_state_put_back(kept_state *kept,
                         floc_status (*restore)(void *state, const section_list *list, int64_t particle_count,
                                                int32_t shape_count),
                         void *state, const step_context *context);
void kept_state_free(kept_state *kept);

#endif
