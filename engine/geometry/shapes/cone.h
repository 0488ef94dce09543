/*
 * The parts of a wall around an axis: the last parameter of the type cone_wall is their sum. See cone.c.
 */
#ifndef FLOC_GEOMETRY_SHAPES_CONE_H
#define FLOC_GEOMETRY_SHAPES_CONE_H

enum { CONE_FIRST_END = 1, CONE_SIDE = 2, CONE_SECOND_END = 4, CONE_ALL = 7 };

#endif
