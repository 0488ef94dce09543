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

columns.names, columns.named = {}, {}
for _, vector in ipairs(columns.vectors) do columns.vectors[vector[1]] = vector end
for k, one in ipairs(columns) do
  one.name, one.unit, one.text = one[1], one[2], one[3]
  columns.names[k], columns.named[one.name] = one.name, one
  local vector = columns.vectors[one.vector]
  if vector then vector.columns = vector.columns or {}; table.insert(vector.columns, one.name) end
end

return columns
