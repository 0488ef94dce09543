-- What shear.lua and noise.lua claim of a state, computed from positions, radii and masses alone: nothing here asks the
-- scheme whether it is satisfied with itself. A module; the examples have it by require "claims".
local floc = require "floc"

local claims = {}

-- Radii of 0.85 r to 1.15 r and masses (r_i / r)^3, r = 0.01. Maury 2004, section 4. Of n equally distributed radii the
-- outermost is within 0.15 * 10 / n of the end but for one case in e^10.
function claims.particles(sim, count)
  floc.report { item = count == 1000 and "M22" or "M33", claim = "particles", paper = "Maury 2004, 4", paper_says = "N = " .. count, value = sim.count, expect = { equal = count, tolerance = 0 }, band_from = "exact" }
  local widest, worst = 0, 0
  for id = 1, sim.count do
    local size = sim.radius[id] / 0.01
    widest = math.max(widest, math.abs(size - 1))
    worst = math.max(worst, math.abs(sim.mass[id] / size ^ 3 - 1))
  end
  floc.report { item = "M19", claim = "greatest distance of a radius from r = 0.01, relative", paper = "Maury 2004, 4", paper_says = "radii in 0.85 r .. 1.15 r",
    value = widest, expect = { at_least = 0.15 * (1 - 10 / sim.count), at_most = 0.15 + 1e-12 }, band_from = "exact; one in e^10 runs is below" }
  floc.report { item = "M20", claim = "greatest distance of a mass from (r_i / r)^3, relative", paper = "Maury 2004, 4", paper_says = "m_i = (r_i / r)^3",
    value = worst, expect = { at_most = 1e-12 }, band_from = "exact" }
end

-- Greatest overlap, in r = 0.01, over all pairs: (2.3), D_ij = |x_i - x_j| - r_i - r_j >= 0. Sorted by x, so that pairs
-- which are further apart in x than two greatest radii are left out; they cannot overlap.
function claims.overlap(sim, tolerance, count)
  floc.report { item = "M01", claim = "particles at the end less those at the start", paper = "Maury 2004, 1", paper_says = "none is destroyed or created", value = sim.count - count,
    expect = { equal = 0, tolerance = 0 }, band_from = "exact" }
  local order, greatest, worst = {}, 0, 0
  for id = 1, sim.count do
    order[id] = { sim.x[id], sim.y[id], sim.dimension == 3 and sim.z[id] or 0, sim.radius[id] }
    greatest = math.max(greatest, sim.radius[id])
  end
  table.sort(order, function(a, b) return a[1] < b[1] end)
  for k, a in ipairs(order) do
    for l = k + 1, #order do
      local b = order[l]
      if b[1] - a[1] > 2 * greatest then break end
      local distance = math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
      worst = math.max(worst, a[4] + b[4] - distance)
    end
  end
  floc.report { item = "M03", claim = "greatest overlap at the end, over all pairs, in r", paper = "Maury 2004, 2.1 (2.3)", paper_says = "particles do not overlap",
    value = worst / 0.01, expect = { at_most = tolerance }, band_from = "the solver's tolerance" }
end

-- Clusters and kinetic energy at the times given, and at the last of them the largest cluster and the contacts since the
-- start. Each is reported when its time has come, as a run that is resumed does not see the times before again; the band
-- is the ensemble of seeds. items: of clusters by time, of the energy, of the largest cluster.
function claims.series(sim, gap, times, where, says, items)
  local series, claimed, last = {}, {}, times[#times]
  for _, time in ipairs(times) do claimed[time] = true end
  sim:bond_changes { gap = gap }

  local function claim(item, name, time, value)
    floc.report { item = item, claim = name .. " at t = " .. time, paper = where, paper_says = says, value = value,
      absent = value == nil and "the run ends before" or nil, ensemble = 1 }
  end
  local function claim_all(time, clusters, energy, largest, contacts)
    claim(items.clusters[time] or items.clusters[1], "clusters", time, clusters)
    claim(items.energy, "kinetic energy", time, energy)
    if time ~= last then return end
    claim(items.largest, "largest cluster", time, largest)
    claim(items.largest, "contacts made, less those broken,", time, contacts)
  end

  function series.note(time)
    if not claimed[time] then return end
    local found, made, broken = sim:clusters { by = "gap", gap = gap }, 0, 0
    if time == last then made, broken = sim:bond_changes { gap = gap } end
    claim_all(time, found.count, sim:measure "kinetic_energy", found.largest, made - broken)
  end
  -- The times that the run did not reach.
  function series.finish(end_time)
    for _, time in ipairs(times) do
      if time > end_time then claim_all(time) end
    end
  end
  return series
end

return claims
