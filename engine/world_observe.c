/*
 * Looking at a world: the step report, measures by name, clusters and what happened to them.
 *
 * Host: floc_world_find_merges() looks, floc_world_get_merges() copies what it found, until the next look.
 */
#include "world.h"

#include "measures/moments.h"

#include <string.h>

floc_status floc_world_get_report(const floc_world *world, floc_step_report *report)
{
  if (world && world->cut.is_cut && !world_is_inside(world)) {
    const floc_status status = world_make_whole((floc_world *)(uintptr_t)world);
    if (status != FLOC_OK) return status;
  }
  if (!world) return FLOC_INVALID_ARGUMENT;
  environment unheard = {0};
  FILL_RESULT(&unheard, step_report, report);
  floc_status status = world_check_reading(world, __func__);
  if (status != FLOC_OK) return status;
  FLOAT_DEFAULT;
  *report = world->report;
  report->lists = neighbors_lists_made(world->near);
  report->list_entries = neighbors_pairs(world->near)->count + neighbors_walls(world->near)->count;
  return FLOC_OK;
}

measure_source world_measure_source(floc_world *world)
{
  static const scheme unchosen = {.name = "projection", .shown = "inelastic", .exerts_contacts = true};
  return (measure_source){.env = &world->env,
                          .scratch = &world->scratch,
                          .table = &world->table,
                          .obstacles = &world->obstacles,
                          .near = world->near,
                          .box = &world->box,
                          .gravity = {world->gravity[0], world->gravity[1], world->gravity[2]},
                          .report = &world->report,
                          .assemblies = &world->assemblies,
                          .method = world->method.step ? &world->method : &unchosen,
                          .forces = world->forces,
                          .time = world_time(world),
                          .time_step = world->time_step,
                          .visit_interactions = world_visit_interactions,
                          .host = world};
}

floc_status floc_measure(floc_world *world, const char *name, double *value)
{
  WORLD_ENTER(world);
  if (!name || !value) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "name or value is NULL");
  const added_measure *added = added_measures_find(&world->added, name);
  if (added) return added_measure_value(&world->env, added, world, value);
  measure_source source = world_measure_source(world);
  arena_mark here = arena_here(&world->scratch);
  floc_status status = measure_by_name(&source, name, value);
  arena_return(&world->scratch, here);
  return status;
}

STRUCT_INIT_SIZED(measure_options, struct_zero);

floc_status floc_measure_add(floc_world *world, const floc_measure_options *options)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, measure_options, options);
  return added_measures_add(&world->env, &world->added, options);
}

floc_status floc_measure_added(floc_world *world, int32_t index, floc_measure_options *measure)
{
  WORLD_ENTER(world);
  FILL_RESULT(&world->env, measure_options, measure);
  if (index < 0 || index >= world->added.count)
    return refuse(&world->env, FLOC_NOT_FOUND, "no measure number %d was added; there are %d, counted from 0",
                  index, world->added.count);
  const added_measure *one = &world->added.measure[index];
  measure->name = one->name;
  measure->unit = one->unit;
  measure->text = one->text;
  measure->function = one->function;
  measure->context = one->context;
  return FLOC_OK;
}

floc_status floc_measure_moment(floc_world *world, const char *column, const char *weight, double about,
                                int32_t order, double *value)
{
  WORLD_ENTER(world);
  if (!column || !value) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "column or value is NULL");
  return measure_moment(&world->env, &world->table, column, weight, about, order, value);
}

/* ---- clusters ---- */

/* The pairs that a rule joins; links of the scheme are copied. */
floc_status world_joined_pairs(floc_world *world, int32_t rule, double gap, cluster_pairs *pairs)
{
  environment *env = &world->env;
  *pairs = (cluster_pairs){.env = env};
  floc_status round = world_need_round(world, "clusters");
  if (round != FLOC_OK) return round;
  if (rule == FLOC_CLUSTER_GAP) return cluster_pairs_by_gap(env, &world->table, &world->box, gap, pairs);
  if (rule != FLOC_CLUSTER_LINK)
    return refuse(env, FLOC_INVALID_ARGUMENT, "rule is %d; it must be gap (1) or link (2)", rule);
  if (!world->method.links)
    return refuse(env, FLOC_NOT_SUPPORTED, "the scheme %s has neither bonds nor links; use clusters by gap",
                  world->method.shown);
  const int32_t *first, *second;
  int64_t count;
  floc_status status = world->method.links(world->method.state, &first, &second, &count);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&pairs->pair, &pairs->capacity, 2 * (size_t)count + 2, sizeof(int32_t));
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < count; k++) {
    pairs->pair[2 * k] = first[k];
    pairs->pair[2 * k + 1] = second[k];
  }
  pairs->count = count;
  return FLOC_OK;
}

floc_status floc_clusters(floc_world *world, int32_t rule, double gap, int64_t *cluster_of,
                          floc_cluster_summary *summary)
{
  WORLD_ENTER(world);
  FILL_RESULT(&world->env, cluster_summary, summary);
  cluster_pairs pairs;
  floc_status status = world_joined_pairs(world, rule, gap, &pairs);
  if (status != FLOC_OK) return status;
  arena_reset(&world->scratch);
  int64_t *number =
      cluster_of ? cluster_of : arena_allocate(&world->scratch, (size_t)world->table.count, sizeof *number);
  status = number ? clusters_find(&world->env, &world->table, &pairs, number, summary) : FLOC_OUT_OF_MEMORY;
  cluster_pairs_free(&pairs);
  return status;
}

floc_status floc_bond_changes(floc_world *world, double gap, int64_t *made, int64_t *broken)
{
  WORLD_ENTER(world);
  if (!made || !broken) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "made or broken is NULL");
  cluster_pairs pairs;
  floc_status status = world_joined_pairs(world, FLOC_CLUSTER_GAP, gap, &pairs);
  if (status != FLOC_OK) return status;
  status = bond_watch_update(&world->env, &world->bonds, &world->table, &pairs, made, broken);
  cluster_pairs_free(&pairs);
  return status;
}

/* ---- clusters that merge and come apart (measures/merges.h) ---- */

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
