/*
 * All types of shapes, in the order of floc_shape_kind, which begins at 1. A new one: X(name), for `shape_name` in
 * name.c (both cones are in cone.c).
 */
#define SHAPE_TYPES(X)                                                                                             \
  X(plane)                                                                                                         \
  X(segment)                                                                                                       \
  X(sphere)                                                                                                        \
  X(hollow)                                                                                                        \
  X(triangle)                                                                                                      \
  X(torus)                                                                                                         \
  X(cone)                                                                                                          \
  X(cone_wall)
