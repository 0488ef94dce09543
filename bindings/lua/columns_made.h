/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
/* clang-format off */

/* Three columns that are a vector, behind its name. */
#define COLUMN_VECTORS \
  {"position", "x", "y", "z"}, \
  {"velocity", "vx", "vy", "vz"}, \
  {"force", "fx", "fy", "fz"}

/* Those whose values are above 0. */
#define COLUMNS_ABOVE_0 "radius", "mass"
