/*
 * Members of rigid assemblies turn as their assembly does. See orientation.h.
 */
#include "schemes/orientation.h"

void orientation_turn_members(const rigid_assemblies *all, int32_t number, const double before[4], particles *table)
{
  const rigid_assembly *one = &all->assembly[number];
  double *column[4], turn[4];
  if (particles_orientation(table, 3, column) == 0) return;
  rotation_between(before, one->orientation, turn);
  for (int32_t k = 0; k < one->member_count; k++) {
    int64_t slot = particles_find(table, all->member[one->first_member + k].id);
    const double own[4] = {column[0][slot], column[1][slot], column[2][slot], column[3][slot]};
    double turned[4];
    rotation_compose(turn, own, turned);
    for (int c = 0; c < 4; c++) column[c][slot] = turned[c];
  }
}
