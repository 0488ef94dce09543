/*
 * Scenes in three dimensions. Everything becomes solids (spheres, capsules, thin lines) and translucent
 * faces in sheet coordinates. In pixels a depth buffer decides what is seen (solids.c). In vector files
 * the same things are drawn from back to front with gradients: exact for spheres that do not overlap
 * much, approximate where faces pass between particles. Polyhedra are drawn in pixels there too.
 */
#include "draw/mesh.h"
#include "draw/solids.h"
#include "scene.h"

#include <floc/floc.h>

#include <math.h>
#include <stdlib.h>

enum { TUBE_PIECES = 12 };

typedef struct solid_list {
  solid *item;
  int64_t count;
  solid_face *face;
  int64_t face_count;
  double median_radius; /* of the particles, on the sheet */
  float (*plane)[4];    /* of polyhedra */
  int64_t plane_count;
} solid_list;

/* ---- collecting ------------------------------------------------------------------------------------ */

static void place_end(const scene_job *job, const double point[3], float end[3])
{
  double place[3];
  view_project(&job->map, point[0], point[1], point[2], place);
  for (int c = 0; c < 3; c++) end[c] = (float)place[c];
}

static solid *next_solid(solid_list *list, double radius, int32_t colour, bool shaded, bool rim)
{
  solid *item = &list->item[list->count++];
  item->radius = (float)radius;
  item->colour = colour;
  item->shaded = shaded;
  item->rim = rim;
  item->is_ellipsoid = false;
  item->plane_count = 0;
  return item;
}

static void add_ball(solid_list *list, const scene_job *job, const double point[3], double radius, int32_t colour,
                     bool rim)
{
  solid *item = next_solid(list, radius, colour, true, rim);
  place_end(job, point, item->end[0]);
  place_end(job, point, item->end[1]);
}

static void add_capsule(solid_list *list, const scene_job *job, const double *from, const double *to, double radius,
                        int32_t colour, bool shaded)
{
  solid *item = next_solid(list, radius, colour, shaded, false);
  place_end(job, from, item->end[0]);
  place_end(job, to, item->end[1]);
}

/* A particle that is a capsule. */
static void add_rod(canvas *sheet, solid_list *list, const scene_job *job, int64_t k)
{
  const picture_scene *scene = job->scene;
  const double *corner = scene->corners + 3 * scene->corner_begin[k];
  const double radius = scene->rounding[k] * job->map.scale;
  double end[2][3];
  for (int e = 0; e < 2; e++) {
    end[e][0] = scene->x[k] + corner[3 * e];
    end[e][1] = scene->y[k] + corner[3 * e + 1];
    end[e][2] = scene->z[k] + corner[3 * e + 2];
  }
  solid *item =
      next_solid(list, fmax(radius, 0.35), particle_colour(sheet, job, k), true, scene->outline && radius >= 2.2);
  for (int e = 0; e < 2; e++) place_end(job, end[e], item->end[e]);
}

/* What is thinner than a pixel is drawn as thick as that. */
static void add_ellipsoid(canvas *sheet, solid_list *list, const scene_job *job, int64_t k, bool rim)
{
  const picture_scene *scene = job->scene;
  const double *axis = scene->corners + 3 * scene->corner_begin[k],
               centre[3] = {scene->x[k], scene->y[k], scene->z[k]};
  const double radius = scene->radius[k] * job->map.scale;
  solid *item = next_solid(list, fmax(radius, 0.35), particle_colour(sheet, job, k), true, rim);
  item->is_ellipsoid = true;
  for (int e = 0; e < 2; e++) place_end(job, centre, item->end[e]);
  for (int a = 0; a < 3; a++) {
    const double tip[3] = {centre[0] + axis[3 * a], centre[1] + axis[3 * a + 1], centre[2] + axis[3 * a + 2]};
    double from[3], to[3];
    view_project(&job->map, centre[0], centre[1], centre[2], from);
    view_project(&job->map, tip[0], tip[1], tip[2], to);
    const double length = sqrt((to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]) +
                               (to[2] - from[2]) * (to[2] - from[2]));
    for (int c = 0; c < 3; c++) item->axis[a][c] = (float)((to[c] - from[c]) * fmax(1.0, 0.35 / length));
  }
}

/* A particle inside of planes, whose normals stand on the sheet then. */
static void add_polyhedron(canvas *sheet, solid_list *list, const scene_job *job, int64_t k, bool rim)
{
  const picture_scene *scene = job->scene;
  const double *corner = scene->corners + 3 * scene->corner_begin[k],
               centre[3] = {scene->x[k], scene->y[k], scene->z[k]};
  double place[3], tip[3];
  solid *item =
      next_solid(list, fmax(scene->radius[k] * job->map.scale, 0.35), particle_colour(sheet, job, k), true, rim);
  float(*plane)[4] = list->plane + list->plane_count;
  for (int e = 0; e < 2; e++) place_end(job, centre, item->end[e]);
  view_project(&job->map, centre[0], centre[1], centre[2], place);
  for (int32_t f = 0; f < scene->plane_count[k]; f++) {
    const double *n = corner + 6 * f;
    view_project(&job->map, centre[0] + n[0], centre[1] + n[1], centre[2] + n[2], tip);
    for (int c = 0; c < 3; c++) plane[f][c] = (float)((tip[c] - place[c]) / job->map.scale);
    plane[f][3] = (float)n[3];
  }
  item->plane = (const float(*)[4])plane;
  item->plane_count = scene->plane_count[k];
  item->size = (float)job->map.scale;
  list->plane_count += item->plane_count;
}

static void collect_particles(canvas *sheet, solid_list *list, const scene_job *job)
{
  const picture_scene *scene = job->scene;
  for (int64_t k = 0; k < scene->particle_count; k++) {
    double point[3] = {scene->x[k], scene->y[k], scene->z[k]}, radius = scene->radius[k] * job->map.scale;
    if (!view_shows(&job->frame, point[0], point[1], point[2])) continue;
    bool rim = scene->outline && radius >= 2.2;
    if (scene->corner_begin && scene->corner_begin[k + 1] - scene->corner_begin[k] == 2) {
      add_rod(sheet, list, job, k);
      continue;
    }
    if (scene_is_ellipsoid(scene, k, 3)) {
      add_ellipsoid(sheet, list, job, k, rim);
      continue;
    }
    if (scene->plane_count && scene->plane_count[k] > 0) {
      add_polyhedron(sheet, list, job, k, rim);
      continue;
    }
    add_ball(list, job, point, fmax(radius, 0.35), particle_colour(sheet, job, k), rim);
  }
}

/* An arrow head in the plane of the picture: two short lines. */
static void add_arrow(solid_list *list, const solid *line, double width)
{
  float dx = line->end[1][0] - line->end[0][0], dy = line->end[1][1] - line->end[0][1],
        length = (float)floc_hypot(dx, dy);
  if (!(length > 0.0f)) return;
  float size = fminf((float)(3.2 * width + 3.0), length), c = size * dx / length, s = size * dy / length;
  for (int side = -1; side <= 1; side += 2) {
    solid *stroke = next_solid(list, line->radius, line->colour, false, false);
    for (int k = 0; k < 3; k++) stroke->end[0][k] = stroke->end[1][k] = line->end[1][k];
    stroke->end[1][0] -= c + 0.4f * (float)side * s;
    stroke->end[1][1] -= s - 0.4f * (float)side * c;
  }
}

static void collect_lines(canvas *sheet, solid_list *list, const scene_job *job)
{
  const picture_lines *tubes = &job->scene->tubes, *lines = &job->scene->lines;
  double tube = 0.5 * tube_width(sheet, job), width = line_width(sheet, job);
  for (int64_t k = 0; k < tubes->count; k++)
    add_capsule(list, job, tubes->points + 6 * k, tubes->points + 6 * k + 3, tube,
                line_colour(sheet, tubes, &job->tubes, k), true);
  for (int64_t k = 0; k < lines->count; k++) {
    add_capsule(list, job, lines->points + 6 * k, lines->points + 6 * k + 3, 0.5 * width,
                line_colour(sheet, lines, &job->lines, k), false);
    if (lines->arrows) add_arrow(list, &list->item[list->count - 1], width);
  }
}

static void add_shell(solid_list *list, const scene_job *job, const floc_shape *shape, int32_t colour)
{
  for (int front = 0; front < 2; front++) {
    solid_face *face = &list->face[list->face_count++];
    place_end(job, shape->points[0], face->corner[0]);
    face->radius = (float)fmax(shape->radius * job->map.scale, 1e-3);
    face->front = front == 1;
    face->opacity = (float)job->scene->body_opacity;
    face->colour = colour;
  }
}

static void collect_bodies(canvas *sheet, solid_list *list, const scene_job *job, const mesh *bodies)
{
  const picture_scene *scene = job->scene;
  double edge = 0.55 * sheet->thin;
  for (int64_t k = 0; k < scene->shape_count; k++) {
    const floc_shape *shape = &scene->shapes[k];
    int32_t colour = shape_colour(sheet, job, k);
    int32_t body = colour_mix(colour, 0xffffff, 0.35); /* shading darkens it */
    double radius = shape->radius * job->map.scale;
    bool thick = radius > 2.0 * edge;
    if (shape->kind == FLOC_SHAPE_SPHERE)
      add_ball(list, job, shape->points[0], fmax(radius, 0.5), body, radius >= 2.2);
    if (shape->kind == FLOC_SHAPE_HOLLOW) add_shell(list, job, shape, colour);
    if (shape->kind == FLOC_SHAPE_SEGMENT)
      add_capsule(list, job, shape->points[0], shape->points[1], fmax(radius, 1.5 * edge), thick ? body : colour,
                  thick);
  }
  for (int64_t k = 0; k < bodies->triangle_count; k++) {
    solid_face *face = &list->face[list->face_count++];
    for (int p = 0; p < 3; p++) place_end(job, bodies->triangle[k].point[p], face->corner[p]);
    face->opacity = (float)scene->body_opacity;
    face->colour = shape_colour(sheet, job, bodies->triangle[k].shape);
  }
  for (int64_t k = 0; k < bodies->edge_count; k++)
    add_capsule(list, job, bodies->edge[k].point[0], bodies->edge[k].point[1], edge,
                shape_colour(sheet, job, bodies->edge[k].shape), false);
  for (int64_t k = 0; k < list->face_count; k++) list->face[k].number = (int32_t)k;
}

/* The twelve edges of the domain that lie between two closed axes, dashed where both are periodic. */
static void collect_domain(canvas *sheet, solid_list *list, const scene_job *job)
{
  enum { DASHES = 24 };
  const picture_scene *scene = job->scene;
  int32_t colour = shape_colour(sheet, job, -1);
  for (int along = 0; along < 3; along++) {
    int a = (along + 1) % 3, b = (along + 2) % 3;
    if (scene->boundary[a] == FLOC_BOUNDARY_OPEN || scene->boundary[b] == FLOC_BOUNDARY_OPEN) continue;
    bool open = scene->boundary[along] == FLOC_BOUNDARY_OPEN;
    bool dashed = scene->boundary[a] == FLOC_BOUNDARY_PERIODIC && scene->boundary[b] == FLOC_BOUNDARY_PERIODIC;
    double start = open ? job->frame.lower[along] : scene->domain_lower[along];
    double length = (open ? job->frame.upper[along] : scene->domain_upper[along]) - start;
    int pieces = dashed ? DASHES : 1;
    for (int corner = 0; corner < 4; corner++)
      for (int piece = 0; piece < pieces; piece++) {
        double from[3], to[3];
        from[a] = to[a] = corner & 1 ? scene->domain_upper[a] : scene->domain_lower[a];
        from[b] = to[b] = corner & 2 ? scene->domain_upper[b] : scene->domain_lower[b];
        from[along] = start + length * piece / pieces;
        to[along] = start + length * (dashed ? piece + 0.55 : 1.0) / pieces;
        view_skew(scene, from);
        view_skew(scene, to);
        add_capsule(list, job, from, to, 0.5 * sheet->thin, colour, false);
      }
  }
}

static floc_status collect(canvas *sheet, scene_job *job, solid_list *list)
{
  enum { DOMAIN_LINES = 12 * 24 };
  const picture_scene *scene = job->scene;
  mesh bodies;
  floc_status status =
      mesh_build(&sheet->report, scene->shapes, scene->shape_count, job->frame.lower, job->frame.upper, &bodies);
  if (status != FLOC_OK) return status;
  int64_t lines = scene->tubes.count + scene->lines.count * (scene->lines.arrows ? 3 : 1);
  int64_t solids = scene->particle_count + lines + scene->shape_count + bodies.edge_count + DOMAIN_LINES;
  int64_t faces = bodies.triangle_count + 2 * scene->shape_count;
  int64_t planes = 0;
  for (int64_t k = 0; scene->plane_count && k < scene->particle_count; k++) planes += scene->plane_count[k];
  *list = (solid_list){.item = picture_allocate(solids, sizeof *list->item),
                       .face = picture_allocate(faces, sizeof *list->face),
                       .plane = picture_allocate(planes, sizeof *list->plane)};
  if (!list->item || !list->face || !list->plane) {
    status = picture_out_of_memory(&sheet->report, (double)solids * (double)sizeof *list->item);
    free(list->item);
    free(list->face);
    free(list->plane);
    *list = (solid_list){.count = 0};
  } else {
    collect_particles(sheet, list, job);
    collect_lines(sheet, list, job);
    collect_bodies(sheet, list, job, &bodies);
    collect_domain(sheet, list, job);
    list->median_radius = job->frame.median_radius * job->map.scale;
  }
  mesh_free(&bodies);
  return status;
}

/* ---- pixels ---------------------------------------------------------------------------------------- */

static void move_to_layer(solid_list *list, const pixel_layer *layer)
{
  float m = (float)layer->magnification, x = (float)layer->x, y = (float)layer->y;
  for (int64_t k = 0; k < list->count; k++) {
    for (int e = 0; e < 2; e++) {
      list->item[k].end[e][0] = (list->item[k].end[e][0] - x) * m;
      list->item[k].end[e][1] = (list->item[k].end[e][1] - y) * m;
      list->item[k].end[e][2] *= m;
    }
    for (int a = 0; a < 3 && list->item[k].is_ellipsoid; a++)
      for (int c = 0; c < 3; c++) list->item[k].axis[a][c] *= m;
    list->item[k].radius *= m;
    list->item[k].size *= m;
  }
  for (int64_t k = 0; k < list->face_count; k++) {
    for (int e = 0; e < 3; e++) {
      list->face[k].corner[e][0] = (list->face[k].corner[e][0] - x) * m;
      list->face[k].corner[e][1] = (list->face[k].corner[e][1] - y) * m;
      list->face[k].corner[e][2] *= m;
    }
    list->face[k].radius *= m;
  }
}

static floc_status draw_pixels(canvas *sheet, scene_job *job, solid_list *list)
{
  pixel_layer layer;
  floc_status status = layer_begin(sheet, &job->panel, &layer);
  if (status != FLOC_OK) return status;
  if (layer.image) move_to_layer(list, &layer);
  solid_scene scene = {list->item,
                       list->count,
                       list->face,
                       list->face_count,
                       0.75 * sheet->thin * layer.magnification,
                       1.6 * list->median_radius * layer.magnification};
  status = solids_render(&sheet->report, &scene, &layer.target);
  layer_end(sheet, &job->panel, &layer);
  return status;
}

/* ---- vectors --------------------------------------------------------------------------------------- */

typedef struct painted {
  float depth;
  int32_t piece; /* of a capsule: -1 a ball, -2 a face */
  int64_t number;
} painted;

static int compare_painted(const void *a, const void *b)
{
  const painted *p = a, *q = b;
  if (p->depth != q->depth) return p->depth < q->depth ? -1 : 1;
  if (p->number != q->number) return p->number < q->number ? -1 : 1;
  return (p->piece > q->piece) - (p->piece < q->piece);
}

static bool is_ball(const solid *item)
{
  return item->end[0][0] == item->end[1][0] && item->end[0][1] == item->end[1][1] &&
         item->end[0][2] == item->end[1][2];
}

static void add_stop(cairo_pattern_t *pattern, double place, int32_t colour, const float normal[3])
{
  float diffuse, highlight;
  solid_light(normal, &diffuse, &highlight);
  double part[3];
  for (int c = 0; c < 3; c++) {
    double value = (colour >> (16 - 8 * c) & 255) / 255.0 * diffuse;
    part[c] = fmin(1.0, value + (1.0 - value) * highlight);
  }
  cairo_pattern_add_color_stop_rgb(pattern, place, part[0], part[1], part[2]);
}

/* A shaded ball: a gradient from the highlight to the far edge, with the light of points on that line. */
static void paint_ball(canvas *sheet, const solid *ball)
{
  static const double light[2] = {-0.62, -0.78}; /* towards the light on the sheet */
  double x = ball->end[0][0], y = ball->end[0][1], r = ball->radius, bright = 0.5;
  cairo_pattern_t *pattern =
      cairo_pattern_create_radial(x + bright * r * light[0], y + bright * r * light[1], 0.0, x, y, r);
  for (int k = 0; k <= 4; k++) {
    double t = k / 4.0, along = bright - t * (1.0 + bright); /* towards the light, in radii */
    float normal[3] = {(float)(along * light[0]), (float)(-along * light[1]),
                       (float)sqrt(fmax(0.0, 1.0 - along * along))};
    add_stop(pattern, t, ball->colour, normal);
  }
  double rim = ball->rim ? fmin(0.16 * r, 0.75 * sheet->thin) : 0.0;
  cairo_new_sub_path(sheet->cairo);
  cairo_arc(sheet->cairo, x, y, r - 0.5 * rim, 0.0, 6.283185307179586);
  cairo_set_source(sheet->cairo, pattern);
  cairo_pattern_destroy(pattern);
  if (rim == 0.0) {
    cairo_fill(sheet->cairo);
    return;
  }
  cairo_fill_preserve(sheet->cairo);
  canvas_set_colour(sheet, colour_mix(ball->colour, 0x101010, 0.6), 1.0);
  cairo_set_line_width(sheet->cairo, rim);
  cairo_stroke(sheet->cairo);
}

/* Its outline is an ellipse of the sheet, sum w_k axis_k over |w| = 1: a ball under the root L of sum axis axis^T.
 */
static void paint_ellipsoid(canvas *sheet, const solid *item)
{
  double xx = 0.0, xy = 0.0, yy = 0.0;
  const double r = item->radius;
  solid ball = *item;
  for (int k = 0; k < 3; k++) {
    xx += (double)item->axis[k][0] * item->axis[k][0];
    xy += (double)item->axis[k][0] * item->axis[k][1];
    yy += (double)item->axis[k][1] * item->axis[k][1];
  }
  const double across = sqrt(xx), slant = xy / across, down = sqrt(fmax(yy - slant * slant, 0.0));
  if (!(down > 0.0)) return;
  cairo_matrix_t root;
  cairo_matrix_init(&root, across / r, slant / r, 0.0, down / r, item->end[0][0], item->end[0][1]);
  for (int c = 0; c < 3; c++) ball.end[0][c] = ball.end[1][c] = 0.0f;
  cairo_save(sheet->cairo);
  cairo_transform(sheet->cairo, &root);
  paint_ball(sheet, &ball);
  cairo_restore(sheet->cairo);
}

static int32_t pieces_of(const solid *item)
{
  float length = (float)floc_hypot(item->end[1][0] - item->end[0][0], item->end[1][1] - item->end[0][1]);
  length = fmaxf(length, fabsf(item->end[1][2] - item->end[0][2]));
  return item->shaded ? (int32_t)fminf(TUBE_PIECES, 1.0f + length / (4.0f * item->radius + 1.0f)) : TUBE_PIECES / 3;
}

/* One stroke of a capsule, moved across its axis towards the light; pieces reach a little into each other,
 * the outer ends are round. */
static void stroke_piece(canvas *sheet, const solid *item, int32_t piece, double width, double shift)
{
  int32_t pieces = pieces_of(item);
  double dx = item->end[1][0] - item->end[0][0], dy = item->end[1][1] - item->end[0][1],
         length = floc_hypot(dx, dy);
  double part = length > 0.0 ? shift / length : 0.0, overlap = length > 0.0 ? 0.3 / length : 0.0;
  if (dy - dx > 0.0) part = -part; /* the side that looks to the upper left */
  double x = item->end[0][0] + part * dy, y = item->end[0][1] - part * dx;
  double from = (double)piece / pieces - overlap, to = (double)(piece + 1) / pieces + overlap;
  cairo_set_line_width(sheet->cairo, width);
  canvas_line(sheet, x + from * dx, y + from * dy, x + to * dx, y + to * dy);
  for (int end = 0; end < 2; end++) {
    if (piece != (end == 0 ? 0 : pieces - 1)) continue;
    cairo_arc(sheet->cairo, x + end * dx, y + end * dy, 0.5 * width, 0.0, 6.283185307179586);
    cairo_fill(sheet->cairo);
  }
}

static void paint_piece(canvas *sheet, const solid *item, int32_t piece)
{
  double width = 2.0 * item->radius;
  canvas_set_colour(sheet, item->shaded ? colour_mix(item->colour, 0x000000, 0.4) : item->colour, 1.0);
  stroke_piece(sheet, item, piece, width, 0.0);
  if (item->shaded) {
    canvas_set_colour(sheet, colour_mix(item->colour, 0xffffff, 0.08), 1.0);
    stroke_piece(sheet, item, piece, 0.55 * width, 0.12 * width);
  }
}

static void paint_face(canvas *sheet, const solid_face *face)
{
  cairo_t *cairo = sheet->cairo;
  if (face->radius > 0.0f) {
    double x = face->corner[0][0], y = face->corner[0][1], r = face->radius;
    cairo_pattern_t *pattern = cairo_pattern_create_radial(x, y, 0.0, x, y, r);
    for (int k = 0; k <= 6; k++) {
      double place = sqrt(k / 6.0), slant = 1.0 - sqrt(1.0 - place * place);
      cairo_pattern_add_color_stop_rgba(pattern, place, (face->colour >> 16 & 255) / 255.0,
                                        (face->colour >> 8 & 255) / 255.0, (face->colour & 255) / 255.0,
                                        fmin(1.0, face->opacity * (0.25 + 1.4 * slant * slant * slant)));
    }
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, x, y, r, 0.0, 6.283185307179586);
    cairo_set_source(cairo, pattern);
    cairo_fill(cairo);
    cairo_pattern_destroy(pattern);
    return;
  }
  for (int p = 0; p < 3; p++) cairo_line_to(cairo, face->corner[p][0], face->corner[p][1]);
  cairo_close_path(cairo);
  canvas_set_colour(sheet, face->colour, face->opacity);
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE); /* no seams between neighbouring triangles */
  cairo_fill(cairo);
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
}

static int64_t list_painted(const solid_list *list, painted *items)
{
  int64_t count = 0;
  for (int64_t k = 0; k < list->count; k++) {
    const solid *item = &list->item[k];
    int32_t pieces = is_ball(item) ? 0 : pieces_of(item);
    /* what of a tube lies inside a particle must be painted before it */
    float behind = item->shaded ? (float)list->median_radius : 0.0f;
    if (pieces == 0) items[count++] = (painted){item->end[0][2], -1, k};
    for (int32_t p = 0; p < pieces; p++) {
      float part = ((float)p + 0.5f) / (float)pieces;
      items[count++] = (painted){item->end[0][2] + (item->end[1][2] - item->end[0][2]) * part - behind, p, k};
    }
  }
  for (int64_t k = 0; k < list->face_count; k++) {
    const solid_face *face = &list->face[k];
    float depth = face->radius > 0.0f ? face->corner[0][2] + (face->front ? face->radius : -face->radius)
                                      : (face->corner[0][2] + face->corner[1][2] + face->corner[2][2]) / 3.0f;
    items[count++] = (painted){depth, -2, k};
  }
  return count;
}

static bool on_panel(const scene_job *job, const solid *item)
{
  float left = fminf(item->end[0][0], item->end[1][0]), right = fmaxf(item->end[0][0], item->end[1][0]);
  float top = fminf(item->end[0][1], item->end[1][1]), bottom = fmaxf(item->end[0][1], item->end[1][1]);
  double r = item->radius;
  return right + r >= job->panel.x && left - r <= job->panel.x + job->panel.width && bottom + r >= job->panel.y &&
         top - r <= job->panel.y + job->panel.height;
}

static floc_status draw_vectors(canvas *sheet, const scene_job *job, const solid_list *list)
{
  int64_t capacity = list->count * TUBE_PIECES + list->face_count;
  painted *items = picture_allocate(capacity, sizeof *items);
  if (!items) return picture_out_of_memory(&sheet->report, (double)capacity * (double)sizeof *items);
  int64_t count = list_painted(list, items);
  qsort(items, (size_t)count, sizeof *items, compare_painted);
  for (int64_t k = 0; k < count; k++) {
    const painted *item = &items[k];
    if (item->piece == -2) {
      paint_face(sheet, &list->face[item->number]);
      continue;
    }
    const solid *body = &list->item[item->number];
    if (!on_panel(job, body)) continue;
    if (item->piece == -1 && body->is_ellipsoid)
      paint_ellipsoid(sheet, body);
    else if (item->piece == -1)
      paint_ball(sheet, body);
    else
      paint_piece(sheet, body, item->piece);
  }
  free(items);
  return FLOC_OK;
}

floc_status scene_draw_solid(canvas *sheet, scene_job *job)
{
  solid_list list;
  floc_status status = collect(sheet, job, &list);
  if (status != FLOC_OK) return status;
  cairo_save(sheet->cairo);
  cairo_rectangle(sheet->cairo, job->panel.x, job->panel.y, job->panel.width, job->panel.height);
  cairo_clip(sheet->cairo);
  bool pixels =
      sheet->kind == CANVAS_PIXELS || job->scene->particle_count > VECTOR_PARTICLES || list.plane_count > 0;
  status = pixels ? draw_pixels(sheet, job, &list) : draw_vectors(sheet, job, &list);
  cairo_restore(sheet->cairo);
  free(list.item);
  free(list.face);
  free(list.plane);
  return status;
}
