/*
 * Clusters that merged and came apart since the last look (measures/merges.h).
 *
 * Host: floc_world_find_merges() looks, floc_world_get_merges() copies what it found, until the next look.
 */
#include "world.h"

static bool streams(const floc_world *world, int32_t rule)
{
  return rule == FLOC_CLUSTER_LINK && world->method.notes_merges;
}

merge_log *world_merge_log(floc_world *world)
{
  merge_watch *watch = &world->merges;
  if (!watch->totals.begun || !watch->totals.streams) return NULL;
  watch->log.table = &world->table;
  return &watch->log;
}

/* The record is one of one kind of cluster, from its first look on. */
static floc_status check_same(floc_world *world, const floc_merge_options *options, double apart)
{
  const merge_watch *watch = &world->merges;
  const bool is_same = watch->totals.rule == options->rule && watch->gap == options->gap && watch->apart == apart &&
                       watch->totals.streams == streams(world, options->rule);
  if (!watch->totals.begun || is_same) return FLOC_OK;
  if (watch->totals.rule == FLOC_CLUSTER_LINK)
    return refuse(&world->env, FLOC_WRONG_STATE,
                  "merges are recorded by links since the first call; rule and gap must stay the same");
  return refuse(&world->env, FLOC_WRONG_STATE,
                "merges are recorded by gap, with gap %.10g and apart %.10g, since the first call; they must stay "
                "the same",
                watch->gap, watch->apart);
}

static floc_status check_options(floc_world *world, const floc_merge_options *options)
{
  environment *env = &world->env;
  floc_status status = fields_check(env, &struct_merge_options, options);
  if (status != FLOC_OK) return status;
  if (options->rule == FLOC_CLUSTER_LINK && (options->gap != 0.0 || options->apart != 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "gap is %g and apart is %g, which do nothing: clusters are by links",
                  options->gap, options->apart);
  if (options->apart != 0.0 && options->apart < options->gap)
    return refuse(env, FLOC_INVALID_ARGUMENT, "apart is %g; it must be 0 (as gap) or at least gap, %g",
                  options->apart, options->gap);
  return FLOC_OK;
}

static floc_status find_pairs(floc_world *world, const floc_merge_options *options, double apart,
                              cluster_pairs *pairs)
{
  floc_status status = world_joined_pairs(world, options->rule, apart, pairs);
  if (status == FLOC_OK && options->rule == FLOC_CLUSTER_GAP && apart > options->gap)
    merge_watch_choose(&world->merges, &world->table, &world->box, pairs);
  return status;
}

floc_status floc_world_find_merges(floc_world *world, const floc_merge_options *options,
                                   floc_merge_summary *summary)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, merge_options, options);
  FILL_RESULT(&world->env, merge_summary, summary);
  merge_watch *watch = &world->merges;
  floc_status status = check_options(world, options);
  const double apart = options->apart > 0.0 ? options->apart : options->gap;
  if (status == FLOC_OK) status = world_need_scheme(world);
  if (status == FLOC_OK) status = check_same(world, options, apart);
  if (status != FLOC_OK) return status;
  if (!watch->totals.begun) {
    watch->totals.rule = options->rule;
    watch->totals.streams = streams(world, options->rule);
    watch->gap = options->gap;
    watch->apart = apart;
  }
  cluster_pairs pairs;
  status = find_pairs(world, options, apart, &pairs);
  if (status != FLOC_OK) return status;
  arena_mark here = arena_here(&world->scratch);
  status =
      merge_watch_look(&world->env, watch, &world->table, &world->box, &pairs, world_time(world), &world->scratch);
  arena_return(&world->scratch, here);
  cluster_pairs_free(&pairs);
  if (status != FLOC_OK) return status;
  summary->start = watch->totals.start;
  summary->clusters = watch->totals.clusters;
  summary->merges = watch->totals.merges;
  summary->splits = watch->totals.splits;
  summary->outside = watch->totals.outside;
  summary->found = watch->found.count;
  return FLOC_OK;
}

static const char *const merge_names[] = {[MERGE_TIME] = "time",
                                          [MERGE_CHANGE] = "change",
                                          [MERGE_ID_I] = "id_i",
                                          [MERGE_ID_J] = "id_j",
                                          [MERGE_SIZE_I] = "size_i",
                                          [MERGE_SIZE_J] = "size_j",
                                          [MERGE_MASS_I] = "mass_i",
                                          [MERGE_MASS_J] = "mass_j",
                                          [MERGE_PLACE] = "x",
                                          "y",
                                          "z",
                                          [MERGE_NORMAL] = "normal_x",
                                          "normal_y",
                                          "normal_z",
                                          [MERGE_VELOCITY_I] = "vx_i",
                                          "vy_i",
                                          "vz_i",
                                          [MERGE_VELOCITY_J] = "vx_j",
                                          "vy_j",
                                          "vz_j",
                                          [MERGE_VELOCITY] = "vx",
                                          "vy",
                                          "vz"};
_Static_assert(sizeof merge_names / sizeof *merge_names == MERGE_NUMBERS, "a name for each number");

floc_status floc_world_get_merges(floc_world *world, const char *const *names, int32_t name_count,
                                  double *const *columns, size_t stride, int64_t capacity, int64_t *count)
{
  WORLD_ENTER(world);
  const merge_log *found = &world->merges.found;
  const column_target to = {columns, stride, capacity};
  int32_t number[MERGE_NUMBERS];
  floc_status status =
      world_resolve_names(&world->env, "merges", merge_names, MERGE_NUMBERS, names, name_count, number);
  if (status == FLOC_OK) status = world_check_target(&world->env, &to, name_count, count);
  if (status == FLOC_OK && !world->merges.totals.begun)
    status = refuse(&world->env, FLOC_WRONG_STATE, "nothing was looked for; floc_world_find_merges comes first");
  if (status != FLOC_OK) return status;
  const int64_t wanted = capacity < found->count ? capacity : found->count;
  for (int32_t k = 0; k < name_count; k++)
    for (int64_t row = 0; row < wanted; row++) *column_place(&to, k, row) = found->row[row].number[number[k]];
  *count = found->count;
  return FLOC_OK;
}
