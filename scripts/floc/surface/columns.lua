-- The columns that all particles have: { name, unit, text, keys }, in the order of storage and of checkpoints. A new one
-- goes to the end, and old checkpoints must be read without it (engine/particles/state.c).
--
-- Keys: vector, the three that are one: in .vtp files and on the page they stand together under its name; above: values that may
-- be written are greater; moves: it changes while particles move. Vectors: magnitude, the column of their length on the page; xyz,
-- the name of a property of .xyz files, which have one, too, for each column that is not of a vector.

local columns = {
  { "x", "length", "position", vector = "position", moves = true },
  { "y", "length", "position", vector = "position", moves = true },
  { "z", "length", "position; 0 in two dimensions", vector = "position", moves = true },
  { "vx", "length/time", "velocity", vector = "velocity", moves = true },
  { "vy", "length/time", "velocity", vector = "velocity", moves = true },
  { "vz", "length/time", "velocity; 0 in two dimensions", vector = "velocity", moves = true },
  { "fx", "mass length/time^2", "force of fields and laws; of soft contacts as well; without gravity", vector = "force" },
  { "fy", "mass length/time^2", "force", vector = "force" },
  { "fz", "mass length/time^2", "force; 0 in two dimensions", vector = "force" },
  { "radius", "length", "radius, > 0", above = 0 },
  { "mass", "mass", "mass, > 0", above = 0 },
}

columns.vectors = {
  { "position", xyz = "pos" },
  { "velocity", magnitude = "speed", xyz = "velo" },
  { "force", magnitude = "force" },
}

-- Columns that are there when a scheme or the script needs them, in the order of their numbers in the engine. formerly: a name that
-- scripts and files may still use. owed: computed again in every step, so no state; a script's attribute of that name takes its place.
columns.optional = {
  { "wx", "rad/time", "angular velocity, where particles rotate", formerly = "angular_velocity_x", moves = true },
  { "wy", "rad/time", "angular velocity", formerly = "angular_velocity_y", moves = true },
  { "wz", "rad/time", "angular velocity; in two dimensions the only one", formerly = "angular_velocity_z", moves = true },
  { "tx", "mass length^2/time^2", "torque of laws and rays, and of soft contacts, where particles rotate", owed = true },
  { "ty", "mass length^2/time^2", "torque", owed = true },
  { "tz", "mass length^2/time^2", "torque; in two dimensions the only one", owed = true },
  { "angle", "rad", "orientation in two dimensions, full turns counted, where particles rotate; in discrete elements by "
    .. "sim:add_attribute \"angle\" or a law that takes an axis", moves = true },
  { "inertia", "mass length^2", "moment of inertia, by sim:add_attribute \"inertia\"; 0, as at first: that of a uniform disc, m r^2/2, or ball, 2 m r^2/5" },
  { "material", "", "the material, a number from 0 on, by sim:add_attribute \"material\"; without it 0" },
  { "qw", "", "orientation in three dimensions, a quaternion of any length, by sim:add_attribute \"qw\" (which adds all four) or "
    .. "a law that takes an axis", moves = true },
  { "qx", "", "orientation", moves = true },
  { "qy", "", "orientation", moves = true },
  { "qz", "", "orientation", moves = true },
  { "displacement_x", "length", "how far the particle has gone, through periodic faces too, by sim:add_attribute \"displacement_x\" (which adds all axes)", moves = true },
  { "displacement_y", "length", "likewise", moves = true },
  { "displacement_z", "length", "likewise; in three dimensions", moves = true },
  { "shape", "", "the shape, where sim:add_particles was given one: a number from 1 on, in the order in which they were given; 0: a disc" },
  { "rounding", "length", "radius of a shape's rounded corners, and of a rod; 0 of a disc" },
  { "radius_rate", "length/time", "how fast the radius grows, by sim:add_attribute \"radius_rate\"; the mass grows with the volume" },
  { "rounding_rate", "length/time", "how fast the rounding grows, by sim:add_attribute \"rounding_rate\"; without it, in proportion to the radius" },
}

columns.names, columns.named = {}, {}
for _, vector in ipairs(columns.vectors) do columns.vectors[vector[1]] = vector end
for k, one in ipairs(columns) do
  one.name, one.unit, one.text = one[1], one[2], one[3]
  columns.names[k], columns.named[one.name] = one.name, one
  local vector = columns.vectors[one.vector]
  if vector then vector.columns = vector.columns or {}; table.insert(vector.columns, one.name) end
end

-- What a column is called now, by the name that it had.
columns.renamed = {}
for _, one in ipairs(columns.optional) do
  one.name, one.unit, one.text = one[1], one[2], one[3]
  if one.formerly then columns.renamed[one.formerly] = one.name end
end

-- Names and former names of columns, from the names of those that there are.
function columns.with_former(names)
  local all, is_there = {}, {}
  for k, name in ipairs(names) do all[k], is_there[name] = name, true end
  for _, one in ipairs(columns.optional) do
    if one.formerly and is_there[one.name] then all[#all + 1] = one.formerly end
  end
  return all
end

return columns
