-- Gay and Berne's potential: Lennard-Jones between rods (or plates) of one kind that lie along their first axes.
--
--   local gay_berne = require "gay_berne"
--   sim:add_force(gay_berne.pairs { length = 3, depth = 5, cutoff = 5, dimension = 3 })
--
-- Of unit vectors a, b along the particles and n from one to the other (Gay, Berne 1981, J. Chem. Phys. 74, 3316):
--   U = 4 eps (s^12 - s^6), s = sigma_0/(r - sigma + sigma_0)
--   sigma = sigma_0 (1 - X(chi))^(-1/2)
--   eps   = eps_0 (1 - chi^2 (a.b)^2)^(-nu/2) (1 - X(chi'))^mu
--   X(c)  = c/2 ((n.a + n.b)^2/(1 + c a.b) + (n.a - n.b)^2/(1 - c a.b))
--   chi   = (kappa^2 - 1)/(kappa^2 + 1), chi' = (kappa'^(1/mu) - 1)/(kappa'^(1/mu) + 1)
-- kappa: where two touch in a row over where they touch side by side (U = 0), kappa': the depth side by side over that in a row.
-- The default is their GB(3, 5, 2, 1). At the cutoff 4 eps (s_c^12 - s_c^6), s_c of sigma, is taken off: U is 0 there in all
-- directions. Forces and torques are the derivatives that the tracer takes. Needs rotation = true in the scheme; in the plane the
-- rods lie in it. Where rods overlap so far that r + sigma_0 < sigma, U means nothing: the law stops the run.
local options = require "law_options"

local rules = {
  epsilon = { default = 1, above = 0 }, -- eps_0 [energy]
  sigma = { default = 1, above = 0 }, -- sigma_0, across the rods [length]
  length = { default = 3, above = 0 }, -- kappa; below 1: plates
  depth = { default = 5, above = 0 }, -- kappa'
  mu = { default = 2, above = 0 },
  nu = { default = 1 },
  cutoff = { default = 5, above = 0 }, -- of the centres, in sigma
  radius = { default = 0, at_least = 0 }, -- of the smallest particle [length]; only saves pairs
  dimension = { default = 3, one_of = { 2, 3 } },
}

local gay_berne = {}

function gay_berne.pairs(given)
  local o = options("gay_berne", given, rules)
  local epsilon, sigma, mu, nu, cutoff = o.epsilon, o.sigma, o.mu, o.nu, o.cutoff * o.sigma
  local chi = (o.length ^ 2 - 1) / (o.length ^ 2 + 1)
  local flat = o.depth ^ (1 / mu)
  local of_depth = (flat - 1) / (flat + 1)
  if cutoff < math.max(1, o.length) * sigma then error("gay_berne: cutoff is " .. o.cutoff .. "; it must be at least length, where rods in a row touch", 2) end

  local function one_minus_x(c, plus, minus, ab) return 1 - c / 2 * (plus / (1 + c * ab) + minus / (1 - c * ab)) end

  local function energy(r, an, bn, ab)
    local plus, minus = (an + bn) ^ 2, (an - bn) ^ 2
    local width = sigma / math.sqrt(one_minus_x(chi, plus, minus, ab))
    local gap = r - width + sigma
    if gap <= 0 then error("two rods overlap by more than their width") end
    local six, last = (sigma / gap) ^ 6, (sigma / (cutoff - width + sigma)) ^ 6
    local well = epsilon * (1 - (chi * ab) ^ 2) ^ (-nu / 2) * one_minus_x(of_depth, plus, minus, ab) ^ mu
    return 4 * well * (six * (six - 1) - last * (last - 1))
  end

  local made = { name = "Gay-Berne", range = math.max(cutoff - 2 * o.radius, 0) }
  if o.dimension == 2 then
    function made.potential(distance, normal_x, normal_y, axis_i_x, axis_i_y, axis_j_x, axis_j_y)
      if distance >= cutoff then return 0 end
      return energy(distance, axis_i_x * normal_x + axis_i_y * normal_y, axis_j_x * normal_x + axis_j_y * normal_y,
        axis_i_x * axis_j_x + axis_i_y * axis_j_y)
    end
  else
    function made.potential(distance, normal_x, normal_y, normal_z, axis_i_x, axis_i_y, axis_i_z, axis_j_x, axis_j_y, axis_j_z)
      if distance >= cutoff then return 0 end
      return energy(distance, axis_i_x * normal_x + axis_i_y * normal_y + axis_i_z * normal_z,
        axis_j_x * normal_x + axis_j_y * normal_y + axis_j_z * normal_z, axis_i_x * axis_j_x + axis_i_y * axis_j_y + axis_i_z * axis_j_z)
    end
  end
  return made
end

return gay_berne
