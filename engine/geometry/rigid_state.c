/*
 * Assemblies in checkpoints: one table of assemblies, one of members. A world without assemblies lists
 * nothing, so its files and its hash are those of a world that has never heard of them.
 */
#include "geometry/rigid.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { ASSEMBLY_COLUMNS = 23, MEMBER_COLUMNS = 4 };

static const char ASSEMBLIES[] = "assemblies.state"; /* members, mass, inertia, position, orientation, angle, ... */
static const char MEMBERS[] = "assemblies.members";  /* id, local */

static double *copy_row(double *to, const double *from, int count)
{
  memcpy(to, from, (size_t)count * sizeof *to);
  return to + count;
}

static void write_assembly(const rigid_assembly *one, double *row)
{
  *row++ = (double)one->member_count;
  *row++ = one->mass;
  row = copy_row(row, one->inertia, 6);
  row = copy_row(row, one->position, 3);
  row = copy_row(row, one->orientation, 4);
  *row++ = one->angle;
  row = copy_row(row, one->velocity, 3);
  row = copy_row(row, one->angular_velocity, 3);
  *row = 0.0;
}

floc_status rigid_sections(rigid_assemblies *all, section_list *list)
{
  if (all->count == 0) return FLOC_OK;
  size_t rows = (size_t)all->count * ASSEMBLY_COLUMNS, members = (size_t)all->member_count * MEMBER_COLUMNS;
  floc_status status =
      array_reserve(all->env, (void **)&all->staging, &all->staging_capacity, rows + members, sizeof *all->staging);
  if (status != FLOC_OK) return status;
  for (int32_t k = 0; k < all->count; k++) write_assembly(&all->assembly[k], all->staging + ASSEMBLY_COLUMNS * k);
  for (int64_t m = 0; m < all->member_count; m++) {
    double *row = all->staging + rows + MEMBER_COLUMNS * m;
    row[0] = (double)all->member[m].id;
    memcpy(row + 1, all->member[m].local, sizeof all->member[m].local);
  }
  status = section_list_add(list, ASSEMBLIES, "f64", (uint64_t)all->count, ASSEMBLY_COLUMNS, all->staging, true);
  if (status == FLOC_OK)
    status = section_list_add(list, MEMBERS, "f64", (uint64_t)all->member_count, MEMBER_COLUMNS,
                              all->staging + rows, true);
  return status;
}

static const double *read_row(const double *from, double *to, int count)
{
  memcpy(to, from, (size_t)count * sizeof *to);
  return from + count;
}

static void read_assembly(rigid_assembly *one, const double *row)
{
  one->member_count = (int32_t)*row++;
  one->mass = *row++;
  row = read_row(row, one->inertia, 6);
  row = read_row(row, one->position, 3);
  row = read_row(row, one->orientation, 4);
  one->angle = *row++;
  row = read_row(row, one->velocity, 3);
  read_row(row, one->angular_velocity, 3);
}

/* Where columns begin. */
enum { COUNT_AT = 0, MASS_AT = 1, INERTIA_AT = 2, ORIENTATION_AT = 11 };

static bool is_whole(double value)
{
  return value == floor(value);
}

static bool is_turn(const double q[4])
{
  double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return square > 0.5 && square < 2.0;
}

static floc_status check_ranges(environment *env, const section *assemblies, const section *members,
                                int64_t particle_count)
{
  const number_range count = {1.0, (double)particle_count, false};
  floc_status status = section_check_numbers(env, assemblies, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = section_check_numbers(env, members, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = section_check_numbers(env, assemblies, COUNT_AT, 1, count);
  if (status == FLOC_OK) status = section_check_numbers(env, assemblies, MASS_AT, 1, NUMBERS_ABOVE_0);
  if (status == FLOC_OK) status = section_check_numbers(env, assemblies, INERTIA_AT, 3, NUMBERS_FROM_0);
  return status == FLOC_OK ? section_check_numbers(env, members, 0, 1, count) : status;
}

static floc_status check_tables(environment *env, const section *assemblies, const section *members,
                                int64_t particle_count)
{
  const double *row = assemblies->data, *member = members->data;
  double sum = 0.0;
  bool fits = assemblies->rows <= INT32_MAX && members->rows <= (uint64_t)particle_count;
  if (fits) {
    floc_status status = check_ranges(env, assemblies, members, particle_count);
    if (status != FLOC_OK) return status;
  }
  for (uint64_t k = 0; k < assemblies->rows && fits; k++, row += ASSEMBLY_COLUMNS) {
    fits = is_whole(row[COUNT_AT]) && is_turn(&row[ORIENTATION_AT]);
    sum += row[COUNT_AT];
  }
  for (uint64_t m = 0; m < members->rows && fits; m++) fits = is_whole(member[MEMBER_COLUMNS * m]);
  if (fits && sum == (double)members->rows) return FLOC_OK;
  return refuse(env, FLOC_DAMAGED_FILE, "the tables of assemblies and of their members contradict each other");
}

floc_status rigid_restore(rigid_assemblies *all, const section_list *list, int64_t particle_count)
{
  if (!section_find(list, ASSEMBLIES)) {
    if (all->owner) memset(all->owner, 0, all->owner_capacity * sizeof *all->owner);
    all->count = 0;
    all->member_count = 0;
    return FLOC_OK;
  }
  const section *assemblies, *members;
  floc_status status = section_expect(list, ASSEMBLIES, "f64", UINT64_MAX, ASSEMBLY_COLUMNS, &assemblies);
  if (status == FLOC_OK) status = section_expect(list, MEMBERS, "f64", UINT64_MAX, MEMBER_COLUMNS, &members);
  if (status == FLOC_OK) status = check_tables(all->env, assemblies, members, particle_count);
  if (status == FLOC_OK)
    status =
        array_reserve(all->env, (void **)&all->assembly, &all->capacity, assemblies->rows, sizeof *all->assembly);
  if (status == FLOC_OK)
    status =
        array_reserve(all->env, (void **)&all->member, &all->member_capacity, members->rows, sizeof *all->member);
  if (status == FLOC_OK) status = rigid_reserve_owners(all, particle_count);
  if (status != FLOC_OK) return status;
  memset(all->owner, 0, all->owner_capacity * sizeof *all->owner);
  const double *row = assemblies->data, *member = members->data;
  int64_t first = 0;
  for (uint64_t k = 0; k < assemblies->rows; k++) {
    all->assembly[k] = (rigid_assembly){.first_member = first};
    read_assembly(&all->assembly[k], row + ASSEMBLY_COLUMNS * k);
    for (int64_t m = first; m < first + all->assembly[k].member_count; m++) {
      int32_t *owner = &all->owner[(int64_t)member[MEMBER_COLUMNS * m] - 1];
      if (*owner != 0)
        return refuse(all->env, FLOC_DAMAGED_FILE, "section \"%s\": row %" PRId64 " names particle %g twice",
                      MEMBERS, m, member[MEMBER_COLUMNS * m]);
      *owner = (int32_t)k + 1;
    }
    first += all->assembly[k].member_count;
  }
  for (uint64_t m = 0; m < members->rows; m++) {
    all->member[m].id = (int64_t)member[MEMBER_COLUMNS * m];
    memcpy(all->member[m].local, member + MEMBER_COLUMNS * m + 1, sizeof all->member[m].local);
  }
  all->count = (int32_t)assemblies->rows;
  all->member_count = (int64_t)members->rows;
  return FLOC_OK;
}
