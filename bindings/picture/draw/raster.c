/*
 * Rows of pixels: for each row of a disc the part that is certainly inside is filled at once, and only
 * the pixels near the edge need a square root.
 */
#include "draw/raster.h"

#include <math.h>

static double limited(double value)
{
  return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

/* First pixel whose centre is at or right of x, and the last one at or left of it, within the clip. */
static int32_t first_pixel(double x, int32_t least)
{
  return x - 0.5 <= least ? least : x > 1e9 ? 1000000000 : (int32_t)ceil(x - 0.5);
}

static int32_t last_pixel(double x, int32_t greatest)
{
  return x - 0.5 >= greatest ? greatest : x < -1e9 ? -1000000000 : (int32_t)floor(x - 0.5);
}

static void blend_edge(uint32_t *row, int32_t from, int32_t to, double x, double dy, double radius,
                       const disc_style *style)
{
  for (int32_t k = from; k <= to; k++) {
    double dx = k + 0.5 - x, distance = sqrt(dx * dx + dy * dy);
    double covered = limited(radius + 0.5 - distance);
    double inner = style->rim_width > 0.0 ? limited(radius - style->rim_width + 0.5 - distance) : covered;
    if (covered <= 0.0) continue;
    uint32_t whole = pixel_over(0xff000000u | (uint32_t)style->rim, style->fill, inner / covered);
    row[k] = pixel_over(row[k], (int32_t)(whole & 0xffffffu), covered * style->opacity);
  }
}

static void fill_inside(uint32_t *row, int32_t from, int32_t to, const disc_style *style)
{
  if (style->opacity >= 1.0)
    for (int32_t k = from; k <= to; k++) row[k] = 0xff000000u | (uint32_t)style->fill;
  else
    for (int32_t k = from; k <= to; k++) row[k] = pixel_over(row[k], style->fill, style->opacity);
}

void raster_disc(const raster *target, double x, double y, double radius, const disc_style *style)
{
  double reach = radius + 0.5, solid = radius - style->rim_width - 0.5;
  int32_t top = first_pixel(y - reach, target->top), bottom = last_pixel(y + reach, target->bottom - 1);
  if (x + reach <= target->left || x - reach >= target->right) return;
  for (int32_t k = top; k <= bottom; k++) {
    double dy = k + 0.5 - y, square = reach * reach - dy * dy;
    if (square <= 0.0) continue;
    double half = sqrt(square);
    int32_t from = first_pixel(x - half, target->left), to = last_pixel(x + half, target->right - 1);
    uint32_t *row = target->pixels + (int64_t)k * target->stride;
    if (solid <= fabs(dy)) {
      blend_edge(row, from, to, x, dy, radius, style);
      continue;
    }
    double inside = sqrt(solid * solid - dy * dy);
    int32_t solid_from = first_pixel(x - inside, from), solid_to = last_pixel(x + inside, to);
    blend_edge(row, from, solid_from - 1 < to ? solid_from - 1 : to, x, dy, radius, style);
    fill_inside(row, solid_from, solid_to, style);
    int32_t rest = solid_to + 1 > solid_from ? solid_to + 1 : solid_from;
    blend_edge(row, rest > from ? rest : from, to, x, dy, radius, style);
  }
}

bool raster_row_of_line(double x1, double y1, double x2, double y2, double reach, double y, double *from,
                        double *to)
{
  double dy = y2 - y1, t1 = 0.0, t2 = 1.0;
  if (fabs(dy) > 1e-9) {
    double a = (y - reach - y1) / dy, b = (y + reach - y1) / dy;
    t1 = fmax(0.0, fmin(a, b));
    t2 = fmin(1.0, fmax(a, b));
    if (t1 > t2) return false;
  } else if (fabs(y - y1) > reach) {
    return false;
  }
  double a = x1 + t1 * (x2 - x1), b = x1 + t2 * (x2 - x1);
  *from = fmin(a, b) - reach;
  *to = fmax(a, b) + reach;
  return true;
}

void raster_line(const raster *target, double x1, double y1, double x2, double y2, double width, int32_t colour,
                 double opacity)
{
  double faint = width < 1.0 ? width : 1.0; /* thinner than a pixel: fainter instead */
  double radius = 0.5 * fmax(width, 1.0), reach = radius + 0.5;
  double dx = x2 - x1, dy = y2 - y1, square = dx * dx + dy * dy;
  int32_t top = first_pixel(fmin(y1, y2) - reach, target->top);
  int32_t bottom = last_pixel(fmax(y1, y2) + reach, target->bottom - 1);
  for (int32_t k = top; k <= bottom; k++) {
    double from, to, py = k + 0.5 - y1;
    if (!raster_row_of_line(x1, y1, x2, y2, reach, k + 0.5, &from, &to)) continue;
    uint32_t *row = target->pixels + (int64_t)k * target->stride;
    int32_t last = last_pixel(to, target->right - 1);
    for (int32_t c = first_pixel(from, target->left); c <= last; c++) {
      double px = c + 0.5 - x1, t = square > 0.0 ? limited((px * dx + py * dy) / square) : 0.0;
      double across_x = px - t * dx, across_y = py - t * dy;
      double covered = limited(reach - sqrt(across_x * across_x + across_y * across_y));
      if (covered > 0.0) row[c] = pixel_over(row[c], colour, covered * faint * opacity);
    }
  }
}
