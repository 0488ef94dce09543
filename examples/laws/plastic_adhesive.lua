-- Elastic, perfectly plastic spheres with adhesion, after Thornton and Ning (1998); without adhesion Thornton (1997).
--
--   local plastic = require "plastic_adhesive"
--   sim:add_force(plastic.pairs { young_modulus = 2e11, yield_pressure = 1e9, work_of_adhesion = 0.2, greatest_radius = 1e-5 })
--   sim:add_wall_force(plastic.walls { ... the same })
--
-- The contact is that of JKR (jkr.lua), of Hertz where w = 0, until the pressure in its middle is the yield pressure p:
--   2 E* a/(pi R) - sqrt(2 w E*/(pi a)) = p  at  a = a_y.
-- From there on the pressure is cut off at p: F = F_y + pi p (a^2 - a_y^2), a as a function of the overlap as before.
-- From the deepest overlap, with a* and F*, the pair unloads elastically with the radius R_p of the flattened surfaces,
--   F* = 4 E* a*^3/(3 R_p) - sqrt(8 pi w E* a*^3),
-- about the residual overlap d_p at which F and a are continuous. The pull-off force is 3/2 pi w R_p, more than before.
-- Surfaces that have parted touch again at d_p, until they are out of range; then the dent is forgotten.
--
-- Without adhesion the restitution at a velocity V, with that of first yield V_y (Thornton 1997), is
--   e^2 = 6 sqrt(3)/5 (1 - (V_y/V)^2/6) sqrt( (V_y/V)/(V_y/V + 2 sqrt(6/5 - (V_y/V)^2/5)) ).
local jkr = require "jkr"
local options = require "law_options"

local rules = {
  young_modulus = { above = 0 }, -- [force/length^2]
  poisson_ratio = { default = 0.3, above = -1, at_most = 0.5 },
  yield_pressure = { above = 0 }, -- p [force/length^2]; 1.6 times the yield stress of a simple test
  work_of_adhesion = { default = 0, at_least = 0 }, -- w [energy/length^2]
  greatest_radius = { above = 0 }, -- of all particles [length]; the range of the law follows from it
  flattening = { default = 10, at_least = 1 }, -- R_p/R that the range allows for
}

local function make(given)
  local o = options("plastic_adhesive", given, rules)
  local stiffness, work, pressure = o.young_modulus / (2 * (1 - o.poisson_ratio ^ 2)), o.work_of_adhesion, o.yield_pressure

  -- Contact radius, and the smallest overlap that holds, of surfaces of the radius R.
  local function radius_of(overlap, R)
    if work == 0 then return math.sqrt(R * math.max(overlap, 0)) end
    local a0 = jkr.free_radius(R, stiffness, work)
    local s = jkr.scaled(math.max(overlap * R / (a0 * a0), jkr.least))
    return a0 * s * s
  end
  local function tension_of(a) return math.sqrt(8 * math.pi * work * stiffness * a * a * a) end
  local function neck_of(a) return math.sqrt(2 * math.pi * work * a / stiffness) end

  -- sqrt(a_y) solves x^3 = b x + c; Newton's method comes from above.
  local function yield_radius(R)
    local b = pressure * math.pi * R / (2 * stiffness)
    if work == 0 then return b end
    local c = math.sqrt(2 * work * stiffness / math.pi) * math.pi * R / (2 * stiffness)
    local x = math.sqrt(b) + c ^ (1 / 3)
    for _ = 1, 6 do x = (2 * x * x * x + c) / (3 * x * x - b) end
    return x * x
  end

  local function law(overlap, R, deepest, touching)
    deepest = math.max(deepest, overlap)
    local yield, widest = yield_radius(R), radius_of(deepest, R)
    local elastic = math.min(yield, widest)
    local most = 4 / 3 * stiffness * elastic ^ 3 / R - tension_of(elastic) + math.pi * pressure * (widest * widest - elastic * elastic)
    local flat = R -- R_p
    if widest > yield then flat = 4 / 3 * stiffness * widest ^ 3 / (most + tension_of(widest)) end
    local residual = 0
    if widest > yield then residual = deepest - widest * widest / flat + neck_of(widest) end
    local rest = overlap - residual
    local held = 0
    if work > 0 then held = -jkr.reach(flat, stiffness, work) end
    if rest < held or (rest < 0 and touching < 0.5) then return 0, deepest, 0 end
    local a = radius_of(rest, flat)
    return 4 / 3 * stiffness * a ^ 3 / flat - tension_of(a), deepest, 1
  end
  local function range(R) return work > 0 and jkr.reach(o.flattening * R, stiffness, work) or 0 end
  return law, range, o.greatest_radius
end

local plastic = {}
local returns = { "normal", "deepest", "touching" }

function plastic.pairs(given)
  local law, range, greatest = make(given)
  return {
    name = "plastic and adhesive", range = range(greatest / 2), memory = { "deepest", "touching" }, returns = returns,
    law = function(overlap, radius_i, radius_j, deepest, touching)
      return law(overlap, radius_i * radius_j / (radius_i + radius_j), deepest, touching)
    end,
  }
end

function plastic.walls(given)
  local law, range, greatest = make(given)
  return {
    name = "plastic and adhesive at walls", range = range(greatest), memory = { "deepest", "touching" }, returns = returns,
    law = function(overlap, radius, deepest, touching) return law(overlap, radius, deepest, touching) end,
  }
end

return plastic
