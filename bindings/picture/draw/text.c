/*
 * Lines of text with raised and lowered parts, fitted into the space they have.
 *
 * A string is split into runs of one level (0 on the line, 1 raised by ^{}, -1 lowered by _{}). Bytes that
 * are not UTF-8 would put Cairo's context into an error state for good, so they become '?'; control
 * characters become blanks. Where no font is installed Cairo falls back to a built-in one with ASCII
 * only; the signs that pictures use themselves are then replaced by ASCII ones.
 */
#include "draw/canvas.h"

#include <math.h>
#include <string.h>

enum { RUNS = 24, RUN_BYTES = 256 };

typedef struct run {
  int level;
  int length;
  char text[RUN_BYTES];
} run;

typedef struct line_of_runs {
  int count;
  run run[RUNS];
} line_of_runs;

static const double level_size = 0.72; /* of raised and lowered parts, relative to the text */

/* ---- from bytes to runs ---------------------------------------------------------------------------- */

/* Bytes of the UTF-8 character at text, 0 if it is none (RFC 3629: no overlong forms, no surrogates). */
static int utf8_length(const unsigned char *text)
{
  static const unsigned char second_least[] = {0x80, 0xa0, 0x90}; /* after c2..df others, e0, f0 */
  unsigned char first = text[0];
  if (first < 0x80) return 1;
  int length = first >= 0xc2 && first <= 0xdf   ? 2
               : first >= 0xe0 && first <= 0xef ? 3
               : first >= 0xf0 && first <= 0xf4 ? 4
                                                : 0;
  for (int k = 1; k < length; k++)
    if ((text[k] & 0xc0) != 0x80) return 0;
  if (first == 0xe0 && text[1] < second_least[1]) return 0;
  if (first == 0xed && text[1] > 0x9f) return 0;
  if (first == 0xf0 && text[1] < second_least[2]) return 0;
  if (first == 0xf4 && text[1] > 0x8f) return 0;
  return length;
}

static const char *ascii_for(const char *character, int length)
{
  static const char *const pairs[][2] = {{"\u2212", "-"}, {"\u00d7", "x"}, {"\u2026", ".."}, {"\u00b5", "u"},
                                         {"\u03bc", "u"}, {"\u2013", "-"}, {"\u00b7", "."},  {"\u00b0", "deg"}};
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
    if ((int)strlen(pairs[k][0]) == length && memcmp(pairs[k][0], character, (size_t)length) == 0)
      return pairs[k][1];
  return "?";
}

static void append(line_of_runs *line, int level, const char *bytes, int length)
{
  run *last = line->count > 0 ? &line->run[line->count - 1] : NULL;
  if (!last || last->level != level) {
    if (line->count == RUNS) return;
    last = &line->run[line->count++];
    last->level = level;
    last->length = 0;
  }
  if (last->length + length >= RUN_BYTES) return;
  memcpy(last->text + last->length, bytes, (size_t)length);
  last->length += length;
  last->text[last->length] = 0;
}

static void append_character(const canvas *sheet, line_of_runs *line, int level, const char *text, int length)
{
  if (length == 0)
    append(line, level, "?", 1);
  else if (length == 1)
    append(line, level, (unsigned char)*text < 32 || *text == 127 ? " " : text, 1);
  else if (sheet->plain_font)
    append(line, level, ascii_for(text, length), (int)strlen(ascii_for(text, length)));
  else
    append(line, level, text, length);
}

static void parse(const canvas *sheet, const char *text, line_of_runs *line)
{
  line->count = 0;
  int level = 0;
  while (*text) {
    if (level == 0 && (*text == '^' || *text == '_') && text[1] == '{' && strchr(text + 2, '}')) {
      level = *text == '^' ? 1 : -1;
      text += 2;
      continue;
    }
    if (level != 0 && *text == '}') {
      level = 0;
      text++;
      continue;
    }
    int length = utf8_length((const unsigned char *)text);
    append_character(sheet, line, level, text, length);
    text += length > 0 ? length : 1;
  }
}

/* ---- measuring and fitting ------------------------------------------------------------------------- */

static double run_size(const run *part, double size)
{
  return part->level == 0 ? size : level_size * size;
}

static double line_width(canvas *sheet, const line_of_runs *line, double size)
{
  double width = 0.0;
  for (int k = 0; k < line->count; k++) {
    cairo_text_extents_t extents;
    cairo_set_font_size(sheet->cairo, run_size(&line->run[k], size));
    cairo_text_extents(sheet->cairo, line->run[k].text, &extents);
    width += extents.x_advance;
  }
  return width;
}

/* Removes the last character; false when nothing is left. */
static bool shorten(line_of_runs *line)
{
  if (line->count == 0) return false;
  run *last = &line->run[line->count - 1];
  do last->length--;
  while (last->length > 0 && (last->text[last->length] & 0xc0) == 0x80);
  last->text[last->length] = 0;
  if (last->length == 0) line->count--;
  return true;
}

/* The size at which the line fits: down to 3/4, then cut. */
static double fit(canvas *sheet, line_of_runs *line, const text_style *style)
{
  double size = style->size, width = line_width(sheet, line, size);
  if (style->room <= 0.0 || width <= style->room) return size;
  size *= fmax(0.75, style->room / width);
  const char *dots = sheet->plain_font ? ".." : "\u2026";
  line_of_runs shown = *line;
  while (line_width(sheet, &shown, size) > style->room * 1.0001 && shorten(line)) {
    shown = *line;
    append(&shown, 0, dots, (int)strlen(dots));
  }
  *line = shown;
  return size;
}

static void select_face(canvas *sheet, const text_style *style)
{
  cairo_select_font_face(sheet->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         style->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
}

double canvas_text_width(canvas *sheet, const text_style *style, const char *text)
{
  if (!text) return 0.0;
  line_of_runs line;
  parse(sheet, text, &line);
  select_face(sheet, style);
  double size = fit(sheet, &line, style);
  return line_width(sheet, &line, size);
}

/* ---- drawing --------------------------------------------------------------------------------------- */

text_style text_ordinary(const canvas *sheet, text_align align, double room)
{
  text_style style = {sheet->text_size, false, align, room, sheet->ink, -1};
  return style;
}

static void show_runs(canvas *sheet, const line_of_runs *line, double x, double y, double size, bool as_path)
{
  for (int k = 0; k < line->count; k++) {
    const run *part = &line->run[k];
    cairo_text_extents_t extents;
    cairo_set_font_size(sheet->cairo, run_size(part, size));
    cairo_text_extents(sheet->cairo, part->text, &extents);
    cairo_move_to(sheet->cairo, x, y - (part->level > 0 ? 0.36 : part->level < 0 ? -0.18 : 0.0) * size);
    if (as_path)
      cairo_text_path(sheet->cairo, part->text);
    else
      cairo_show_text(sheet->cairo, part->text);
    x += extents.x_advance;
  }
}

void canvas_text(canvas *sheet, const text_style *style, double x, double y, const char *text)
{
  if (!text) return;
  line_of_runs line;
  parse(sheet, text, &line);
  if (line.count == 0) return;
  cairo_save(sheet->cairo);
  select_face(sheet, style);
  double size = fit(sheet, &line, style);
  double width = line_width(sheet, &line, size);
  x -= style->align == TEXT_RIGHT ? width : style->align == TEXT_CENTER ? 0.5 * width : 0.0;
  if (style->halo >= 0) {
    cairo_new_path(sheet->cairo);
    show_runs(sheet, &line, x, y, size, true);
    canvas_set_colour(sheet, style->halo, 0.85);
    cairo_set_line_width(sheet->cairo, 0.22 * size);
    canvas_set_dash(sheet, 0, 1.0);
    cairo_stroke(sheet->cairo);
  }
  canvas_set_colour(sheet, style->colour, 1.0);
  show_runs(sheet, &line, x, y, size, false);
  cairo_new_path(sheet->cairo);
  cairo_restore(sheet->cairo);
}

void canvas_text_upwards(canvas *sheet, const text_style *style, double x, double y, const char *text)
{
  cairo_save(sheet->cairo);
  cairo_translate(sheet->cairo, x, y);
  cairo_rotate(sheet->cairo, -1.5707963267948966);
  canvas_text(sheet, style, 0.0, 0.0, text);
  cairo_restore(sheet->cairo);
}

void label_with_unit(char *buffer, size_t size, const char *label, const char *unit)
{
  bool has_label = label && *label, has_unit = unit && *unit;
  snprintf(buffer, size, "%s%s%s%s%s", has_label ? label : "", has_label && has_unit ? " " : "",
           has_unit ? "[" : "", has_unit ? unit : "", has_unit ? "]" : "");
}
