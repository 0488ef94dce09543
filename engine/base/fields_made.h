/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
/* clang-format off */
extern const struct_fields struct_world_options;
extern const struct_fields arguments_world_set_work_limit;
extern const struct_fields struct_deform_options;
extern const struct_fields struct_projection_options;
extern const struct_fields struct_particle_options;
extern const struct_fields struct_grain_shape_options;
extern const struct_fields struct_insertion_options;
extern const struct_fields struct_assembly_options;
extern const struct_fields struct_shape;
extern const struct_fields struct_body_options;
extern const struct_fields struct_free_options;
extern const struct_fields struct_compound;
extern const struct_fields struct_mesh_options;
extern const struct_fields struct_joint_options;
extern const struct_fields struct_program_options;
extern const struct_fields struct_law_options;
extern const struct_fields struct_attraction_options;
extern const struct_fields struct_long_range_options;
extern const struct_fields struct_flow_options;
extern const struct_fields struct_noise_options;
extern const struct_fields struct_ballistic_options;
extern const struct_fields struct_event_driven_options;
extern const struct_fields struct_discrete_element_options;
extern const struct_fields arguments_bond_add;
extern const struct_fields struct_media;
extern const struct_fields arguments_reflectance;
extern const struct_fields struct_ray_source_options;
extern const struct_fields struct_pairs_options;
extern const struct_fields struct_stress_options;
extern const struct_fields struct_radial_options;
extern const struct_fields struct_structure_options;
extern const struct_fields struct_profile_options;
extern const struct_fields struct_force_distribution_options;
extern const struct_fields struct_bond_order_options;
extern const struct_fields struct_mixing_options;
extern const struct_fields struct_coarse_grain_options;
extern const struct_fields struct_selection;
extern const struct_fields struct_fractal_options;
extern const struct_fields arguments_measure_moment;
extern const struct_fields struct_merge_options;
extern const struct_fields arguments_measure_contact_number;
extern const struct_fields arguments_measure_cluster_scaling;
extern const struct_fields struct_problem_options;
extern const struct_fields arguments_world_save;

/* Sizes in the oldest header that is served: see structs.h. */
enum {
  FIRST_world_options = offsetof(floc_world_options, energy_ledger),
  FIRST_thread_pool = sizeof(floc_thread_pool),
  FIRST_ranks = sizeof(floc_ranks),
  FIRST_world_info = offsetof(floc_world_info, last_id),
  FIRST_deform_options = sizeof(floc_deform_options),
  FIRST_cell = sizeof(floc_cell),
  FIRST_step_report = offsetof(floc_step_report, tolerance_rule),
  FIRST_projection_options = offsetof(floc_projection_options, friction_law),
  FIRST_contact_rows = sizeof(floc_contact_rows),
  FIRST_contact_law_type = sizeof(floc_contact_law_type),
  FIRST_particle_options = offsetof(floc_particle_options, allow_overlap),
  FIRST_grain_shape_options = sizeof(floc_grain_shape_options),
  FIRST_insertion_options = offsetof(floc_insertion_options, temperature),
  FIRST_assembly_options = sizeof(floc_assembly_options),
  FIRST_assembly_state = sizeof(floc_assembly_state),
  FIRST_shape = offsetof(floc_shape, parameters),
  FIRST_shape_type = sizeof(floc_shape_type),
  FIRST_body_options = offsetof(floc_body_options, direction),
  FIRST_free_options = sizeof(floc_free_options),
  FIRST_compound = offsetof(floc_compound, axis),
  FIRST_mesh_options = sizeof(floc_mesh_options),
  FIRST_body_state = offsetof(floc_body_state, axes),
  FIRST_joint_options = sizeof(floc_joint_options),
  FIRST_joint_state = sizeof(floc_joint_state),
  FIRST_instruction = sizeof(floc_instruction),
  FIRST_program_options = sizeof(floc_program_options),
  FIRST_law_options = offsetof(floc_law_options, pairs),
  FIRST_attraction_options = sizeof(floc_attraction_options),
  FIRST_long_range_options = sizeof(floc_long_range_options),
  FIRST_flow_function = sizeof(floc_flow_function),
  FIRST_flow_options = offsetof(floc_flow_options, law),
  FIRST_noise_options = sizeof(floc_noise_options),
  FIRST_ballistic_options = sizeof(floc_ballistic_options),
  FIRST_ballistic_report = sizeof(floc_ballistic_report),
  FIRST_event_driven_options = offsetof(floc_event_driven_options, rotation),
  FIRST_event_driven_report = sizeof(floc_event_driven_report),
  FIRST_discrete_element_options = offsetof(floc_discrete_element_options, rolling_friction),
  FIRST_discrete_element_report = offsetof(floc_discrete_element_report, critical_time_step),
  FIRST_bond = sizeof(floc_bond),
  FIRST_media = offsetof(floc_media, materials),
  FIRST_ray = sizeof(floc_ray),
  FIRST_ray_hit = sizeof(floc_ray_hit),
  FIRST_ray_response = sizeof(floc_ray_response),
  FIRST_ray_source_options = sizeof(floc_ray_source_options),
  FIRST_ray_segment = sizeof(floc_ray_segment),
  FIRST_ray_report = offsetof(floc_ray_report, attenuated),
  FIRST_trace_report = sizeof(floc_trace_report),
  FIRST_trace_result = offsetof(floc_trace_result, ray_report),
  FIRST_contact = offsetof(floc_contact, moment),
  FIRST_pairs_options = sizeof(floc_pairs_options),
  FIRST_stress_options = sizeof(floc_stress_options),
  FIRST_stress = sizeof(floc_stress),
  FIRST_energy_ledger = offsetof(floc_energy_ledger, loads),
  FIRST_radial_options = sizeof(floc_radial_options),
  FIRST_structure_options = sizeof(floc_structure_options),
  FIRST_profile_options = sizeof(floc_profile_options),
  FIRST_force_distribution_options = sizeof(floc_force_distribution_options),
  FIRST_bond_order_options = sizeof(floc_bond_order_options),
  FIRST_bond_order = sizeof(floc_bond_order),
  FIRST_mixing_options = sizeof(floc_mixing_options),
  FIRST_mixing = sizeof(floc_mixing),
  FIRST_coarse_grain_options = sizeof(floc_coarse_grain_options),
  FIRST_grid = sizeof(floc_grid),
  FIRST_measure_options = sizeof(floc_measure_options),
  FIRST_cluster_summary = sizeof(floc_cluster_summary),
  FIRST_selection = sizeof(floc_selection),
  FIRST_gyration = sizeof(floc_gyration),
  FIRST_scaling = sizeof(floc_scaling),
  FIRST_fractal_options = sizeof(floc_fractal_options),
  FIRST_merge_options = sizeof(floc_merge_options),
  FIRST_merge_summary = sizeof(floc_merge_summary),
  FIRST_problem_options = offsetof(floc_problem_options, answer),
  FIRST_problem_report = sizeof(floc_problem_report),
  FIRST_section_info = sizeof(floc_section_info),
  FIRST_section_difference = sizeof(floc_section_difference),
};

/* The most that counts may be. */
enum {
  LIMIT_grain_shape_options_corner_count = 16,
  LIMIT_grain_shape_options_point_count = 32,
  LIMIT_program_options_input_count = 64,
  LIMIT_program_options_constant_count = 1024,
  LIMIT_program_options_code_count = 4096,
  LIMIT_program_options_output_count = 48,
  LIMIT_law_options_input_count = 64,
  LIMIT_law_options_output_count = 48,
  LIMIT_law_options_memory_count = 32,
  LIMIT_law_options_parameter_count = 16,
  LIMIT_law_options_attribute_count = 8,
};
