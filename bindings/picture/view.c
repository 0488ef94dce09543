/*
 * The window of a scene.
 *
 * Automatic windows must survive strays: three grains that fell past the container and dropped for an
 * hour would make all others a dot. Where the full range of an axis is more than four times the range
 * of the middle 99 % of particles (together with all bodies), the smaller one is taken and the picture
 * says how many are outside. The quantiles come from at most 20,000 particles at equal steps. Bodies are shown
 * wherever they stand, but a shape that moves (a gate that was opened and flies on) may be a stray as well: if the
 * gap between it and all others is more than four times the size of either.
 */
#include "view.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 20000, LEAST_FOR_QUANTILES = 100 };

static const double stray_factor = 4.0, margin = 0.03;

/* ---- the camera ------------------------------------------------------------------------------------ */

static void cross_product(const double a[3], const double b[3], double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Makes a vector one long; false if it has no direction. Scaled first, so that neither tiny nor huge ones
 * over- or underflow. */
static bool normalise(double v[3])
{
  double greatest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
  if (!(greatest > 0.0) || isinf(greatest) || isnan(v[0] + v[1] + v[2])) return false;
  for (int k = 0; k < 3; k++) v[k] /= greatest;
  double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int k = 0; k < 3; k++) v[k] /= length;
  return true;
}

bool view_axes(const picture_view *view, double axis[3][3])
{
  for (int k = 0; k < 3; k++) axis[2][k] = -view->direction[k];
  double up[3] = {view->up[0], view->up[1], view->up[2]};
  if (!normalise(axis[2]) || !normalise(up)) return false;
  cross_product(up, axis[2], axis[0]);
  double sine = sqrt(axis[0][0] * axis[0][0] + axis[0][1] * axis[0][1] + axis[0][2] * axis[0][2]);
  if (sine < 1e-6 || !normalise(axis[0])) return false;
  cross_product(axis[2], axis[0], axis[1]);
  return true;
}

/* ---- boxes in space -------------------------------------------------------------------------------- */

typedef struct box {
  double lower[3], upper[3];
} box;

static const box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void box_add(box *all, const double point[3], double radius)
{
  for (int c = 0; c < 3; c++) {
    all->lower[c] = fmin(all->lower[c], point[c] - radius);
    all->upper[c] = fmax(all->upper[c], point[c] + radius);
  }
}

static bool is_empty(const box *all)
{
  return !(all->lower[0] <= all->upper[0]);
}

static void position_of(const picture_scene *scene, int64_t k, double out[3])
{
  out[0] = scene->x[k];
  out[1] = scene->y[k];
  out[2] = scene->dimension == 3 ? scene->z[k] : 0.0;
}

static void shape_point(const picture_scene *scene, const floc_shape *shape, int p, double out[3])
{
  for (int c = 0; c < 3; c++) out[c] = c < scene->dimension ? shape->points[p][c] : 0.0;
}

static int finite_points(int32_t kind)
{
  return kind == FLOC_SHAPE_TRIANGLE ? 3 : kind == FLOC_SHAPE_SEGMENT ? 2 : kind == FLOC_SHAPE_PLANE ? 0 : 1;
}

void view_skew(const picture_scene *scene, double point[3])
{
  if (scene->domain_offset == 0.0) return;
  const int along = scene->shear_plane / 2, other = scene->shear_plane % 2; /* xy, xz, yx, yz, zx, zy */
  const int up = other + (other >= along);
  const double length = scene->domain_upper[up] - scene->domain_lower[up];
  point[along] += scene->domain_offset * (point[up] - scene->domain_lower[up]) / length;
}

static void add_domain(const picture_scene *scene, box *all)
{
  const double *const ends[2] = {scene->domain_lower, scene->domain_upper};
  for (int corner = 0; corner < 8; corner++) {
    double point[3];
    for (int c = 0; c < 3; c++) point[c] = ends[corner >> c & 1][c];
    view_skew(scene, point);
    for (int c = 0; c < scene->dimension; c++) {
      if (scene->boundary[c] == FLOC_BOUNDARY_OPEN) continue;
      all->lower[c] = fmin(all->lower[c], point[c]);
      all->upper[c] = fmax(all->upper[c], point[c]);
    }
  }
}

static void box_join(box *all, const box *other)
{
  for (int c = 0; c < 3; c++) {
    all->lower[c] = fmin(all->lower[c], other->lower[c]);
    all->upper[c] = fmax(all->upper[c], other->upper[c]);
  }
}

static box box_of_shape(const picture_scene *scene, int64_t k)
{
  box all = empty_box;
  for (int p = 0; p < finite_points(scene->shapes[k].kind); p++) {
    double point[3];
    shape_point(scene, &scene->shapes[k], p, point);
    box_add(&all, point, scene->shapes[k].radius);
  }
  return all;
}

/* The shapes of bodies that stand (or move), and the domain with those that stand. */
static box box_of_bodies(const picture_scene *scene, bool moving)
{
  box all = empty_box;
  for (int64_t k = 0; k < scene->shape_count; k++) {
    box one = box_of_shape(scene, k);
    if (moving == (scene->shape_moves && scene->shape_moves[k])) box_join(&all, &one);
  }
  if (!moving) add_domain(scene, &all);
  return all;
}

static double longest_side(const box *all)
{
  double longest = 0.0;
  for (int c = 0; c < 3; c++) longest = fmax(longest, all->upper[c] - all->lower[c]);
  return longest;
}

/* The greatest gap along an axis between two boxes; 0 where they meet. Axes on which one has no range do not count.
 */
static double gap_between(const box *a, const box *b)
{
  double gap = 0.0;
  for (int c = 0; c < 3; c++)
    if (a->lower[c] <= a->upper[c] && b->lower[c] <= b->upper[c])
      gap = fmax(gap, fmax(a->lower[c] - b->upper[c], b->lower[c] - a->upper[c]));
  return gap;
}

/* The moving shapes that are near to `rest`, or to such a one; all of them where there is no rest. */
static box box_of_moving(const picture_scene *scene, const box *rest)
{
  box others = box_of_bodies(scene, true), near = empty_box, all = *rest;
  if (is_empty(&others) || is_empty(rest)) return others;
  for (bool grown = true; grown;) {
    double before = longest_side(&all);
    for (int64_t k = 0; k < scene->shape_count; k++) {
      box one = box_of_shape(scene, k);
      double size = fmax(longest_side(&all), longest_side(&one));
      if (!scene->shape_moves[k] || is_empty(&one) || gap_between(&all, &one) > stray_factor * size) continue;
      box_join(&near, &one);
      box_join(&all, &one);
    }
    grown = longest_side(&all) > before;
  }
  return near;
}

static box box_of_lines(const picture_scene *scene, const picture_lines *lines)
{
  box all = empty_box;
  for (int64_t k = 0; k < 2 * lines->count; k++) {
    const double *end = lines->points + 3 * k;
    double point[3] = {end[0], end[1], scene->dimension == 3 ? end[2] : 0.0};
    box_add(&all, point, 0.0);
  }
  return all;
}

/* ---- particles and their quantiles ----------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
  double first = *(const double *)a, second = *(const double *)b;
  return (first > second) - (first < second);
}

/* Sorts the sampled numbers of a column; returns how many. */
static int64_t sort_sample(const double *column, int64_t count, double *sample)
{
  int64_t step = (count + SAMPLE - 1) / SAMPLE, taken = 0;
  for (int64_t k = 0; k < count; k += step) sample[taken++] = column[k];
  qsort(sample, (size_t)taken, sizeof *sample, compare_doubles);
  return taken;
}

/* The range of an axis without strays. */
static void trim_axis(const double *column, int64_t count, double radius, double *sample, double *lower,
                      double *upper)
{
  int64_t taken = sort_sample(column, count, sample);
  int64_t cut = (taken + 199) / 200;
  *lower = sample[cut] - radius;
  *upper = sample[taken - 1 - cut] + radius;
}

static double union_length(double lower, double upper, double other_lower, double other_upper)
{
  return fmax(upper, other_upper) - fmin(lower, other_lower);
}

/* Replaces the particles' range by the middle 99 % on axes where strays make it far longer. */
static void leave_out_strays(const picture_scene *scene, const box *bodies, double radius, double *sample, box *all,
                             bool *trimmed)
{
  const double *column[3] = {scene->x, scene->y, scene->z};
  for (int c = 0; c < scene->dimension; c++) {
    double lower, upper;
    trim_axis(column[c], scene->particle_count, radius, sample, &lower, &upper);
    double full = union_length(all->lower[c], all->upper[c], bodies->lower[c], bodies->upper[c]);
    double middle = union_length(lower, upper, bodies->lower[c], bodies->upper[c]);
    if (!(middle > 0.0) || full <= stray_factor * middle) continue;
    all->lower[c] = lower - 0.02 * (upper - lower);
    all->upper[c] = upper + 0.02 * (upper - lower);
    *trimmed = true;
  }
}

static floc_status box_of_particles(const picture_report *report, const picture_scene *scene, const box *bodies,
                                    view_frame *frame, box *all, bool *trimmed)
{
  *all = empty_box;
  *trimmed = false;
  if (scene->particle_count == 0) return FLOC_OK;
  for (int64_t k = 0; k < scene->particle_count; k++) {
    double point[3];
    position_of(scene, k, point);
    box_add(all, point, scene->radius[k]);
  }
  double *sample = picture_allocate(SAMPLE + 1, sizeof *sample);
  if (!sample) return picture_out_of_memory(report, SAMPLE * sizeof *sample);
  int64_t taken = sort_sample(scene->radius, scene->particle_count, sample);
  frame->median_radius = sample[taken / 2];
  double greatest = sample[taken - 1];
  if (scene->particle_count >= LEAST_FOR_QUANTILES) leave_out_strays(scene, bodies, greatest, sample, all, trimmed);
  free(sample);
  return FLOC_OK;
}

/* ---- putting the box together ---------------------------------------------------------------------- */

/* Lines may enlarge the window by half its greatest length on each side: a ray that left for the far
 * distance is followed only so far. */
static void join_lines(box *all, const box *lines)
{
  if (is_empty(all)) {
    *all = *lines;
    return;
  }
  double longest = 0.0;
  for (int c = 0; c < 3; c++) longest = fmax(longest, all->upper[c] - all->lower[c]);
  for (int c = 0; c < 3; c++) {
    all->lower[c] = fmin(all->lower[c], fmax(lines->lower[c], all->lower[c] - 0.5 * longest));
    all->upper[c] = fmax(all->upper[c], fmin(lines->upper[c], all->upper[c] + 0.5 * longest));
  }
}

/* Planes are without end and do not make the window, but one that is near (a floor just below the grains)
 * is taken into it, at the point nearest to the middle. */
static void join_planes(const picture_scene *scene, box *all)
{
  double longest = 0.0, middle[3];
  for (int c = 0; c < scene->dimension; c++) longest = fmax(longest, all->upper[c] - all->lower[c]);
  for (int c = 0; c < 3; c++) middle[c] = 0.5 * all->lower[c] + 0.5 * all->upper[c];
  box grown = *all;
  for (int64_t k = 0; k < scene->shape_count; k++) {
    double point[3], normal[3], distance = 0.0;
    if (scene->shapes[k].kind != FLOC_SHAPE_PLANE) continue;
    shape_point(scene, &scene->shapes[k], 0, point);
    shape_point(scene, &scene->shapes[k], 1, normal);
    if (!normalise(normal)) continue;
    for (int c = 0; c < 3; c++) distance += (middle[c] - point[c]) * normal[c];
    for (int c = 0; c < 3; c++) point[c] = middle[c] - distance * normal[c];
    bool near = true;
    for (int c = 0; c < scene->dimension; c++)
      near = near && point[c] > all->lower[c] - 0.4 * longest && point[c] < all->upper[c] + 0.4 * longest;
    if (near) box_add(&grown, point, 0.0);
  }
  *all = grown;
}

/* A scene without anything of finite size: around its planes, or around 0. */
static void box_of_nothing(const picture_scene *scene, box *all)
{
  for (int64_t k = 0; k < scene->shape_count; k++) {
    double point[3];
    shape_point(scene, &scene->shapes[k], 0, point);
    box_add(all, point, 1.0);
  }
  double origin[3] = {0.0, 0.0, 0.0};
  if (is_empty(all)) box_add(all, origin, 1.0);
}

/* Axes without extent (or a domain that is closed on another axis only) get one that fits the others, and
 * at least one that doubles can resolve so far from the origin. */
static void give_extent(const view_frame *frame, const picture_scene *scene, box *all)
{
  double longest = 0.0;
  for (int c = 0; c < 3; c++) {
    if (all->lower[c] > all->upper[c]) all->lower[c] = all->upper[c] = 0.0;
    longest = fmax(longest, all->upper[c] - all->lower[c]);
  }
  double least = longest > 0.0 ? 0.02 * longest : 2.0;
  if (scene->particle_count == 1 && scene->shape_count == 0) least = fmax(least, 6.0 * frame->median_radius);
  for (int c = 0; c < 3; c++) {
    double middle = 0.5 * all->lower[c] + 0.5 * all->upper[c],
           length = fmax(least, 16.0 * DBL_EPSILON * fabs(middle));
    if (all->upper[c] - all->lower[c] >= length) continue;
    all->lower[c] = middle - 0.5 * length;
    all->upper[c] = middle + 0.5 * length;
  }
}

/* Takes over what the user gave and adds a margin to the rest. Returns how many ends were given. */
static int apply_window(const picture_view *view, int32_t dimension, box *all)
{
  int given = 0;
  for (int c = 0; c < dimension; c++) {
    double length = all->upper[c] - all->lower[c];
    all->lower[c] = isnan(view->lower[c]) ? all->lower[c] - margin * length : view->lower[c];
    all->upper[c] = isnan(view->upper[c]) ? all->upper[c] + margin * length : view->upper[c];
    if (!(all->lower[c] < all->upper[c])) { /* the end that was given is beyond the data */
      if (isnan(view->upper[c]))
        all->upper[c] = all->lower[c] + length;
      else
        all->lower[c] = all->upper[c] - length;
    }
    given += !isnan(view->lower[c]) + !isnan(view->upper[c]);
  }
  return given;
}

/* ---- what the camera must see ---------------------------------------------------------------------- */

static double along(const double axis[3], const double point[3], const double middle[3])
{
  return axis[0] * (point[0] - middle[0]) + axis[1] * (point[1] - middle[1]) + axis[2] * (point[2] - middle[2]);
}

typedef struct extent {
  double lower[2], upper[2]; /* along the picture's right and up, from frame->middle */
} extent;

static void extent_add(const view_frame *frame, extent *seen, const double point[3], double radius)
{
  for (int c = 0; c < 2; c++) {
    double place = along(frame->axis[c], point, frame->middle);
    seen->lower[c] = fmin(seen->lower[c], place - radius);
    seen->upper[c] = fmax(seen->upper[c], place + radius);
  }
}

static void extent_add_box(const view_frame *frame, extent *seen, const double lower[3], const double upper[3])
{
  for (int corner = 0; corner < 8; corner++) {
    double point[3];
    for (int c = 0; c < 3; c++) point[c] = corner >> c & 1 ? upper[c] : lower[c];
    extent_add(frame, seen, point, 0.0);
  }
}

static void extent_of_contents(const picture_scene *scene, const view_frame *frame, extent *seen)
{
  for (int64_t k = 0; k < scene->particle_count; k++) {
    double point[3];
    position_of(scene, k, point);
    if (view_shows(frame, point[0], point[1], point[2])) extent_add(frame, seen, point, scene->radius[k]);
  }
  for (int64_t k = 0; k < scene->shape_count; k++) {
    box one = box_of_shape(scene, k), window;
    memcpy(window.lower, frame->lower, sizeof window.lower);
    memcpy(window.upper, frame->upper, sizeof window.upper);
    if (scene->shape_moves && scene->shape_moves[k] && gap_between(&window, &one) > 0.0) continue; /* a stray */
    for (int p = 0; p < finite_points(scene->shapes[k].kind); p++) {
      double point[3];
      shape_point(scene, &scene->shapes[k], p, point);
      extent_add(frame, seen, point, scene->shapes[k].radius);
    }
  }
  box lines = box_of_lines(scene, &scene->lines), domain = empty_box;
  for (int c = 0; c < 3 && !is_empty(&lines); c++) { /* no farther than the box */
    lines.lower[c] = fmax(lines.lower[c], frame->lower[c]);
    lines.upper[c] = fmin(lines.upper[c], frame->upper[c]);
  }
  if (!is_empty(&lines)) extent_add_box(frame, seen, lines.lower, lines.upper);
  add_domain(scene, &domain);
  bool closed = !is_empty(&domain) && domain.lower[1] <= domain.upper[1] && domain.lower[2] <= domain.upper[2];
  if (closed) extent_add_box(frame, seen, domain.lower, domain.upper);
}

/* 3-D: the middle of the picture and half its sides. */
static void frame_camera(const picture_scene *scene, bool whole_box, view_frame *frame)
{
  extent seen = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  if (!whole_box) extent_of_contents(scene, frame, &seen);
  if (whole_box || !(seen.lower[0] < seen.upper[0]) || !(seen.lower[1] < seen.upper[1]))
    extent_add_box(frame, &seen, frame->lower, frame->upper);
  for (int c = 0; c < 2; c++)
    for (int k = 0; k < 3; k++) frame->middle[k] += 0.5 * (seen.lower[c] + seen.upper[c]) * frame->axis[c][k];
  frame->half_width = 0.5 * (seen.upper[0] - seen.lower[0]) * (1.0 + 2.0 * margin);
  frame->half_height = 0.5 * (seen.upper[1] - seen.lower[1]) * (1.0 + 2.0 * margin);
}

static void count_outside(const picture_scene *scene, view_frame *frame)
{
  for (int64_t k = 0; k < scene->particle_count; k++) {
    double point[3];
    position_of(scene, k, point);
    bool inside = true;
    for (int c = 0; c < scene->dimension; c++)
      inside = inside && point[c] >= frame->lower[c] && point[c] <= frame->upper[c];
    frame->outside += !inside;
  }
}

static bool has_plane(const picture_scene *scene)
{
  for (int64_t k = 0; k < scene->shape_count; k++)
    if (scene->shapes[k].kind == FLOC_SHAPE_PLANE) return true;
  return false;
}

static void frame_box(const picture_scene *scene, const box *all, int given, bool trimmed, view_frame *frame)
{
  static const double plain[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memcpy(frame->axis, plain, sizeof plain);
  for (int c = 0; c < 3; c++) {
    frame->lower[c] = all->lower[c];
    frame->upper[c] = all->upper[c];
    frame->middle[c] = 0.5 * all->lower[c] + 0.5 * all->upper[c];
  }
  if (trimmed) count_outside(scene, frame);
  if (scene->dimension == 2) {
    frame->middle[2] = 0.0;
    frame->half_width = 0.5 * (all->upper[0] - all->lower[0]);
    frame->half_height = 0.5 * (all->upper[1] - all->lower[1]);
    frame->fixed = given == 4;
  } else {
    frame->limited = given > 0 || trimmed;
    view_axes(&scene->view, frame->axis);
    frame_camera(scene, given > 0 || has_plane(scene), frame);
  }
  frame->half_width /= scene->view.zoom;
  frame->half_height /= scene->view.zoom;
}

floc_status view_fit(const picture_report *report, const picture_scene *scene, view_frame *frame)
{
  *frame = (view_frame){.dimension = scene->dimension};
  bool trimmed;
  box particles, bodies = box_of_bodies(scene, false), lines = box_of_lines(scene, &scene->lines);
  floc_status status = box_of_particles(report, scene, &bodies, frame, &particles, &trimmed);
  if (status == FLOC_OK && scene->shape_moves) { /* again, with those that move and are near */
    box rest = bodies;
    box_join(&rest, &particles);
    rest = box_of_moving(scene, &rest);
    box_join(&bodies, &rest);
    status = box_of_particles(report, scene, &bodies, frame, &particles, &trimmed);
  }
  if (status != FLOC_OK) return status;
  box all = bodies;
  box_join(&all, &particles);
  if (!is_empty(&lines)) join_lines(&all, &lines);
  if (is_empty(&all) && is_empty(&lines)) {
    box tubes = box_of_lines(scene, &scene->tubes);
    if (!is_empty(&tubes))
      all = tubes;
    else if (!(all.lower[1] <= all.upper[1]) && !(all.lower[2] <= all.upper[2]))
      box_of_nothing(scene, &all);
  }
  give_extent(frame, scene, &all);
  join_planes(scene, &all);
  int given = apply_window(&scene->view, scene->dimension, &all);
  for (int c = 0; c < scene->dimension; c++)
    if (!isfinite(all.upper[c] - all.lower[c]) || !(all.upper[c] - all.lower[c] > 0.0))
      return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                            "the scene extends from %g to %g along axis %d, which cannot be drawn", all.lower[c],
                            all.upper[c], c + 1);
  frame_box(scene, &all, given, trimmed && given == 0, frame);
  return FLOC_OK;
}

/* ---- onto the sheet -------------------------------------------------------------------------------- */

bool view_shows(const view_frame *frame, double x, double y, double z)
{
  if (!frame->limited) return true;
  return x >= frame->lower[0] && x <= frame->upper[0] && y >= frame->lower[1] && y <= frame->upper[1] &&
         z >= frame->lower[2] && z <= frame->upper[2];
}

bool view_sees(const view_frame *frame, const double from[3], const double to[3], double radius)
{
  const double half[2] = {frame->half_width, frame->half_height};
  for (int c = 0; c < 2; c++) {
    double first = along(frame->axis[c], from, frame->middle), second = along(frame->axis[c], to, frame->middle);
    if (fmin(first, second) - radius > half[c] || fmax(first, second) + radius < -half[c]) return false;
  }
  return true;
}

view_map view_place(const view_frame *frame, rectangle *panel)
{
  double scale = fmin(panel->width / (2.0 * frame->half_width), panel->height / (2.0 * frame->half_height));
  if (frame->fixed) {
    double width = floor(2.0 * frame->half_width * scale + 0.5),
           height = floor(2.0 * frame->half_height * scale + 0.5);
    panel->x += floor(0.5 * (panel->width - width));
    panel->y += floor(0.5 * (panel->height - height));
    panel->width = width;
    panel->height = height;
  }
  view_map map = {frame, scale, panel->x + 0.5 * panel->width, panel->y + 0.5 * panel->height};
  return map;
}

void view_project(const view_map *map, double x, double y, double z, double out[3])
{
  const view_frame *frame = map->frame;
  double point[3] = {x, y, frame->dimension == 3 ? z : 0.0};
  out[0] = map->x + map->scale * along(frame->axis[0], point, frame->middle);
  out[1] = map->y - map->scale * along(frame->axis[1], point, frame->middle);
  out[2] = map->scale * along(frame->axis[2], point, frame->middle);
}
