/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
/* clang-format off */

/* X(name, does it change while particles move) */
#define PARTICLE_COLUMNS(X) \
  X(x, true) \
  X(y, true) \
  X(z, true) \
  X(vx, true) \
  X(vy, true) \
  X(vz, true) \
  X(fx, false) \
  X(fy, false) \
  X(fz, false) \
  X(radius, false) \
  X(mass, false)

/* X(name, former name or NULL, moves, is computed again in every step) */
#define OPTIONAL_COLUMNS(X) \
  X(wx, "angular_velocity_x", true, false) \
  X(wy, "angular_velocity_y", true, false) \
  X(wz, "angular_velocity_z", true, false) \
  X(tx, NULL, false, true) \
  X(ty, NULL, false, true) \
  X(tz, NULL, false, true) \
  X(angle, NULL, true, false) \
  X(inertia, NULL, false, false) \
  X(material, NULL, false, false) \
  X(qw, NULL, true, false) \
  X(qx, NULL, true, false) \
  X(qy, NULL, true, false) \
  X(qz, NULL, true, false) \
  X(displacement_x, NULL, true, false) \
  X(displacement_y, NULL, true, false) \
  X(displacement_z, NULL, true, false) \
  X(shape, NULL, false, false) \
  X(rounding, NULL, false, false) \
  X(radius_rate, NULL, false, false) \
  X(rounding_rate, NULL, false, false)
