/*
 * Where things are placed on a sheet: title above, caption below, a grid of panels between. Used by pictures and
 * plots alike.
 */
#ifndef FLOC_PICTURE_DRAW_LAYOUT_H
#define FLOC_PICTURE_DRAW_LAYOUT_H

#include "draw/canvas.h"

typedef struct sheet_texts {
  const char *title, *caption_left, *caption_right;
} sheet_texts;

/* Heights of the stripes for title and caption, 0 where there is none; with text of that size. */
double title_height(const sheet_texts *texts, double text_size);
double caption_height(const sheet_texts *texts, double text_size);
/* Free space at the sheet's edges. */
double sheet_margin(double text_size);
/* What is left for panels. */
rectangle sheet_inside(const canvas *sheet, const sheet_texts *texts);
void sheet_draw_texts(canvas *sheet, const sheet_texts *texts);

typedef struct panel_grid {
  int32_t columns, rows;
  double gap;    /* between panels */
  double header; /* above each panel, for its title */
} panel_grid;

/* Columns for `count` panels of the given width/height in an area, so that panels become as large as
 * possible. */
int32_t grid_columns(int32_t count, const rectangle *area, double gap, double header, double aspect);
/* Columns that make a whole of about the given height/width when the height is free. */
int32_t grid_columns_free(int32_t count, double aspect, double wanted_ratio);
/* Panel number `index`, without its header, at whole pixels. */
rectangle grid_cell(const panel_grid *grid, const rectangle *area, int32_t index);
/* Title of a panel, centred above it. */
void draw_panel_title(canvas *sheet, const rectangle *panel, const char *title);

#endif
