/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
#include <math.h>

/* clang-format off */
#define WORLD_INFO_RESULT \
  {"dimension", RESULT_INTEGER, offsetof(floc_world_info, dimension), 0, 0, NAN, NULL}, \
  {"threads", RESULT_INTEGER, offsetof(floc_world_info, threads), 0, 0, NAN, NULL}, \
  {"body_count", RESULT_INTEGER, offsetof(floc_world_info, body_count), 0, 0, NAN, NULL}, \
  {"step", RESULT_LONG, offsetof(floc_world_info, step), 0, 0, NAN, NULL}, \
  {"particle_count", RESULT_LONG, offsetof(floc_world_info, particle_count), 0, 0, NAN, NULL}, \
  {"time", RESULT_NUMBER, offsetof(floc_world_info, time), 0, 0, NAN, NULL}, \
  {"time_step", RESULT_NUMBER, offsetof(floc_world_info, time_step), 0, 0, NAN, NULL}, \
  {"gravity", RESULT_VECTOR, offsetof(floc_world_info, gravity), 0, 0, NAN, NULL}, \
  {"seed", RESULT_LONG, offsetof(floc_world_info, seed), 0, 0, NAN, NULL}, \
  {"last_id", RESULT_LONG, offsetof(floc_world_info, last_id), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define CELL_RESULT \
  {"lower", RESULT_VECTOR, offsetof(floc_cell, lower), 0, 0, NAN, NULL}, \
  {"upper", RESULT_VECTOR, offsetof(floc_cell, upper), 0, 0, NAN, NULL}, \
  {"offset", RESULT_NUMBER, offsetof(floc_cell, offset), 0, 0, NAN, NULL}, \
  {"rate", RESULT_VECTOR, offsetof(floc_cell, rate), 0, 0, NAN, NULL}, \
  {"shear_rate", RESULT_NUMBER, offsetof(floc_cell, shear_rate), 0, 0, NAN, NULL}, \
  {"strain", RESULT_VECTOR, offsetof(floc_cell, strain), 0, 0, NAN, NULL}, \
  {"shear_strain", RESULT_NUMBER, offsetof(floc_cell, shear_strain), 0, 0, NAN, NULL}, \
  {"stress", RESULT_ROWS, offsetof(floc_cell, stress), 0, 0, NAN, NULL}, \
  {"pressure", RESULT_NUMBER, offsetof(floc_cell, pressure), 0, 0, NAN, NULL}, \
  {"shear_plane", RESULT_WORD, offsetof(floc_cell, shear_plane), 0, 0, NAN, "xy\0""xz\0""yx\0""yz\0""zx\0""zy\0"}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define STEP_REPORT_RESULT \
  {"converged", RESULT_BOOLEAN, offsetof(floc_step_report, converged), 0, 0, NAN, NULL}, \
  {"islands", RESULT_INTEGER, offsetof(floc_step_report, islands), 0, 0, NAN, NULL}, \
  {"contacts", RESULT_LONG, offsetof(floc_step_report, contacts), 0, 0, NAN, NULL}, \
  {"active_contacts", RESULT_LONG, offsetof(floc_step_report, active_contacts), 0, 0, NAN, NULL}, \
  {"iterations", RESULT_LONG, offsetof(floc_step_report, iterations), 0, 0, NAN, NULL}, \
  {"residual", RESULT_NUMBER, offsetof(floc_step_report, residual), 0, 0, NAN, NULL}, \
  {"tolerance", RESULT_NUMBER, offsetof(floc_step_report, tolerance), 0, 0, NAN, NULL}, \
  {"overlap", RESULT_NUMBER, offsetof(floc_step_report, overlap), 0, 0, NAN, NULL}, \
  {"greatest_overlap", RESULT_NUMBER, offsetof(floc_step_report, greatest_overlap), 0, 0, NAN, NULL}, \
  {"greatest_residual", RESULT_NUMBER, offsetof(floc_step_report, greatest_residual), 0, 0, NAN, NULL}, \
  {"unconverged_steps", RESULT_LONG, offsetof(floc_step_report, unconverged_steps), 0, 0, NAN, NULL}, \
  {"total_iterations", RESULT_LONG, offsetof(floc_step_report, total_iterations), 0, 0, NAN, NULL}, \
  {"kinetic_energy", RESULT_NUMBER, offsetof(floc_step_report, kinetic_energy), 0, 0, NAN, NULL}, \
  {"lists", RESULT_LONG, offsetof(floc_step_report, lists), 0, 0, NAN, NULL}, \
  {"list_entries", RESULT_LONG, offsetof(floc_step_report, list_entries), 0, 0, NAN, NULL}, \
  {"tolerance_rule", RESULT_WORD, offsetof(floc_step_report, tolerance_rule), 0, 0, NAN, "given\0""radius\0""acceleration\0""speed\0"}, \
  {"pairs_left_out", RESULT_LONG, offsetof(floc_step_report, pairs_left_out), 0, 0, NAN, NULL}, \
  {"total_left_out", RESULT_LONG, offsetof(floc_step_report, total_left_out), 0, 0, NAN, NULL}, \
  {"work", RESULT_NUMBER, offsetof(floc_step_report, work), 0, 0, NAN, NULL}, \
  {"energy_fall", RESULT_NUMBER, offsetof(floc_step_report, energy_fall), 0, 0, NAN, NULL}, \
  {"unsolved_islands", RESULT_INTEGER, offsetof(floc_step_report, unsolved_islands), 0, 0, NAN, NULL}, \
  {"worst_body", RESULT_INTEGER, offsetof(floc_step_report, worst_body), 0, 0, -1, NULL}, \
  {"worst_residual", RESULT_NUMBER, offsetof(floc_step_report, worst_residual), 0, 0, 0, NULL}, \
  {"worst_step", RESULT_LONG, offsetof(floc_step_report, worst_step), 0, 0, 0, NULL}, \
  {"worst_particle", RESULT_LONG, offsetof(floc_step_report, worst_particle), 0, 0, 0, NULL}, \
  {"worst_other", RESULT_LONG, offsetof(floc_step_report, worst_other), 0, 0, 0, NULL}, \
  {"contacts_left_out", RESULT_LONG, offsetof(floc_step_report, contacts_left_out), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define ASSEMBLY_STATE_RESULT \
  {"member_count", RESULT_INTEGER, offsetof(floc_assembly_state, member_count), 0, 0, NAN, NULL}, \
  {"mass", RESULT_NUMBER, offsetof(floc_assembly_state, mass), 0, 0, NAN, NULL}, \
  {"inertia", RESULT_VECTOR, offsetof(floc_assembly_state, inertia), 6, 0, NAN, NULL}, \
  {"position", RESULT_VECTOR, offsetof(floc_assembly_state, position), 3, 0, NAN, NULL}, \
  {"orientation", RESULT_VECTOR, offsetof(floc_assembly_state, orientation), 4, 0, NAN, NULL}, \
  {"angle", RESULT_NUMBER, offsetof(floc_assembly_state, angle), 0, 0, NAN, NULL}, \
  {"velocity", RESULT_VECTOR, offsetof(floc_assembly_state, velocity), 3, 0, NAN, NULL}, \
  {"angular_velocity", RESULT_VECTOR, offsetof(floc_assembly_state, angular_velocity), 3, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define SHAPE_RESULT \
  {"kind", RESULT_INTEGER, offsetof(floc_shape, kind), 0, 0, NAN, NULL}, \
  {"points", RESULT_ROWS, offsetof(floc_shape, points), 3, 0, NAN, NULL}, \
  {"radius", RESULT_NUMBER, offsetof(floc_shape, radius), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define BODY_STATE_RESULT \
  {"shape_count", RESULT_INTEGER, offsetof(floc_body_state, shape_count), 0, 0, NAN, NULL}, \
  {"position", RESULT_VECTOR, offsetof(floc_body_state, position), 3, 0, NAN, NULL}, \
  {"orientation", RESULT_VECTOR, offsetof(floc_body_state, orientation), 4, 0, NAN, NULL}, \
  {"angle", RESULT_NUMBER, offsetof(floc_body_state, angle), 0, 0, NAN, NULL}, \
  {"velocity", RESULT_VECTOR, offsetof(floc_body_state, velocity), 3, 0, NAN, NULL}, \
  {"angular_velocity", RESULT_VECTOR, offsetof(floc_body_state, angular_velocity), 3, 0, NAN, NULL}, \
  {"force", RESULT_VECTOR, offsetof(floc_body_state, force), 3, 0, NAN, NULL}, \
  {"torque", RESULT_VECTOR, offsetof(floc_body_state, torque), 3, 0, NAN, NULL}, \
  {"axes", RESULT_INTEGER, offsetof(floc_body_state, axes), 0, 0, NAN, NULL}, \
  {"mass", RESULT_NUMBER, offsetof(floc_body_state, mass), 0, 0, NAN, NULL}, \
  {"inertia", RESULT_VECTOR, offsetof(floc_body_state, inertia), 6, 0, NAN, NULL}, \
  {"center", RESULT_VECTOR, offsetof(floc_body_state, center), 3, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define JOINT_STATE_RESULT \
  {"kind", RESULT_INTEGER, offsetof(floc_joint_state, kind), 0, 0, NAN, NULL}, \
  {"first", RESULT_INTEGER, offsetof(floc_joint_state, first), 0, 0, NAN, NULL}, \
  {"second", RESULT_INTEGER, offsetof(floc_joint_state, second), 0, 0, NAN, NULL}, \
  {"first_particle", RESULT_LONG, offsetof(floc_joint_state, first_particle), 0, 0, NAN, NULL}, \
  {"second_particle", RESULT_LONG, offsetof(floc_joint_state, second_particle), 0, 0, NAN, NULL}, \
  {"coordinate", RESULT_NUMBER, offsetof(floc_joint_state, coordinate), 0, 0, NAN, NULL}, \
  {"velocity", RESULT_NUMBER, offsetof(floc_joint_state, velocity), 0, 0, NAN, NULL}, \
  {"added_inertia", RESULT_NUMBER, offsetof(floc_joint_state, added_inertia), 0, 0, NAN, NULL}, \
  {"anchor", RESULT_VECTOR, offsetof(floc_joint_state, anchor), 3, 0, NAN, NULL}, \
  {"force", RESULT_VECTOR, offsetof(floc_joint_state, force), 3, 0, NAN, NULL}, \
  {"torque", RESULT_VECTOR, offsetof(floc_joint_state, torque), 3, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define BALLISTIC_REPORT_RESULT \
  {"clusters", RESULT_LONG, offsetof(floc_ballistic_report, clusters), 0, 0, NAN, NULL}, \
  {"links", RESULT_LONG, offsetof(floc_ballistic_report, links), 0, 0, NAN, NULL}, \
  {"merges", RESULT_LONG, offsetof(floc_ballistic_report, merges), 0, 0, NAN, NULL}, \
  {"reflections", RESULT_LONG, offsetof(floc_ballistic_report, reflections), 0, 0, NAN, NULL}, \
  {"minimisations", RESULT_LONG, offsetof(floc_ballistic_report, minimisations), 0, 0, NAN, NULL}, \
  {"iterations", RESULT_LONG, offsetof(floc_ballistic_report, iterations), 0, 0, NAN, NULL}, \
  {"dropped", RESULT_LONG, offsetof(floc_ballistic_report, dropped), 0, 0, NAN, NULL}, \
  {"unsolved", RESULT_LONG, offsetof(floc_ballistic_report, unsolved), 0, 0, NAN, NULL}, \
  {"searches", RESULT_LONG, offsetof(floc_ballistic_report, searches), 0, 0, NAN, NULL}, \
  {"pairs_looked_at", RESULT_LONG, offsetof(floc_ballistic_report, pairs_looked_at), 0, 0, NAN, NULL}, \
  {"greatest_residual", RESULT_NUMBER, offsetof(floc_ballistic_report, greatest_residual), 0, 0, NAN, NULL}, \
  {"stalled", RESULT_LONG, offsetof(floc_ballistic_report, stalled), 0, 0, NAN, NULL}, \
  {"retried", RESULT_LONG, offsetof(floc_ballistic_report, retried), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define EVENT_DRIVEN_REPORT_RESULT \
  {"clusters", RESULT_LONG, offsetof(floc_event_driven_report, clusters), 0, 0, NAN, NULL}, \
  {"links", RESULT_LONG, offsetof(floc_event_driven_report, links), 0, 0, NAN, NULL}, \
  {"events", RESULT_LONG, offsetof(floc_event_driven_report, events), 0, 0, NAN, NULL}, \
  {"merges", RESULT_LONG, offsetof(floc_event_driven_report, merges), 0, 0, NAN, NULL}, \
  {"bounces", RESULT_LONG, offsetof(floc_event_driven_report, bounces), 0, 0, NAN, NULL}, \
  {"reflections", RESULT_LONG, offsetof(floc_event_driven_report, reflections), 0, 0, NAN, NULL}, \
  {"expirations", RESULT_LONG, offsetof(floc_event_driven_report, expirations), 0, 0, NAN, NULL}, \
  {"second_looks", RESULT_LONG, offsetof(floc_event_driven_report, second_looks), 0, 0, NAN, NULL}, \
  {"stale", RESULT_LONG, offsetof(floc_event_driven_report, stale), 0, 0, NAN, NULL}, \
  {"predictions", RESULT_LONG, offsetof(floc_event_driven_report, predictions), 0, 0, NAN, NULL}, \
  {"searches", RESULT_LONG, offsetof(floc_event_driven_report, searches), 0, 0, NAN, NULL}, \
  {"queue_length", RESULT_LONG, offsetof(floc_event_driven_report, queue_length), 0, 0, NAN, NULL}, \
  {"greatest_gap", RESULT_NUMBER, offsetof(floc_event_driven_report, greatest_gap), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define DISCRETE_ELEMENT_REPORT_RESULT \
  {"iterations", RESULT_INTEGER, offsetof(floc_discrete_element_report, iterations), 0, 0, NAN, NULL}, \
  {"total_iterations", RESULT_LONG, offsetof(floc_discrete_element_report, total_iterations), 0, 0, NAN, NULL}, \
  {"evaluations", RESULT_LONG, offsetof(floc_discrete_element_report, evaluations), 0, 0, NAN, NULL}, \
  {"rejected_steps", RESULT_LONG, offsetof(floc_discrete_element_report, rejected_steps), 0, 0, NAN, NULL}, \
  {"time_step", RESULT_NUMBER, offsetof(floc_discrete_element_report, time_step), 0, 0, NAN, NULL}, \
  {"next_time_step", RESULT_NUMBER, offsetof(floc_discrete_element_report, next_time_step), 0, 0, NAN, NULL}, \
  {"error", RESULT_NUMBER, offsetof(floc_discrete_element_report, error), 0, 0, NAN, NULL}, \
  {"contacts", RESULT_LONG, offsetof(floc_discrete_element_report, contacts), 0, 0, NAN, NULL}, \
  {"wall_contacts", RESULT_LONG, offsetof(floc_discrete_element_report, wall_contacts), 0, 0, NAN, NULL}, \
  {"bonds", RESULT_LONG, offsetof(floc_discrete_element_report, bonds), 0, 0, NAN, NULL}, \
  {"bonds_formed", RESULT_LONG, offsetof(floc_discrete_element_report, bonds_formed), 0, 0, NAN, NULL}, \
  {"bonds_broken", RESULT_LONG, offsetof(floc_discrete_element_report, bonds_broken), 0, 0, NAN, NULL}, \
  {"kinetic_energy", RESULT_NUMBER, offsetof(floc_discrete_element_report, kinetic_energy), 0, 0, NAN, NULL}, \
  {"rotational_energy", RESULT_NUMBER, offsetof(floc_discrete_element_report, rotational_energy), 0, 0, NAN, NULL}, \
  {"contact_energy", RESULT_NUMBER, offsetof(floc_discrete_element_report, contact_energy), 0, 0, NAN, NULL}, \
  {"friction_energy", RESULT_NUMBER, offsetof(floc_discrete_element_report, friction_energy), 0, 0, NAN, NULL}, \
  {"bond_energy", RESULT_NUMBER, offsetof(floc_discrete_element_report, bond_energy), 0, 0, NAN, NULL}, \
  {"near_field_energy", RESULT_NUMBER, offsetof(floc_discrete_element_report, near_field_energy), 0, 0, NAN, NULL}, \
  {"critical_time_step", RESULT_NUMBER, offsetof(floc_discrete_element_report, critical_time_step), 0, 0, NAN, NULL}, \
  {"critical_id", RESULT_LONG, offsetof(floc_discrete_element_report, critical_id), 0, 0, NAN, NULL}, \
  {"wall_bonds", RESULT_LONG, offsetof(floc_discrete_element_report, wall_bonds), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define BOND_RESULT \
  {"id_i", RESULT_LONG, offsetof(floc_bond, id_i), 0, 0, NAN, NULL}, \
  {"id_j", RESULT_LONG, offsetof(floc_bond, id_j), 0, 0, NAN, NULL}, \
  {"area", RESULT_NUMBER, offsetof(floc_bond, area), 0, 0, NAN, NULL}, \
  {"strain", RESULT_NUMBER, offsetof(floc_bond, strain), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define RAY_RESULT \
  {"position", RESULT_VECTOR, offsetof(floc_ray, position), 0, 0, NAN, NULL}, \
  {"direction", RESULT_VECTOR, offsetof(floc_ray, direction), 0, 0, NAN, NULL}, \
  {"power", RESULT_NUMBER, offsetof(floc_ray, power), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define RAY_HIT_RESULT \
  {"ray", RESULT_LONG, offsetof(floc_ray_hit, ray), 0, 1, NAN, NULL}, \
  {"id", RESULT_LONG, offsetof(floc_ray_hit, id), 0, 0, 0, NULL}, \
  {"body", RESULT_INTEGER, offsetof(floc_ray_hit, body), 0, 0, -1, NULL}, \
  {"bounces", RESULT_INTEGER, offsetof(floc_ray_hit, bounces), 0, 0, NAN, NULL}, \
  {"inside", RESULT_TRUTH, offsetof(floc_ray_hit, inside), 0, 0, NAN, NULL}, \
  {"source", RESULT_INTEGER, offsetof(floc_ray_hit, source), 0, 1, -1, NULL}, \
  {"point", RESULT_VECTOR, offsetof(floc_ray_hit, point), 0, 0, NAN, NULL}, \
  {"normal", RESULT_VECTOR, offsetof(floc_ray_hit, normal), 0, 0, NAN, NULL}, \
  {"direction", RESULT_VECTOR, offsetof(floc_ray_hit, direction), 0, 0, NAN, NULL}, \
  {"power", RESULT_NUMBER, offsetof(floc_ray_hit, power), 0, 0, NAN, NULL}, \
  {"cosine", RESULT_NUMBER, offsetof(floc_ray_hit, incident_cosine), 0, 0, NAN, NULL}, \
  {"refracted_direction", RESULT_VECTOR, offsetof(floc_ray_hit, refracted_direction), 0, 0, NAN, NULL}, \
  {"area", RESULT_NUMBER, offsetof(floc_ray_hit, area), 0, 0, NAN, NULL}, \
  {"time", RESULT_NUMBER, offsetof(floc_ray_hit, time), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define RAY_SEGMENT_RESULT \
  {"ray", RESULT_LONG, offsetof(floc_ray_segment, ray), 0, 1, NAN, NULL}, \
  {"from", RESULT_VECTOR, offsetof(floc_ray_segment, from), 3, 0, NAN, NULL}, \
  {"to", RESULT_VECTOR, offsetof(floc_ray_segment, to), 3, 0, NAN, NULL}, \
  {"power", RESULT_NUMBER, offsetof(floc_ray_segment, power), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define RAY_REPORT_RESULT \
  {"pulses", RESULT_LONG, offsetof(floc_ray_report, pulses), 0, 0, NAN, NULL}, \
  {"rays", RESULT_LONG, offsetof(floc_ray_report, rays), 0, 0, NAN, NULL}, \
  {"rays_in_flight", RESULT_LONG, offsetof(floc_ray_report, rays_in_flight), 0, 0, NAN, NULL}, \
  {"reflections", RESULT_LONG, offsetof(floc_ray_report, reflections), 0, 0, NAN, NULL}, \
  {"body_reflections", RESULT_LONG, offsetof(floc_ray_report, body_reflections), 0, 0, NAN, NULL}, \
  {"ended_rays", RESULT_LONG, offsetof(floc_ray_report, ended_rays), 0, 0, NAN, NULL}, \
  {"incident", RESULT_NUMBER, offsetof(floc_ray_report, incident), 0, 0, NAN, NULL}, \
  {"absorbed", RESULT_NUMBER, offsetof(floc_ray_report, absorbed), 0, 0, NAN, NULL}, \
  {"body_absorbed", RESULT_NUMBER, offsetof(floc_ray_report, body_absorbed), 0, 0, NAN, NULL}, \
  {"escaped", RESULT_NUMBER, offsetof(floc_ray_report, escaped), 0, 0, NAN, NULL}, \
  {"residual", RESULT_NUMBER, offsetof(floc_ray_report, residual), 0, 0, NAN, NULL}, \
  {"in_flight", RESULT_NUMBER, offsetof(floc_ray_report, in_flight), 0, 0, NAN, NULL}, \
  {"exit_power", RESULT_VECTOR, offsetof(floc_ray_report, exit_power), 0, 0, NAN, NULL}, \
  {"flight_power", RESULT_VECTOR, offsetof(floc_ray_report, flight_power), 0, 0, NAN, NULL}, \
  {"attenuated", RESULT_NUMBER, offsetof(floc_ray_report, attenuated), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define CONTACT_RESULT \
  {"id_i", RESULT_LONG, offsetof(floc_contact, id_i), 0, 0, NAN, NULL}, \
  {"id_j", RESULT_LONG, offsetof(floc_contact, id_j), 0, 0, NAN, NULL}, \
  {"body", RESULT_INTEGER, offsetof(floc_contact, body), 0, 0, NAN, NULL}, \
  {"shape", RESULT_INTEGER, offsetof(floc_contact, shape), 0, 0, NAN, NULL}, \
  {"point", RESULT_VECTOR, offsetof(floc_contact, point), 0, 0, NAN, NULL}, \
  {"normal", RESULT_VECTOR, offsetof(floc_contact, normal), 0, 0, NAN, NULL}, \
  {"distance", RESULT_NUMBER, offsetof(floc_contact, distance), 0, 0, NAN, NULL}, \
  {"impulse", RESULT_NUMBER, offsetof(floc_contact, impulse), 0, 0, NAN, NULL}, \
  {"gamma", RESULT_NUMBER, offsetof(floc_contact, gamma), 0, 0, NAN, NULL}, \
  {"friction", RESULT_VECTOR, offsetof(floc_contact, friction), 0, 0, NAN, NULL}, \
  {"moment", RESULT_AXIAL, offsetof(floc_contact, moment), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define STRESS_RESULT \
  {"volume", RESULT_NUMBER, offsetof(floc_stress, volume), 0, 0, NAN, NULL}, \
  {"pressure", RESULT_NUMBER, offsetof(floc_stress, pressure), 0, 0, NAN, NULL}, \
  {"tensor", RESULT_ROWS, offsetof(floc_stress, tensor), 0, 0, NAN, NULL}, \
  {"kinetic", RESULT_ROWS, offsetof(floc_stress, kinetic), 0, 0, NAN, NULL}, \
  {"contacts", RESULT_ROWS, offsetof(floc_stress, contacts), 0, 0, NAN, NULL}, \
  {"laws", RESULT_ROWS, offsetof(floc_stress, laws), 0, 0, NAN, NULL}, \
  {"fabric", RESULT_ROWS, offsetof(floc_stress, fabric), 0, 0, NAN, NULL}, \
  {"contact_count", RESULT_LONG, offsetof(floc_stress, contact_count), 0, 0, NAN, NULL}, \
  {"coordination_number", RESULT_NUMBER, offsetof(floc_stress, coordination_number), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define ENERGY_LEDGER_RESULT \
  {"kinetic", RESULT_NUMBER, offsetof(floc_energy_ledger, kinetic), 0, 0, NAN, NULL}, \
  {"start", RESULT_NUMBER, offsetof(floc_energy_ledger, start), 0, 0, NAN, NULL}, \
  {"gravity", RESULT_NUMBER, offsetof(floc_energy_ledger, gravity), 0, 0, NAN, NULL}, \
  {"laws", RESULT_NUMBER, offsetof(floc_energy_ledger, laws), 0, 0, NAN, NULL}, \
  {"fields", RESULT_NUMBER, offsetof(floc_energy_ledger, fields), 0, 0, NAN, NULL}, \
  {"near_field", RESULT_NUMBER, offsetof(floc_energy_ledger, near_field), 0, 0, NAN, NULL}, \
  {"drag", RESULT_NUMBER, offsetof(floc_energy_ledger, drag), 0, 0, NAN, NULL}, \
  {"contacts", RESULT_NUMBER, offsetof(floc_energy_ledger, contacts), 0, 0, NAN, NULL}, \
  {"damping", RESULT_NUMBER, offsetof(floc_energy_ledger, damping), 0, 0, NAN, NULL}, \
  {"friction", RESULT_NUMBER, offsetof(floc_energy_ledger, friction), 0, 0, NAN, NULL}, \
  {"rolling", RESULT_NUMBER, offsetof(floc_energy_ledger, rolling), 0, 0, NAN, NULL}, \
  {"bonds", RESULT_NUMBER, offsetof(floc_energy_ledger, bonds), 0, 0, NAN, NULL}, \
  {"flow", RESULT_NUMBER, offsetof(floc_energy_ledger, flow), 0, 0, NAN, NULL}, \
  {"rays", RESULT_NUMBER, offsetof(floc_energy_ledger, rays), 0, 0, NAN, NULL}, \
  {"walls", RESULT_NUMBER, offsetof(floc_energy_ledger, walls), 0, 0, NAN, NULL}, \
  {"cell", RESULT_NUMBER, offsetof(floc_energy_ledger, cell), 0, 0, NAN, NULL}, \
  {"outside", RESULT_NUMBER, offsetof(floc_energy_ledger, outside), 0, 0, NAN, NULL}, \
  {"residual", RESULT_NUMBER, offsetof(floc_energy_ledger, residual), 0, 0, NAN, NULL}, \
  {"turnover", RESULT_NUMBER, offsetof(floc_energy_ledger, turnover), 0, 0, NAN, NULL}, \
  {"steps", RESULT_LONG, offsetof(floc_energy_ledger, steps), 0, 0, NAN, NULL}, \
  {"loads", RESULT_NUMBER, offsetof(floc_energy_ledger, loads), 0, 0, NAN, NULL}, \
  {"joints", RESULT_NUMBER, offsetof(floc_energy_ledger, joints), 0, 0, NAN, NULL}, \
  {"motors", RESULT_NUMBER, offsetof(floc_energy_ledger, motors), 0, 0, NAN, NULL}, \
  {"springs", RESULT_NUMBER, offsetof(floc_energy_ledger, springs), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define BOND_ORDER_RESULT \
  {"mean", RESULT_NUMBER, offsetof(floc_bond_order, mean), 0, 0, NAN, NULL}, \
  {"global", RESULT_NUMBER, offsetof(floc_bond_order, global), 0, 0, NAN, NULL}, \
  {"neighbors", RESULT_NUMBER, offsetof(floc_bond_order, neighbors), 0, 0, NAN, NULL}, \
  {"alone", RESULT_LONG, offsetof(floc_bond_order, alone), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define MIXING_RESULT \
  {"index", RESULT_NUMBER, offsetof(floc_mixing, index), 0, 0, NAN, NULL}, \
  {"fraction", RESULT_NUMBER, offsetof(floc_mixing, fraction), 0, 0, NAN, NULL}, \
  {"variance", RESULT_NUMBER, offsetof(floc_mixing, variance), 0, 0, NAN, NULL}, \
  {"segregated", RESULT_NUMBER, offsetof(floc_mixing, segregated), 0, 0, NAN, NULL}, \
  {"random", RESULT_NUMBER, offsetof(floc_mixing, random), 0, 0, NAN, NULL}, \
  {"cells", RESULT_LONG, offsetof(floc_mixing, cells), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define GRID_RESULT \
  {"lower", RESULT_VECTOR, offsetof(floc_grid, lower), 0, 0, NAN, NULL}, \
  {"spacing", RESULT_VECTOR, offsetof(floc_grid, spacing), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define CLUSTER_SUMMARY_RESULT \
  {"count", RESULT_LONG, offsetof(floc_cluster_summary, count), 0, 0, NAN, NULL}, \
  {"single", RESULT_LONG, offsetof(floc_cluster_summary, single), 0, 0, NAN, NULL}, \
  {"largest", RESULT_LONG, offsetof(floc_cluster_summary, largest), 0, 0, NAN, NULL}, \
  {"mean_size", RESULT_NUMBER, offsetof(floc_cluster_summary, mean_size), 0, 0, NAN, NULL}, \
  {"weighted_mean_size", RESULT_NUMBER, offsetof(floc_cluster_summary, weighted_mean_size), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define GYRATION_RESULT \
  {"count", RESULT_LONG, offsetof(floc_gyration, count), 0, 0, NAN, NULL}, \
  {"mass", RESULT_NUMBER, offsetof(floc_gyration, mass), 0, 0, NAN, NULL}, \
  {"center", RESULT_VECTOR, offsetof(floc_gyration, center), 0, 0, NAN, NULL}, \
  {"tensor", RESULT_ROWS, offsetof(floc_gyration, tensor), 0, 0, NAN, NULL}, \
  {"eigenvalues", RESULT_VECTOR, offsetof(floc_gyration, eigenvalue), 0, 0, NAN, NULL}, \
  {"orientation", RESULT_VECTOR, offsetof(floc_gyration, orientation), 0, 0, NAN, NULL}, \
  {"aspect_ratio", RESULT_NUMBER, offsetof(floc_gyration, aspect_ratio), 0, 0, NAN, NULL}, \
  {"radius", RESULT_NUMBER, offsetof(floc_gyration, radius), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define SCALING_RESULT \
  {"first", RESULT_INTEGER, offsetof(floc_scaling, first), 0, 1, NAN, NULL}, \
  {"last", RESULT_INTEGER, offsetof(floc_scaling, last), 0, 1, NAN, NULL}, \
  {"dimension", RESULT_NUMBER, offsetof(floc_scaling, dimension), 0, 0, NAN, NULL}, \
  {"deviation", RESULT_NUMBER, offsetof(floc_scaling, deviation), 0, 0, NAN, NULL}, \
  {"prefactor", RESULT_NUMBER, offsetof(floc_scaling, prefactor), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define MERGE_SUMMARY_RESULT \
  {"start", RESULT_LONG, offsetof(floc_merge_summary, start), 0, 0, NAN, NULL}, \
  {"clusters", RESULT_LONG, offsetof(floc_merge_summary, clusters), 0, 0, NAN, NULL}, \
  {"merges", RESULT_LONG, offsetof(floc_merge_summary, merges), 0, 0, NAN, NULL}, \
  {"splits", RESULT_LONG, offsetof(floc_merge_summary, splits), 0, 0, NAN, NULL}, \
  {"outside", RESULT_LONG, offsetof(floc_merge_summary, outside), 0, 0, NAN, NULL}, \
  {"count", RESULT_LONG, offsetof(floc_merge_summary, found), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define PROBLEM_REPORT_RESULT \
  {"converged", RESULT_BOOLEAN, offsetof(floc_problem_report, converged), 0, 0, NAN, NULL}, \
  {"dimension", RESULT_INTEGER, offsetof(floc_problem_report, dimension), 0, 0, NAN, NULL}, \
  {"solver", RESULT_INTEGER, offsetof(floc_problem_report, solver), 0, 0, NAN, NULL}, \
  {"islands", RESULT_INTEGER, offsetof(floc_problem_report, islands), 0, 0, NAN, NULL}, \
  {"particles", RESULT_LONG, offsetof(floc_problem_report, particles), 0, 0, NAN, NULL}, \
  {"contacts", RESULT_LONG, offsetof(floc_problem_report, contacts), 0, 0, NAN, NULL}, \
  {"active_contacts", RESULT_LONG, offsetof(floc_problem_report, active_contacts), 0, 0, NAN, NULL}, \
  {"iterations", RESULT_LONG, offsetof(floc_problem_report, iterations), 0, 0, NAN, NULL}, \
  {"time_step", RESULT_NUMBER, offsetof(floc_problem_report, time_step), 0, 0, NAN, NULL}, \
  {"tolerance", RESULT_NUMBER, offsetof(floc_problem_report, tolerance), 0, 0, NAN, NULL}, \
  {"residual", RESULT_NUMBER, offsetof(floc_problem_report, residual), 0, 0, NAN, NULL}, \
  {"audited_residual", RESULT_NUMBER, offsetof(floc_problem_report, audited_residual), 0, 0, NAN, NULL}, \
  {"seconds", RESULT_NUMBER, offsetof(floc_problem_report, seconds), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define SECTION_INFO_RESULT \
  {"name", RESULT_TEXT, offsetof(floc_section_info, name), 0, 0, NAN, NULL}, \
  {"type", RESULT_TEXT, offsetof(floc_section_info, type), 0, 0, NAN, NULL}, \
  {"rows", RESULT_LONG, offsetof(floc_section_info, rows), 0, 0, NAN, NULL}, \
  {"columns", RESULT_LONG, offsetof(floc_section_info, columns), 0, 0, NAN, NULL}, \
  {"raw_bytes", RESULT_LONG, offsetof(floc_section_info, raw_bytes), 0, 0, NAN, NULL}, \
  {"stored_bytes", RESULT_LONG, offsetof(floc_section_info, stored_bytes), 0, 0, NAN, NULL}, \
  {"is_state", RESULT_BOOLEAN, offsetof(floc_section_info, is_state), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}

#define SECTION_DIFFERENCE_RESULT \
  {"missing", RESULT_BOOLEAN, offsetof(floc_section_difference, missing), 0, 0, NAN, NULL}, \
  {"other_kind", RESULT_BOOLEAN, offsetof(floc_section_difference, other_kind), 0, 0, NAN, NULL}, \
  {"rows_a", RESULT_LONG, offsetof(floc_section_difference, rows_a), 0, 0, NAN, NULL}, \
  {"rows_b", RESULT_LONG, offsetof(floc_section_difference, rows_b), 0, 0, NAN, NULL}, \
  {"differing", RESULT_LONG, offsetof(floc_section_difference, differing), 0, 0, NAN, NULL}, \
  {"row", RESULT_LONG, offsetof(floc_section_difference, row), 0, 0, NAN, NULL}, \
  {"column", RESULT_LONG, offsetof(floc_section_difference, column), 0, 0, NAN, NULL}, \
  {"value_a", RESULT_NUMBER, offsetof(floc_section_difference, value_a), 0, 0, NAN, NULL}, \
  {"value_b", RESULT_NUMBER, offsetof(floc_section_difference, value_b), 0, 0, NAN, NULL}, \
  {"greatest", RESULT_NUMBER, offsetof(floc_section_difference, greatest), 0, 0, NAN, NULL}, \
  {NULL, RESULT_NUMBER, 0, 0, 0, NAN, NULL}
