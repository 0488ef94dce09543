/*
 * A sheet to draw on: a Cairo context over pixels in memory or over a vector file, with the file's
 * handling (temporary file beside it, rename when complete), text and colours. Everything that
 * pictures and plots have in common below the level of particles and axes.
 *
 * Lengths are pixels from the upper left corner. Errors: Cairo keeps the first one in its context, so
 * drawing calls are not checked one by one; canvas_finish looks and refuses to leave a damaged file.
 */
#ifndef FLOC_PICTURE_DRAW_CANVAS_H
#define FLOC_PICTURE_DRAW_CANVAS_H

#include "draw/report.h"

#include <cairo.h>
#include <stdio.h>

typedef enum canvas_kind { CANVAS_PIXELS, CANVAS_SVG, CANVAS_PDF } canvas_kind;

typedef struct rectangle {
  double x, y, width, height;
} rectangle;

typedef struct canvas {
  canvas_kind kind;
  picture_report report;
  int32_t width, height;
  cairo_surface_t *surface;
  cairo_t *cairo;
  uint32_t *pixels;        /* CANVAS_PIXELS: rows of width, 0xAARRGGBB premultiplied; else NULL */
  double text_size;        /* of ordinary text */
  double thin;             /* width of a thin line that suits the text */
  int32_t background, ink; /* ink: the colour of text and axes on that background */
  bool plain_font;         /* no font is installed: Cairo's own, which knows only ASCII */
  bool owns_pixels;
  char *path;           /* file output; else NULL */
  floc_new_file *fresh; /* which takes its place */
  FILE *file;
  int write_error; /* errno of the first write that failed */
} canvas;

/* What a sheet looks like before anything is drawn. */
typedef struct canvas_style {
  int32_t width, height;
  double text_size; /* 0: from the size */
  int32_t background;
  bool transparent;
} canvas_style;

/* Text size that suits a sheet of that size. */
double canvas_text_size(double width, double height);

/* Draws into memory of the caller, which is cleared first. */
floc_status canvas_open_pixels(canvas *sheet, picture_report report, const canvas_style *style, uint32_t *pixels,
                               int32_t width, int32_t height);
/* Draws into a file by the ending of its name. */
floc_status canvas_open_file(canvas *sheet, picture_report report, const canvas_style *style, const char *path);
/* A sheet of no size on which text can be measured before the real size is known. */
floc_status canvas_open_measure(canvas *sheet, picture_report report, const canvas_style *style);

/* Completes the sheet; a file gets its name now. Frees everything, also on failure. */
floc_status canvas_finish(canvas *sheet);
/* Frees everything and removes the temporary file. Does nothing on a sheet that is closed. */
void canvas_abandon(canvas *sheet);

/* ---- colours and lines --------------------------------------------------------------------------- */

void canvas_set_colour(canvas *sheet, int32_t colour, double opacity);
/* A colour between the two: part 0 gives first, 1 gives second. */
int32_t colour_mix(int32_t first, int32_t second, double part);
/* Relative luminance by the eye, 0 black to 1 white. */
double colour_luminance(int32_t colour);
void canvas_line(canvas *sheet, double x1, double y1, double x2, double y2);
/* Dash pattern in units of the line width: 0 solid, 1 dashed, 2 dotted, 3 dash-dotted. */
void canvas_set_dash(canvas *sheet, int32_t dash, double width);

/* ---- text --------------------------------------------------------------------------------------- */

typedef enum text_align { TEXT_LEFT, TEXT_CENTER, TEXT_RIGHT } text_align;

typedef struct text_style {
  double size; /* pixels */
  bool bold;
  text_align align;
  double room; /* greatest width; shrunk and cut to fit; 0: no limit */
  int32_t colour;
  int32_t halo; /* colour of a soft rim that sets the text off from what is below; -1: none */
} text_style;

/* Ordinary text in the sheet's size and ink. */
text_style text_ordinary(const canvas *sheet, text_align align, double room);
/* Draws one line with its baseline at (x, y). NULL draws nothing. */
void canvas_text(canvas *sheet, const text_style *style, double x, double y, const char *text);
/* Draws a line turned by 90 degrees (reads upwards), baseline at x, around the height y. */
void canvas_text_upwards(canvas *sheet, const text_style *style, double x, double y, const char *text);
/* Width of the line in pixels. */
double canvas_text_width(canvas *sheet, const text_style *style, const char *text);

/* Writes "label [unit]" into a buffer; either may be NULL; "" if both are. */
void label_with_unit(char *buffer, size_t size, const char *label, const char *unit);

#endif
