/*
 * The depth buffer. Three passes: find for each fine pixel the nearest solid (its depth and number),
 * shade each fine pixel once, blend the faces from back to front; then average the fine pixels.
 *
 * Crevices are darkened by comparing the depth with the mean depth around (Luft, Colditz and Deussen
 * 2006, "Image enhancement by unsharp masking the depth buffer"), which makes a pile readable where flat
 * light leaves a carpet of balls. The mean runs over a box by running sums, so that its cost does not
 * depend on its radius.
 *
 * Memory: per fine pixel 12 bytes (depth, owner, colour), rows from top to bottom.
 */
#include "draw/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float nothing = -INFINITY; /* depth where no solid is */

typedef struct fine_image {
  int32_t width, height; /* of the fine grid */
  int32_t factor;        /* fine pixels per pixel and direction */
  int32_t left, top;     /* pixel of the target where it begins */
  float *depth;
  int32_t *owner;
  uint32_t *colour;
  float *shadow; /* per pixel: 0 none to 1, for the solid in its middle */
  float *level;  /* per pixel: depth of that solid */
} fine_image;

/* ---- pass 1: nearest solid ------------------------------------------------------------------------- */

static void mark(fine_image *image, int64_t pixel, float depth, int32_t owner)
{
  if (depth > image->depth[pixel]) {
    image->depth[pixel] = depth;
    image->owner[pixel] = owner;
  }
}

static int32_t clip(float value, int32_t least, int32_t greatest)
{
  return value <= (float)least ? least : value >= (float)greatest ? greatest : (int32_t)value;
}

static void mark_sphere(fine_image *image, const solid *ball, int32_t owner)
{
  float x = ball->end[0][0], y = ball->end[0][1], z = ball->end[0][2], r = ball->radius;
  int32_t top = clip(ceilf(y - r - 0.5f), 0, image->height),
          bottom = clip(floorf(y + r - 0.5f) + 1.0f, 0, image->height);
  if (x + r < 0.0f || x - r > (float)image->width) return;
  for (int32_t k = top; k < bottom; k++) {
    float dy = (float)k + 0.5f - y, square = r * r - dy * dy;
    if (square <= 0.0f) continue;
    float half = sqrtf(square);
    int32_t from = clip(ceilf(x - half - 0.5f), 0, image->width),
            to = clip(floorf(x + half - 0.5f) + 1.0f, 0, image->width);
    int64_t row = (int64_t)k * image->width;
    for (int32_t c = from; c < to; c++) {
      float dx = (float)c + 0.5f - x, rest = square - dx * dx;
      mark(image, row + c, z + sqrtf(rest > 0.0f ? rest : 0.0f), owner);
    }
  }
}

/* The nearest point of a capsule on the line of sight through (x, y): its depth, and the outward normal in
 * picture axes (right, up, towards the viewer). false: the line misses. */
static bool hit_capsule(const solid *tube, float x, float y, float *depth, float normal[3])
{
  const float *a = tube->end[0], *b = tube->end[1];
  float r = tube->radius, along[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  float length = sqrtf(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  float u[3] = {along[0] / length, along[1] / length, along[2] / length};
  float o[2] = {x - a[0], y - a[1]}; /* from end a to the line of sight, at a's depth */
  float ou = o[0] * u[0] + o[1] * u[1], p = 1.0f - u[2] * u[2], q = -ou * u[2];
  float c = o[0] * o[0] + o[1] * o[1] - ou * ou - r * r, discriminant = q * q - p * c;
  if (p > 1e-6f && discriminant >= 0.0f) {
    float z = (-q + sqrtf(discriminant)) / p, s = ou + z * u[2];
    if (s >= 0.0f && s <= length) {
      *depth = a[2] + z;
      normal[0] = (o[0] - s * u[0]) / r;
      normal[1] = -(o[1] - s * u[1]) / r;
      normal[2] = (z - s * u[2]) / r;
      return true;
    }
  }
  bool found = false;
  for (int e = 0; e < 2; e++) { /* the round ends */
    float dx = x - tube->end[e][0], dy = y - tube->end[e][1], square = r * r - dx * dx - dy * dy;
    if (square < 0.0f) continue;
    float z = sqrtf(square);
    if (found && tube->end[e][2] + z <= *depth) continue;
    *depth = tube->end[e][2] + z;
    normal[0] = dx / r;
    normal[1] = -dy / r;
    normal[2] = z / r;
    found = true;
  }
  return found;
}

static void mark_capsule(fine_image *image, const solid *tube, int32_t owner)
{
  const float *a = tube->end[0], *b = tube->end[1];
  float r = tube->radius;
  int32_t top = clip(ceilf(fminf(a[1], b[1]) - r - 0.5f), 0, image->height);
  int32_t bottom = clip(floorf(fmaxf(a[1], b[1]) + r - 0.5f) + 1.0f, 0, image->height);
  for (int32_t k = top; k < bottom; k++) {
    double from, to;
    if (!raster_row_of_line(a[0], a[1], b[0], b[1], r, k + 0.5, &from, &to)) continue;
    int32_t first = clip(ceilf((float)from - 0.5f), 0, image->width);
    int32_t last = clip(floorf((float)to - 0.5f) + 1.0f, 0, image->width);
    for (int32_t c = first; c < last; c++) {
      float depth, normal[3];
      if (hit_capsule(tube, (float)c + 0.5f, (float)k + 0.5f, &depth, normal))
        mark(image, (int64_t)k * image->width + c, depth, owner);
    }
  }
}

/* The same of an ellipsoid, whose points are center + sum w_k axis_k, |w| = 1. */
static bool hit_ellipsoid(const solid *body, float x, float y, float *depth, float normal[3])
{
  const float from[2] = {x - body->end[0][0], y - body->end[0][1]};
  float u[3], v[3], a = 0.0f, b = 0.0f, c = -1.0f, length = 0.0f;
  for (int k = 0; k < 3; k++) {
    const float *axis = body->axis[k], square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    u[k] = (axis[0] * from[0] + axis[1] * from[1]) / square;
    v[k] = axis[2] / square;
    a += v[k] * v[k];
    b += u[k] * v[k];
    c += u[k] * u[k];
  }
  const float discriminant = b * b - a * c;
  if (!(discriminant >= 0.0f)) return false;
  const float z = (-b + sqrtf(discriminant)) / a;
  *depth = body->end[0][2] + z;
  for (int part = 0; part < 3; part++) normal[part] = 0.0f;
  for (int k = 0; k < 3; k++) {
    const float *axis = body->axis[k], square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    for (int part = 0; part < 3; part++) normal[part] += (u[k] + z * v[k]) * axis[part] / square;
  }
  for (int part = 0; part < 3; part++) length += normal[part] * normal[part];
  for (int part = 0; part < 3; part++) normal[part] *= (part == 1 ? -1.0f : 1.0f) / sqrtf(length);
  return true;
}

/* How far it reaches on the sheet from its centre, along a direction of the sheet. */
static float reach_of(const solid *body, float along_x, float along_y)
{
  float square = 0.0f;
  for (int k = 0; k < 3; k++) {
    const float along = body->axis[k][0] * along_x + body->axis[k][1] * along_y;
    square += along * along;
  }
  return sqrtf(square);
}

/* Pixels [top, bottom) and [left, right) whose centres are at most that far across and up or down from a body's. */
typedef struct pixel_box {
  int32_t top, bottom, left, right;
} pixel_box;

static pixel_box pixels_around(const fine_image *image, const solid *body, float wide, float high)
{
  const float x = body->end[0][0], y = body->end[0][1];
  return (pixel_box){.top = clip(ceilf(y - high - 0.5f), 0, image->height),
                     .bottom = clip(floorf(y + high - 0.5f) + 1.0f, 0, image->height),
                     .left = clip(ceilf(x - wide - 0.5f), 0, image->width),
                     .right = clip(floorf(x + wide - 0.5f) + 1.0f, 0, image->width)};
}

static void mark_ellipsoid(fine_image *image, const solid *body, int32_t owner)
{
  const pixel_box box = pixels_around(image, body, reach_of(body, 1.0f, 0.0f), reach_of(body, 0.0f, 1.0f));
  for (int32_t k = box.top; k < box.bottom; k++)
    for (int32_t c = box.left; c < box.right; c++) {
      float depth, normal[3];
      if (hit_ellipsoid(body, (float)c + 0.5f, (float)k + 0.5f, &depth, normal))
        mark(image, (int64_t)k * image->width + c, depth, owner);
    }
}

/* The same of a body inside of planes: the line of sight enters and leaves it at two of them. from_edge: of the
 * point, within its plane. */
static bool hit_planes(const solid *body, float x, float y, float *depth, float normal[3], float *from_edge)
{
  const float at[2] = {x - body->end[0][0], y - body->end[0][1]};
  float near = INFINITY, far = -INFINITY;
  int32_t seen = -1;
  for (int32_t k = 0; k < body->plane_count; k++) {
    const float *n = body->plane[k], room = n[3] * body->size - n[0] * at[0] - n[1] * at[1];
    if (fabsf(n[2]) < 1e-6f) {
      if (room < 0.0f) return false;
    } else if (n[2] < 0.0f) {
      far = fmaxf(far, room / n[2]);
    } else if (room / n[2] < near) {
      near = room / n[2];
      seen = k;
    }
  }
  if (seen < 0 || !(far <= near)) return false;
  const float *own = body->plane[seen];
  *depth = body->end[0][2] + near;
  *from_edge = body->radius;
  for (int c = 0; c < 3; c++) normal[c] = c == 1 ? -own[c] : own[c];
  for (int32_t k = 0; k < body->plane_count; k++) {
    const float *n = body->plane[k], cosine = n[0] * own[0] + n[1] * own[1] + n[2] * own[2];
    if (k == seen || !(cosine * cosine < 0.9999f)) continue;
    const float room = n[3] * body->size - n[0] * at[0] - n[1] * at[1] - n[2] * near;
    *from_edge = fminf(*from_edge, room / sqrtf(1.0f - cosine * cosine));
  }
  return true;
}

static void mark_planes(fine_image *image, const solid *body, int32_t owner)
{
  const pixel_box box = pixels_around(image, body, body->radius, body->radius);
  for (int32_t k = box.top; k < box.bottom; k++)
    for (int32_t c = box.left; c < box.right; c++) {
      float depth, normal[3], from_edge;
      if (hit_planes(body, (float)c + 0.5f, (float)k + 0.5f, &depth, normal, &from_edge))
        mark(image, (int64_t)k * image->width + c, depth, owner);
    }
}

static bool is_sphere(const solid *body)
{
  return !body->is_ellipsoid && body->plane_count == 0 &&
         memcmp(body->end[0], body->end[1], sizeof body->end[0]) == 0;
}

static void mark_all(fine_image *image, const solid *solids, int64_t count)
{
  for (int64_t k = 0; k < count; k++) {
    if (is_sphere(&solids[k]))
      mark_sphere(image, &solids[k], (int32_t)k);
    else if (solids[k].is_ellipsoid)
      mark_ellipsoid(image, &solids[k], (int32_t)k);
    else if (solids[k].plane_count > 0)
      mark_planes(image, &solids[k], (int32_t)k);
    else
      mark_capsule(image, &solids[k], (int32_t)k);
  }
}

/* ---- crevices -------------------------------------------------------------------------------------- */

/* Sums of `value` over windows of 2 * reach + 1 along one line of `count` numbers, `stride` apart. */
static void window_sums(const float *value, float *sum, int32_t count, int64_t stride, int32_t reach)
{
  double running = 0.0;
  for (int32_t k = 0; k < reach && k < count; k++) running += value[k * stride];
  for (int32_t k = 0; k < count; k++) {
    if (k + reach < count) running += value[(k + reach) * stride];
    if (k - reach - 1 >= 0) running -= value[(k - reach - 1) * stride];
    sum[k * stride] = (float)running;
  }
}

static void box_sums(float *field, float *scratch, int32_t width, int32_t height, int32_t reach)
{
  for (int32_t y = 0; y < height; y++)
    window_sums(field + (int64_t)y * width, scratch + (int64_t)y * width, width, 1, reach);
  for (int32_t x = 0; x < width; x++) window_sums(scratch + x, field + x, height, width, reach);
}

/* Depth (relative to `base`) and presence per coarse pixel, from the fine pixel in its middle. Thin lines
 * do not count: a ray throws no shade. */
static void coarse_depth(const fine_image *image, const solid *solids, float base, float *depth, float *present)
{
  int32_t middle = image->factor / 2, width = image->width / image->factor, height = image->height / image->factor;
  for (int32_t y = 0; y < height; y++)
    for (int32_t x = 0; x < width; x++) {
      int64_t fine = (int64_t)(y * image->factor + middle) * image->width + x * image->factor + middle;
      int64_t k = (int64_t)y * width + x;
      bool solid_there = image->depth[fine] > nothing && solids[image->owner[fine]].shaded;
      image->level[k] = solid_there ? image->depth[fine] : nothing;
      present[k] = solid_there;
      depth[k] = solid_there ? image->depth[fine] - base : 0.0f;
    }
}

static float any_depth(const fine_image *image)
{
  for (int64_t k = 0; k < (int64_t)image->width * image->height; k++)
    if (image->depth[k] > nothing) return image->depth[k];
  return 0.0f;
}

/* Fills image->shadow. radius in fine pixels. Where nothing is, the depth counts as the pixel's own:
 * otherwise every far edge of a pile, with neighbours on the near side only, would turn dark. */
static floc_status find_crevices(const picture_report *report, fine_image *image, const solid *solids,
                                 double radius)
{
  int32_t width = image->width / image->factor, height = image->height / image->factor;
  int64_t count = (int64_t)width * height;
  float *buffer = picture_allocate(4 * count, sizeof *buffer);
  if (!buffer) return picture_out_of_memory(report, 16.0 * (double)count);
  float *own = buffer, *sum = buffer + count, *present = buffer + 2 * count, *scratch = buffer + 3 * count;
  coarse_depth(image, solids, any_depth(image), own, present);
  memcpy(sum, own, (size_t)count * sizeof *own);
  memcpy(image->shadow, present, (size_t)count * sizeof *present);
  int32_t reach = (int32_t)fmin(fmax(radius / image->factor, 2.0), 200.0);
  double window = (2.0 * reach + 1.0) * (2.0 * reach + 1.0);
  box_sums(sum, scratch, width, height, reach);
  box_sums(present, scratch, width, height, reach);
  for (int64_t k = 0; k < count; k++) {
    double behind = image->shadow[k] > 0.5f ? (sum[k] - present[k] * own[k]) / window : 0.0;
    double depth = behind / (1.2 * radius); /* far behind is no crevice: less again */
    image->shadow[k] = depth <= 0.0 ? 0.0f : (float)fmin(fmin(1.0, depth), 2.0 / depth);
  }
  free(buffer);
  return FLOC_OK;
}

/* ---- pass 2: light --------------------------------------------------------------------------------- */

void solid_light(const float normal[3], float *diffuse, float *highlight)
{
  static const float light[3] = {-0.42f, 0.53f, 0.736f};  /* from the upper left, before the picture */
  static const float half[3] = {-0.225f, 0.284f, 0.932f}; /* between light and viewer */
  float towards = normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2];
  float shine = normal[0] * half[0] + normal[1] * half[1] + normal[2] * half[2];
  float soft = 0.85f * towards + 0.15f; /* light reaches a little round the edge */
  *diffuse = 0.4f + 0.6f * (soft > 0.0f ? soft : 0.0f) + 0.08f * normal[2];
  float power = shine > 0.8f ? shine * shine : 0.0f;
  power *= power;
  power *= power;
  power *= power; /* 16 */
  *highlight = 0.22f * power * power;
}

static uint32_t lit(int32_t colour, float diffuse, float highlight)
{
  uint32_t pixel = 0xff000000u;
  for (int shift = 0; shift <= 16; shift += 8) {
    float part = (float)(colour >> shift & 255) * diffuse;
    part += (255.0f - part) * highlight;
    pixel |= (uint32_t)(part > 255.0f ? 255.0f : part + 0.5f) << shift;
  }
  return pixel;
}

/* How far a point of a capsule is inside of its outline, which is a capsule of the sheet; of an ellipsoid, inside
 * of the tangent that is parallel to that at the point. */
static float inside_outline(const solid *tube, float x, float y, const float normal[3])
{
  if (tube->is_ellipsoid) {
    const float flat = sqrtf(normal[0] * normal[0] + normal[1] * normal[1]);
    if (!(flat > 0.0f)) return tube->radius;
    const float n[2] = {normal[0] / flat, -normal[1] / flat};
    return reach_of(tube, n[0], n[1]) - n[0] * (x - tube->end[0][0]) - n[1] * (y - tube->end[0][1]);
  }
  const float *a = tube->end[0], *b = tube->end[1], along[2] = {b[0] - a[0], b[1] - a[1]};
  const float square = along[0] * along[0] + along[1] * along[1];
  float part = square > 0.0f ? ((x - a[0]) * along[0] + (y - a[1]) * along[1]) / square : 0.0f;
  part = part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part;
  const float way[2] = {x - a[0] - part * along[0], y - a[1] - part * along[1]};
  return tube->radius - sqrtf(way[0] * way[0] + way[1] * way[1]);
}

static uint32_t shade(const solid *body, const solid_scene *scene, float x, float y, float shadow)
{
  if (!body->shaded) return 0xff000000u | (uint32_t)body->colour;
  float normal[3] = {0.0f, 0.0f, 1.0f}, depth, r = body->radius, from_plane = 0.0f;
  if (is_sphere(body)) {
    normal[0] = (x - body->end[0][0]) / r;
    normal[1] = -(y - body->end[0][1]) / r;
    float rest = 1.0f - normal[0] * normal[0] - normal[1] * normal[1];
    normal[2] = rest > 0.0f ? sqrtf(rest) : 0.0f;
  } else if (body->is_ellipsoid) {
    hit_ellipsoid(body, x, y, &depth, normal);
  } else if (body->plane_count > 0) {
    hit_planes(body, x, y, &depth, normal, &from_plane);
  } else {
    hit_capsule(body, x, y, &depth, normal);
  }
  float diffuse, highlight;
  solid_light(normal, &diffuse, &highlight);
  diffuse *= 1.0f - 0.6f * shadow;
  float from_edge = is_sphere(body) ? r * (1.0f - sqrtf(fmaxf(0.0f, 1.0f - normal[2] * normal[2])))
                                    : inside_outline(body, x, y, normal);
  if (body->plane_count > 0) from_edge = from_plane;
  if (body->rim && from_edge < (float)scene->rim_width) {
    diffuse *= 0.5f;
    highlight = 0.0f;
  }
  return lit(body->colour, diffuse, highlight * (1.0f - shadow));
}

/* The shadow at a fine pixel: that of its pixel, or of a neighbour on this side whose solid lies at the same
 * depth, so that what is in front does not take the shadow of what is behind along its outline. */
static float shadow_at(const fine_image *image, int32_t x, int32_t y, float depth, float near)
{
  int32_t factor = image->factor, width = image->width / factor, height = image->height / factor;
  int32_t column = x / factor, row = y / factor;
  int64_t best = (int64_t)row * width + column;
  float least = fabsf(image->level[best] - depth);
  if (least < near) return image->shadow[best];
  int32_t side = x % factor < factor / 2 ? -1 : 1, level = y % factor < factor / 2 ? -1 : 1;
  for (int k = 1; k < 4; k++) {
    int32_t c = column + (k & 1 ? side : 0), r = row + (k & 2 ? level : 0);
    if (c < 0 || r < 0 || c >= width || r >= height) continue;
    int64_t other = (int64_t)r * width + c;
    float distance = fabsf(image->level[other] - depth);
    if (!(distance < least)) continue;
    least = distance;
    best = other;
  }
  return least < 4.0f * near ? image->shadow[best] : 0.0f;
}

static void shade_all(fine_image *image, const solid_scene *scene)
{
  float near = (float)(0.25 * scene->shadow_radius * image->factor);
  for (int32_t y = 0; y < image->height; y++)
    for (int32_t x = 0; x < image->width; x++) {
      int64_t k = (int64_t)y * image->width + x;
      if (!(image->depth[k] > nothing)) continue;
      float shadow = near > 0.0f ? shadow_at(image, x, y, image->depth[k], near) : 0.0f;
      image->colour[k] = shade(&scene->solids[image->owner[k]], scene, (float)x + 0.5f, (float)y + 0.5f, shadow);
    }
}

/* ---- pass 3: faces --------------------------------------------------------------------------------- */

static float face_depth(const solid_face *face)
{
  if (face->radius > 0.0f) return face->corner[0][2] + (face->front ? face->radius : -face->radius);
  return (face->corner[0][2] + face->corner[1][2] + face->corner[2][2]) / 3.0f;
}

static int compare_faces(const void *a, const void *b)
{
  const solid_face *p = a, *q = b;
  float first = face_depth(p), second = face_depth(q);
  if (first != second) return first < second ? -1 : 1;
  return (p->number > q->number) - (p->number < q->number);
}

void solid_faces_sort(solid_face *faces, int64_t count)
{
  if (count > 1) qsort(faces, (size_t)count, sizeof *faces, compare_faces);
}

static void blend(fine_image *image, int64_t pixel, float depth, int32_t colour, double opacity)
{
  if (depth > image->depth[pixel]) image->colour[pixel] = pixel_over(image->colour[pixel], colour, opacity);
}

static void blend_triangle(fine_image *image, const solid_face *face)
{
  const float(*p)[3] = face->corner;
  double ux = p[1][0] - p[0][0], uy = p[1][1] - p[0][1], uz = p[1][2] - p[0][2];
  double vx = p[2][0] - p[0][0], vy = p[2][1] - p[0][1], vz = p[2][2] - p[0][2];
  double area = ux * vy - uy * vx;
  if (fabs(area) < 1e-6) return; /* seen from the edge */
  double normal_x = uy * vz - uz * vy, normal_y = uz * vx - ux * vz;
  double length = sqrt(normal_x * normal_x + normal_y * normal_y + area * area);
  float facing = (float)(fabs(area) / length), sign = area > 0.0 ? 1.0f : -1.0f, diffuse, highlight;
  float normal[3] = {sign * (float)(normal_x / length), -sign * (float)(normal_y / length), facing};
  solid_light(normal, &diffuse, &highlight);
  int32_t colour = (int32_t)(lit(face->colour, 0.55f + 0.5f * diffuse, 0.0f) & 0xffffffu);
  int32_t top = clip(fminf(p[0][1], fminf(p[1][1], p[2][1])), 0, image->height);
  int32_t bottom = clip(fmaxf(p[0][1], fmaxf(p[1][1], p[2][1])) + 1.0f, 0, image->height);
  int32_t left = clip(fminf(p[0][0], fminf(p[1][0], p[2][0])), 0, image->width);
  int32_t right = clip(fmaxf(p[0][0], fmaxf(p[1][0], p[2][0])) + 1.0f, 0, image->width);
  for (int32_t y = top; y < bottom; y++)
    for (int32_t x = left; x < right; x++) {
      double px = x + 0.5 - p[0][0], py = y + 0.5 - p[0][1];
      double s = (px * vy - py * vx) / area, t = (ux * py - uy * px) / area;
      if (s < 0.0 || t < 0.0 || s + t >= 1.0) continue;
      blend(image, (int64_t)y * image->width + x, (float)(p[0][2] + s * uz + t * vz), colour, face->opacity);
    }
}

/* A glass ball: faint in the middle, dense at its outline. */
static void blend_shell(fine_image *image, const solid_face *face)
{
  float x = face->corner[0][0], y = face->corner[0][1], z = face->corner[0][2], r = face->radius;
  int32_t top = clip(y - r, 0, image->height), bottom = clip(y + r + 1.0f, 0, image->height);
  int32_t left = clip(x - r, 0, image->width), right = clip(x + r + 1.0f, 0, image->width);
  for (int32_t k = top; k < bottom; k++)
    for (int32_t c = left; c < right; c++) {
      float dx = ((float)c + 0.5f - x) / r, dy = ((float)k + 0.5f - y) / r, rest = 1.0f - dx * dx - dy * dy;
      if (rest < 0.0f) continue;
      float facing = sqrtf(rest), slant = 1.0f - facing;
      double opacity = face->opacity * (0.25 + 1.4 * slant * slant * slant);
      blend(image, (int64_t)k * image->width + c, face->front ? z + facing * r : z - facing * r, face->colour,
            opacity > 1.0 ? 1.0 : opacity);
    }
}

static void blend_all(fine_image *image, const solid_scene *scene)
{
  solid_faces_sort(scene->faces, scene->face_count);
  for (int64_t k = 0; k < scene->face_count; k++) {
    if (scene->faces[k].radius > 0.0f)
      blend_shell(image, &scene->faces[k]);
    else
      blend_triangle(image, &scene->faces[k]);
  }
}

/* ---- averaging ------------------------------------------------------------------------------------- */

static uint32_t mean_of(const fine_image *image, int32_t x, int32_t y)
{
  uint32_t sum[4] = {0}, count = (uint32_t)(image->factor * image->factor), pixel = 0;
  for (int32_t k = 0; k < image->factor; k++) {
    const uint32_t *row = image->colour + (int64_t)(y * image->factor + k) * image->width + x * image->factor;
    for (int32_t c = 0; c < image->factor; c++)
      for (int part = 0; part < 4; part++) sum[part] += row[c] >> (8 * part) & 255;
  }
  for (int part = 0; part < 4; part++) pixel |= (sum[part] + count / 2) / count << (8 * part);
  return pixel;
}

static uint32_t premultiplied_over(uint32_t below, uint32_t above)
{
  uint32_t rest = 255 - (above >> 24), pixel = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    uint32_t part = (above >> shift & 255) + ((below >> shift & 255) * rest + 127) / 255;
    pixel |= (part > 255 ? 255 : part) << shift;
  }
  return pixel;
}

static void average(const fine_image *image, const raster *target)
{
  for (int32_t y = 0; y < image->height / image->factor; y++)
    for (int32_t x = 0; x < image->width / image->factor; x++) {
      uint32_t above = mean_of(image, x, y);
      if (above >> 24 == 0) continue;
      uint32_t *pixel = target->pixels + (int64_t)(image->top + y) * target->stride + image->left + x;
      *pixel = premultiplied_over(*pixel, above);
    }
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static solid finer(const solid *body, const fine_image *image)
{
  solid result = *body;
  float factor = (float)image->factor;
  for (int e = 0; e < 2; e++) {
    result.end[e][0] = (body->end[e][0] - (float)image->left) * factor;
    result.end[e][1] = (body->end[e][1] - (float)image->top) * factor;
    result.end[e][2] = body->end[e][2] * factor;
  }
  for (int k = 0; k < 3 && body->is_ellipsoid; k++)
    for (int part = 0; part < 3; part++) result.axis[k][part] *= factor;
  result.radius *= factor;
  result.size *= factor;
  return result;
}

static solid_face finer_face(const solid_face *face, const fine_image *image)
{
  solid_face result = *face;
  float factor = (float)image->factor;
  for (int e = 0; e < 3; e++) {
    result.corner[e][0] = (face->corner[e][0] - (float)image->left) * factor;
    result.corner[e][1] = (face->corner[e][1] - (float)image->top) * factor;
    result.corner[e][2] = face->corner[e][2] * factor;
  }
  result.radius *= factor;
  return result;
}

/* Nine fine pixels per pixel while that stays near 100 MB, then four, then one. */
static int32_t choose_factor(int64_t pixels)
{
  return pixels <= 1200000 ? 3 : pixels <= 9000000 ? 2 : 1;
}

static floc_status render(const picture_report *report, fine_image *image, solid_scene *scene)
{
  int64_t count = (int64_t)image->width * image->height;
  for (int64_t k = 0; k < count; k++) image->depth[k] = nothing;
  mark_all(image, scene->solids, scene->solid_count);
  if (scene->shadow_radius > 0.0) {
    floc_status status = find_crevices(report, image, scene->solids, scene->shadow_radius * image->factor);
    if (status != FLOC_OK) return status;
  }
  scene->rim_width *= image->factor;
  shade_all(image, scene);
  blend_all(image, scene);
  return FLOC_OK;
}

floc_status solids_render(const picture_report *report, const solid_scene *scene, const raster *target)
{
  int64_t pixels = (int64_t)(target->right - target->left) * (target->bottom - target->top);
  if (pixels <= 0) return FLOC_OK;
  int32_t factor = choose_factor(pixels);
  int64_t count = pixels * factor * factor;
  fine_image image = {(target->right - target->left) * factor,
                      (target->bottom - target->top) * factor,
                      factor,
                      target->left,
                      target->top,
                      NULL,
                      NULL,
                      NULL,
                      NULL,
                      NULL};
  solid *solids = picture_allocate(scene->solid_count, sizeof *solids);
  solid_face *faces = picture_allocate(scene->face_count, sizeof *faces);
  image.depth = picture_allocate(count, sizeof *image.depth);
  image.owner = picture_allocate(count, sizeof *image.owner);
  image.colour = picture_allocate(count, sizeof *image.colour);
  image.shadow = picture_allocate(pixels, sizeof *image.shadow);
  image.level = picture_allocate(pixels, sizeof *image.level);
  floc_status status = FLOC_OK;
  if (!solids || !faces || !image.depth || !image.owner || !image.colour || !image.shadow || !image.level) {
    double bytes = 12.0 * (double)count + (double)sizeof(solid) * (double)scene->solid_count;
    status = picture_out_of_memory(report, bytes);
  } else {
    for (int64_t k = 0; k < scene->solid_count; k++) solids[k] = finer(&scene->solids[k], &image);
    for (int64_t k = 0; k < scene->face_count; k++) faces[k] = finer_face(&scene->faces[k], &image);
    solid_scene fine = {solids,           scene->solid_count,  faces, scene->face_count,
                        scene->rim_width, scene->shadow_radius};
    status = render(report, &image, &fine);
    if (status == FLOC_OK) average(&image, target);
  }
  free(solids);
  free(faces);
  free(image.depth);
  free(image.owner);
  free(image.colour);
  free(image.shadow);
  free(image.level);
  return status;
}
