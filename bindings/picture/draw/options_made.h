/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
/* clang-format off */
extern const option_rows options_of_picture_scale;
extern const option_rows options_of_picture_lines;
extern const option_rows options_of_picture_field;
extern const option_rows options_of_picture_view;
extern const option_rows options_of_picture_scene;
extern const option_rows options_of_picture_options;
extern const option_rows options_of_picture_movie;
extern const option_rows options_of_plot_series;
extern const option_rows options_of_plot_reference;
extern const option_rows options_of_plot_axis;
extern const option_rows options_of_plot_panel;
extern const option_rows options_of_plot_options;
