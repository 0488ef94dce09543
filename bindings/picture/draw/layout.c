/*
 * The sheet's stripes and the grid. Panels lie at whole pixels, so that frames are sharp and pixels of
 * particles can be clipped exactly.
 */
#include "draw/layout.h"

#include <floc/floc.h>

#include <math.h>

double sheet_margin(double text_size)
{
  return floor(0.9 * text_size);
}

double title_height(const sheet_texts *texts, double text_size)
{
  return texts->title && *texts->title ? floor(2.1 * text_size) : 0.0;
}

double caption_height(const sheet_texts *texts, double text_size)
{
  bool any = (texts->caption_left && *texts->caption_left) || (texts->caption_right && *texts->caption_right);
  return any ? floor(1.7 * text_size) : 0.0;
}

rectangle sheet_inside(const canvas *sheet, const sheet_texts *texts)
{
  double margin = sheet_margin(sheet->text_size), above = title_height(texts, sheet->text_size);
  double below = caption_height(texts, sheet->text_size);
  rectangle inside = {margin, margin + above, sheet->width - 2.0 * margin,
                      sheet->height - 2.0 * margin - above - below};
  return inside;
}

void sheet_draw_texts(canvas *sheet, const sheet_texts *texts)
{
  double margin = sheet_margin(sheet->text_size), width = sheet->width - 2.0 * margin;
  text_style title = text_ordinary(sheet, TEXT_CENTER, width);
  title.size *= 1.25;
  title.bold = true;
  canvas_text(sheet, &title, 0.5 * sheet->width, margin + 1.1 * sheet->text_size, texts->title);
  text_style left = text_ordinary(sheet, TEXT_LEFT, 0.0), right = text_ordinary(sheet, TEXT_RIGHT, 0.0);
  double gap = 1.5 * sheet->text_size, need_left = canvas_text_width(sheet, &left, texts->caption_left);
  double need_right = canvas_text_width(sheet, &right, texts->caption_right);
  left.room = fmax(width - need_right - gap, 0.5 * (width - gap));
  right.room = fmax(width - fmin(need_left, left.room) - gap, 0.5 * (width - gap));
  if (need_left == 0.0) right.room = width;
  if (need_right == 0.0) left.room = width;
  double baseline = sheet->height - margin + 0.1 * sheet->text_size;
  canvas_text(sheet, &left, margin, baseline, texts->caption_left);
  canvas_text(sheet, &right, sheet->width - margin, baseline, texts->caption_right);
}

int32_t grid_columns(int32_t count, const rectangle *area, double gap, double header, double aspect)
{
  int32_t best = 1;
  double best_size = -INFINITY;
  for (int32_t columns = 1; columns <= count; columns++) {
    int32_t rows = (count + columns - 1) / columns;
    double width = (area->width - (columns - 1) * gap) / columns;
    double height = (area->height - (rows - 1) * gap) / rows - header;
    double size = fmin(width, height * aspect) * (1.0 - 0.01 * (rows * columns - count));
    if (size > best_size * 1.0001) {
      best_size = size;
      best = columns;
    }
  }
  return best;
}

int32_t grid_columns_free(int32_t count, double aspect, double wanted_ratio)
{
  int32_t best = 1;
  double best_error = INFINITY;
  for (int32_t columns = 1; columns <= count; columns++) {
    int32_t rows = (count + columns - 1) / columns;
    double ratio = rows / (aspect * columns);
    double error = fabs(floc_log(ratio / wanted_ratio)) + 0.6 * (rows * columns - count) / columns;
    if (error < best_error) {
      best_error = error;
      best = columns;
    }
  }
  return best;
}

rectangle grid_cell(const panel_grid *grid, const rectangle *area, int32_t index)
{
  int32_t column = index % grid->columns, row = index / grid->columns;
  double width = (area->width - (grid->columns - 1) * grid->gap) / grid->columns;
  double height = (area->height - (grid->rows - 1) * grid->gap) / grid->rows;
  double left = floor(area->x + column * (width + grid->gap) + 0.5);
  double top = floor(area->y + row * (height + grid->gap) + grid->header + 0.5);
  double right = floor(area->x + column * (width + grid->gap) + width + 0.5);
  double bottom = floor(area->y + row * (height + grid->gap) + height + 0.5);
  rectangle cell = {left, top, fmax(right - left, 1.0), fmax(bottom - top, 1.0)};
  return cell;
}

void draw_panel_title(canvas *sheet, const rectangle *panel, const char *title)
{
  text_style style = text_ordinary(sheet, TEXT_CENTER, panel->width);
  canvas_text(sheet, &style, panel->x + 0.5 * panel->width, panel->y - 0.5 * sheet->text_size, title);
}
