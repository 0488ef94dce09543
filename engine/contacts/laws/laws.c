/*
 * The list of contact laws, and what all of them need. See law.h.
 */
#include "contacts/laws/law.h"

#include "base/threads/parallel.h"

static const contact_law_type *const types[] = {
    &law_gluey,
    &law_coulomb,
    &law_rolling,
};

static floc_status add_law(contact_laws *laws, neighbors *near, int32_t dimension, contact_law law,
                           const char *const names[LAW_MEMORY])
{
  floc_status status = FLOC_OK;
  const int32_t first = dimension == 2 ? law.type->plane_first : 0;
  for (int32_t k = 0; k < LAW_MEMORY; k++) law.memory[k] = -1;
  for (int32_t k = first; k < LAW_MEMORY && names[k] && status == FLOC_OK; k++)
    status = neighbors_add_memory(near, names[k], &law.memory[k]);
  if (law.type->holds) laws->held = law.memory[0];
  laws->law[laws->count++] = law;
  return status;
}

floc_status contact_laws_create(contact_laws *laws, const host_laws *hosts, neighbors *near, int32_t dimension)
{
  laws->held = -1;
  laws->count = 0;
  floc_status status = neighbors_add_memory(near, "impulse", &laws->impulse);
  for (size_t k = 0; k < sizeof types / sizeof *types && status == FLOC_OK; k++)
    if (types[k]->acts(&laws->options))
      status = add_law(laws, near, dimension, (contact_law){.type = types[k]}, types[k]->memory);
  for (int32_t k = 0; k < hosts->count && status == FLOC_OK; k++) {
    const host_law *host = &hosts->law[k];
    const char *names[LAW_MEMORY] = {NULL};
    for (int32_t n = 0; n < host->given.memory_count; n++) names[n] = host->memory[n];
    status = add_law(laws, near, dimension, (contact_law){.type = &law_host, .host = host}, names);
  }
  return status;
}

/* ---- what laws call ---- */

floc_status law_column(const law_input *input, double **column)
{
  *column = arena_allocate(input->source->scratch, (size_t)input->set->count, sizeof **column);
  return *column ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* Memory is oriented by ids, which a new storage order does not turn round. */
static double orientation(const particles *table, const contact_set *set, int64_t a)
{
  return set->second[a] >= 0 && table->id[set->first[a]] > table->id[set->second[a]] ? -1.0 : 1.0;
}

typedef struct memory_call {
  const law_input *input;
  const pair_list *pairs, *walls;
  int32_t number, memory;
  double *column;
} memory_call;

static double *entry_of(const memory_call *call, int64_t a)
{
  const int64_t entry = call->input->set->entry[a];
  return entry >= 0 ? &call->pairs->memory[call->memory][entry] : &call->walls->memory[call->memory][-1 - entry];
}

static void recall_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const memory_call *call = context;
  const law_input *input = call->input;
  for (int64_t a = begin; a < end; a++)
    call->column[a] =
        (input->law->type->turns ? orientation(input->source->table, input->set, a) : 1.0) * *entry_of(call, a);
}

static memory_call call_of(const law_input *input, int32_t number, int32_t memory)
{
  const neighbors *near = input->source->near;
  return (memory_call){input, neighbors_pairs(near), neighbors_walls(near), number, memory, NULL};
}

floc_status law_recall(const law_input *input, int32_t number, double **column)
{
  const environment *env = input->source->env;
  floc_status status = law_column(input, column);
  if (status != FLOC_OK) return status;
  memory_call call = call_of(input, number, input->law->memory[number]);
  call.column = *column;
  if (input->laws->warm_start || !input->law->type->turns)
    parallel_for(env, input->set->count, PARALLEL_BLOCK, recall_block, &call);
  else
    parallel_clear(env, input->set->count, *column);
  return FLOC_OK;
}

/* ---- what assembly and schemes call ---- */

floc_status contacts_by_pair(const contact_source *source, const contact_laws *laws, const contact_set *set,
                             int32_t quantity, double *column)
{
  if (!laws->pairs || material_is_uniform(&laws->pairs[quantity])) return FLOC_OK;
  const material_sides sides = {source->table, source->obstacles, set->first, set->second, set->shape};
  return material_fill(&laws->pairs[quantity], source->env, &sides, set->count, column);
}

floc_status contacts_fill(const contact_source *source, const contact_laws *laws, contact_set *set)
{
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < laws->count && status == FLOC_OK; k++)
    status = laws->law[k].type->fill(&(law_input){source, laws, &laws->law[k], set});
  return status;
}

floc_status contacts_settle(const contact_source *source, const contact_laws *laws, contact_set *set)
{
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < laws->count && status == FLOC_OK; k++)
    if (laws->law[k].type->settle)
      status = laws->law[k].type->settle(&(law_input){source, laws, &laws->law[k], set});
  return status;
}

static void remember_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const memory_call *call = context;
  const law_input *input = call->input;
  for (int64_t a = begin; a < end; a++) {
    const double turned = input->law->type->turns ? orientation(input->source->table, input->set, a) : 1.0;
    *entry_of(call, a) = turned * input->law->type->remember(input, a, call->number);
  }
}

static void impulse_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const memory_call *call = context;
  for (int64_t a = begin; a < end; a++) *entry_of(call, a) = call->input->set->impulse[a];
}

static void write_memory(memory_call *call, block_function function)
{
  const environment *env = call->input->source->env;
  parallel_clear(env, call->pairs->count, call->pairs->memory[call->memory]);
  parallel_clear(env, call->walls->count, call->walls->memory[call->memory]);
  parallel_for(env, call->input->set->count, PARALLEL_BLOCK, function, call);
}

void contacts_remember(const contact_source *source, const contact_laws *laws, contact_set *set)
{
  law_input input = {source, laws, NULL, set};
  memory_call call = call_of(&input, 0, laws->impulse);
  write_memory(&call, impulse_block);
  for (int32_t k = 0; k < laws->count; k++) {
    input.law = &laws->law[k];
    for (int32_t number = 0; number < LAW_MEMORY; number++) {
      if (input.law->memory[number] < 0) continue;
      call = call_of(&input, number, input.law->memory[number]);
      write_memory(&call, remember_block);
    }
  }
}
