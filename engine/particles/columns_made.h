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
