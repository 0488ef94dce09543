-- What every set-up call takes: one declaration per call, from which come the checking of scripts, the
-- defaults, `floc help <call>`, docs/lua.md and the annotations for editors.
--
-- A declaration is a list of fields with the call's name and summary. A field has
--   name, type      see check.lua for the types; "a|b" means either
--   required        no default exists
--   default         used when the field is not given
--   above, at_least, below, at_most, infinite   allowed numbers
--   one_of          allowed words
--   unit            dimension of the number
--   instead_of      other words that people try
--   text            one sentence for the reader

local surface = require "floc.surface.structs"

local declarations = {}

local function declare(name, owner, summary, fields)
  fields.name = name
  fields.owner = owner       -- "floc" or "sim": floc.name{...} or sim:name{...}
  fields.summary = summary
  for _, field in ipairs(fields) do
    field.name, field.type = field[1], field[2]
    field[1], field[2] = nil, nil
    if field.positional then fields.positional = field end
  end
  declarations[name] = fields
  declarations[#declarations + 1] = fields
end

-- ---- simulation and schemes ---------------------------------------------------------------------

declare("simulation", "floc", "Creates a simulation: the world with its rules, without particles or bodies.", surface.fields "floc.simulation")

declare("inelastic", "floc", "Contacts without rebound: surfaces that touch do not penetrate (Maury 2004).", surface.fields "floc.inelastic")

declare("gluey", "floc", "Contacts in a viscous film: what was pressed together sticks until it has been pulled apart by the same impulse (Lefebvre 2009).", surface.fields "floc.gluey")

-- ---- regions and shapes -------------------------------------------------------------------------

declare("box", "floc", "A box: a region for particles, the domain of a simulation, or four walls as a shape.", surface.fields "floc.box")

declare("ball", "floc", "A ball, in two dimensions a disc: a region for particles.", {
  { "center", "vector", required = true, unit = "length", instead_of = { "centre" }, text = "Its middle." },
  { "radius", "number", required = true, above = 0, unit = "length", text = "Its radius." },
})

declare("plane", "floc", "An infinite plane; particles stay on the side to which the normal points.", {
  { "normal", "vector", required = true, text = "Points towards the particles; any length except 0." },
  { "point", "vector", unit = "length", text = "Any point of the plane; default: the origin." },
})

declare("segment", "floc", "A straight plate between two points, with two sides and rounded ends.", {
  { "points", "points", positional = true, at_least = 2, at_most = 2, unit = "length", text = "The two ends." },
  { "thickness", "number", default = 0, at_least = 0, unit = "length", text = "Of the plate." },
})

declare("capsule", "floc", "A bar with rounded ends: all points closer than the radius to a segment.", {
  { "points", "points", positional = true, at_least = 2, at_most = 2, unit = "length",
    text = "Ends of its axis." },
  { "radius", "number", required = true, above = 0, unit = "length", text = "Its radius." },
})

declare("polyline", "floc", "Segments from point to point; two dimensions.", surface.fields "floc.polyline")

declare("circle", "floc", "A disc as a body; particles stay outside.", {
  { "radius", "number", required = true, above = 0, unit = "length", text = "Its radius." },
  { "center", "vector", unit = "length", instead_of = { "centre" }, text = "Its centre; default the origin." },
})

declare("sphere", "floc", "A ball as a body; particles stay outside.", {
  { "radius", "number", required = true, above = 0, unit = "length", text = "Its radius." },
  { "center", "vector", unit = "length", instead_of = { "centre" }, text = "Its centre; default the origin." },
})

declare("hollow", "floc", "A hollow ball or drum; particles stay inside.", {
  { "radius", "number", required = true, above = 0, unit = "length", text = "Its inner radius." },
  { "center", "vector", unit = "length", instead_of = { "centre" }, text = "Its centre; default the origin." },
})

declare("mesh", "floc", "The triangles of an STL file, binary or text, as plates with two sides; three dimensions.", surface.fields "floc.mesh")

declare("triangle", "floc", "A flat triangular plate with two sides; three dimensions.", {
  { "points", "points", positional = true, at_least = 3, at_most = 3, unit = "length", text = "Its corners." },
  { "thickness", "number", default = 0, at_least = 0, unit = "length", text = "Of the plate." },
})

declare("funnel", "floc", "Two slopes, in three dimensions a cone; the centre of the outlet is the origin.", surface.fields "floc.funnel")

declare("wheel", "floc", "Paddles around the origin, like those of a mill.", surface.fields "floc.wheel")

declare("container", "floc", "A box without a lid; the centre of the floor is the origin.", surface.fields "floc.container")

-- ---- particles ----------------------------------------------------------------------------------

declare("add_particle", "sim", "Adds one particle and returns its id.", surface.fields "sim.add_particle")

declare("add_particles", "sim", "Adds many particles without overlaps; returns the first and the last id.", surface.fields "sim.add_particles")

declare("add_assembly", "sim", "Joins several particles into one rigid body, and returns it.", surface.fields "sim.add_assembly")

-- ---- bodies -------------------------------------------------------------------------------------

declare("add_body", "sim", "Adds a body of infinite mass, fixed or moving, and returns it.", surface.fields "sim.add_body")

declare("set_motion", "body", "Changes a body's motion from now on; the body continues from its present position.", {
  { "position", "function", signature = "of the time that returns the vector", unit = "length",
    text = "Prescribes the position." },
  { "angle", "function", signature = "of the time that returns a number", unit = "rad",
    text = "Prescribes the orientation in two dimensions, from the present one." },
  { "rotation", "function", signature = "of the time that returns the vector", unit = "rad",
    text = "Prescribes the orientation in three dimensions, from the present one." },
  { "velocity", "vector|function", unit = "length/time", signature = "of the time that returns the vector",
    text = "Constant, or a function of time. Without any parameter the body stops." },
  { "angular_velocity", "rotation|function", unit = "rad/time",
    signature = "of the time that returns the angular velocity", text = "Constant, or a function of time." },
  { "motion", "motion", text = "floc.oscillation{...} or floc.piston{...}." },
})

declare("oscillation", "floc", "A motion: position + amplitude sin(frequency t + phase).", {
  { "amplitude", "vector", required = true, unit = "length", text = "Direction and amplitude." },
  { "frequency", "number", above = 0, unit = "rad/time", text = "Angular frequency, or" },
  { "period", "number", above = 0, unit = "time", text = "the period." },
  { "phase", "number", default = 0, unit = "rad", text = "At the start." },
})

declare("piston", "floc", "A motion: constant velocity over a distance, then the body stops or returns.", {
  { "velocity", "vector", required = true, unit = "length/time", text = "Direction and speed." },
  { "travel", "number", required = true, above = 0, unit = "length", text = "Distance over which it moves." },
  { "returns", "boolean", default = false, text = "Moves back and forth instead of stopping." },
})

-- ---- forces -------------------------------------------------------------------------------------

-- What laws of all kinds share.
local law_fields = {
  { "name", "string", text = "Shown in messages." },
  { "inputs", "table", text = "Names of the law's inputs, where the names of the function's parameters do not give them." },
  { "parameters", "table", text = "Numbers by name that the law receives as parameters and that the script may change between "
    .. "steps, through the object that the call returns: { stiffness = 1e4 }." },
  { "way", "choice", one_of = { "auto", "traced", "chunked", "called" }, default = "auto",
    text = "\"traced\": an error if the law cannot be traced; \"chunked\": not traced, a loop in one Lua state per "
      .. "thread (LuaJIT), an error if that is not possible; \"called\": one Lua call for each." },
  { "fast_math", "boolean", default = false, text = "A traced law may round a product and a sum once, and use exp, pow and the like "
    .. "from a vector library: faster, with other last bits than without. The same bits at any number of threads and after a resume on the "
    .. "same machine. An error where there is no AVX2 with FMA, or no glibc of 2.35 or newer." },
}

local function law_declaration(fields)
  for _, field in ipairs(law_fields) do
    local copy = {}
    for key, value in pairs(field) do copy[key] = value end
    fields[#fields + 1] = copy
  end
  return fields
end

local contact_inputs = "distance (of the centres; at a body from the centre to the surface), overlap (above 0 where they overlap), normal_velocity (positive when separating), tangential_velocity, normal_x, slip_x, "

declare("add_field", "sim", "Adds a force on every particle, given by a function; returns the law.", law_declaration {
  { "law", "function", signature = "that returns the force vector",
    text = "The names of the function's parameters select its inputs: x y z vx vy vz radius mass id t time_step, or an attribute." },
  { "potential", "function", signature = "that returns the potential energy",
    text = "In place of law: the force is minus its gradient." },
})

declare("add_force", "sim", "Adds a force between pairs closer than range, given by a function; returns the law.", law_declaration {
  { "law", "function", signature = "that returns the normal force",
    text = "A positive force is repulsive. The names of the function's parameters select its inputs: " .. contact_inputs .. "radius_i radius_j, "
      .. "mass_i mass_j, id_i id_j, t, time_step, an attribute with _i and _j, its memory, its parameters. i is the "
      .. "particle of the smaller id." },
  { "potential", "function", signature = "that returns the potential energy",
    text = "In place of law: the force is minus its derivative with respect to the distance." },
  { "range", "number", default = 0, at_least = 0, unit = "length",
    text = "Maximum distance between the surfaces at which it acts." },
  { "returns", "table", text = "Names of what the law returns, in order: normal, tangential (on j, in the direction of "
      .. "tangential_velocity: friction is negative), tangential_x _y _z, energy, its memory. Default: normal, then the memory." },
  { "memory", "table", text = "Names of numbers that are stored per pair from step to step; 0 for a new pair." },
})

declare("add_wall_force", "sim", "Adds a force between particles and bodies, given by a function; returns the law.",
  law_declaration {
  { "law", "function", required = true, signature = "that returns the normal force",
    text = "A positive force is repulsive. The names of the function's parameters select its inputs: " .. contact_inputs .. "radius, mass, id, body "
      .. "(its number), material, t, time_step, an attribute, its memory, its parameters." },
  { "range", "number", default = 0, at_least = 0, unit = "length",
    text = "Maximum distance between the surfaces at which it acts." },
  { "returns", "table", text = "As for add_force; tangential is the force on the body." },
  { "memory", "table", text = "Names of numbers that are stored per contact from step to step." },
})

declare("add_evolution", "sim", "Changes attributes in time, by rates that a function returns; returns the law.",
  law_declaration {
  { "law", "function", required = true, signature = "that returns the rates of change",
    text = "The names of the function's parameters select its inputs, as for add_field." },
  { "attributes", "table", required = true, instead_of = { "attribute" },
    text = "Names of the attributes whose rates it returns, in order." },
})

declare("add_attraction", "sim", "Adds a short-range attraction kappa/epsilon sech^2(D/epsilon) (Maury 2004, 2.8).", surface.fields "sim.add_attraction")

declare("add_flow", "sim", "Lets particles drift in a prescribed flow: friction -m (u - U)/relaxation_time. What rotates (rotation or "
  .. "friction in the scheme, assemblies) also experiences the viscous torque -(4/3) (m/relaxation_time) r^2 (omega - rot U/2); rot U of a "
  .. "function is computed by central differences over 1e-3 radii.", surface.fields "sim.add_flow")

declare("add_noise", "sim", "Adds white noise to the velocities (Maury 2004, 4.3): a random force on every particle, none on its rotation. "
  .. "With add_flow { flow = \"still\" } it is a bath of the temperature m <v^2> = sigma^2 tau/(2 m) per direction.", surface.fields "sim.add_noise")

declare("set_a_priori", "sim", "A priori velocities by a function, in place of u + h f/m (Lefebvre 2009, Remark 2.8).", {
  { "law", "function", required = true, signature = "that returns the a priori velocity",
    text = "The names of the function's parameters select its inputs: x y z vx vy vz fx fy fz radius mass id t time_step, or an "
      .. "attribute. Forces of laws are in fx fy fz; gravity, a flow and noise would have no effect on the result and are refused." },
  { "angular_velocity", "boolean", default = false,
    text = "The function also returns the angular velocity before contacts, after the velocity: one number in two dimensions, "
      .. "three in three. Something must rotate: by rotation or friction in the scheme, or an assembly, which takes its value from its members." },
  { "name", "string", text = "Shown in messages." },
  { "inputs", "table", text = "Names of the law's inputs, where the names of the function's parameters do not give them." },
  { "way", "choice", one_of = { "auto", "traced", "chunked", "called" }, default = "auto", text = "As for add_force." },
})

-- ---- running and looking ------------------------------------------------------------------------

declare("run", "sim", "Advances the simulation; returns the number of steps.", {
  { "steps", "integer", at_least = 0, text = "Number of steps, or" },
  { "until_time", "number", unit = "time", text = "until this time, or" },
  { "until_", "function", signature = "of the simulation that returns true at the end",
    text = "until this function, called before every step, returns true." },
  { "progress", "boolean", text = "Show progress; default: as the program decides." },
  { "on_unconverged", "choice", one_of = { "warn", "stop", "go_on" }, default = "warn",
    text = "What to do when the contacts of a step were not solved to the tolerance: warn after the run, stop with an error at the first, or continue without a "
      .. "warning. floc run --strict stops unless go_on is written here." },
})

declare("checkpoint", "sim", "Writes the whole state: now, or at intervals.", {
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "every", "integer", at_least = 1, instead_of = { "interval", "steps" },
    text = "Steps between two files; without it the file is written at once." },
  { "keep", "integer", default = 1, at_least = 1, at_most = 100,
    text = "Number of files that are kept: path, path.1, path.2, ... (newest first)." },
  { "compression", "choice", one_of = { "default", "none" }, default = "default", instead_of = { "compress", "uncompressed" },
    text = "none: uncompressed; the file is larger and is written in a fraction of the time. Its contents are the same." },
  { "on_failure", "choice", one_of = { "stop", "go_on" }, default = "stop",
    text = "What to do when the file cannot be written during a run: stop with an error, or warn and continue; older files stay." },
})

declare("observe", "sim", "Writes a table of observables, one row at intervals, as tab-separated text.", {
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "every", "integer", default = 1, at_least = 1, instead_of = { "interval", "steps" },
    text = "Steps between two rows." },
  { "columns", "table", required = true,
    text = "A list of names (measures, step, time, contacts, iterations, residual, overlap) and of "
      .. "{ \"name\", function(sim) return number end }; or a table { name = function or measure }, which gets "
      .. "step and time in front and is sorted by name." },
})

local seen = {
  { "colour", "string|function", signature = "of the id that returns a number", instead_of = { "color" },
    text = "What colours the particles: a column, an attribute, \"speed\", or a function." },
  { "group", "string|function", signature = "of the id that returns an integer",
    text = "Colour by group instead: an attribute, or a function." },
  { "tubes", "choice", one_of = { "gamma", "impulse", "force" },
    text = "Draw contacts as tubes, darker for larger values: gamma, the impulse of the last step, or that over the time step, the force." },
  { "rays", "boolean|paths", text = "Draw rays, coloured by their power: true for those in flight, as arrows; or paths of sim:trace." },
  { "ray_power", "number", above = 0, text = "Of the brightest colour and the longest arrow; default from the data." },
  { "ray_length", "number", above = 0, unit = "length", text = "Of an arrow at that power; default 0.1." },
  { "ray_width", "number", above = 0, unit = "pixels", text = "Of the lines of rays." },
  { "ray_unit", "string", text = "Of the power, in the legend." },
  { "range", "table", text = "Numbers { lowest, highest } at the ends of the colour scale; default: the range that the window shows. "
    .. "This and the next are of the particles where colour is given, otherwise of the tubes." },
  { "map", "string", text = "Colour map: viridis, magma, inferno, grey, diverging." },
  { "logarithmic", "boolean", default = false, text = "Colour by the logarithm." },
  { "legend", "boolean", default = true, text = "Draw the colour bar." },
  { "label", "string", text = "Of the colour bar; default the name of what colours." },
  { "unit", "string", text = "After the label." },
  { "lower", "vector", unit = "length", text = "Window: lower corner; default: everything." },
  { "upper", "vector", unit = "length", text = "Window: upper corner." },
  { "direction", "vector", text = "Three dimensions: viewing direction of the camera." },
  { "zoom", "number", above = 0, text = "2: twice as large, about the centre." },
  { "title", "string", text = "Above the panel." },
  { "note", "string", text = "Small text in the upper left corner." },
  { "length_unit", "string", text = "After the number of the scale bar." },
}
local page = {
  { "width", "integer", at_least = 64, at_most = 16384, unit = "pixels", text = "Default 1000." },
  { "height", "integer", at_least = 64, at_most = 16384, unit = "pixels", text = "Default from what is drawn." },
  { "background", "integer", at_least = 0, at_most = 0xffffff, text = "Colour 0xRRGGBB; default white." },
}

-- Declarations own their fields, so shared ones are copied.
local function copies(...)
  local fields = {}
  for _, list in ipairs { ... } do
    for _, field in ipairs(list) do
      local copy = {}
      for key, value in pairs(field) do copy[key] = value end
      fields[#fields + 1] = copy
    end
  end
  return fields
end

declare("picture", "sim", "Draws the present state of the simulation into a .png, .svg or .pdf file.", copies({
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "caption", "string", text = "Below the picture; default step and time." },
}, seen, page))

declare("add", "panels", "Adds the present state of a simulation to panels made by floc.panels.", copies(seen))

declare("panels", "floc", "Several moments or simulations in one picture: panels:add(sim, {...}), panels:write(path).",
  copies({
    { "columns", "integer", at_least = 1, text = "Panels per row; default: the best use of the area." },
    { "shared_scale", "boolean", default = true, text = "One range of colours, and one legend, for all." },
    { "title", "string", text = "Above everything." },
    { "caption", "string", text = "Below everything." },
  }, page))
declarations.panels.optional = true
declarations.add.optional = true

local legends = { "automatic", "none", "upper_right", "upper_left", "lower_right", "lower_left", "below" }
local graph = {
  { "x", "table", text = "The axis: { label =, unit =, lower =, upper =, logarithmic = }." },
  { "y", "table", text = "Likewise." },
  { "series", "table", text = "A list of { name =, x = {...}, y = {...}, style =, dash =, ... }; see floc help series." },
  { "references", "table", text = "Lines across: a list of { value =, second =, vertical =, label = }." },
  { "equal_scale", "boolean", default = false, text = "Equal scales in x and y." },
  { "legend", "choice", one_of = legends, default = "automatic", text = "Position of the legend." },
}

declare("plot", "floc", "Draws curves into a .png, .svg or .pdf file.", copies({
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "title", "string", text = "Above everything." },
  { "caption", "string", text = "Below everything." },
  { "panels", "table", text = "Several graphs in one picture: a list of { title =, x =, y =, series =, ... }." },
  { "columns", "integer", default = 0, at_least = 0, text = "Panels per row; 0: chosen." },
}, graph, page))

declare("panel", "plot", "One graph of a plot.", copies({ { "title", "string", text = "Above it." } }, graph))

declare("axis", "plot", "An axis of a plot.", {
  { "label", "string", text = "What it shows." },
  { "unit", "string", text = "In brackets behind it." },
  { "lower", "number", text = "Default: from the data." },
  { "upper", "number", text = "Default: from the data." },
  { "logarithmic", "boolean", default = false, text = "To base 10." },
})

declare("series", "plot", "One curve of a plot.", {
  { "y", "table", required = true, text = "The values; what is not finite leaves a gap." },
  { "x", "table", text = "Where they stand; default 1, 2, 3, ..." },
  { "name", "string", text = "In the legend." },
  { "style", "string", default = "line", text = "line, markers, steps, bars, or several: \"line markers\"." },
  { "dash", "choice", one_of = { "solid", "dashed", "dotted", "dash_dotted" }, default = "solid", text = "Of the line." },
  { "colour", "integer", at_least = 0, at_most = 0xffffff, instead_of = { "color" }, text = "0xRRGGBB; default in turn." },
  { "width", "number", default = 0, at_least = 0, unit = "pixels", text = "Of the line; 0: chosen." },
  { "marker_size", "number", default = 0, at_least = 0, unit = "pixels", text = "0: chosen." },
  { "error", "table", text = "Half lengths of error bars." },
  { "band_lower", "table", text = "With band_upper: a translucent band." },
  { "band_upper", "table", text = "See band_lower." },
})

declare("reference", "plot", "A line across a plot, or a band.", {
  { "value", "number", required = true, text = "Where it stands." },
  { "second", "number", text = "A band from value to this." },
  { "vertical", "boolean", default = false, text = "At an x instead of at a y." },
  { "label", "string", text = "Beside it." },
})

declare("report", "floc", "Notes a claim beside the measured value; all are shown at the end of the run.", {
  { "claim", "string", required = true, text = "What is claimed, in one sentence." },
  { "value", "number|string|boolean", required = true, infinite = true, nan = true,
    text = "What was measured." },
  { "paper", "string", text = "Where the claim stands: author, year, section." },
  { "paper_value", "number|string", text = "What the paper has there: a number, or its words." },
  { "unit", "string", text = "Of the value." },
  { "expect", "table", text = "{ at_least =, at_most =, equal =, tolerance = }." },
})

require "floc.surface.output_declarations"(declare, copies, seen, page)
require "floc.surface.scheme_declarations"(declare)
require "floc.surface.measure_calls"(declare)

return declarations
