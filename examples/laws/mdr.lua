-- The mechanically derived contact model (MDR) of elastic, perfectly plastic, adhesive spheres: Zunker, Kamrin 2024, J. Mech.
-- Phys. Solids 183, 105492 (part I, arXiv 2309.07300); `normal mdr` of LAMMPS's `pair granular`.
--
--   local mdr = require "mdr"
--   sim:add_force(mdr.pairs { young_modulus = 1e9, yield_stress = 5e6, work_of_adhesion = 0.1, greatest_radius = 1e-4 })
--   sim:add_wall_force(mdr.walls { ... the same }) -- walls are rigid
--
-- A contact is a sphere of the radius R against a rigid flat, and that by dimensionality reduction a row of springs, E_c dx
-- each, E_c = E/(1 - nu^2), which an ellipse of height A and width B indents by d:
--   g(x) = A/2 - A/B sqrt(B^2/4 - x^2),  F = E_c A B/4 (arccos(1 - 2 d/A) - (1 - 2 d/A) sqrt(4 d/A - 4 d^2/A^2)).
-- Elastic: A = 4 R, B = 2 R, which is Hertz's force where d << R. It yields at d_Y, where the mean pressure is the hardness
-- p = Y (1 + 1.75 exp(-4.4 d/R)). Beyond, with the deepest displacement D so far, the contact has the radius
--   a^2 = 2 D R - D^2 + d_Y^2 - d_Y R,  A = 4 p a/E_c, B = 2 a,  and at D the force pi a^2 p,
-- and unloads elastically, d = (displacement - D)/s + A/2, s = 1 - u/(A/2), where u is the displacement of the sphere's
-- centre, at the depth R - D + A/2 below the surface of a half-space that p presses on the circle a (Boussinesq).
-- Adhesion: what has been in contact, up to the radius c, stays so until the springs at its edge are longer than
-- sqrt(2 pi c G/E_c), and then c shrinks so that they are not (as JKR's): F = F(g(c)) - 2 E_c (g(c) - d) c. G is the work of
-- adhesion w at a rigid wall, w/2 for each sphere of a pair. On first loading there is none.
--
-- Two spheres have a flat between them: where they cut each other at the deepest overlap, from there to where each one
-- would be without load in proportion to the overlap. The force is the mean of the two, which is Hertz's again, and JKR's
-- for equal spheres.
--
-- This is a law of loose and moderately compressed powders, for overlaps below some R/2; beyond an overlap of R, of the smaller
-- sphere, dents and forces grow no more. Grains that grow by what their contacts displace, and that resist as solids once they
-- have little free surface left (part II of the paper), are in mdr_grains.lua.
local options = require "law_options"

local rules = {
  young_modulus = { above = 0 }, -- E [force/length^2]
  poisson_ratio = { default = 0.3, above = -1, at_most = 0.5 },
  yield_stress = { above = 0 }, -- Y of a simple test [force/length^2]
  work_of_adhesion = { default = 0, at_least = 0 }, -- w [energy/length^2]
  greatest_radius = { above = 0 }, -- of all particles [length]; the range of the law follows from it
  damping = { default = 0, at_least = 0 }, -- beta of -2 sqrt(5/6) beta sqrt(2 E* a m*) v, as in hertz_mindlin.lua
}

-- d_Y/R, where 4 E_c sqrt(d/R)/(3 pi) = Y (1 + 1.75 exp(-4.4 d/R)).
local function yield_displacement(modulus, yield_stress)
  local low, high = 0, 3.75 * 3 * math.pi * yield_stress / (4 * modulus)
  for _ = 1, 100 do
    local root = (low + high) / 2
    if 4 * modulus * root / (3 * math.pi) < yield_stress * (1 + 1.75 * math.exp(-4.4 * root * root)) then
      low = root
    else
      high = root
    end
  end
  return low * low
end

-- Functions of a sphere against a flat with the adhesion G.
local function make(o, adhesion)
  local nu = o.poisson_ratio
  local modulus = o.young_modulus / (1 - nu * nu)
  local yield, stretch = yield_displacement(modulus, o.yield_stress), 2 * math.pi * adhesion / modulus

  -- Of the dent that the deepest displacement D has left: A, B, the displacement without load, s. Lengths in R inside. No
  -- branch, so that the tracer meets what follows once: `dented` is 0 or 1.
  local function dent(D, R)
    local dented = math.min(math.max(D / R - yield, 0) * 1e300, 1)
    local x = math.max(D / R, yield)
    local p = o.yield_stress * (1 + 1.75 * math.exp(-4.4 * x))
    local a = math.sqrt(2 * x - x * x + yield * yield - yield)
    local most = 2 * p * a / modulus
    local z = 1 - x + most
    local way = math.sqrt(a * a + z * z)
    local u = p * (1 + nu) / o.young_modulus * (2 * (1 - nu) * (way - z) + z - z * z / way)
    local s = 1 - u / most * dented
    return (4 * (1 - dented) + 2 * most * dented) * R, 2 * (1 - dented + a * dented) * R, dented * (x - most * s) * R, s
  end

  -- y is d/A.
  local function pressed(y, A, B)
    return modulus * A * B / 2 * (math.asin(math.sqrt(y)) - (1 - 2 * y) * math.sqrt(y * (1 - y)))
  end

  -- Where edges slide no more but come off: g(c)/A, and d/A there. t = 2 c/B solves e t^3 + t^2 = 1; Newton's method comes
  -- from above.
  local function last_edge(A, B)
    local e = 2 * A * A / (B * stretch)
    local t = math.min(e ^ (-1 / 3), 1)
    for _ = 1, 4 do t = t - (e * t * t * t + t * t - 1) / (3 * e * t * t + 2 * t) end
    local y = t * t / (2 + 2 * math.sqrt(math.max(1 - t * t, 0)))
    return t, y, y - math.sqrt(stretch * B / 2 * t) / A
  end

  -- Force and radius in contact, at the indentation d, where the radius `held` was in contact.
  local function contact(d, A, B, held)
    local pushed = math.max(d / A, 0)
    local touching = B * math.sqrt(pushed * (1 - pushed))
    if adhesion == 0 or touching >= held then return pressed(pushed, A, B), touching end
    local edge = math.min(2 * held / B, 1)
    local y = edge * edge / (2 + 2 * math.sqrt(1 - edge * edge)) -- g(held)/A
    if d >= A * y - math.sqrt(stretch * held) then return pressed(y, A, B) - 2 * modulus * (A * y - d) * held, held end
    local last, least, lowest = last_edge(A, B)
    if math.min(edge - last, d / A - lowest) <= 0 then return 0, 0 end
    for _ = 1, 5 do -- g(c) - sqrt(k c) = d, from above and from the step before
      local square = y * (1 - y)
      local l = math.sqrt(stretch * B * math.sqrt(square))
      y = math.max(y - (A * y - l - d) / (A - l * (1 - 2 * y) / (4 * square)), least)
    end
    local c = B * math.sqrt(y * (1 - y))
    return pressed(y, A, B) - 2 * modulus * (A * y - d) * c, c
  end

  -- c at the start of a contact is at most R.
  return dent, contact, math.sqrt(stretch * o.greatest_radius)
end

local mdr = { rules = rules, sphere = make, yield_displacement = yield_displacement }

function mdr.pairs(given)
  local o = options("mdr", given, rules)
  local dent, contact, reach = make(o, o.work_of_adhesion / 2)
  local damping, modulus = 2 * math.sqrt(5 / 6) * o.damping, o.young_modulus / (2 * (1 - o.poisson_ratio ^ 2))
  return {
    name = "mdr", range = 2 * reach, memory = { "deepest", "held_i", "held_j" }, returns = { "normal", "deepest", "held_i", "held_j" },
    law = function(overlap, normal_velocity, radius_i, radius_j, mass_i, mass_j, deepest, held_i, held_j)
      deepest = math.max(deepest, overlap, 0)
      local deep = math.min(deepest, radius_i, radius_j)
      local deep_i = deep * (2 * radius_j - deep) / (2 * (radius_i + radius_j - deep))
      local deep_j = deep - deep_i
      local A_i, B_i, rest_i, s_i = dent(deep_i, radius_i)
      local A_j, B_j, rest_j, s_j = dent(deep_j, radius_j)
      -- of the way back to no load; the same for both
      local way = math.min(overlap - deep, 0) / math.max(deep - rest_i - rest_j, 1e-200)
      local force_i, force_j
      force_i, held_i = contact((deep_i - rest_i) * (1 + way) / s_i, A_i, B_i, held_i)
      force_j, held_j = contact((deep_j - rest_j) * (1 + way) / s_j, A_j, B_j, held_j)
      local drag = damping * math.sqrt(modulus * (held_i + held_j) * mass_i * mass_j / (mass_i + mass_j))
      return (force_i + force_j) / 2 - drag * normal_velocity, deepest, held_i, held_j
    end,
  }
end

function mdr.walls(given)
  local o = options("mdr", given, rules)
  local dent, contact, reach = make(o, o.work_of_adhesion)
  local damping, modulus = 2 * math.sqrt(5 / 6) * o.damping, o.young_modulus / (1 - o.poisson_ratio ^ 2)
  return {
    name = "mdr at walls", range = reach, memory = { "deepest", "held" }, returns = { "normal", "deepest", "held" },
    law = function(overlap, normal_velocity, radius, mass, deepest, held)
      deepest = math.max(deepest, overlap, 0)
      local deep = math.min(deepest, radius)
      local A, B, rest, s = dent(deep, radius)
      local force
      force, held = contact((math.min(overlap, deep) - rest) / s, A, B, held)
      return force - damping * math.sqrt(2 * modulus * held * mass) * normal_velocity, deepest, held
    end,
  }
end

return mdr
