/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
/* clang-format off */
extern const struct_fields struct_projection_options;
extern const struct_fields struct_world_options;
extern const struct_fields struct_particle_options;
extern const struct_fields struct_insertion_options;
extern const struct_fields struct_assembly_options;
extern const struct_fields struct_shape;
extern const struct_fields struct_body_options;
extern const struct_fields struct_compound;
extern const struct_fields struct_mesh_options;
extern const struct_fields struct_ballistic_options;
extern const struct_fields struct_event_driven_options;
extern const struct_fields struct_discrete_element_options;
