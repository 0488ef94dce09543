/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
#include "draw/options.h"
#include "plot/plot.h"

#include <math.h>

/* clang-format off */
static const option_row rows_picture_scale[] = {
  {"reversed", offsetof(picture_scale, reversed), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, ""},
  {"logarithmic", offsetof(picture_scale, logarithmic), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, ""},
  {"lower", offsetof(picture_scale, lower), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"upper", offsetof(picture_scale, upper), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"legend", offsetof(picture_scale, legend), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 1, ""},
};
const option_rows options_of_picture_scale = {rows_picture_scale, sizeof rows_picture_scale / sizeof *rows_picture_scale};

static const option_row rows_picture_lines[] = {
  {"count", offsetof(picture_lines, count), OPTION_INTEGER64, 1, 0, 0, INFINITY, 0, "an integer of at least 0"},
  {"colour", offsetof(picture_lines, colour), OPTION_INTEGER, 1, OPTION_AUTOMATIC, 0, 16777215, -1, "a colour from 0x000000 to 0xffffff, or -1 (automatic)"},
  {"width", offsetof(picture_lines, width), OPTION_NUMBER, 1, 0, 0, INFINITY, 0, "a finite number of at least 0"},
  {"arrows", offsetof(picture_lines, arrows), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, ""},
};
const option_rows options_of_picture_lines = {rows_picture_lines, sizeof rows_picture_lines / sizeof *rows_picture_lines};

static const option_row rows_picture_field[] = {
  {"cells_x", offsetof(picture_field, cells_x), OPTION_INTEGER, 1, 0, 0, 10000000, 0, "an integer between 0 and 10000000"},
  {"cells_y", offsetof(picture_field, cells_y), OPTION_INTEGER, 1, 0, 0, 10000000, 0, "an integer between 0 and 10000000"},
  {"lower[0]", offsetof(picture_field, lower[0]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"lower[1]", offsetof(picture_field, lower[1]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"lower[2]", offsetof(picture_field, lower[2]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"spacing[0]", offsetof(picture_field, spacing[0]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 1, "a finite number"},
  {"spacing[1]", offsetof(picture_field, spacing[1]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 1, "a finite number"},
  {"spacing[2]", offsetof(picture_field, spacing[2]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 1, "a finite number"},
};
const option_rows options_of_picture_field = {rows_picture_field, sizeof rows_picture_field / sizeof *rows_picture_field};

static const option_row rows_picture_view[] = {
  {"lower[0]", offsetof(picture_view, lower[0]), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"lower[1]", offsetof(picture_view, lower[1]), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"lower[2]", offsetof(picture_view, lower[2]), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"upper[0]", offsetof(picture_view, upper[0]), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"upper[1]", offsetof(picture_view, upper[1]), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"upper[2]", offsetof(picture_view, upper[2]), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"direction[0]", offsetof(picture_view, direction[0]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, -0.45000000000000001, "a finite number"},
  {"direction[1]", offsetof(picture_view, direction[1]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, -0.40000000000000002, "a finite number"},
  {"direction[2]", offsetof(picture_view, direction[2]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, -1, "a finite number"},
  {"up[0]", offsetof(picture_view, up[0]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"up[1]", offsetof(picture_view, up[1]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 1, "a finite number"},
  {"up[2]", offsetof(picture_view, up[2]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"zoom", offsetof(picture_view, zoom), OPTION_NUMBER, 1, OPTION_ABOVE, 0, INFINITY, 1, "a finite number above 0"},
};
const option_rows options_of_picture_view = {rows_picture_view, sizeof rows_picture_view / sizeof *rows_picture_view};

static const option_row rows_picture_scene[] = {
  {"dimension", offsetof(picture_scene, dimension), OPTION_INTEGER, 1, 0, 2, 3, 2, "an integer between 2 and 3"},
  {"particle_count", offsetof(picture_scene, particle_count), OPTION_INTEGER64, 1, 0, 0, INFINITY, 0, "an integer of at least 0"},
  {"group_name_count", offsetof(picture_scene, group_name_count), OPTION_INTEGER, 1, 0, 0, INFINITY, 0, "an integer of at least 0"},
  {"particle_colour", offsetof(picture_scene, particle_colour), OPTION_INTEGER, 1, OPTION_AUTOMATIC, 0, 16777215, -1, "a colour from 0x000000 to 0xffffff, or -1 (automatic)"},
  {"particle_opacity", offsetof(picture_scene, particle_opacity), OPTION_NUMBER, 1, 0, 0, 1, 1, "a finite number between 0 and 1"},
  {"outline", offsetof(picture_scene, outline), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 1, ""},
  {"shape_count", offsetof(picture_scene, shape_count), OPTION_INTEGER64, 1, 0, 0, INFINITY, 0, "an integer of at least 0"},
  {"body_colour", offsetof(picture_scene, body_colour), OPTION_INTEGER, 1, OPTION_AUTOMATIC, 0, 16777215, -1, "a colour from 0x000000 to 0xffffff, or -1 (automatic)"},
  {"body_opacity", offsetof(picture_scene, body_opacity), OPTION_NUMBER, 1, 0, 0, 1, 0.28000000000000003, "a finite number between 0 and 1"},
  {"boundary", offsetof(picture_scene, boundary), OPTION_INTEGER, 3, 0, 0, 2, 0, "open (0), wall (1) or periodic (2)"},
  {"domain_lower[0]", offsetof(picture_scene, domain_lower[0]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"domain_lower[1]", offsetof(picture_scene, domain_lower[1]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"domain_lower[2]", offsetof(picture_scene, domain_lower[2]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"domain_upper[0]", offsetof(picture_scene, domain_upper[0]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"domain_upper[1]", offsetof(picture_scene, domain_upper[1]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"domain_upper[2]", offsetof(picture_scene, domain_upper[2]), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"scale_bar", offsetof(picture_scene, scale_bar), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 1, ""},
  {"axes", offsetof(picture_scene, axes), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 1, ""},
  {"domain_offset", offsetof(picture_scene, domain_offset), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"shear_plane", offsetof(picture_scene, shear_plane), OPTION_INTEGER, 1, 0, 0, 5, 0, "an integer between 0 and 5"},
};
const option_rows options_of_picture_scene = {rows_picture_scene, sizeof rows_picture_scene / sizeof *rows_picture_scene};

static const option_row rows_picture_options[] = {
  {"width", offsetof(picture_options, width), OPTION_INTEGER, 1, 0, 64, 16384, 1000, "an integer between 64 and 16384"},
  {"height", offsetof(picture_options, height), OPTION_INTEGER, 1, OPTION_ZERO, 64, 16384, 0, "an integer between 64 and 16384, or 0 (automatic)"},
  {"text_size", offsetof(picture_options, text_size), OPTION_NUMBER, 1, 0, 0, 1000, 0, "a finite number between 0 and 1000"},
  {"background", offsetof(picture_options, background), OPTION_INTEGER, 1, 0, 0, 16777215, 16777215, "a colour from 0x000000 to 0xffffff"},
  {"transparent", offsetof(picture_options, transparent), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, ""},
  {"columns", offsetof(picture_options, columns), OPTION_INTEGER, 1, 0, 0, INFINITY, 0, "an integer of at least 0"},
  {"shared_scale", offsetof(picture_options, shared_scale), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 1, ""},
};
const option_rows options_of_picture_options = {rows_picture_options, sizeof rows_picture_options / sizeof *rows_picture_options};

static const option_row rows_picture_movie[] = {
  {"width", 0, OPTION_INTEGER, 1, 0, 64, 16384, 0, "an integer between 64 and 16384"},
  {"height", 0, OPTION_INTEGER, 1, 0, 64, 16384, 0, "an integer between 64 and 16384"},
  {"frames_per_second", 0, OPTION_NUMBER, 1, OPTION_ABOVE, 0, 1000, 25, "a finite number above 0 and of at most 1000"},
};
const option_rows options_of_picture_movie = {rows_picture_movie, sizeof rows_picture_movie / sizeof *rows_picture_movie};

static const option_row rows_plot_series[] = {
  {"count", offsetof(plot_series, count), OPTION_INTEGER64, 1, 0, 0, INFINITY, 0, "an integer of at least 0"},
  {"style", offsetof(plot_series, style), OPTION_INTEGER, 1, 0, 1, 15, 1, "an integer between 1 and 15"},
  {"dash", offsetof(plot_series, dash), OPTION_INTEGER, 1, 0, 0, 3, 0, "solid (0), dashed (1), dotted (2) or dash_dotted (3)"},
  {"marker", offsetof(plot_series, marker), OPTION_INTEGER, 1, 0, 0, 7, 0, "automatic (0), circle (1), square (2), triangle (3), diamond (4), cross (5), plus (6) or dot (7)"},
  {"colour", offsetof(plot_series, colour), OPTION_INTEGER, 1, OPTION_AUTOMATIC, 0, 16777215, -1, "a colour from 0x000000 to 0xffffff, or -1 (automatic)"},
  {"width", offsetof(plot_series, width), OPTION_NUMBER, 1, 0, 0, INFINITY, 0, "a finite number of at least 0"},
  {"marker_size", offsetof(plot_series, marker_size), OPTION_NUMBER, 1, 0, 0, INFINITY, 0, "a finite number of at least 0"},
  {"bar_width", offsetof(plot_series, bar_width), OPTION_NUMBER, 1, 0, 0, INFINITY, 0, "a finite number of at least 0"},
};
const option_rows options_of_plot_series = {rows_plot_series, sizeof rows_plot_series / sizeof *rows_plot_series};

static const option_row rows_plot_reference[] = {
  {"vertical", offsetof(plot_reference, vertical), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, ""},
  {"value", offsetof(plot_reference, value), OPTION_NUMBER, 1, 0, -INFINITY, INFINITY, 0, "a finite number"},
  {"second", offsetof(plot_reference, second), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"colour", offsetof(plot_reference, colour), OPTION_INTEGER, 1, OPTION_AUTOMATIC, 0, 16777215, -1, "a colour from 0x000000 to 0xffffff, or -1 (automatic)"},
  {"dash", offsetof(plot_reference, dash), OPTION_INTEGER, 1, 0, 0, 3, 1, "solid (0), dashed (1), dotted (2) or dash_dotted (3)"},
};
const option_rows options_of_plot_reference = {rows_plot_reference, sizeof rows_plot_reference / sizeof *rows_plot_reference};

static const option_row rows_plot_axis[] = {
  {"lower", offsetof(plot_axis, lower), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"upper", offsetof(plot_axis, upper), OPTION_NUMBER, 1, OPTION_AUTOMATIC, -INFINITY, INFINITY, NAN, "a finite number, or NaN (automatic)"},
  {"logarithmic", offsetof(plot_axis, logarithmic), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, ""},
  {"grid", offsetof(plot_axis, grid), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 1, ""},
};
const option_rows options_of_plot_axis = {rows_plot_axis, sizeof rows_plot_axis / sizeof *rows_plot_axis};

static const option_row rows_plot_panel[] = {
  {"series_count", offsetof(plot_panel, series_count), OPTION_INTEGER, 1, 0, 0, INFINITY, 0, "an integer of at least 0"},
  {"reference_count", offsetof(plot_panel, reference_count), OPTION_INTEGER, 1, 0, 0, INFINITY, 0, "an integer of at least 0"},
  {"legend", offsetof(plot_panel, legend), OPTION_INTEGER, 1, 0, 0, 6, 0, "automatic (0), none (1), upper_right (2), upper_left (3), lower_right (4), lower_left (5) or below (6)"},
  {"equal_scale", offsetof(plot_panel, equal_scale), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, ""},
};
const option_rows options_of_plot_panel = {rows_plot_panel, sizeof rows_plot_panel / sizeof *rows_plot_panel};

static const option_row rows_plot_options[] = {
  {"width", offsetof(plot_options, width), OPTION_INTEGER, 1, 0, 64, 16384, 800, "an integer between 64 and 16384"},
  {"height", offsetof(plot_options, height), OPTION_INTEGER, 1, OPTION_ZERO, 64, 16384, 0, "an integer between 64 and 16384, or 0 (automatic)"},
  {"text_size", offsetof(plot_options, text_size), OPTION_NUMBER, 1, 0, 0, 1000, 0, "a finite number between 0 and 1000"},
  {"background", offsetof(plot_options, background), OPTION_INTEGER, 1, 0, 0, 16777215, 16777215, "a colour from 0x000000 to 0xffffff"},
  {"transparent", offsetof(plot_options, transparent), OPTION_BOOLEAN, 1, 0, -INFINITY, INFINITY, 0, ""},
  {"columns", offsetof(plot_options, columns), OPTION_INTEGER, 1, 0, 0, INFINITY, 0, "an integer of at least 0"},
};
const option_rows options_of_plot_options = {rows_plot_options, sizeof rows_plot_options / sizeof *rows_plot_options};
