/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
/* clang-format off */

/* X(name, VALUE or MAY_FAIL, what the scheme must have) */
#define MEASURES(X) \
  X(kinetic_energy, VALUE, nothing) \
  X(potential_energy, MAY_FAIL, nothing) \
  X(total_mass, VALUE, nothing) \
  X(particle_count, VALUE, nothing) \
  X(momentum_x, VALUE, nothing) \
  X(momentum_y, VALUE, nothing) \
  X(momentum_z, VALUE, nothing) \
  X(center_x, VALUE, nothing) \
  X(center_y, VALUE, nothing) \
  X(center_z, VALUE, nothing) \
  X(greatest_speed, VALUE, nothing) \
  X(gyration_radius, VALUE, nothing) \
  X(volume_fraction, VALUE, nothing) \
  X(coordination_number, MAY_FAIL, nothing) \
  X(contact_count, VALUE, exerts_contacts) \
  X(greatest_overlap, VALUE, nothing) \
  X(translational_kinetic_energy, VALUE, nothing) \
  X(rotational_kinetic_energy, VALUE, nothing) \
  X(gravitational_energy, VALUE, nothing) \
  X(law_energy, MAY_FAIL, nothing) \
  X(attraction_energy, MAY_FAIL, nothing) \
  X(contact_energy, MAY_FAIL, energies) \
  X(friction_energy, MAY_FAIL, energies) \
  X(bond_energy, MAY_FAIL, energies) \
  X(near_field_energy, MAY_FAIL, energies) \
  X(total_energy, MAY_FAIL, nothing) \
  X(critical_time_step, MAY_FAIL, critical) \
  X(long_range_energy, MAY_FAIL, nothing) \
  X(temperature, VALUE, nothing) \
  X(granular_temperature, VALUE, nothing) \
  X(rotational_temperature, VALUE, turns) \
  X(pressure, MAY_FAIL, exerts_contacts) \
  X(stress_xx, MAY_FAIL, exerts_contacts) \
  X(stress_yy, MAY_FAIL, exerts_contacts) \
  X(stress_zz, MAY_FAIL, exerts_contacts) \
  X(stress_xy, MAY_FAIL, exerts_contacts) \
  X(stress_xz, MAY_FAIL, exerts_contacts) \
  X(stress_yz, MAY_FAIL, exerts_contacts) \
  X(fabric_xx, MAY_FAIL, exerts_contacts) \
  X(fabric_yy, MAY_FAIL, exerts_contacts) \
  X(fabric_zz, MAY_FAIL, exerts_contacts) \
  X(fabric_xy, MAY_FAIL, exerts_contacts) \
  X(fabric_xz, MAY_FAIL, exerts_contacts) \
  X(fabric_yz, MAY_FAIL, exerts_contacts) \
  X(unbalanced_force_ratio, MAY_FAIL, exerts_contacts) \
  X(mean_square_displacement, MAY_FAIL, nothing)

/* X(member of scheme, why not without it) */
#define MEASURE_NEEDS(X) \
  X(energies, "contacts of the scheme %s store no energy; those of discrete_element do") \
  X(critical, "contacts of the scheme %s are hard and limit no time step; those of discrete_element do") \
  X(exerts_contacts, "contacts of the scheme %s store no impulses of a step") \
  X(turns, "particles do not rotate in the scheme %s as it is set; rotation = true of inelastic, gluey and discrete_element lets them")

/* What tables of observables know besides. */
#define MEASURE_COLUMNS "step", "time", "time_step", "contacts", "iterations", "residual", "overlap"
