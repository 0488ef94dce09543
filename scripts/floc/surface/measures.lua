-- Numbers about the present state, by name: sim:measure, the tables of sim:observe, floc_measure. { name, unit, text, keys }, in the
-- order of floc_measure_name; a new measure goes to the end, and has a function of its name in engine/measures/measures.c.
--
-- Keys: fails, its function returns a status, because memory, a law or the search for pairs may fail; needs, a member of the
-- scheme (engine/schemes/scheme.h) without which the measure has no meaning: it is refused with the sentence below.

local measures = {
  { "kinetic_energy", "energy", "of all motion: translational_kinetic_energy + rotational_kinetic_energy" },
  { "potential_energy", "energy", "of everything that has a potential: gravitational_energy + law_energy + attraction_energy + long_range_energy, and "
    .. "with discrete elements + contact_energy + friction_energy + bond_energy + near_field_energy", fails = true },
  { "total_mass", "mass", "of all particles" },
  { "particle_count", "", "number of particles" },
  { "momentum_x", "mass length/time", "sum of m v along x" },
  { "momentum_y", "mass length/time", "sum of m v along y" },
  { "momentum_z", "mass length/time", "sum of m v along z" },
  { "center_x", "length", "centre of mass" },
  { "center_y", "length", "centre of mass" },
  { "center_z", "length", "centre of mass" },
  { "greatest_speed", "length/time", "of a centre, |v|, free bodies too" },
  { "gyration_radius", "length", "root of the mean square distance from the centre of mass, weighted by mass" },
  { "volume_fraction", "", "of the particles in the declared domain; on axes that are open, in their bounding box" },
  { "coordination_number", "", "twice the pairs that touch (surfaces within 1e-3 of the smaller radius) over the particles", fails = true },
  { "contact_count", "", "contacts that carried an impulse in the last step; not in flight (ballistic, event_driven)",
    needs = "exerts_contacts" },
  { "greatest_overlap", "", "of all steps so far, in radii of the smaller particle" },
  { "translational_kinetic_energy", "energy", "m v^2/2 of the centres; an assembly is one body" },
  { "rotational_kinetic_energy", "energy", "of rotation about the centres; the inertia is m r^2/2 in two dimensions (discs), 2 m r^2/5 in three "
    .. "(balls), in all schemes; 0 where the scheme does not rotate particles" },
  { "gravitational_energy", "energy", "-m g.x, about the origin" },
  { "law_energy", "energy", "what laws and fields return as energy, or as potential; forces without one have none", fails = true },
  { "attraction_energy", "energy", "of add_attraction, 0 at its range", fails = true },
  { "contact_energy", "energy", "stored in overlaps with others and with bodies; discrete elements only", fails = true,
    needs = "energies" },
  { "friction_energy", "energy", "stored in tangential springs; discrete elements only", fails = true, needs = "energies" },
  { "bond_energy", "energy", "stored in stretched bonds; discrete elements only", fails = true, needs = "energies" },
  { "near_field_energy", "energy", "of attraction and repulsion at a distance (28); discrete elements only", fails = true, needs = "energies" },
  { "total_energy", "energy", "kinetic_energy + potential_energy", fails = true },
  { "critical_time_step", "time", "of soft contacts, above which they may gain energy from step to step; inf where nothing limits it; discrete "
    .. "elements only", fails = true, needs = "critical" },
  { "long_range_energy", "energy", "of add_long_range, 0 at infinity", fails = true },
  { "temperature", "energy", "of velocities about their mean: sum of m |v - mean|^2 over dimension (n - 1), n particles and assemblies; "
    .. "Boltzmann's constant is 1" },
  { "granular_temperature", "length^2/time^2", "mean square, weighted by mass, of a component of v - mean" },
  { "rotational_temperature", "energy", "2 rotational_kinetic_energy over the axes about which particles rotate (1 in the plane, else 3) and n",
    needs = "turns" },
  { "pressure", "stress", "mean of the diagonal of the stress tensor, compression positive (floc_measure_stress)", fails = true, needs = "exerts_contacts" },
}
local axes = { "xx", "yy", "zz", "xy", "xz", "yz" }
for _, axis in ipairs(axes) do
  measures[#measures + 1] = { "stress_" .. axis, "stress", "of the stress tensor, compression positive; symmetric part", fails = true, needs = "exerts_contacts" }
end
for _, axis in ipairs(axes) do
  measures[#measures + 1] = { "fabric_" .. axis, "", "of the mean of n n^T over contacts of particles that carry a force, n the normal", fails = true,
    needs = "exerts_contacts" }
end
measures[#measures + 1] = { "unbalanced_force_ratio", "", "mean size of the force left on a particle (or an assembly; free bodies do not count) over that of a contact's force; inf where no "
  .. "contact carries a force; not with a flow, noise or an a priori velocity of your own", fails = true, needs = "exerts_contacts" }

measures[#measures + 1] = { "mean_square_displacement", "length^2", "mean of the square of the displacement since the attribute displacement_x was added; refused without it",
  fails = true }

measures.needs = {
  { "energies", "contacts of the scheme %s store no energy; those of discrete_element do" },
  { "critical", "contacts of the scheme %s are hard and limit no time step; those of discrete_element do" },
  { "exerts_contacts", "contacts of the scheme %s store no impulses of a step" },
  { "turns", "particles do not rotate in the scheme %s as it is set; rotation = true of inelastic, gluey and discrete_element lets them" },
}

-- What the tables of sim:observe know besides: of the simulation, and of its last step (sim:report). No measure of a host has such a name.
measures.of_simulation = { "step", "time", "time_step" }
measures.of_report = { "contacts", "iterations", "residual", "overlap" }
for _, list in ipairs { measures.of_simulation, measures.of_report } do
  for k = 1, #list do list[list[k]] = true end
end

measures.names = {}
for k, one in ipairs(measures) do
  one.name, one.unit, one.text = one[1], one[2], one[3]
  measures.names[k] = one.name
end

return measures
