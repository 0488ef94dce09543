/*
 * The border: every number of a scene is looked at before anything is drawn, so that the rest of the
 * folder may take them for granted. Messages name the argument, its value and what it may be.
 */
#include "draw/colour.h"
#include "draw/options.h"
#include "view.h"

#include <math.h>

static const char *panel_name(int32_t number, char buffer[32])
{
  if (number > 0)
    snprintf(buffer, 32, "panel %d: ", number);
  else
    buffer[0] = 0;
  return buffer;
}

static floc_status check_particles(const picture_report *report, const picture_scene *scene, const char *where)
{
  int64_t count = scene->particle_count;
  bool solid = scene->dimension == 3;
  if (count > 0 && (!scene->x || !scene->y || !scene->radius || (solid && !scene->z)))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%s%s is NULL; it must point at particle_count numbers",
                          where,
                          !scene->x        ? "x"
                          : !scene->y      ? "y"
                          : !scene->radius ? "radius"
                                           : "z");
  for (int64_t k = 0; k < count; k++) {
    double z = solid ? scene->z[k] : 0.0;
    if (!isfinite(scene->x[k]) || !isfinite(scene->y[k]) || !isfinite(z))
      return picture_refuse(report, FLOC_NOT_A_NUMBER,
                            "%sparticle %lld of %lld is at (%g, %g, %g); it must be finite", where,
                            (long long)k + 1, (long long)count, scene->x[k], scene->y[k], z);
    if (!(scene->radius[k] >= 0.0) || isinf(scene->radius[k]))
      return picture_refuse(report, isnan(scene->radius[k]) ? FLOC_NOT_A_NUMBER : FLOC_INVALID_ARGUMENT,
                            "%sradius of particle %lld of %lld is %g; it must be finite and 0 or more", where,
                            (long long)k + 1, (long long)count, scene->radius[k]);
  }
  return FLOC_OK;
}

static int points_of(int32_t kind)
{
  return kind == FLOC_SHAPE_TRIANGLE ? 3 : kind == FLOC_SHAPE_PLANE || kind == FLOC_SHAPE_SEGMENT ? 2 : 1;
}

static floc_status check_shapes(const picture_report *report, const picture_scene *scene, const char *where)
{
  if (scene->shape_count > 0 && !scene->shapes)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%sshapes is NULL; it must point at shape_count shapes",
                          where);
  for (int64_t k = 0; k < scene->shape_count; k++) {
    const floc_shape *shape = &scene->shapes[k];
    if (shape->kind < FLOC_SHAPE_PLANE || shape->kind > FLOC_SHAPE_TRIANGLE)
      return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                            "%skind of shape %lld is %d; it must be a floc_shape_kind", where, (long long)k + 1,
                            shape->kind);
    bool finite = isfinite(shape->radius) && shape->radius >= 0.0;
    for (int p = 0; p < points_of(shape->kind); p++)
      for (int c = 0; c < scene->dimension; c++) finite = finite && isfinite(shape->points[p][c]);
    if (!finite)
      return picture_refuse(report, FLOC_NOT_A_NUMBER,
                            "%sshape %lld of %lld has a point or radius that is not finite", where,
                            (long long)k + 1, (long long)scene->shape_count);
  }
  return FLOC_OK;
}

static floc_status check_lines(const picture_report *report, const picture_lines *lines, int32_t dimension,
                               const char *where, const char *what)
{
  if (lines->count > 0 && !lines->points)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%s%s.points is NULL; it must point at count pairs", where,
                          what);
  for (int64_t k = 0; k < 2 * lines->count; k++)
    for (int c = 0; c < dimension; c++)
      if (!isfinite(lines->points[3 * k + c]))
        return picture_refuse(report, FLOC_NOT_A_NUMBER, "%s%s: end %lld of line %lld has a coordinate that is %g",
                              where, what, (long long)(k % 2) + 1, (long long)(k / 2) + 1,
                              lines->points[3 * k + c]);
  return FLOC_OK;
}

static floc_status check_field(const picture_report *report, const picture_scene *scene, const char *where)
{
  const picture_field *field = &scene->field;
  if (field->cells_x == 0 && field->cells_y == 0) return FLOC_OK;
  if (scene->dimension != 2)
    return picture_refuse(report, FLOC_NOT_SUPPORTED,
                          "%sfield is given for a scene of %d dimensions; fields are drawn in 2", where,
                          scene->dimension);
  if (field->cells_x == 0 || field->cells_y == 0 || !field->value)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                          "%sfield has %d cells by %d and %s; it must have 1 or more, and point at their numbers",
                          where, field->cells_x, field->cells_y, field->value ? "a value" : "value NULL");
  for (int c = 0; c < 2; c++)
    if (!isfinite(field->lower[c]) || !(field->spacing[c] > 0.0) || isinf(field->spacing[c]))
      return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                            "%sfield.lower[%d] is %g and spacing[%d] %g; they must be finite, and spacing above 0",
                            where, c, field->lower[c], c, field->spacing[c]);
  return FLOC_OK;
}

static floc_status check_view(const picture_report *report, const picture_scene *scene, const char *where)
{
  const picture_view *view = &scene->view;
  for (int c = 0; c < scene->dimension; c++) {
    if (view->lower[c] >= view->upper[c])
      return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                            "%sview.lower[%d] is %g; it must be below upper, which is %g", where, c, view->lower[c],
                            view->upper[c]);
  }
  double axis[3][3];
  if (scene->dimension == 3 && !view_axes(view, axis))
    return picture_refuse(
        report, FLOC_INVALID_ARGUMENT,
        "%sview.up is (%g, %g, %g) and view.direction (%g, %g, %g); they must be finite, not 0 and not "
        "parallel",
        where, view->up[0], view->up[1], view->up[2], view->direction[0], view->direction[1], view->direction[2]);
  return FLOC_OK;
}

static floc_status check_domain(const picture_report *report, const picture_scene *scene, const char *where)
{
  for (int c = 0; c < scene->dimension; c++) {
    if (scene->boundary[c] == FLOC_BOUNDARY_OPEN) continue;
    double length = scene->domain_upper[c] - scene->domain_lower[c];
    if (!(length > 0.0) || isinf(length))
      return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                            "%sdomain_lower[%d] is %g; it must be finite and below domain_upper, which is %g",
                            where, c, scene->domain_lower[c], scene->domain_upper[c]);
  }
  if (scene->domain_offset == 0.0) return FLOC_OK;
  for (int c = 0; c < scene->dimension; c++) {
    if (scene->boundary[c] == FLOC_BOUNDARY_OPEN && (scene->shear_plane / 2 == c || scene->dimension == 2))
      return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                            "%sdomain_offset is %g, but boundary[%d] is open; a skew cell is periodic", where,
                            scene->domain_offset, c);
  }
  if (scene->dimension == 2 && scene->shear_plane != FLOC_SHEAR_PLANE_XY &&
      scene->shear_plane != FLOC_SHEAR_PLANE_YX)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                          "%sshear_plane is %d; in two dimensions it must be xy or yx", where, scene->shear_plane);
  return FLOC_OK;
}

/* where and what it is of: "panel 2: tubes." */
static floc_status check_options_of(const picture_report *report, const char *where, const char *what,
                                    const option_rows *rows, const void *options)
{
  char name[64];
  snprintf(name, sizeof name, "%s%s", where, what);
  return options_check(report, name, rows, options);
}

static floc_status check_scale(const picture_report *report, const picture_scale *scale, const char *where,
                               const char *what)
{
  char name[64];
  snprintf(name, sizeof name, "%s%s", where, what);
  return scale_check(report, scale, name);
}

/* Ranges; rules between members are checked after it. */
static floc_status check_ranges(const picture_report *report, const picture_scene *scene, const char *where)
{
  floc_status status = options_check(report, where, &options_of_picture_scene, scene);
  if (status == FLOC_OK) status = check_options_of(report, where, "view.", &options_of_picture_view, &scene->view);
  if (status == FLOC_OK)
    status = check_options_of(report, where, "tubes.", &options_of_picture_lines, &scene->tubes);
  if (status == FLOC_OK)
    status = check_options_of(report, where, "lines.", &options_of_picture_lines, &scene->lines);
  if (status == FLOC_OK)
    status = check_options_of(report, where, "field.", &options_of_picture_field, &scene->field);
  return status;
}

floc_status scene_check(const picture_report *report, const picture_scene *scene, int32_t number)
{
  char buffer[32];
  const char *where = panel_name(number, buffer);
  floc_status status = check_ranges(report, scene, where);
  if (status == FLOC_OK) status = check_particles(report, scene, where);
  if (status == FLOC_OK) status = check_shapes(report, scene, where);
  if (status == FLOC_OK) status = check_lines(report, &scene->tubes, scene->dimension, where, "tubes");
  if (status == FLOC_OK) status = check_lines(report, &scene->lines, scene->dimension, where, "lines");
  if (status == FLOC_OK) status = check_field(report, scene, where);
  if (status == FLOC_OK) status = check_view(report, scene, where);
  if (status == FLOC_OK) status = check_domain(report, scene, where);
  if (status == FLOC_OK) status = check_scale(report, &scene->scale, where, "scale");
  if (status == FLOC_OK) status = check_scale(report, &scene->tubes.scale, where, "tubes.scale");
  if (status == FLOC_OK) status = check_scale(report, &scene->lines.scale, where, "lines.scale");
  if (status == FLOC_OK) status = check_scale(report, &scene->field.scale, where, "field.scale");
  return status;
}
