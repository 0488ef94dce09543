-- Wrong input is refused with one line: script and line, call, argument, value, what is allowed.

local support = require "support"

local simulation = 'local floc = require "floc"\nlocal sim = floc.simulation { time_step = 0.01 }\n'

local twice = os.tmpname() -- a name that no other run of this spec has
os.remove(twice)

-- Each case: what it is, the script (line 3 is the wrong one, unless given), the beginning of the message.
local cases = {
  -- from the list of the first issue
  { "unknown key", simulation .. 'sim:add_particle { position = {0, 0}, radius = 1, colour = "red" }',
    "script.lua:3: add_particle: unknown parameter colour; known are: allow_overlap, angle, attributes," },
  { "misspelt key", simulation .. "sim:add_particle { position = {0, 0}, raduis = 1 }",
    "script.lua:3: add_particle: unknown parameter raduis; did you mean radius?" },
  { "NaN radius", simulation .. "sim:add_particle { position = {0, 0}, radius = 0/0 }",
    "script.lua:3: add_particle: radius is nan; it must be a finite number above 0" },
  { "a shape for a table of values", simulation .. "sim:add_particles(floc.box { lower = {0, 0}, upper = {1, 1} })",
    "script.lua:3: add_particles: takes one table of named values, got floc.box" },
  { "empty text", simulation .. 'sim:checkpoint { path = "" }', 'script.lua:3: checkpoint: path is ""; it must be a string' },
  { "spin of the wrong kind in 3-D", 'local floc = require "floc"\nlocal sim = floc.simulation { dimension = 3, time_step = 0.01 }\n'
    .. 'sim:add_body { shape = floc.plane { normal = {0, 1, 0} }, angular_velocity = 2 }',
    "script.lua:3: add_body: angular_velocity is 2; it must be " },
  { "zero radius", simulation .. "sim:add_particle { position = {0, 0}, radius = 0 }",
    "script.lua:3: add_particle: radius is 0; it must be a finite number above 0" },
  { "negative mass", simulation .. "sim:add_particle { position = {0, 0}, radius = 1, mass = -2 }",
    "script.lua:3: add_particle: mass is -2; it must be a finite number above 0" },
  { "time step 0", '\n\nrequire "floc".simulation { time_step = 0 }',
    "script.lua:3: simulation: time_step is 0; it must be a finite number above 0" },
  { "negative time step", '\n\nrequire "floc".simulation { time_step = -0.1 }',
    "script.lua:3: simulation: time_step is -0.1; it must be a finite number above 0" },
  { "dt for time_step", '\n\nrequire "floc".simulation { dt = 0.1 }',
    "script.lua:3: simulation: unknown parameter dt; did you mean time_step?" },
  { "coincident particles", simulation .. "for k = 1, 2 do sim:add_particle { position = {1, 2}, radius = 1 } end\n"
    .. "sim:run { steps = 1 }", "script.lua:4: run: particles 1 and 2 " },
  { "region too small", simulation .. "sim:add_particles { count = 100, radius = 1,\n"
    .. "  region = floc.box { lower = {0, 0}, upper = {3, 3} } }", "script.lua:3: add_particles: " },
  { "velocity that is no function", simulation .. 'sim:add_body { shape = floc.plane { normal = {0, 1} }, velocity = "up" }',
    'script.lua:3: add_body: velocity is "up"; it must be a vector of 2 finite numbers, or a function of the time' },
  { "callback that raises", simulation .. "sim:every(1, function() error(\"oh\") end) sim:run { steps = 1 }",
    "script.lua:3: oh (in the callback of every(1) at script.lua:3, after step 1)" },
  { "missing file", 'local floc = require "floc"\n\nfloc.resume "no/such.floc"',
    "script.lua:3: resume: no/such.floc: there is no such file" },

  -- calls and tables
  { "no table", '\n\nrequire "floc".simulation(0.1)', "script.lua:3: simulation: takes one table of named values, got 0.1" },
  { "nothing at all", '\n\nrequire "floc".simulation()', "script.lua:3: simulation: takes one table of named values, got nil" },
  { "value without a name", '\n\nrequire "floc".simulation { 0.1 }',
    "script.lua:3: simulation: value number 1 has no name; every parameter is named" },
  { "missing value", '\n\nrequire "floc".simulation { seed = 1 }',
    "script.lua:3: simulation: time_step is missing; it must be a finite number above 0" },
  { "text for a number", '\n\nrequire "floc".simulation { time_step = "small" }',
    'script.lua:3: simulation: time_step is "small"; it must be a finite number above 0' },
  { "infinite", '\n\nrequire "floc".simulation { time_step = 1/0 }', "script.lua:3: simulation: time_step is infinite" },
  { "dimension 4", '\n\nrequire "floc".simulation { time_step = 1, dimension = 4 }',
    "script.lua:3: simulation: dimension is 4; it must be an integer, at least 2 and at most 3" },
  { "half a thread", '\n\nrequire "floc".simulation { time_step = 1, threads = 1.5 }',
    "script.lua:3: simulation: threads is 1.5; it must be an integer, at least 0 and at most 256" },
  { "gravity of the other dimension", '\n\nrequire "floc".simulation { time_step = 1, gravity = { 0, 0, -10 } }',
    "script.lua:3: simulation: gravity is a list of 3; it must be a vector of 2 finite numbers, or a function" },
  { "NaN in a vector", '\n\nrequire "floc".simulation { time_step = 1, gravity = { 0, 0/0 } }',
    "script.lua:3: simulation: gravity[2] is nan; it must be a vector of 2 finite numbers" },
  { "scheme as a text", '\n\nrequire "floc".simulation { time_step = 1, scheme = "gluey" }',
    'script.lua:3: simulation: scheme is "gluey"; it must be a scheme such as floc.gluey{...}' },
  { "scheme not called", '\n\nlocal floc = require "floc" floc.simulation { time_step = 1, scheme = floc.gluey }',
    "script.lua:3: simulation: scheme is a function; it must be a scheme such as floc.gluey{...}" },
  { "unknown solver", '\n\nrequire "floc".gluey { solver = "uzava" }',
    'script.lua:3: gluey: solver is "uzava"; it must be one of auto, uzawa, apgd, interior_point; did you mean uzawa?' },
  { "friction law without friction", '\n\nrequire "floc".inelastic { friction_law = "convex" }',
    'script.lua:3: inelastic: friction_law is "convex", which would do nothing: it needs friction' },
  { "positive gamma_min", '\n\nrequire "floc".gluey { gamma_min = 1 }',
    "script.lua:3: gluey: gamma_min is 1; it must be a number at most 0, or a table, or a function of two materials that returns a number" },
  { "boundary without domain", '\n\nrequire "floc".simulation { time_step = 1, boundary = "periodic" }',
    'script.lua:3: simulation: boundary is "periodic"; it needs domain' },
  { "misspelt boundary",
    '\n\nlocal floc = require "floc" floc.simulation { time_step = 1, boundary = "periodik", domain = floc.box { lower = {0, 0}, upper = {1, 1} } }',
    'script.lua:3: simulation: boundary is "periodik"; it must be one of open, wall, periodic' },
  { "unknown name of the module", '\n\nrequire "floc".simulaton { time_step = 1 }',
    "script.lua:3: floc: there is no floc.simulaton; did you mean simulation?" },
  { "assignment to the module", '\n\nrequire "floc".simulation = 1', "script.lua:3: floc: floc.simulation cannot be assigned" },

  -- the simulation object
  { "unknown method", simulation .. "sim:add_partikel {}", "script.lua:3: sim: there is no sim.add_partikel; did you mean add_particle?" },
  { "dot for colon", simulation .. "sim.run { steps = 1 }", "script.lua:3: run: is called on a table; write sim:run with a colon" },
  { "assignment to a column", simulation .. "sim.x = 1", "script.lua:3: sim: sim.x is a column; assign one element" },
  { "assignment to a method", simulation .. "sim.run = 1", "script.lua:3: sim: sim.run cannot be assigned" },
  { "assignment of a new field", simulation .. "sim.gravty = {0, 1}",
    "script.lua:3: sim: sim.gravty cannot be assigned; did you mean gravity?" },
  { "wrong gravity", simulation .. 'sim.gravity = "down"', 'script.lua:3: sim.gravity: gravity is "down"' },
  { "wrong time step", simulation .. "sim.time_step = 0", "script.lua:3: sim.time_step: time_step is 0" },
  { "id 0", simulation .. "sim:add_particle { position = {0, 0}, radius = 1 }\nreturn sim.x[0]",
    "script.lua:4: sim.x[0]: the index is a particle's id, 1 to 1" },
  { "id beyond", simulation .. "sim:add_particle { position = {0, 0}, radius = 1 }\nreturn sim.x[2]",
    "script.lua:4: sim.x[2]: the index is a particle's id, 1 to 1" },
  { "half an id", simulation .. "sim:add_particle { position = {0, 0}, radius = 1 }\nreturn sim.x[1.5]",
    "script.lua:4: sim.x[1.5]: the index" },
  { "a name as id", simulation .. "sim:add_particle { position = {0, 0}, radius = 1 }\nreturn sim.x.first",
    "script.lua:4: sim.x[first]: the index" },
  { "NaN into a column", simulation .. "sim:add_particle { position = {0, 0}, radius = 1 }\nsim.x[1] = 0/0",
    "script.lua:4: sim.x[1] = " },
  { "radius 0 into the column", simulation .. "sim:add_particle { position = {0, 0}, radius = 1 }\nsim.radius[1] = 0",
    "script.lua:4: sim.radius[1] = 0; it must be a finite number above 0" },

  -- particles
  { "radii the wrong way round", simulation .. "sim:add_particles { count = 1, radius = {2, 1}, region = floc.ball { center = {0, 0}, radius = 9 } }",
    "script.lua:3: add_particles: radius is 2 to 1; the second must be at least the first" },
  { "unknown distribution", simulation .. 'sim:add_particles { count = 1, radius = { lower = 1, upper = 2, distribution = "gauss" }, region = floc.ball { center = {0, 0}, radius = 9 } }',
    'script.lua:3: add_particles: radius.distribution is "gauss"; it must be one of uniform, normal' },
  { "normal without mean", simulation .. 'sim:add_particles { count = 1, radius = { lower = 1, upper = 2, distribution = "normal" }, region = floc.ball { center = {0, 0}, radius = 9 } }',
    "script.lua:3: add_particles: radius.mean is nil; it must be a finite number above 0" },
  { "mass and density", simulation .. "sim:add_particle { position = {0, 0}, radius = 1, mass = 1, density = 1 }",
    "script.lua:3: add_particle: mass and density are both given" },
  { "no region", simulation .. "sim:add_particles { count = 1, radius = 1 }", "script.lua:3: add_particles: region is missing" },
  { "region of the other dimension", simulation .. "sim:add_particles { count = 1, radius = 1, region = floc.ball { center = {0, 0, 0}, radius = 9 } }",
    "script.lua:3: add_particles: floc.ball has vectors of 3 numbers; the simulation has 2 dimensions" },
  { "shape as a region", simulation .. "sim:add_particles { count = 1, radius = 1, region = floc.circle { radius = 9 } }",
    "script.lua:3: add_particles: region is floc.circle; it must be a region such as floc.box{...}" },
  { "unknown attribute", simulation .. "sim:add_attribute(\"charge\")\nsim:add_particle { position = {0, 0}, radius = 1, attributes = { charg = 1 } }",
    "script.lua:4: add_particle: there is no attribute charg; did you mean charge?" },
  { "attribute with a taken name", simulation .. 'sim:add_attribute "step"', "script.lua:3: add_attribute: the name step is reserved" },
  { "attribute twice", simulation .. 'sim:add_attribute "q" sim:add_attribute "q"', "script.lua:3: add_attribute: " },

  -- shapes and bodies
  { "no shape", simulation .. "sim:add_body { position = {0, 0} }", "script.lua:3: add_body: shape is missing" },
  { "empty shapes", simulation .. "sim:add_body { shapes = {} }", "script.lua:3: add_body: shapes is empty" },
  { "region as a shape", simulation .. "sim:add_body { shape = floc.ball { center = {0, 0}, radius = 1 } }",
    "script.lua:3: add_body: shape is floc.ball; it must be a shape such as floc.segment{...}" },
  { "one point", '\n\nrequire "floc".segment { {0, 0} }', "script.lua:3: segment: 1 points are given; it must be 2 points" },
  { "mixed points", '\n\nrequire "floc".segment { {0, 0}, {0, 0, 1} }', "script.lua:3: segment: point 2 is a list of 3" },
  { "equal points", '\n\nrequire "floc".segment { {0, 0}, {0, 0} }', "script.lua:3: segment: both points are the same" },
  { "box upside down", '\n\nrequire "floc".box { lower = {0, 1}, upper = {1, 0} }', "script.lua:3: box: upper[2] is 0; it must be above lower[2], which is 1" },
  { "normal 0", '\n\nrequire "floc".plane { normal = {0, 0} }', "script.lua:3: plane: normal is 0" },
  { "funnel upside down", '\n\nrequire "floc".funnel { top = 1, bottom = 2, height = 1 }', "script.lua:3: funnel: top is 1; it must be above bottom, which is 2" },
  { "shape of the other dimension", simulation .. "sim:add_body { shape = floc.plane { normal = {0, 0, 1} } }",
    "script.lua:3: add_body: floc.plane has vectors of 3 numbers; the simulation has 2 dimensions" },
  { "triangle in two dimensions", simulation .. "sim:add_body { shape = floc.triangle { {0, 0, 0}, {1, 0, 0}, {0, 1, 0} } }",
    "script.lua:3: add_body: floc.triangle " },
  { "two motions", simulation .. "sim:add_body { shape = floc.circle { radius = 1 }, velocity = {1, 0}, motion = floc.piston { velocity = {1, 0}, travel = 1 } }",
    "script.lua:3: add_body: motion and velocity are both given" },
  { "place and velocity", simulation .. "sim:add_body { shape = floc.circle { radius = 1 }, velocity = {1, 0}, position = function(t) return t, 0 end }",
    "script.lua:3: add_body: position as a function and velocity are both given" },
  { "rotation in two dimensions", simulation .. "sim:add_body { shape = floc.circle { radius = 1 }, rotation = {1, 0} }",
    "script.lua:3: add_body: rotation is given; in 2 dimensions the orientation is angle" },
  { "unknown field of a body", simulation .. "local body = sim:add_body { shape = floc.circle { radius = 1 } }\nreturn body.forces",
    "script.lua:4: body: there is no forces; did you mean force?" },

  -- laws
  { "law that is no function", simulation .. "sim:add_field { law = 1 }", "script.lua:3: add_field: law is 1; it must be a function" },
  { "law with unknown inputs", simulation .. "sim:add_force { law = function(distnace) return 0 end }", "script.lua:3: add_force: " },
  { "law with dots", simulation .. "sim:add_field { law = function(...) return 0, 0 end }", "script.lua:3: add_field: the function takes" },
  { "law in C", simulation .. "sim:add_field { law = math.sin }", "script.lua:3: add_field: the function is written in C" },
  { "unknown field of a law", simulation .. "local law = sim:add_force { range = 1, law = function(distance) return 0 end }\nprint(law.enrgy)",
    "script.lua:4: law: there is no law.enrgy; did you mean energy?" },
  { "field of a law set", simulation .. "local law = sim:add_force { range = 1, law = function(distance) return 0 end }\nlaw.k = 1",
    "script.lua:4: law: k is no parameter of the law; it has none: parameters = { NAME = VALUE } declares them" },
  { "negative range", simulation .. "sim:add_force { range = -1, law = function(distance) return 0 end }",
    "script.lua:3: add_force: range is -1; it must be a number at least 0" },

  -- running
  { "no goal", simulation .. "sim:run {}", "script.lua:3: run: steps is missing" },
  { "two goals", simulation .. "sim:run { steps = 1, until_time = 2 }", "script.lua:3: run: steps and until_time are both given" },
  { "negative steps", simulation .. "sim:run { steps = -1 }", "script.lua:3: run: steps is -1; it must be an integer, at least 0" },
  { "every 0", simulation .. "sim:every(0, print)", "script.lua:3: every: steps is 0; it must be an integer, at least 1" },
  { "every without a function", simulation .. "sim:every(1)", "script.lua:3: every: fn is missing; it must be a function of the simulation" },
  { "unknown measure", simulation .. 'sim:measure "kinetik_energy"', "script.lua:3: measure: there is no measure \"kinetik_energy\"; did you mean kinetic_energy?" },
  { "compression of an unknown kind", simulation .. 'sim:checkpoint { path = "x.floc", compression = "zip" }',
    'script.lua:3: checkpoint: compression is "zip"; it must be one of default, none' },
  { "compression that is no text", simulation .. 'sim:checkpoint { path = "x.floc", compression = false }',
    "script.lua:3: checkpoint: compression is false; it must be " },
  { "another name for compression", simulation .. 'sim:checkpoint { path = "x.floc", compress = "none" }',
    'script.lua:3: checkpoint: unknown parameter compress; did you mean compression?' },
  { "checkpoint into nowhere", simulation .. 'sim:checkpoint "/proc/nowhere/run.floc"', "script.lua:3: checkpoint: " },
  { "function in the state", simulation .. 'sim.state.a = { b = print } sim:checkpoint "x.floc"',
    "script.lua:3: checkpoint: state.a.b is a function; only numbers, strings, booleans and tables of these can be stored" },
  { "cycle in the state", simulation .. 'sim.state.a = { } sim.state.a.b = sim.state sim:checkpoint "x.floc"',
    "script.lua:3: checkpoint: state.a.b is the same table as state" },
  { "unknown column of a table", simulation .. 'sim:observe { path = "x.tsv", columns = { "kinetic" } }',
    'script.lua:3: observe: columns[1] is "kinetic", which is no measure; did you mean kinetic_energy?' },
  { "unknown colour", simulation .. 'sim:picture { path = "x.png", colour = "raduis" }',
    'script.lua:3: picture: colour is "raduis", which is no column; did you mean radius?' },
  { "report without a value", simulation .. 'floc.report { claim = "c" }', "script.lua:3: report: value is missing" },
  { "report with an unknown expectation", simulation .. 'floc.report { claim = "c", value = 1, expect = { at_leest = 1 } }',
    "script.lua:3: report: unknown parameter expect.at_leest; did you mean at_least?" },
  { "report with a value and none", simulation .. 'floc.report { claim = "c", value = 1, absent = "late" }',
    'script.lua:3: report: value is 1 and absent is "late"; it must be one of them' },
  { "report with two bands", simulation .. 'floc.report { claim = "c", value = 1, ensemble = 3, expect = { equal = 1 } }',
    "script.lua:3: report: ensemble is 3 and expect is given; the ensemble is the band" },
  { "report of a word with an ensemble", simulation .. 'floc.report { claim = "c", value = "a", ensemble = 1 }',
    'script.lua:3: report: value is "a"; the band of an ensemble needs a number' },
  { "report of an ensemble of no runs", simulation .. 'floc.report { claim = "c", value = 1, ensemble = 0 }',
    "script.lua:3: report: ensemble is 0; it must be an integer, at least 1" },
  { "report with a band that allows all", simulation .. 'floc.report { claim = "c", value = 1, expect = {} }',
    "script.lua:3: report: expect is empty; it takes at_least, at_most, equal, tolerance" },
  { "report with an unknown bound of the paper", simulation .. 'floc.report { claim = "c", value = 1, paper_says = "p", paper_band = { at_moost = 1 } }',
    "script.lua:3: report: unknown parameter paper_band.at_moost; did you mean at_most?" },
  { "report with a paper's band without its words", simulation .. 'floc.report { claim = "c", value = 1, paper_band = { equal = 1 } }',
    "script.lua:3: report: paper_band is given without what the paper says: paper_says or paper_value" },
  { "report that differs from nothing", simulation .. 'floc.report { claim = "c", value = 1, paper_says = "p", differs = "why" }',
    "script.lua:3: report: differs is given without paper_band, the range in which the value would agree with the paper" },
  { "report with the origin of no band", simulation .. 'floc.report { claim = "c", value = 1, band_from = "theory" }',
    'script.lua:3: report: band_from is "theory", but there is no expect' },
  { "options beside the path of a picture", simulation .. 'sim:picture("a.png", { colour = "speed" })',
    "script.lua:3: picture: value number 2 is a table; it takes one value, a table where there are several: picture{ name = ..., ... }" },
  { "a number behind a table", '\n\nrequire "floc".simulation({ time_step = 0.1 }, 7)', "script.lua:3: simulation: value number 2 is 7; it takes one value" },
  { "two tables for a shape", '\n\nrequire "floc".box({ lower = {0, 0} }, { upper = {1, 1} })', "script.lua:3: box: value number 2 is a table; it takes one value" },
  { "a value for what takes none", simulation .. "sim:report(1)", "script.lua:3: report: value number 1 is 1; it takes no values" },
  { "a third value of every", simulation .. "sim:every(3, print, 7)", "script.lua:3: every: value number 3 is 7; it takes no more than 2" },
  { "a second value of a body's call", simulation .. "local b = sim:add_body { shape = floc.plane { normal = {0, 1} } } b:set_motion({ velocity = {0, 0} }, 2)",
    "script.lua:3: set_motion: value number 2 is 2; it takes one value" },
  { "a second value of panels:write", '\n\nrequire "floc".panels {}:write("a.png", 3)', "script.lua:3: panels:write: value number 2 is 3; it takes one value" },
  { "a second value of plot", '\n\nrequire "floc".plot({ path = "a.png", series = {} }, 3)', "script.lua:3: plot: value number 2 is 3; it takes one value" },
  { "a parameter that was not declared", '\nlocal args = require "floc".args { particles = 3 }\nprint(args.partciles)',
    "script.lua:3: args: there is no parameter partciles; did you mean particles?" },
  { "a motion with a number too many", simulation .. "sim:add_body { shape = floc.plane { normal = {0, 1} }, velocity = function(t) return 1, 0, 0 end } sim:run { steps = 1 }",
    "script.lua:3: the velocity returned 1, 0, 0 at t = 0.005; it must return 2 finite numbers" },
  { "a turn with a number too many", simulation .. "sim:add_body { shape = floc.plane { normal = {0, 1} }, angular_velocity = function(t) return {1, 2} end } sim:run { steps = 1 }",
    "script.lua:3: the angular_velocity returned 1, 2 at t = 0.005; it must return 1 finite number" },
  { "another word for the scheme", '\n\nlocal floc = require "floc"\nfloc.simulation { time_step = 1, contacts = floc.inelastic {} }',
    "script.lua:4: simulation: unknown parameter contacts; did you mean scheme?" },
  -- words of other programs, and what a newcomer writes
  { "kn for stiffness", '\n\nrequire "floc".discrete_element { kn = 1e5 }', "script.lua:3: discrete_element: unknown parameter kn; did you mean stiffness?" },
  { "restitution of soft contacts", '\n\nrequire "floc".discrete_element { restitution = 0.5 }', "script.lua:3: discrete_element: unknown parameter restitution; did you mean damping?" },
  { "a coefficient for the kind of friction", '\n\nrequire "floc".discrete_element { friction = 0.5 }',
    "script.lua:3: discrete_element: friction is 0.5; it must be none, regularized or spring, and the coefficients are friction_static and friction_dynamic" },
  { "mu for friction", '\n\nrequire "floc".inelastic { mu = 0.5 }', "script.lua:3: inelastic: unknown parameter mu; did you mean friction?" },
  { "a temperature for noise", simulation .. "sim:add_noise { temperature = 1 }", "script.lua:3: add_noise: unknown parameter temperature; did you mean sigma?" },
  { "a vector for columns", simulation .. "print(sim.velocity[1])", "script.lua:3: sim: there is no sim.velocity; the columns are vx, vy, vz: sim.vx[id]" },
  { "a name that only holds the letter of a column", simulation .. "sim:fix_wall {}", "script.lua:3: sim: there is no sim.fix_wall; known are: add_angle_forc" },
  { "outside the domain", 'local floc = require "floc"\nlocal sim = floc.simulation { time_step = 1, domain = floc.box { lower = {0, 0}, upper = {1, 1} }, boundary = "wall" }\n'
    .. "sim:add_particle { position = {0.5, 3}, radius = 0.1 }", "script.lua:3: add_particle: position[2] is 3; the domain reaches from 0 to 1" },
  { "an assembly of a particle that is not there", simulation .. "local id = sim:add_particle { position = {0, 0}, radius = 1 } sim:add_assembly { particles = { id, 9 } }",
    "script.lua:3: add_assembly: particles[2] is 9; it must be an id, 1 to 1" },
  { "an assembly of one particle twice", simulation .. "local id = sim:add_particle { position = {0, 0}, radius = 1 } sim:add_assembly { particles = { id, id } }",
    "script.lua:3: add_assembly: particles[2] is 1, as particles[1]" },
  { "a window upside down", simulation .. 'sim:picture { path = "x.png", lower = {0, 1}, upper = {1, 0} }', "script.lua:3: picture: upper[2] is 0; it must be above lower[2], which is 1" },
  { "clusters by links that the scheme has none of", simulation .. 'sim:clusters { by = "link" }', "script.lua:3: clusters: the scheme inelastic has neither bonds nor links" },
  { "a law of the distance without its range", simulation .. "sim:add_force { law = function(distance) return 1 / distance end }",
    "script.lua:3: add_force: range is missing: the law takes the distance, and without a range it acts only on what overlaps" },
  { "memory with the name of an input", simulation .. 'sim:add_force { range = 1, memory = { "distance" }, law = function(distance) return 1, 1 end }',
    'script.lua:3: add_force: memory[1] is "distance", which is an input of laws' },
  { "memory twice", simulation .. 'sim:add_force { memory = { "k", "k" }, law = function(overlap, k) return 1, k, k end }', 'script.lua:3: add_force: memory[2] is "k", ' },
  { "a parameter with the name of an input", simulation .. "sim:add_field { parameters = { x = 3 }, law = function(x) return 1, 1 end }", "script.lua:3: add_field: parameters.x: x is an input of laws" },
  { "a parameter that the law does not take", simulation .. "sim:add_field { parameters = { stifness = 3 }, law = function(x, stiffness) return 1, 1 end }",
    "script.lua:3: add_field: parameters.stifness is given, and the function does not take it; did you mean stiffness?" },
  { "two files of one name", simulation .. ('sim:observe { path = "%s", columns = { "time" } } os.remove "%s" sim:observe { path = "%s", columns = { "time" } }'):gsub("%%s", twice),
    'script.lua:3: observe: "' .. twice .. '" is written by an earlier call of this simulation already' },
  { "an attribute that a function gives as a text", simulation .. 'sim:add_attribute "q"\nsim:add_particles { count = 2, radius = 0.01, region = floc.ball { center = {5, 5}, radius = 1 }, attributes = { q = function() return "a" end } }',
    'script.lua:4: add_particles: attributes.q returned "a" for particle 1; it must return a finite number' },
  { "a series that is no list", simulation .. 'floc.plot { path = "x.png", series = { y = { 1, 2 } } }', 'script.lua:3: plot: series has the key "y"; it must be a list of series' },
  { "misspelt parameter of gluey", '\n\nrequire "floc".gluey { gama_min = -1 }', "script.lua:3: gluey: unknown parameter gama_min; did you mean gamma_min?" },
}

describe("bad input", function()
  for _, case in ipairs(cases) do
    it("is refused: " .. case[1], function()
      local message = support.failure(case[2])
      assert.is_string(message)
      assert.are.equal(case[3], message:sub(1, #case[3]))
      assert.is_nil(message:find("\n", 1, true))
      assert.is_nil(message:find("floc/", 1, true)) -- no line of the module's own
    end)
  end
end)

describe("columns that the script has looked at", function()
  it("leave the message of a call that fails after them", function()
    local function fails(text) return support.failure([[local floc = require "floc"
      local sim = floc.simulation { time_step = 0.1 }
      sim:add_attribute("kind", 0)
      sim:add_particles { count = 1, radius = 0.1, region = floc.box { lower = { 5, 5 }, upper = { 6, 6 } }, attributes = { kind = 1 } }
      ]] .. text) end
    assert.matches("script.lua:5: add_particles: 0 of 50 particles were added: with radius 0.1 or more they need 1.571 times the region's area",
      (fails "sim:add_particles { count = 50, radius = 0.1, region = floc.box { lower = { 0, 0 }, upper = { 1, 1 } } }"))
    assert.matches('script.lua:5: add_attribute: .*kind.*', (fails 'sim:add_attribute("kind", 0)'))
  end)
end)

describe("errors inside functions of the script", function()
  local setup = simulation .. "for k = 0, 3 do sim:add_particle { position = {k, 0}, radius = 0.5 } end\n"

  it("name the law, its inputs and the value", function()
    local message = support.failure(setup .. "sim:add_field { name = \"wind\", law = function(x, vy)\nreturn nil, 0 end }\nsim:run { steps = 1 }")
    assert.are.equal('script.lua:4: add_field: the law "wind" returned nil for x = 0, vy = 0; it must return 2 finite numbers, in step 1', message)
  end)
  it("name a law that returns too many values, traced, in states of its own and called", function()
    local message = support.failure(setup .. "sim:add_field { law = function(x) return x, 0, 0 end }")
    assert.are.equal("script.lua:4: add_field: the law returns 3 values; it must return 2", message)
    message = support.failure(setup .. "sim:add_force { range = 1, law = function(distance) if distance > 0.5 then return 1 end return 1, 2 end }")
    assert.are.equal("script.lua:4: add_force: the law returns 2 values; it must return 1: normal", message)
    for _, way in ipairs { "called", "auto" } do
      message = support.failure(setup .. "sim:add_field { way = '" .. way .. "', law = function(x, y) local s = 0; for k = 1, x + 1 do s = s + k end " ..
        "return 0, s, 0 end }\nsim:run { steps = 1 }")
      assert.are.equal("script.lua:4: add_field: the law returned more than 2 values, in step 1", message)
    end
  end)
  it("name a law on all pairs that is to remember, and a wall law without end", function()
    local message = support.failure(setup .. "sim:add_force { name = 'far', range = math.huge, memory = { 'age' }, law = function(distance, age) return 1, age end }")
    assert.matches('^script.lua:4: add_force: far: range is infinite and there is the memory "age"; range must be finite', message)
    message = support.failure(setup .. "sim:add_wall_force { name = 'far', range = math.huge, law = function(distance) return 1 end }")
    assert.matches("^script.lua:4: add_wall_force: far: range is infinite; it must be finite but for pair laws", message)
  end)
  it("name a law that returns NaN", function()
    local message = support.failure(setup .. "sim:add_force { law = function(distance) return 0/0 end, range = 1 }\nsim:run { steps = 1 }")
    assert.matches("^script.lua:5: run: pair law \"script.lua:4\" returned a force that is not finite for particles 1 and 2: %-?nan for distance = 1, in step 1;", message)
  end)
  it("name a law that returns a text", function()
    local message = support.failure(setup .. "sim:add_field { law = function(x) return x, \"1\" end }\nsim:run { steps = 1 }")
    assert.are.equal('script.lua:4: add_field: the law returned "1" for x = 0; it must return 2 finite numbers, in step 1', message)
  end)
  it("carry the law's own line when it raises", function()
    local message = support.failure(setup .. "sim:add_field { law = function(x)\nreturn x.y, 0 end }\nsim:run { steps = 1 }")
    assert.matches("^script.lua:5: attempt to index .*%(in the law of add_field at script.lua:4%), in step 1$", message)
  end)
  it("name a motion that returns the wrong number", function()
    local message = support.failure(setup .. 'sim:add_body { shape = floc.circle { radius = 1 }, name = "wheel", position = function(t)\nreturn t end }')
    assert.matches("^script.lua:4: the position returned 0, nil at t = 0; it must return 2 finite numbers", message:gsub("^script.lua:%d+: add_body: ", ""), 1, false)
  end)
  it("name a velocity that raises", function()
    local message = support.failure(setup .. 'sim:add_body { shape = floc.circle { radius = 0.1 }, position = {0, 9}, name = "wheel", velocity = function(t)\nerror("no") end }\nsim:run { steps = 1 }')
    assert.are.equal('script.lua:5: no (in the motion of body "wheel"), in step 1', message)
  end)
  it("name a gravity that is no vector", function()
    local message = support.failure(setup .. "sim.gravity = function(t) return 0 end\nsim:run { steps = 1 }")
    assert.are.equal("script.lua:4: gravity: the function returned 0, nil at t = 0; it must return 2 finite numbers", message)
  end)
  it("name a gravity that was written into", function()
    local message = support.failure(setup .. "sim.gravity[1] = 0/0\nsim:run { steps = 1 }")
    assert.are.equal("script.lua:5: run: sim.gravity is { nan, 0 }; it must hold 2 finite numbers", message)
  end)
  it("pass other values than texts through", function()
    local ok, value = support.try(setup .. "sim:add_field { law = function(x) error({ code = 7 }) end }\nsim:run { steps = 1 }")
    assert.is_false(ok)
    assert.are.equal(7, value.code)
  end)
  it("name set-up calls inside callbacks", function()
    local message = support.failure(setup .. "sim:every(1, function(sim)\nsim:add_body { shape = floc.circle { radius = 1 } }\nend)\nsim:run { steps = 1 }")
    assert.matches("^script.lua:5: add_body: is not allowed inside a callback", message)
  end)
  it("name a run inside a callback", function()
    local message = support.failure(setup .. "sim:every(1, function(sim)\nsim:run { steps = 1 }\nend)\nsim:run { steps = 1 }")
    assert.matches("^script.lua:5: run: is not allowed inside a callback", message)
  end)
  it("name a use of the simulation inside a law", function()
    local message = support.failure(setup .. "sim:add_field { law = function(x)\nreturn sim:measure \"mass\", 0 end }\nsim:run { steps = 1 }")
    assert.matches("^script.lua:5: this call is not allowed inside a law", message)
  end)
  it("name a column read inside a law", function()
    local message = support.failure(setup .. "sim:add_field { law = function(id)\nreturn sim.x[id], 0 end }\nsim:run { steps = 1 }")
    assert.matches("^script.lua:5: sim.x%[1.*%]: there are no particles, or a step is running", message)
  end)
end)
