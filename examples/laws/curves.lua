-- What the laws of this folder look like: forces against distance, drawn by calling each law as a step would.
--
--   floc run examples/laws/curves.lua
--
-- What to take from here: a law is a table for sim:add_force, whose function can be called, plotted and tested by itself.
local floc = require "floc"
if arg then package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path end -- plain Lua; floc run knows this folder

local archard = require "archard"
local capillary = require "capillary"
local dmt = require "hertz_dmt"
local gay_berne = require "gay_berne"
local jkr = require "jkr"
local lj = require "lennard_jones"
local mdr = require "mdr"
local mindlin = require "hertz_mindlin"
local patchy = require "patchy"
local plastic = require "plastic_adhesive"
local screened = require "screened_charge"

local function line(from, to, count)
  local list = {}
  for k = 0, count do list[#list + 1] = from + (to - from) * k / count end
  return list
end

-- Calls f at each x; f returns the value and a new memory.
local function along(list, f, memory)
  local values = {}
  for k, x in ipairs(list) do values[k], memory = f(x, memory) end
  return values, memory
end

local function scaled(list, factor)
  local result = {}
  for k, value in ipairs(list) do result[k] = factor * value end
  return result
end

-- Two equal balls of 0.1 mm: R = 0.05 mm.
local r, w = 1e-4, 0.05
local R = r / 2

-- ---- adhesion: overlaps from apart to 0.4 um and back ----

local function adhesive(law)
  return function(overlap, memory)
    local force, _, touching = law(overlap, 0, r, r, 1, 1, memory)
    return force, touching
  end
end

local closing, parting = line(-0.4e-6, 0.4e-6, 400), line(0.4e-6, -0.4e-6, 400)
local one = jkr.pairs { young_modulus = 1e7, work_of_adhesion = w, greatest_radius = r }.law
local jkr_closing, memory = along(closing, adhesive(one), 0)
local jkr_parting = along(parting, adhesive(one), memory)
local dmt_both = along(parting, adhesive(dmt.pairs { young_modulus = 1e7, work_of_adhesion = w, separation = 2e-8 }.law))
local hertz = along(parting, adhesive(dmt.pairs { young_modulus = 1e7 }.law))

-- ---- plasticity: loaded twice, the second time deeper ----

local function load_unload(given)
  local law = plastic.pairs(given).law
  local path = {}
  for _, piece in ipairs { { 0, 1e-6 }, { 1e-6, 0.3e-6 }, { 0.3e-6, 2e-6 }, { 2e-6, -0.4e-6 } } do
    for _, overlap in ipairs(line(piece[1], piece[2], 400)) do path[#path + 1] = overlap end
  end
  local deepest, touching, values = 0, 0, {}
  for k, overlap in ipairs(path) do values[k], deepest, touching = law(overlap, r, r, deepest, touching) end
  return path, values
end
local given = { young_modulus = 1e7, yield_pressure = 3e5, work_of_adhesion = w, greatest_radius = r }
local plastic_path, plastic_force = load_unload(given)
given.work_of_adhesion = 0
local _, dry_force = load_unload(given)

-- ---- the same balls between flats by the mechanically derived model: each deeper than the one before, and apart ----

local function indent(work)
  local law = mdr.walls { young_modulus = 1e7, yield_stress = 3e5, work_of_adhesion = work, greatest_radius = r }.law
  local path, values, deepest, held = {}, {}, 0, 0
  for _, piece in ipairs { { 0, 5e-6 }, { 5e-6, 3.6e-6 }, { 3.6e-6, 15e-6 }, { 15e-6, 4e-6 } } do
    for _, overlap in ipairs(line(piece[1], piece[2], 400)) do
      path[#path + 1] = overlap
      values[#path], deepest, held = law(overlap, 0, r, 1, deepest, held)
    end
  end
  return path, values
end
local mdr_path, mdr_force = indent(1)
local _, mdr_dry = indent(0)

-- ---- capillary bridges of three volumes, pulled apart ----

local bridges = {}
for k, volume in ipairs { 1e-17, 1e-16, 1e-15 } do
  local law = capillary.pairs { surface_tension = 0.072, volume = volume }.law
  local gaps = line(0, 12e-6, 400)
  local force = along(gaps, function(gap, bridge)
    local value, _, holds = law(-gap, r, r, bridge)
    return value, holds
  end, 0)
  bridges[k] = { name = ("%g pl"):format(volume * 1e15), x = scaled(gaps, 1e6), y = scaled(force, 1e6) }
end

-- ---- sliding there and back at a constant overlap ----

local slide = mindlin.pairs { young_modulus = 1e7, friction = 0.3 }.law
local where, tangential, ux = {}, {}, 0
local step, depth = 1e-9, 0.4e-6
local position, most = 0, 0
for _, piece in ipairs { { 200, 1 }, { 400, -1 }, { 400, 1 } } do
  for _ = 1, piece[1] do
    position = position + piece[2] * step
    local normal, fx, _, _, u = slide(depth, 0, r, r, 1, 1, piece[2] * step, 0, 0, 0, 1, 0, ux, 0, 0, 1)
    ux = u
    where[#where + 1], tangential[#tangential + 1] = position, fx
    most = math.max(most, math.abs(fx) / normal)
  end
end

-- ---- potentials ----

local distances = line(0.9, 3, 400)
local function potential(law) return along(distances, law.potential) end
local yukawa = {}
for k, screening in ipairs { 0, 1, 4 } do
  local law = screened.pairs { screening = screening, cutoff = 3 }.law
  yukawa[k] = { name = ("kappa = %g"):format(screening), x = distances, y = along(distances, function(x) return (law(x, 1, 1, 0, 0)) end) }
end

-- ---- energies of axes: rods in four arrangements, a patch that turns away ----

local rod = gay_berne.pairs { cutoff = 20 }.potential
local apart, rods = line(0.95, 4.5, 400), {}
for k, row in ipairs { { "side by side", 0, 1, 0, 1, 0.95 }, { "X", 0, 1, 0, 0, 0.95 }, { "T", 1, 0, 0, 1, 2.15 }, { "in a row", 1, 0, 1, 0, 2.9 } } do
  local name, ax, ay, bx, by, nearest = row[1], row[2], row[3], row[4], row[5], row[6]
  local x, y = {}, {}
  for _, distance in ipairs(apart) do
    if distance >= nearest then x[#x + 1], y[#y + 1] = distance, rod(distance, 1, 0, 0, ax, ay, 0, bx, by, bx == 0 and by == 0 and 1 or 0) end
  end
  rods[k] = { name = name, x = x, y = y }
end

local turned, patches = line(-90, 90, 360), {}
for k, opening in ipairs { 30, 60, 90 } do
  local law = patchy.pairs { stiffness = 1e3, energy = 1, width = 0.2, opening = math.rad(opening) }.law
  patches[k] = { name = ("%d degrees"):format(opening), x = turned, y = along(turned, function(angle)
    return (select(5, law(1, 0, 1, 0, math.cos(math.rad(angle)), math.sin(math.rad(angle)), -1, 0)))
  end) }
end

-- ---- wear: volume that a ball takes off as it slides, under three loads ----

local slid, worn = line(0, 1, 100), {}
for k, load in ipairs { 5, 10, 20 } do
  local law = archard.walls { stiffness = 1e4, friction = 0.3, wear = 1e-4, hardness = 1e8 }.law
  local _, _, rate = law(load / 1e4, 0, 1, 1) -- at 1 m/s
  worn[k] = { name = ("%d N"):format(load), x = slid, y = scaled(slid, 1e12 * rate) }
end

local overlap_axis, force_axis = { label = "overlap", unit = "um" }, { label = "normal force", unit = "uN" }
floc.plot {
  path = floc.output "pairs.png", width = 1200, columns = 3,
  panels = {
    { title = "Hertz, DMT, JKR", x = overlap_axis, y = force_axis, series = {
      { name = "Hertz", x = scaled(parting, 1e6), y = scaled(hertz, 1e6), dash = "dotted" },
      { name = "DMT", x = scaled(parting, 1e6), y = scaled(dmt_both, 1e6), dash = "dashed" },
      { name = "JKR, apart", x = scaled(parting, 1e6), y = scaled(jkr_parting, 1e6) },
      { name = "JKR, together", x = scaled(closing, 1e6), y = scaled(jkr_closing, 1e6) } } },
    { title = "elastic, plastic, adhesive", x = overlap_axis, y = force_axis, series = {
      { name = "adhesive", x = scaled(plastic_path, 1e6), y = scaled(plastic_force, 1e6) },
      { name = "w = 0", x = scaled(plastic_path, 1e6), y = scaled(dry_force, 1e6), dash = "dashed" } } },
    { title = "mechanically derived (MDR)", x = overlap_axis, y = force_axis, series = {
      { name = "adhesive", x = scaled(mdr_path, 1e6), y = scaled(mdr_force, 1e6) },
      { name = "w = 0", x = scaled(mdr_path, 1e6), y = scaled(mdr_dry, 1e6), dash = "dashed" } } },
    { title = "capillary bridges", x = { label = "gap", unit = "um" }, y = force_axis, series = bridges },
    { title = "Mindlin's spring, Coulomb's bound", x = { label = "displacement", unit = "um" }, y = { label = "tangential force", unit = "uN" },
      series = { { x = scaled(where, 1e6), y = scaled(tangential, 1e6) } } },
    { title = "Lennard-Jones, WCA", x = { label = "r/sigma" }, y = { label = "u/epsilon", lower = -1.2, upper = 2 }, series = {
      { name = "shifted potential", x = distances, y = potential(lj.pairs {}) },
      { name = "shifted force, 1.8 sigma", x = distances, y = potential(lj.pairs { cutoff = 1.8, shift = "force" }), dash = "dashed" },
      { name = "WCA", x = distances, y = potential(lj.wca {}) } } },
    { title = "screened charges", x = { label = "distance" }, y = { label = "force" }, series = yukawa },
    { title = "Gay and Berne's rods", x = { label = "r/sigma" }, y = { label = "u/epsilon", lower = -2, upper = 1 }, series = rods },
    { title = "a patch turns away", x = { label = "angle", unit = "degrees" }, y = { label = "energy", lower = -1.2, upper = 0.2 }, series = patches },
    { title = "Archard's wear", x = { label = "distance slid", unit = "m" }, y = { label = "volume", unit = "1e-12 m^3" }, series = worn },
  },
}

local function least(list)
  local value = math.huge
  for _, number in ipairs(list) do value = math.min(value, number) end
  return value
end
floc.report { claim = "JKR: the greatest tension is 3/2 pi w R", value = least(jkr_parting) / (-1.5 * math.pi * w * R), expect = { equal = 1, tolerance = 1e-3 } }
floc.report { claim = "DMT: the tension at contact is 2 pi w R", value = least(dmt_both) / (-2 * math.pi * w * R), expect = { equal = 1, tolerance = 1e-3 } }
floc.report { claim = "plastic: the flattened contact holds better than an elastic one", value = least(plastic_force) / (-1.5 * math.pi * w * R),
              expect = { at_least = 1.2 } }
floc.report { claim = "MDR: a dent holds better than an elastic sphere", value = least(mdr_force) / (-1.5 * math.pi * r), expect = { at_least = 1.2 } }
floc.report { claim = "capillary: a bridge at contact pulls with 2 pi r gamma", value = bridges[1].y[1] / (-2e6 * math.pi * r * 0.072),
              expect = { equal = 1, tolerance = 1e-9 } }
floc.report { claim = "rods: side by side they hold 5 times as well as in a row", value = least(rods[1].y) / least(rods[4].y),
              expect = { equal = 5, tolerance = 5e-3 } }
floc.report { claim = "a patch that faces the other holds with its energy", value = least(patches[1].y), expect = { equal = -1, tolerance = 1e-3 } }
floc.report { claim = "wear of 10 N over 1 m: K F s/H", value = worn[2].y[101] / (1e12 * 1e-4 * 10 / 1e8), expect = { equal = 1, tolerance = 1e-9 } }
floc.report { claim = "friction never exceeds mu times the normal force", value = most, expect = { at_most = 0.3 + 1e-12 } }
