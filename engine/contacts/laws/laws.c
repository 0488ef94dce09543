/*
 * The list of contact laws, and what all of them need. See law.h.
 */
#include "contacts/laws/law.h"

#include "base/threads/parallel.h"

#include <stdio.h>
#include <string.h>

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
  laws->part[0] = -1;
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

/* Columns for the further contacts of a pair, beside one that is there. */
static floc_status add_further(contact_laws *laws, neighbors *near, int32_t column)
{
  const char *name = neighbors_memory_name(near, column);
  floc_status status = FLOC_OK;
  for (int32_t part = 1; part < CONTACT_PARTS && status == FLOC_OK; part++) {
    char numbered[MEMORY_NAME_SIZE + 12]; /* neighbors refuse what is too long */
    snprintf(numbered, sizeof numbered, "%.*s.%d", MEMORY_NAME_SIZE - 1, name, (int)part + 1);
    status = neighbors_add_memory(near, numbered, &laws->further[column][part]);
  }
  return status;
}

floc_status contact_laws_take_shapes(contact_laws *laws, neighbors *near, int32_t dimension)
{
  int32_t part[CONTACT_PARTS];
  floc_status status = FLOC_OK;
  if (laws->part[0] >= 0) return FLOC_OK;
  for (int32_t k = 0; k < CONTACT_PARTS && status == FLOC_OK; k++) {
    char name[MEMORY_NAME_SIZE];
    snprintf(name, sizeof name, "features.%d", (int)k + 1);
    status = neighbors_add_memory(near, name, &part[k]);
  }
  if (status == FLOC_OK) status = add_further(laws, near, laws->impulse);
  for (int32_t k = 0; k < laws->count && status == FLOC_OK; k++) {
    const contact_law *law = &laws->law[k];
    for (int32_t n = dimension == 2 ? law->type->plane_first : 0; n < LAW_MEMORY && status == FLOC_OK; n++)
      if (law->memory[n] >= 0) status = add_further(laws, near, law->memory[n]);
  }
  if (status == FLOC_OK) memcpy(laws->part, part, sizeof part);
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
  const contact_set *set = call->input->set;
  const int64_t entry = set->entry[a];
  const int32_t part = set->part ? set->part[a] : 0;
  if (part < 0) return NULL;
  const int32_t memory = part == 0 ? call->memory : call->input->laws->further[call->memory][part];
  return entry >= 0 ? &call->pairs->memory[memory][entry] : &call->walls->memory[memory][-1 - entry];
}

static void recall_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const memory_call *call = context;
  const law_input *input = call->input;
  for (int64_t a = begin; a < end; a++) {
    const double *entry = entry_of(call, a);
    call->column[a] =
        entry ? (input->law->type->turns ? orientation(input->source->table, input->set, a) : 1.0) * *entry : 0.0;
  }
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
    double *entry = entry_of(call, a);
    if (entry) *entry = turned * input->law->type->remember(input, a, call->number);
  }
}

static void impulse_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const memory_call *call = context;
  for (int64_t a = begin; a < end; a++) {
    double *entry = entry_of(call, a);
    if (entry) *entry = call->input->set->impulse[a];
  }
}

/* Of one pair the contacts with an impulse, by their order, as far as there are memories. */
static void number_parts(contact_set *set)
{
  int32_t next = 0;
  for (int64_t a = 0; a < set->count; a++) {
    if (a > 0 && set->entry[a] != set->entry[a - 1]) next = 0;
    set->part[a] = set->impulse[a] != 0.0 && next < CONTACT_PARTS ? next++ : -1;
  }
}

static void feature_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const memory_call *call = context;
  const contact_set *set = call->input->set;
  for (int64_t a = begin; a < end; a++) {
    if (set->part[a] < 0) continue;
    const int32_t memory = call->input->laws->part[set->part[a]];
    const int64_t entry = set->entry[a];
    double *feature = entry >= 0 ? &call->pairs->memory[memory][entry] : &call->walls->memory[memory][-1 - entry];
    *feature = set->feature[a] + 1.0;
  }
}

static void clear_memory(const memory_call *call, int32_t memory)
{
  const environment *env = call->input->source->env;
  parallel_clear(env, call->pairs->count, call->pairs->memory[memory]);
  parallel_clear(env, call->walls->count, call->walls->memory[memory]);
}

static void write_memory(memory_call *call, block_function function)
{
  const contact_laws *laws = call->input->laws;
  clear_memory(call, call->memory);
  for (int32_t part = 1; part < CONTACT_PARTS && laws->part[0] >= 0; part++)
    clear_memory(call, laws->further[call->memory][part]);
  parallel_for(call->input->source->env, call->input->set->count, PARALLEL_BLOCK, function, call);
}

void contacts_remember(const contact_source *source, const contact_laws *laws, contact_set *set)
{
  law_input input = {source, laws, NULL, set};
  memory_call call = call_of(&input, 0, laws->impulse);
  if (set->part) {
    number_parts(set);
    for (int32_t part = 0; part < CONTACT_PARTS; part++) clear_memory(&call, laws->part[part]);
    parallel_for(source->env, set->count, PARALLEL_BLOCK, feature_block, &call);
  }
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
