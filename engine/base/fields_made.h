/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
/* clang-format off */
extern const struct_fields struct_projection_options;
extern const struct_fields struct_ballistic_options;
extern const struct_fields struct_event_driven_options;
extern const struct_fields struct_discrete_element_options;
