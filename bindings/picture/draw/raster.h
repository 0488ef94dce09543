/*
 * Discs and thick lines straight into pixels. Cairo draws any path; drawing 100,000 circles through its
 * general machinery takes seconds, these two special cases milliseconds. Edges are smoothed by the
 * distance of the pixel's centre from the edge, which for edges that are straight over a pixel is the
 * covered area to a percent.
 */
#ifndef FLOC_PICTURE_DRAW_RASTER_H
#define FLOC_PICTURE_DRAW_RASTER_H

#include <stdbool.h>
#include <stdint.h>

/* Pixels 0xAARRGGBB, premultiplied; only those with x in [left, right) and y in [top, bottom) are
 * touched. */
typedef struct raster {
  uint32_t *pixels;
  int32_t stride; /* pixels per row */
  int32_t left, top, right, bottom;
} raster;

/* Puts a colour with opacity 0 to 1 over a pixel. */
static inline uint32_t pixel_over(uint32_t below, int32_t colour, double opacity)
{
  uint32_t part = (uint32_t)(opacity * 256.0 + 0.5), rest = 256 - part, above = (uint32_t)colour | 0xff000000u;
  uint32_t even = ((above & 0xff00ffu) * part + (below & 0xff00ffu) * rest) >> 8 & 0xff00ffu;
  uint32_t odd = (above >> 8 & 0xff00ffu) * part + (below >> 8 & 0xff00ffu) * rest;
  return even | (odd & 0xff00ff00u);
}

typedef struct disc_style {
  int32_t fill, rim;
  double rim_width; /* inside the radius; 0: none */
  double opacity;
} disc_style;

/* Coordinates in pixels; the centre of the upper left pixel is (0.5, 0.5). A disc smaller than a pixel
 * stays visible as a faint dot. */
void raster_disc(const raster *target, double x, double y, double radius, const disc_style *style);

/* A line with round ends. */
void raster_line(const raster *target, double x1, double y1, double x2, double y2, double width, int32_t colour,
                 double opacity);

/* Where a row of pixels (its middle at height y) may come within `reach` of the segment: *from .. *to in x.
 * false: nowhere. */
bool raster_row_of_line(double x1, double y1, double x2, double y2, double reach, double y, double *from,
                        double *to);

#endif
