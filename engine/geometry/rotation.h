/*
 * Rotations in space as unit quaternions (w, x, y, z) and rotation vectors (axis times angle).
 */
#ifndef FLOC_GEOMETRY_ROTATION_H
#define FLOC_GEOMETRY_ROTATION_H

/* The rotation by the angle |vector| about vector. */
void rotation_from_vector(const double vector[3], double quaternion[4]);
/* The shortest rotation vector, |vector| <= pi. */
void rotation_to_vector(const double quaternion[4], double vector[3]);
/* First the rotation `first`, then `second`; normalised. */
void rotation_compose(const double second[4], const double first[4], double result[4]);
/* The rotation that leads from `from` to `to`, seen in the space in which both act. */
void rotation_between(const double from[4], const double to[4], double result[4]);
/* Rows of the matrix that does the same. */
void rotation_matrix(const double quaternion[4], double matrix[3][3]);

#endif
