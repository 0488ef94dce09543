/*
 * See kept_state.h.
 */
#include "schemes/aggregation/kept_state.h"

#include "base/interruption.h"

#include <string.h>

void kept_state_take(kept_state *kept, environment *env, floc_status (*sections)(void *state, section_list *list),
                     void *state)
{
  section_list_init(&kept->list, env);
  kept->is_kept = env && interruption_is_possible(env) && sections(state, &kept->list) == FLOC_OK;
}

bool kept_state_put_back(kept_state *kept,
                         floc_status (*restore)(void *state, const section_list *list, int64_t particle_count,
                                                int32_t shape_count),
                         void *state, const step_context *context)
{
  if (!kept->is_kept) return false;
  environment *env = kept->list.env;
  char reason[MESSAGE_SIZE]; /* of the step's failure */
  memcpy(reason, env->message, sizeof reason);
  interruption *asked = env->interruption;
  env->interruption = NULL; /* reading back is not given up */
  floc_status status = restore(state, &kept->list, context->table->count, context->obstacles->shape_count);
  env->interruption = asked;
  memcpy(env->message, reason, sizeof reason);
  return status == FLOC_OK;
}

void kept_state_free(kept_state *kept)
{
  if (kept->list.env) section_list_free(&kept->list);
}
