/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
/* clang-format off */
#define WORLD_OPTIONS \
  OPTION(FIELD_INTEGER, floc_world_options, dimension), \
  OPTION(FIELD_NUMBER, floc_world_options, time_step), \
  OPTION(FIELD_LONG, floc_world_options, seed), \
  OPTION(FIELD_INTEGER, floc_world_options, threads), \
  OPTION(FIELD_VECTOR, floc_world_options, domain_lower), \
  OPTION(FIELD_VECTOR, floc_world_options, domain_upper), \
  OPTION(FIELD_VECTOR, floc_world_options, gravity), \
  OPTION(FIELD_BOOLEAN, floc_world_options, energy_ledger), \
  OPTION(FIELD_LONG, floc_world_options, patch_particles), \
  {NULL, 0, 0}

#define DEFORM_OPTIONS \
  OPTION(FIELD_VECTOR, floc_deform_options, rate), \
  OPTION(FIELD_NUMBER, floc_deform_options, shear_rate), \
  OPTION(FIELD_INTEGER, floc_deform_options, shear_plane), \
  OPTION(FIELD_NUMBER, floc_deform_options, pressure), \
  OPTION(FIELD_VECTOR, floc_deform_options, stress), \
  OPTION(FIELD_NUMBER, floc_deform_options, relaxation_time), \
  {NULL, 0, 0}

#define PROJECTION_OPTIONS \
  OPTION(FIELD_INTEGER, floc_projection_options, contact_law), \
  OPTION(FIELD_NUMBER, floc_projection_options, gamma_min), \
  OPTION(FIELD_INTEGER, floc_projection_options, solver), \
  OPTION(FIELD_NUMBER, floc_projection_options, tolerance), \
  OPTION(FIELD_INTEGER, floc_projection_options, max_iterations), \
  OPTION(FIELD_BOOLEAN, floc_projection_options, warm_start), \
  OPTION(FIELD_INTEGER, floc_projection_options, gluey_rule), \
  OPTION(FIELD_BOOLEAN, floc_projection_options, radius_factor), \
  OPTION(FIELD_NUMBER, floc_projection_options, viscosity), \
  OPTION(FIELD_NUMBER, floc_projection_options, friction), \
  OPTION(FIELD_BOOLEAN, floc_projection_options, rotation), \
  OPTION(FIELD_NUMBER, floc_projection_options, restitution), \
  OPTION(FIELD_NUMBER, floc_projection_options, restitution_speed), \
  OPTION(FIELD_INTEGER, floc_projection_options, friction_law), \
  OPTION(FIELD_NUMBER, floc_projection_options, rolling), \
  OPTION(FIELD_NUMBER, floc_projection_options, twisting), \
  OPTION(FIELD_INTEGER, floc_projection_options, budget), \
  OPTION(FIELD_STRING, floc_projection_options, by_pair), \
  OPTION(FIELD_BOOLEAN, floc_projection_options, first_order), \
  OPTION(FIELD_INTEGER, floc_projection_options, passes), \
  {NULL, 0, 0}

#define PARTICLE_OPTIONS \
  OPTION(FIELD_VECTOR, floc_particle_options, position), \
  OPTION(FIELD_VECTOR, floc_particle_options, velocity), \
  OPTION(FIELD_NUMBER, floc_particle_options, radius), \
  OPTION(FIELD_NUMBER, floc_particle_options, mass), \
  OPTION(FIELD_BOOLEAN, floc_particle_options, allow_overlap), \
  OPTION(FIELD_NUMBER, floc_particle_options, angle), \
  OPTION(FIELD_INTEGER, floc_particle_options, shape), \
  OPTION(FIELD_QUATERNION, floc_particle_options, orientation), \
  {NULL, 0, 0}

#define GRAIN_SHAPE_OPTIONS \
  OPTION(FIELD_INTEGER, floc_grain_shape_options, corner_count), \
  OPTION(FIELD_BOOLEAN, floc_grain_shape_options, regular), \
  OPTION(FIELD_NUMBER, floc_grain_shape_options, rounding), \
  OPTION(FIELD_INTEGER, floc_grain_shape_options, point_count), \
  {NULL, 0, 0}

#define INSERTION_OPTIONS \
  OPTION(FIELD_LONG, floc_insertion_options, count), \
  OPTION(FIELD_INTEGER, floc_insertion_options, region_kind), \
  OPTION(FIELD_VECTOR, floc_insertion_options, region_lower), \
  OPTION(FIELD_VECTOR, floc_insertion_options, region_upper), \
  OPTION(FIELD_VECTOR, floc_insertion_options, region_center), \
  OPTION(FIELD_NUMBER, floc_insertion_options, region_radius), \
  OPTION(FIELD_INTEGER, floc_insertion_options, placement), \
  OPTION(FIELD_NUMBER, floc_insertion_options, spacing), \
  OPTION(FIELD_INTEGER, floc_insertion_options, distribution), \
  OPTION(FIELD_NUMBER, floc_insertion_options, radius_lower), \
  OPTION(FIELD_NUMBER, floc_insertion_options, radius_upper), \
  OPTION(FIELD_NUMBER, floc_insertion_options, radius_mean), \
  OPTION(FIELD_NUMBER, floc_insertion_options, radius_deviation), \
  OPTION(FIELD_NUMBER, floc_insertion_options, mass), \
  OPTION(FIELD_NUMBER, floc_insertion_options, density), \
  OPTION(FIELD_VECTOR, floc_insertion_options, velocity), \
  OPTION(FIELD_NUMBER, floc_insertion_options, velocity_spread), \
  OPTION(FIELD_NUMBER, floc_insertion_options, clearance), \
  OPTION(FIELD_LONG, floc_insertion_options, seed), \
  OPTION(FIELD_LONG, floc_insertion_options, tries), \
  OPTION(FIELD_NUMBER, floc_insertion_options, temperature), \
  OPTION(FIELD_NUMBER, floc_insertion_options, volume_fraction), \
  OPTION(FIELD_INTEGER, floc_insertion_options, shape), \
  OPTION(FIELD_NUMBER, floc_insertion_options, angle_lower), \
  OPTION(FIELD_NUMBER, floc_insertion_options, angle_upper), \
  OPTION(FIELD_QUATERNION, floc_insertion_options, orientation), \
  {NULL, 0, 0}

#define ASSEMBLY_OPTIONS \
  OPTION(FIELD_NUMBER, floc_assembly_options, mass), \
  OPTION(FIELD_BOOLEAN, floc_assembly_options, center_is_given), \
  OPTION(FIELD_VECTOR, floc_assembly_options, center), \
  OPTION(FIELD_VECTOR, floc_assembly_options, velocity), \
  OPTION(FIELD_VECTOR, floc_assembly_options, angular_velocity), \
  {NULL, 0, 0}

#define SHAPE \
  OPTION(FIELD_INTEGER, floc_shape, kind), \
  OPTION(FIELD_POINTS, floc_shape, points), \
  OPTION(FIELD_NUMBER, floc_shape, radius), \
  OPTION(FIELD_PARAMETERS, floc_shape, parameters), \
  {NULL, 0, 0}

#define BODY_OPTIONS \
  OPTION(FIELD_VECTOR, floc_body_options, position), \
  OPTION(FIELD_VECTOR, floc_body_options, rotation), \
  OPTION(FIELD_INTEGER, floc_body_options, motion), \
  OPTION(FIELD_VECTOR, floc_body_options, velocity), \
  OPTION(FIELD_VECTOR, floc_body_options, angular_velocity), \
  OPTION(FIELD_VECTOR, floc_body_options, amplitude), \
  OPTION(FIELD_NUMBER, floc_body_options, frequency), \
  OPTION(FIELD_NUMBER, floc_body_options, phase), \
  OPTION(FIELD_NUMBER, floc_body_options, travel), \
  OPTION(FIELD_BOOLEAN, floc_body_options, returns), \
  OPTION(FIELD_NUMBER, floc_body_options, roughness), \
  OPTION(FIELD_INTEGER, floc_body_options, material), \
  OPTION(FIELD_STRING, floc_body_options, name), \
  OPTION(FIELD_VECTOR, floc_body_options, direction), \
  OPTION(FIELD_NUMBER, floc_body_options, load), \
  OPTION(FIELD_NUMBER, floc_body_options, mass), \
  OPTION(FIELD_NUMBER, floc_body_options, damping), \
  OPTION(FIELD_NUMBER, floc_body_options, greatest_speed), \
  {NULL, 0, 0}

#define FREE_OPTIONS \
  OPTION(FIELD_INTEGER, floc_free_options, axes), \
  OPTION(FIELD_NUMBER, floc_free_options, mass), \
  OPTION(FIELD_NUMBER, floc_free_options, density), \
  OPTION(FIELD_VECTOR, floc_free_options, velocity), \
  OPTION(FIELD_VECTOR, floc_free_options, angular_velocity), \
  OPTION(FIELD_VECTOR, floc_free_options, force), \
  OPTION(FIELD_VECTOR, floc_free_options, torque), \
  OPTION(FIELD_NUMBER, floc_free_options, damping), \
  OPTION(FIELD_NUMBER, floc_free_options, angular_damping), \
  {NULL, 0, 0}

#define COMPOUND \
  OPTION(FIELD_INTEGER, floc_compound, kind), \
  OPTION(FIELD_INTEGER, floc_compound, point_count), \
  OPTION(FIELD_BOOLEAN, floc_compound, closed), \
  OPTION(FIELD_VECTOR, floc_compound, lower), \
  OPTION(FIELD_VECTOR, floc_compound, upper), \
  OPTION(FIELD_NUMBER, floc_compound, top), \
  OPTION(FIELD_NUMBER, floc_compound, bottom), \
  OPTION(FIELD_NUMBER, floc_compound, height), \
  OPTION(FIELD_NUMBER, floc_compound, radius), \
  OPTION(FIELD_NUMBER, floc_compound, hub), \
  OPTION(FIELD_INTEGER, floc_compound, paddles), \
  OPTION(FIELD_NUMBER, floc_compound, width), \
  OPTION(FIELD_NUMBER, floc_compound, depth), \
  OPTION(FIELD_INTEGER, floc_compound, facets), \
  OPTION(FIELD_NUMBER, floc_compound, thickness), \
  OPTION(FIELD_VECTOR, floc_compound, axis), \
  {NULL, 0, 0}

#define MESH_OPTIONS \
  OPTION(FIELD_PATH, floc_mesh_options, path), \
  OPTION(FIELD_NUMBER, floc_mesh_options, scale), \
  OPTION(FIELD_NUMBER, floc_mesh_options, thickness), \
  {NULL, 0, 0}

#define JOINT_OPTIONS \
  OPTION(FIELD_INTEGER, floc_joint_options, kind), \
  OPTION(FIELD_INTEGER, floc_joint_options, first), \
  OPTION(FIELD_INTEGER, floc_joint_options, second), \
  OPTION(FIELD_LONG, floc_joint_options, first_particle), \
  OPTION(FIELD_LONG, floc_joint_options, second_particle), \
  OPTION(FIELD_VECTOR, floc_joint_options, anchor), \
  OPTION(FIELD_VECTOR, floc_joint_options, second_anchor), \
  OPTION(FIELD_VECTOR, floc_joint_options, axis), \
  OPTION(FIELD_NUMBER, floc_joint_options, length), \
  OPTION(FIELD_BOOLEAN, floc_joint_options, rope), \
  OPTION(FIELD_BOOLEAN, floc_joint_options, limited), \
  OPTION(FIELD_NUMBER, floc_joint_options, lower), \
  OPTION(FIELD_NUMBER, floc_joint_options, upper), \
  OPTION(FIELD_NUMBER, floc_joint_options, motor_velocity), \
  OPTION(FIELD_NUMBER, floc_joint_options, motor_greatest), \
  OPTION(FIELD_NUMBER, floc_joint_options, stiffness), \
  OPTION(FIELD_NUMBER, floc_joint_options, damping), \
  OPTION(FIELD_NUMBER, floc_joint_options, rest), \
  {NULL, 0, 0}

#define PROGRAM_OPTIONS \
  OPTION(FIELD_INTEGER, floc_program_options, input_count), \
  OPTION(FIELD_INTEGER, floc_program_options, constant_count), \
  OPTION(FIELD_INTEGER, floc_program_options, code_count), \
  OPTION(FIELD_INTEGER, floc_program_options, output_count), \
  OPTION(FIELD_BOOLEAN, floc_program_options, fast_math), \
  {NULL, 0, 0}

#define LAW_OPTIONS \
  OPTION(FIELD_STRING, floc_law_options, name), \
  OPTION(FIELD_INTEGER, floc_law_options, input_count), \
  OPTION(FIELD_INTEGER, floc_law_options, output_count), \
  OPTION(FIELD_NUMBER, floc_law_options, range), \
  OPTION(FIELD_BOOLEAN, floc_law_options, parallel), \
  OPTION(FIELD_INTEGER, floc_law_options, memory_count), \
  OPTION(FIELD_INTEGER, floc_law_options, parameter_count), \
  OPTION(FIELD_INTEGER, floc_law_options, pairs), \
  OPTION(FIELD_INTEGER, floc_law_options, attribute_count), \
  {NULL, 0, 0}

#define ATTRACTION_OPTIONS \
  OPTION(FIELD_NUMBER, floc_attraction_options, kappa), \
  OPTION(FIELD_NUMBER, floc_attraction_options, epsilon), \
  OPTION(FIELD_NUMBER, floc_attraction_options, range), \
  OPTION(FIELD_BOOLEAN, floc_attraction_options, noise_scaling), \
  {NULL, 0, 0}

#define LONG_RANGE_OPTIONS \
  OPTION(FIELD_INTEGER, floc_long_range_options, kind), \
  OPTION(FIELD_STRING, floc_long_range_options, source), \
  OPTION(FIELD_NUMBER, floc_long_range_options, constant), \
  OPTION(FIELD_NUMBER, floc_long_range_options, softening), \
  OPTION(FIELD_NUMBER, floc_long_range_options, opening), \
  {NULL, 0, 0}

#define FLOW_OPTIONS \
  OPTION(FIELD_INTEGER, floc_flow_options, kind), \
  OPTION(FIELD_NUMBER, floc_flow_options, relaxation_time), \
  OPTION(FIELD_BOOLEAN, floc_flow_options, exponential), \
  OPTION(FIELD_VECTOR, floc_flow_options, velocity), \
  OPTION(FIELD_NUMBER, floc_flow_options, rate), \
  OPTION(FIELD_NUMBER, floc_flow_options, frequency), \
  OPTION(FIELD_VECTOR, floc_flow_options, center), \
  {NULL, 0, 0}

#define NOISE_OPTIONS \
  OPTION(FIELD_NUMBER, floc_noise_options, sigma), \
  {NULL, 0, 0}

#define BALLISTIC_OPTIONS \
  OPTION(FIELD_INTEGER, floc_ballistic_options, minimiser), \
  OPTION(FIELD_BOOLEAN, floc_ballistic_options, rigid), \
  OPTION(FIELD_BOOLEAN, floc_ballistic_options, rotation), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, step_factor), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, tolerance), \
  OPTION(FIELD_INTEGER, floc_ballistic_options, max_iterations), \
  OPTION(FIELD_INTEGER, floc_ballistic_options, patience), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, descent), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, ascent), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, penalty), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, damping), \
  OPTION(FIELD_NUMBER, floc_ballistic_options, skin), \
  {NULL, 0, 0}

#define EVENT_DRIVEN_OPTIONS \
  OPTION(FIELD_NUMBER, floc_event_driven_options, restitution), \
  OPTION(FIELD_NUMBER, floc_event_driven_options, sticking_restitution), \
  OPTION(FIELD_NUMBER, floc_event_driven_options, sticking_speed), \
  OPTION(FIELD_NUMBER, floc_event_driven_options, skin), \
  OPTION(FIELD_BOOLEAN, floc_event_driven_options, rotation), \
  {NULL, 0, 0}

#define DISCRETE_ELEMENT_OPTIONS \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, contact_force), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, exponent), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, young_modulus), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, poisson_ratio), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, damping), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, limit_damping), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, rotation), \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, friction), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, friction_stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, friction_static), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, friction_dynamic), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, friction_damping), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, friction_time), \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, bond_law), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_exponent), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_tangential_stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_formation), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_breaking), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, thermal_softening), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, thermal_sensitivity), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, reference_temperature), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, initial_temperature), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, least_stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, viscosity), \
  OPTION(FIELD_VECTOR, floc_discrete_element_options, medium_velocity), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, attraction), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, attraction_exponent), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, repulsion), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, repulsion_exponent), \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, near_field_scaling), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, near_field_range), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, magnetization), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, magnetic_difference), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, parallel_fields), \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, integrator), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, phi), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, tolerance), \
  OPTION(FIELD_INTEGER, floc_discrete_element_options, iterations), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, adaptive), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, first_time_step), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, rolling_friction), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, rolling_stiffness), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, rolling_damping), \
  OPTION(FIELD_STRING, floc_discrete_element_options, by_pair), \
  OPTION(FIELD_BOOLEAN, floc_discrete_element_options, bond_bodies), \
  OPTION(FIELD_NUMBER, floc_discrete_element_options, bond_strength_spread), \
  {NULL, 0, 0}

#define MEDIA \
  OPTION(FIELD_NUMBER, floc_media, body_reflectance), \
  OPTION(FIELD_INTEGER, floc_media, materials), \
  {NULL, 0, 0}

#define RAY_SOURCE_OPTIONS \
  OPTION(FIELD_INTEGER, floc_ray_source_options, kind), \
  OPTION(FIELD_LONG, floc_ray_source_options, rays), \
  OPTION(FIELD_NUMBER, floc_ray_source_options, power), \
  OPTION(FIELD_NUMBER, floc_ray_source_options, duration), \
  OPTION(FIELD_INTEGER, floc_ray_source_options, time_count), \
  OPTION(FIELD_NUMBER, floc_ray_source_options, start), \
  OPTION(FIELD_NUMBER, floc_ray_source_options, period), \
  OPTION(FIELD_LONG, floc_ray_source_options, pulses), \
  OPTION(FIELD_VECTOR, floc_ray_source_options, direction), \
  OPTION(FIELD_VECTOR, floc_ray_source_options, aim), \
  OPTION(FIELD_NUMBER, floc_ray_source_options, radius), \
  OPTION(FIELD_NUMBER, floc_ray_source_options, distance), \
  OPTION(FIELD_NUMBER, floc_ray_source_options, half_angle), \
  OPTION(FIELD_INTEGER, floc_ray_source_options, sampling), \
  OPTION(FIELD_LONG, floc_ray_source_options, seed), \
  OPTION(FIELD_INTEGER, floc_ray_source_options, method), \
  OPTION(FIELD_NUMBER, floc_ray_source_options, advance), \
  OPTION(FIELD_BOOLEAN, floc_ray_source_options, in_flight), \
  OPTION(FIELD_INTEGER, floc_ray_source_options, max_bounces), \
  OPTION(FIELD_NUMBER, floc_ray_source_options, power_floor), \
  {NULL, 0, 0}

#define PAIRS_OPTIONS \
  OPTION(FIELD_INTEGER, floc_pairs_options, by), \
  OPTION(FIELD_NUMBER, floc_pairs_options, range), \
  OPTION(FIELD_LONG, floc_pairs_options, particle), \
  {NULL, 0, 0}

#define STRESS_OPTIONS \
  OPTION(FIELD_NUMBER, floc_stress_options, volume), \
  {NULL, 0, 0}

#define RADIAL_OPTIONS \
  OPTION(FIELD_NUMBER, floc_radial_options, range), \
  OPTION(FIELD_INTEGER, floc_radial_options, bins), \
  {NULL, 0, 0}

#define STRUCTURE_OPTIONS \
  OPTION(FIELD_NUMBER, floc_structure_options, greatest), \
  OPTION(FIELD_INTEGER, floc_structure_options, bins), \
  {NULL, 0, 0}

#define PROFILE_OPTIONS \
  OPTION(FIELD_INTEGER, floc_profile_options, axis), \
  OPTION(FIELD_INTEGER, floc_profile_options, bins), \
  OPTION(FIELD_NUMBER, floc_profile_options, lower), \
  OPTION(FIELD_NUMBER, floc_profile_options, upper), \
  {NULL, 0, 0}

#define FORCE_DISTRIBUTION_OPTIONS \
  OPTION(FIELD_INTEGER, floc_force_distribution_options, bins), \
  OPTION(FIELD_NUMBER, floc_force_distribution_options, greatest), \
  {NULL, 0, 0}

#define BOND_ORDER_OPTIONS \
  OPTION(FIELD_INTEGER, floc_bond_order_options, order), \
  OPTION(FIELD_INTEGER, floc_bond_order_options, by), \
  OPTION(FIELD_NUMBER, floc_bond_order_options, range), \
  OPTION(FIELD_BOOLEAN, floc_bond_order_options, averaged), \
  {NULL, 0, 0}

#define MIXING_OPTIONS \
  OPTION(FIELD_NUMBER, floc_mixing_options, cell), \
  OPTION(FIELD_NUMBER, floc_mixing_options, threshold), \
  {NULL, 0, 0}

#define COARSE_GRAIN_OPTIONS \
  OPTION(FIELD_NUMBER, floc_coarse_grain_options, width), \
  OPTION(FIELD_INTEGER, floc_coarse_grain_options, cells_x), \
  OPTION(FIELD_INTEGER, floc_coarse_grain_options, cells_y), \
  OPTION(FIELD_INTEGER, floc_coarse_grain_options, cells_z), \
  OPTION(FIELD_VECTOR, floc_coarse_grain_options, lower), \
  OPTION(FIELD_VECTOR, floc_coarse_grain_options, upper), \
  {NULL, 0, 0}

#define SELECTION \
  OPTION(FIELD_INTEGER, floc_selection, rule), \
  OPTION(FIELD_NUMBER, floc_selection, gap), \
  OPTION(FIELD_LONG, floc_selection, cluster), \
  {NULL, 0, 0}

#define FRACTAL_OPTIONS \
  OPTION(FIELD_NUMBER, floc_fractal_options, least), \
  OPTION(FIELD_NUMBER, floc_fractal_options, greatest), \
  OPTION(FIELD_NUMBER, floc_fractal_options, side), \
  OPTION(FIELD_VECTOR, floc_fractal_options, corner), \
  {NULL, 0, 0}

#define MERGE_OPTIONS \
  OPTION(FIELD_INTEGER, floc_merge_options, rule), \
  OPTION(FIELD_NUMBER, floc_merge_options, gap), \
  OPTION(FIELD_NUMBER, floc_merge_options, apart), \
  {NULL, 0, 0}

#define PROBLEM_OPTIONS \
  OPTION(FIELD_INTEGER, floc_problem_options, solver), \
  OPTION(FIELD_INTEGER, floc_problem_options, threads), \
  OPTION(FIELD_INTEGER, floc_problem_options, repeat), \
  OPTION(FIELD_LONG, floc_problem_options, max_iterations), \
  OPTION(FIELD_NUMBER, floc_problem_options, tolerance), \
  OPTION(FIELD_BOOLEAN, floc_problem_options, warm_start), \
  OPTION(FIELD_PATH, floc_problem_options, answer), \
  {NULL, 0, 0}

#define PICTURE_SCALE \
  OPTION(FIELD_STRING, picture_scale, map), \
  OPTION(FIELD_BOOLEAN, picture_scale, reversed), \
  OPTION(FIELD_BOOLEAN, picture_scale, logarithmic), \
  OPTION(FIELD_NUMBER, picture_scale, lower), \
  OPTION(FIELD_NUMBER, picture_scale, upper), \
  OPTION(FIELD_BOOLEAN, picture_scale, legend), \
  OPTION(FIELD_STRING, picture_scale, label), \
  OPTION(FIELD_STRING, picture_scale, unit), \
  {NULL, 0, 0}

#define PICTURE_LINES \
  OPTION(FIELD_LONG, picture_lines, count), \
  OPTION(FIELD_INTEGER, picture_lines, colour), \
  OPTION(FIELD_NUMBER, picture_lines, width), \
  OPTION(FIELD_BOOLEAN, picture_lines, arrows), \
  {NULL, 0, 0}

#define PICTURE_FIELD \
  OPTION(FIELD_INTEGER, picture_field, cells_x), \
  OPTION(FIELD_INTEGER, picture_field, cells_y), \
  OPTION(FIELD_VECTOR, picture_field, lower), \
  OPTION(FIELD_VECTOR, picture_field, spacing), \
  {NULL, 0, 0}

#define PICTURE_VIEW \
  OPTION(FIELD_VECTOR, picture_view, lower), \
  OPTION(FIELD_VECTOR, picture_view, upper), \
  OPTION(FIELD_VECTOR, picture_view, direction), \
  OPTION(FIELD_VECTOR, picture_view, up), \
  OPTION(FIELD_NUMBER, picture_view, zoom), \
  {NULL, 0, 0}

#define PICTURE_SCENE \
  OPTION(FIELD_STRING, picture_scene, title), \
  OPTION(FIELD_INTEGER, picture_scene, dimension), \
  OPTION(FIELD_LONG, picture_scene, particle_count), \
  OPTION(FIELD_INTEGER, picture_scene, group_name_count), \
  OPTION(FIELD_INTEGER, picture_scene, particle_colour), \
  OPTION(FIELD_NUMBER, picture_scene, particle_opacity), \
  OPTION(FIELD_BOOLEAN, picture_scene, outline), \
  OPTION(FIELD_LONG, picture_scene, shape_count), \
  OPTION(FIELD_INTEGER, picture_scene, body_colour), \
  OPTION(FIELD_NUMBER, picture_scene, body_opacity), \
  OPTION(FIELD_VECTOR, picture_scene, domain_lower), \
  OPTION(FIELD_VECTOR, picture_scene, domain_upper), \
  OPTION(FIELD_BOOLEAN, picture_scene, scale_bar), \
  OPTION(FIELD_STRING, picture_scene, length_unit), \
  OPTION(FIELD_BOOLEAN, picture_scene, axes), \
  OPTION(FIELD_STRING, picture_scene, note), \
  OPTION(FIELD_NUMBER, picture_scene, domain_offset), \
  OPTION(FIELD_INTEGER, picture_scene, shear_plane), \
  {NULL, 0, 0}

#define PICTURE_OPTIONS \
  OPTION(FIELD_INTEGER, picture_options, width), \
  OPTION(FIELD_INTEGER, picture_options, height), \
  OPTION(FIELD_NUMBER, picture_options, text_size), \
  OPTION(FIELD_INTEGER, picture_options, background), \
  OPTION(FIELD_BOOLEAN, picture_options, transparent), \
  OPTION(FIELD_INTEGER, picture_options, columns), \
  OPTION(FIELD_BOOLEAN, picture_options, shared_scale), \
  OPTION(FIELD_STRING, picture_options, title), \
  OPTION(FIELD_STRING, picture_options, caption_left), \
  OPTION(FIELD_STRING, picture_options, caption_right), \
  {NULL, 0, 0}

#define PLOT_SERIES \
  OPTION(FIELD_STRING, plot_series, name), \
  OPTION(FIELD_LONG, plot_series, count), \
  OPTION(FIELD_INTEGER, plot_series, style), \
  OPTION(FIELD_INTEGER, plot_series, dash), \
  OPTION(FIELD_INTEGER, plot_series, marker), \
  OPTION(FIELD_INTEGER, plot_series, colour), \
  OPTION(FIELD_NUMBER, plot_series, width), \
  OPTION(FIELD_NUMBER, plot_series, marker_size), \
  OPTION(FIELD_NUMBER, plot_series, bar_width), \
  {NULL, 0, 0}

#define PLOT_REFERENCE \
  OPTION(FIELD_BOOLEAN, plot_reference, vertical), \
  OPTION(FIELD_NUMBER, plot_reference, value), \
  OPTION(FIELD_NUMBER, plot_reference, second), \
  OPTION(FIELD_STRING, plot_reference, label), \
  OPTION(FIELD_INTEGER, plot_reference, colour), \
  OPTION(FIELD_INTEGER, plot_reference, dash), \
  {NULL, 0, 0}

#define PLOT_AXIS \
  OPTION(FIELD_STRING, plot_axis, label), \
  OPTION(FIELD_STRING, plot_axis, unit), \
  OPTION(FIELD_NUMBER, plot_axis, lower), \
  OPTION(FIELD_NUMBER, plot_axis, upper), \
  OPTION(FIELD_BOOLEAN, plot_axis, logarithmic), \
  OPTION(FIELD_BOOLEAN, plot_axis, grid), \
  {NULL, 0, 0}

#define PLOT_PANEL \
  OPTION(FIELD_STRING, plot_panel, title), \
  OPTION(FIELD_INTEGER, plot_panel, series_count), \
  OPTION(FIELD_INTEGER, plot_panel, reference_count), \
  OPTION(FIELD_INTEGER, plot_panel, legend), \
  OPTION(FIELD_BOOLEAN, plot_panel, equal_scale), \
  {NULL, 0, 0}

#define PLOT_OPTIONS \
  OPTION(FIELD_INTEGER, plot_options, width), \
  OPTION(FIELD_INTEGER, plot_options, height), \
  OPTION(FIELD_NUMBER, plot_options, text_size), \
  OPTION(FIELD_INTEGER, plot_options, background), \
  OPTION(FIELD_BOOLEAN, plot_options, transparent), \
  OPTION(FIELD_INTEGER, plot_options, columns), \
  OPTION(FIELD_STRING, plot_options, title), \
  OPTION(FIELD_STRING, plot_options, caption_left), \
  OPTION(FIELD_STRING, plot_options, caption_right), \
  {NULL, 0, 0}
