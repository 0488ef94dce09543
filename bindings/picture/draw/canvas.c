/*
 * Surfaces and files. A file is a floc_new_file, which takes its place when it is complete: a reader never sees
 * half a picture, and a full disk leaves the old one. It is opened before anything is drawn, so that a wrong folder
 * is reported at once.
 */
#include "draw/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { REASON_SIZE = 512 };

double canvas_text_size(double width, double height)
{
  double side = fmin(width, 1.5 * height);
  return fmax(8.0, 5.0 + 0.0105 * side);
}

static floc_status cairo_failure(const canvas *sheet, cairo_status_t status)
{
  if (status == CAIRO_STATUS_NO_MEMORY)
    return picture_out_of_memory(&sheet->report, 4.0 * sheet->width * sheet->height);
  if (status == CAIRO_STATUS_WRITE_ERROR)
    return picture_refuse(&sheet->report, FLOC_FILE_ERROR, "cannot write %s: %s", sheet->path,
                          strerror(sheet->write_error));
  return picture_refuse(&sheet->report, FLOC_NOT_SUPPORTED, "Cairo cannot draw this picture: %s",
                        cairo_status_to_string(status));
}

/* ---- opening --------------------------------------------------------------------------------------- */

static void prepare(canvas *sheet, picture_report report, const canvas_style *style)
{
  memset(sheet, 0, sizeof *sheet);
  sheet->report = report;
  sheet->width = style->width;
  sheet->height = style->height;
  sheet->text_size = style->text_size > 0.0 ? style->text_size : canvas_text_size(style->width, style->height);
  sheet->thin = sheet->text_size / 14.0;
  sheet->background = style->background;
  sheet->ink = colour_luminance(style->background) > 0.4 ? 0x202020 : 0xf0f0f0;
}

/* The context, its font, and the background. */
static floc_status begin(canvas *sheet, bool transparent)
{
  sheet->cairo = cairo_create(sheet->surface);
  cairo_t *cairo = sheet->cairo;
  cairo_font_options_t *fonts = cairo_font_options_create();
  cairo_font_options_set_antialias(fonts, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(fonts, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(fonts, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo, fonts);
  cairo_font_options_destroy(fonts);
  cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  sheet->plain_font = cairo_scaled_font_get_type(cairo_get_scaled_font(cairo)) == CAIRO_FONT_TYPE_USER;
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  if (!transparent) {
    canvas_set_colour(sheet, sheet->background, 1.0);
    cairo_paint(cairo);
  }
  cairo_status_t status = cairo_status(cairo);
  return status == CAIRO_STATUS_SUCCESS ? FLOC_OK : cairo_failure(sheet, status);
}

static floc_status begin_pixels(canvas *sheet, bool transparent)
{
  sheet->kind = CANVAS_PIXELS;
  memset(sheet->pixels, 0, (size_t)sheet->width * (size_t)sheet->height * sizeof *sheet->pixels);
  sheet->surface = cairo_image_surface_create_for_data((unsigned char *)sheet->pixels, CAIRO_FORMAT_ARGB32,
                                                       sheet->width, sheet->height, 4 * sheet->width);
  return begin(sheet, transparent);
}

floc_status canvas_open_pixels(canvas *sheet, picture_report report, const canvas_style *style, uint32_t *pixels,
                               int32_t width, int32_t height)
{
  if (!pixels || width != style->width || height != style->height)
    return picture_refuse(&report, FLOC_INVALID_ARGUMENT,
                          "the buffer%s holds %d by %d pixels; it must hold %d by %d",
                          pixels ? "" : " that is NULL", width, height, style->width, style->height);
  prepare(sheet, report, style);
  sheet->pixels = pixels;
  floc_status status = begin_pixels(sheet, style->transparent);
  if (status != FLOC_OK) canvas_abandon(sheet);
  return status;
}

floc_status canvas_open_measure(canvas *sheet, picture_report report, const canvas_style *style)
{
  prepare(sheet, report, style);
  sheet->kind = CANVAS_SVG; /* pixels must not be touched */
  sheet->surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  floc_status status = begin(sheet, true);
  if (status != FLOC_OK) canvas_abandon(sheet);
  return status;
}

static floc_status kind_of_path(const picture_report *report, const char *path, canvas_kind *kind)
{
  static const struct {
    const char *ending;
    canvas_kind kind;
  } known[] = {{".png", CANVAS_PIXELS}, {".svg", CANVAS_SVG}, {".pdf", CANVAS_PDF}};
  if (!path || !*path) return picture_refuse(report, FLOC_INVALID_ARGUMENT, "the path of the picture is empty");
  size_t length = strlen(path);
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
    if (length > 4 && strcasecmp(path + length - 4, known[k].ending) == 0) {
      *kind = known[k].kind;
      return FLOC_OK;
    }
  return picture_refuse(report, FLOC_INVALID_ARGUMENT, "path is \"%s\"; it must end with .png, .svg or .pdf", path);
}

/* Where the picture is drawn to until it is complete. */
static floc_status open_fresh(canvas *sheet, const char *path)
{
  char reason[REASON_SIZE];
  size_t size = strlen(path) + 1;
  sheet->path = picture_allocate((int64_t)size, 1);
  if (!sheet->path) return picture_out_of_memory(&sheet->report, (double)size);
  strcpy(sheet->path, path);
  floc_status status = floc_new_file_create(path, &sheet->fresh, reason, sizeof reason);
  if (status != FLOC_OK) return picture_refuse(&sheet->report, status, "%s", reason);
  int descriptor = dup(floc_new_file_descriptor(sheet->fresh));
  sheet->file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
  if (sheet->file) return FLOC_OK;
  int error = errno;
  if (descriptor >= 0) close(descriptor);
  return picture_refuse(&sheet->report, FLOC_FILE_ERROR, "cannot write %s: %s", path, strerror(error));
}

static cairo_status_t write_bytes(void *context, const unsigned char *bytes, unsigned int length)
{
  canvas *sheet = context;
  if (fwrite(bytes, 1, length, sheet->file) == length) return CAIRO_STATUS_SUCCESS;
  sheet->write_error = errno ? errno : EIO;
  return CAIRO_STATUS_WRITE_ERROR;
}

static floc_status begin_file(canvas *sheet, bool transparent)
{
  if (sheet->kind == CANVAS_PIXELS) {
    int64_t count = (int64_t)sheet->width * sheet->height;
    sheet->pixels = picture_allocate(count, sizeof *sheet->pixels);
    if (!sheet->pixels) return picture_out_of_memory(&sheet->report, 4.0 * (double)count);
    sheet->owns_pixels = true;
    return begin_pixels(sheet, transparent);
  }
  if (sheet->kind == CANVAS_SVG) {
    sheet->surface = cairo_svg_surface_create_for_stream(write_bytes, sheet, sheet->width, sheet->height);
    cairo_svg_surface_set_document_unit(sheet->surface, CAIRO_SVG_UNIT_PX);
    return begin(sheet, transparent);
  }
  /* PDF counts in points of 1/72 inch; no date of creation, so that the same picture is the same file. */
  sheet->surface =
      cairo_pdf_surface_create_for_stream(write_bytes, sheet, 0.75 * sheet->width, 0.75 * sheet->height);
  cairo_pdf_surface_set_metadata(sheet->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  cairo_surface_set_device_scale(sheet->surface, 0.75, 0.75);
  return begin(sheet, transparent);
}

floc_status canvas_open_file(canvas *sheet, picture_report report, const canvas_style *style, const char *path)
{
  prepare(sheet, report, style);
  floc_status status = kind_of_path(&report, path, &sheet->kind);
  if (status == FLOC_OK) status = open_fresh(sheet, path);
  if (status == FLOC_OK) status = begin_file(sheet, style->transparent);
  if (status != FLOC_OK) canvas_abandon(sheet);
  return status;
}

/* ---- closing --------------------------------------------------------------------------------------- */

/* Ends the drawing: Cairo's own errors come out here. */
static floc_status complete_surface(canvas *sheet)
{
  cairo_status_t status = cairo_status(sheet->cairo);
  if (status == CAIRO_STATUS_SUCCESS) {
    if (sheet->kind == CANVAS_PIXELS) {
      cairo_surface_flush(sheet->surface);
      if (sheet->file) status = cairo_surface_write_to_png_stream(sheet->surface, write_bytes, sheet);
    } else if (sheet->file) {
      cairo_surface_finish(sheet->surface);
    }
  }
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(sheet->surface);
  if (status == CAIRO_STATUS_SUCCESS && sheet->write_error) status = CAIRO_STATUS_WRITE_ERROR; /* PDF keeps quiet */
  return status == CAIRO_STATUS_SUCCESS ? FLOC_OK : cairo_failure(sheet, status);
}

static floc_status place_file(canvas *sheet)
{
  char reason[REASON_SIZE];
  bool written = fflush(sheet->file) == 0;
  int error = errno;
  bool closed = fclose(sheet->file) == 0;
  sheet->file = NULL;
  if (!written || !closed)
    return picture_refuse(&sheet->report, FLOC_FILE_ERROR, "cannot write %s: %s", sheet->path,
                          strerror(written ? errno : error));
  floc_new_file *fresh = sheet->fresh;
  sheet->fresh = NULL;
  floc_status status = floc_new_file_finish(fresh, reason, sizeof reason);
  return status == FLOC_OK ? FLOC_OK : picture_refuse(&sheet->report, status, "%s", reason);
}

floc_status canvas_finish(canvas *sheet)
{
  floc_status status = complete_surface(sheet);
  if (status == FLOC_OK && sheet->file) status = place_file(sheet);
  canvas_abandon(sheet);
  return status;
}

void canvas_abandon(canvas *sheet)
{
  if (sheet->cairo) cairo_destroy(sheet->cairo);
  if (sheet->surface) {
    cairo_surface_finish(sheet->surface); /* may still write into file */
    cairo_surface_destroy(sheet->surface);
  }
  if (sheet->file) (void)fclose(sheet->file); /* of a picture that is given up */
  floc_new_file_abandon(sheet->fresh);
  if (sheet->owns_pixels) free(sheet->pixels);
  free(sheet->path);
  sheet->cairo = NULL;
  sheet->surface = NULL;
  sheet->file = NULL;
  sheet->path = NULL;
  sheet->fresh = NULL;
  sheet->pixels = NULL;
  sheet->owns_pixels = false;
}

/* ---- colours and lines --------------------------------------------------------------------------- */

void canvas_set_colour(canvas *sheet, int32_t colour, double opacity)
{
  cairo_set_source_rgba(sheet->cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                        (colour & 255) / 255.0, opacity);
}

void canvas_line(canvas *sheet, double x1, double y1, double x2, double y2)
{
  cairo_move_to(sheet->cairo, x1, y1);
  cairo_line_to(sheet->cairo, x2, y2);
  cairo_stroke(sheet->cairo);
}

void canvas_set_dash(canvas *sheet, int32_t dash, double width)
{
  static const double patterns[4][4] = {{0}, {4.5, 2.5, 4.5, 2.5}, {1.2, 1.8, 1.2, 1.8}, {5.0, 2.0, 1.2, 2.0}};
  if (dash < 1 || dash > 3) {
    cairo_set_dash(sheet->cairo, NULL, 0, 0.0);
    return;
  }
  double lengths[4];
  for (int k = 0; k < 4; k++) lengths[k] = patterns[dash][k] * width;
  cairo_set_dash(sheet->cairo, lengths, 4, 0.0);
}
