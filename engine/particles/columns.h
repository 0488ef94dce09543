/*
 * The built-in columns of the particle table, declared once. Allocation, checkpoints, access by name,
 * export and the manual are made from this list. X(name, stage, unit, description).
 */
#ifndef FLOC_PARTICLES_COLUMNS_H
#define FLOC_PARTICLES_COLUMNS_H

#define PARTICLE_COLUMNS(X)                                                                                        \
  X(x, "positions", "length", "position")                                                                          \
  X(y, "positions", "length", "position")                                                                          \
  X(z, "positions", "length", "position; 0 in two dimensions")                                                     \
  X(vx, "projection", "length/time", "velocity")                                                                   \
  X(vy, "projection", "length/time", "velocity")                                                                   \
  X(vz, "projection", "length/time", "velocity; 0 in two dimensions")                                              \
  X(fx, "laws", "mass length/time^2", "force of fields and laws; of soft contacts as well; without gravity")       \
  X(fy, "laws", "mass length/time^2", "force")                                                                     \
  X(fz, "laws", "mass length/time^2", "force; 0 in two dimensions")                                                \
  X(radius, "set-up", "length", "radius, > 0")                                                                     \
  X(mass, "set-up", "mass", "mass, > 0")

#endif
