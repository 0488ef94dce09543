-- Red blood cells as rigid biconcave bodies: unions of overlapping balls (discs in two dimensions), gluey, carried through a
-- channel by a parabolic flow. Lefebvre 2009, section 3.4, names red cells as assemblies of rigid particles and says no more of them;
-- profile, covering, flow and numbers here are ours.
--
--   floc run examples/shapes/red_cells.lua --dimension=3 --cells=24 --error=0.1
--
-- Profile: Evans and Fung (Improved measurements of the erythrocyte geometry, Microvascular Research 4, 1972, 335-347), the mean
-- cell at 300 mosmol: thickness sqrt(1 - x^2) (C0 + C1 x^2 + C2 x^4), x = r/R, lengths in micrometres; volume 94 um^3.
-- Covering: balls centred in the middle plane, each as large as the profile lets it. The outermost reaches the rim; from there
-- inwards every ring is as far from the one before, and its balls are as far from each other, as lets nothing between them
-- lie deeper under the profile than a fraction of `error`. How deep it is between all of them is measured, not assumed.
--
-- What to take from here: nonconvex rigid bodies as unions, a flow that turns them, orbits beside Jeffery's formula.
local floc = require "floc"
local args = floc.args {
  dimension = { 3, one_of = { 2, 3 }, text = "3: bodies; 2: their cross-sections" }, cells = { 24, at_least = 2, integer = true },
  error = { 0.1, at_least = 0.1, at_most = 0.3, text = "greatest depth under the profile [um]" },
  speed = { 1000, above = 0, text = "of the flow in the middle [um/s]" }, end_time = { 0.2, above = 0, text = "[s]" },
  time_step = { 1e-4, above = 0, text = "[s]" }, friction = { 0, at_least = 0 }, seed = 1 }
local three, tau = args.dimension == 3, 1e-3
local rim, c0, c1, c2 = 3.91, 0.81, 7.83, -4.39

local function half_thickness(r)
  local x = (r / rim) ^ 2
  return 0.5 * math.sqrt(math.max(0, 1 - x)) * (c0 + c1 * x + c2 * x * x)
end
local profile = {} -- points r, z; even in the angle, so that they are dense at the rim
for k = 0, 1000 do
  local r = rim * math.sin(k / 1000 * math.pi / 2)
  profile[k] = { r, half_thickness(r) }
end
-- Integral of thickness r^power over a half: midpoints in the same angle.
local function moment(power)
  local sum, n = 0, 4000
  for k = 1, n do
    local angle = (k - 0.5) / n * math.pi / 2
    sum = sum + 2 * half_thickness(rim * math.sin(angle)) * (rim * math.sin(angle)) ^ power * rim * math.cos(angle) * math.pi / 2 / n
  end
  return sum
end

-- Radius of the largest ball about (r, 0) within the profile, and where it touches.
local function largest(r)
  local least, touch = math.huge, nil
  for k = 0, #profile do
    local square = (profile[k][1] - r) ^ 2 + profile[k][2] ^ 2
    if square < least then least, touch = square, k end
  end
  return math.sqrt(least), touch
end

-- Greatest depth of the profile's points between those where two balls touch it.
local function depth_between(a, b)
  local worst = 0
  for k = b.touch, a.touch do
    local r, z = profile[k][1], profile[k][2]
    worst = math.max(worst, math.min(math.sqrt((r - a.r) ^ 2 + z * z) - a.radius, math.sqrt((r - b.r) ^ 2 + z * z) - b.radius))
  end
  return worst
end

local function bisect(low, high, holds) -- the last that holds, from one that does
  for _ = 1, 30 do
    local middle = 0.5 * (low + high)
    if holds(middle) then low = middle else high = middle end
  end
  return low
end

local function ring(r)
  local radius, touch = largest(r)
  return { r = r, radius = radius, touch = touch }
end

-- Rings from the rim to the axis, with a fraction of the error in the meridian and, in space, one around.
local function rings_of(fraction)
  local allowed = args.error * fraction
  local first = ring(bisect(rim, 0, function(r) return largest(r) >= rim - r - 1e-9 end))
  local list = { first }
  while list[#list].r > 0 do
    local last = list[#list]
    local function near(r) return depth_between(last, ring(r)) <= allowed end
    local r = near(0) and 0 or bisect(last.r, 0, near)
    if r == last.r then error("balls centred in the middle plane do not come as near to the profile as " .. allowed .. " um") end
    list[#list + 1] = ring(r)
  end
  for _, one in ipairs(list) do
    local r, z = profile[one.touch][1], profile[one.touch][2]
    one.count = one.r == 0 and 1 or three and 3 or 2
    while three and one.r > 0 and math.sqrt(r * r + one.r ^ 2 - 2 * r * one.r * math.cos(math.pi / one.count) + z * z) - one.radius > allowed do
      one.count = one.count + 1
    end
  end
  return list
end

-- Balls of a cell: place in its middle plane, radius, and mass in proportion to what of the cell is nearest to their ring.
local function balls_of(list)
  local balls, outer = {}, rim
  for k, one in ipairs(list) do
    local inner, share = list[k + 1] and 0.5 * (one.r + list[k + 1].r) or 0, 0
    for m = 1, 100 do
      local r = inner + (m - 0.5) / 100 * (outer - inner)
      share = share + 2 * half_thickness(r) * (three and 2 * math.pi * r or 2) * (outer - inner) / 100
    end
    outer = inner
    for m = 1, one.count do
      local angle = 2 * math.pi * (m + (three and k % 2 / 2 or 0)) / one.count
      balls[#balls + 1] = { x = one.r * math.cos(angle), y = three and one.r * math.sin(angle) or 0, radius = one.radius, mass = share / one.count }
    end
  end
  return balls
end

-- Depth of the union under the profile: greatest and least (below 0: it sticks out).
local function error_of(balls)
  local worst, least = 0, math.huge
  for k = 0, #profile, 5 do
    for m = 0, three and 71 or 1 do
      local angle = three and m * math.pi / 36 or m * math.pi
      local x, y, z, nearest = profile[k][1] * math.cos(angle), profile[k][1] * math.sin(angle), profile[k][2], math.huge
      for _, ball in ipairs(balls) do
        nearest = math.min(nearest, math.sqrt((x - ball.x) ^ 2 + (y - ball.y) ^ 2 + z * z) - ball.radius)
      end
      worst, least = math.max(worst, nearest), math.min(least, nearest)
    end
  end
  return worst, least
end

-- Volume (area) of the union: above every place of the middle plane it is as thick as the thickest ball there.
local function volume_of(balls)
  local sum, n, m = 0, 100, three and 72 or 2
  for k = 1, n do
    local r = (k - 0.5) / n * rim
    for l = 1, m do
      local x, y, top = r * math.cos(2 * math.pi * l / m), three and r * math.sin(2 * math.pi * l / m) or 0, 0
      for _, ball in ipairs(balls) do top = math.max(top, ball.radius ^ 2 - (x - ball.x) ^ 2 - (y - ball.y) ^ 2) end
      sum = sum + 2 * math.sqrt(top) * rim / n * (three and 2 * math.pi * r / m or 1)
    end
  end
  return sum
end

local fraction = 1
local balls = balls_of(rings_of(fraction))
while error_of(balls) > args.error do
  fraction = 0.9 * fraction
  balls = balls_of(rings_of(fraction))
end
local volume = three and 2 * math.pi * moment(1) or 2 * moment(0)

-- A cell at a place: u and v span its middle plane (in two dimensions u is its long axis). The density is 1.
local function add_cell(sim, place, u, v, more)
  local ids = {}
  for k, ball in ipairs(balls) do
    local position = {}
    for axis = 1, args.dimension do position[axis] = place[axis] + ball.x * u[axis] + ball.y * (v and v[axis] or 0) end
    ids[k] = sim:add_particle { position = position, radius = ball.radius, mass = ball.mass }
  end
  local options = { particles = ids, mass = volume }
  for name, value in pairs(more or {}) do options[name] = value end
  return sim:add_assembly(options)
end

local function scheme() return floc.gluey { gamma_min = -0.05 * volume * args.speed, friction = args.friction } end

-- A flat box of cells: places in rows, far enough apart that cells may stand in any direction.
local across = math.max(2, math.ceil((args.cells * (three and 1.5 or 1)) ^ (1 / args.dimension)))
local deep = three and math.max(2, math.floor(across / 2)) or 1 -- two at least, so that half a period is longer than a cell
local long = math.max(2, math.ceil(args.cells / (across * deep)))
local place_size = 2.05 * rim
local size = { long * place_size, across * place_size, three and deep * place_size or nil }
local sim = floc.simulation {
  time_step = args.time_step, seed = args.seed, dimension = args.dimension, scheme = scheme(),
  boundary = three and { "periodic", "wall", "periodic" } or { "periodic", "wall" },
  domain = floc.box { lower = three and { 0, 0, 0 } or { 0, 0 }, upper = size }, up = three and { 0, 1, 0 } or nil,
}
local random, cells, cell_of = floc.random("orientations", args.seed), {}, {}
for k = 1, args.cells do
  local n = k - 1
  local place = { (n % long + 0.5) * place_size, (math.floor(n / long) % across + 0.5) * place_size,
    three and (math.floor(n / (long * across)) + 0.5) * place_size or nil }
  local cosine, angle, turn = three and 2 * random:uniform(0, 1) - 1 or 0, 2 * math.pi * random:uniform(0, 1), 2 * math.pi * random:uniform(0, 1)
  local u, v = { math.cos(angle), math.sin(angle) }, nil
  if three then
    local sine = math.sqrt(1 - cosine * cosine)
    local e, f = { cosine * math.cos(angle), cosine * math.sin(angle), -sine }, { -math.sin(angle), math.cos(angle), 0 }
    u, v = {}, {}
    for axis = 1, 3 do
      u[axis] = math.cos(turn) * e[axis] + math.sin(turn) * f[axis]
      v[axis] = math.cos(turn) * f[axis] - math.sin(turn) * e[axis]
    end
  end
  cells[k] = add_cell(sim, place, u, v)
  for _, id in ipairs(cells[k].particles) do cell_of[id] = k end
end
local half = 0.5 * size[2]
local top = args.speed
local law = three and function(y) return top * (1 - (y / half - 1) ^ 2), 0, 0 end or function(y) return top * (1 - (y / half - 1) ^ 2), 0 end
sim:add_flow { law = law, relaxation_time = tau }

-- Greatest change of a distance between members of a cell, over all cells, from the first member and from one across.
local function stretch()
  local worst = 0
  for _, cell in ipairs(cells) do
    for k, id in ipairs(cell.particles) do
      for _, first in ipairs { 1, math.min(3, #balls) } do
        local square, other = 0, cell.particles[first]
        for axis, name in ipairs { "x", "y", three and "z" or nil } do
          local d = sim[name][id] - sim[name][other]
          if axis ~= 2 then d = d - size[axis] * math.floor(d / size[axis] + 0.5) end
          square = square + d * d
        end
        worst = math.max(worst, math.abs(math.sqrt(square) - math.sqrt((balls[k].x - balls[first].x) ^ 2 + (balls[k].y - balls[first].y) ^ 2)))
      end
    end
  end
  return worst
end

local deformed, touched = 0, 0
sim:every(20, function()
  deformed = math.max(deformed, stretch())
  touched = math.max(touched, sim:measure "contact_count")
end)
local panels = floc.panels { columns = 2, title = "Red cells in a channel" }
local function look() panels:add(sim, { group = function(id) return cell_of[id] end, length_unit = "um" }) end
look()
sim:run { until_time = args.end_time }
look()
panels:write(floc.output "red_cells.png")

-- One cell in a shear flow of rate 1, its long axis in the plane of the flow. Where its inertia does not count, drag and viscous torque
-- of its members turn it at -(A sin^2 + B cos^2)/(A + B), A = sum m (x^2 + 2/3 r^2), B = sum m 2/3 r^2: an orbit of Jeffery
-- (Proc. R. Soc. A 102, 1922, 161-179) of the aspect sqrt(A/B), whose period is 2 pi (aspect + 1/aspect).
local function orbit()
  local a, b = 0, 0
  for _, ball in ipairs(balls) do
    a, b = a + ball.mass * (ball.x ^ 2 + 2 / 3 * ball.radius ^ 2), b + ball.mass * 2 / 3 * ball.radius ^ 2
  end
  local aspect = math.sqrt(a / b)
  local one = floc.simulation { time_step = 2e-3, dimension = args.dimension, scheme = scheme() }
  local cell = add_cell(one, { 0, 0, three and 0 or nil }, { 1, 0, 0 }, { 0, 0, 1 })
  one:add_flow { flow = "shear", rate = 1, relaxation_time = 1e-2 }
  local half_turns, before = {}, nil
  while #half_turns < 2 and one.time < 100 do -- the long axis passes that of y: its x changes sign
    one:run { steps = 1, progress = false }
    local first, middle = cell.particles[1], cell.position
    local x = one.x[first] - middle[1]
    if before and x * before < 0 then half_turns[#half_turns + 1] = one.time - 2e-3 * x / (x - before) end
    before = x
  end
  return 2 * (half_turns[2] - half_turns[1]), 2 * math.pi * (aspect + 1 / aspect), cell.inertia
end

-- Component z of R I R^T w: the inertia is in the cell's own axes, which R, of the unit quaternion, turns.
local function spin_z(orientation, inertia, w)
  local a, b, c, d = orientation[1], orientation[2], orientation[3], orientation[4]
  local turn = { { a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c) },
    { 2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b) },
    { 2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d } }
  local own = {}
  for k = 1, 3 do own[k] = turn[1][k] * w[1] + turn[2][k] * w[2] + turn[3][k] * w[3] end
  local xx, yy, zz, xy, xz, yz = (unpack or table.unpack)(inertia)
  return turn[3][1] * (xx * own[1] + xy * own[2] + xz * own[3]) + turn[3][2] * (xy * own[1] + yy * own[2] + yz * own[3])
    + turn[3][3] * (xz * own[1] + yz * own[2] + zz * own[3])
end

-- Two cells that fly at each other, a corner into a dimple, with nothing around them: changes of momentum and of angular momentum
-- over that of one cell, and whether they met.
local function collide()
  local one = floc.simulation { time_step = 1e-4, dimension = args.dimension, scheme = scheme() }
  local e = three and { { 1, 0, 0 }, { 0, 0, 1 }, { 0.6, 0.8, 0 }, { 0, 0, 1 } } or { { 1, 0 }, nil, { 0.6, 0.8 }, nil }
  local function vector(x, y) return three and { x, y, 0 } or { x, y } end
  local pair = { add_cell(one, vector(0, 0), e[1], e[2], { velocity = vector(0, 0.5 * args.speed) }),
    add_cell(one, vector(1, 2.1 * rim), e[3], e[4], { velocity = vector(0, -0.5 * args.speed) }) }
  local function momenta()
    local px, py, l = 0, 0, 0
    for _, cell in ipairs(pair) do
      local x, v, w, inertia = cell.position, cell.velocity, cell.angular_velocity, cell.inertia
      px, py = px + cell.mass * v[1], py + cell.mass * v[2]
      l = l + cell.mass * (x[1] * v[2] - x[2] * v[1]) + (three and spin_z(cell.orientation, inertia, w) or inertia * w)
    end
    return px, py, l
  end
  local px, py, l = momenta()
  local met, unit, worst, turned = 0, 0.5 * volume * args.speed, 0, 0
  for _ = 1, 200 do
    one:run { steps = 1, progress = false }
    met = math.max(met, one:measure "contact_count")
    local qx, qy, k = momenta()
    worst, turned = math.max(worst, math.abs(qx - px) / unit, math.abs(qy - py) / unit), math.max(turned, math.abs(k - l) / (unit * rim))
  end
  return worst, turned, met
end

local function claim(text, value, expect) floc.report { claim = text, value = value, expect = expect } end
local greatest, least = error_of(balls)
local period, jeffery, inertia = orbit()
claim("balls of a cell", #balls)
claim("greatest depth of the union under the profile [um]", greatest, { at_most = args.error })
claim("how far it sticks out [um]", math.max(0, -least), { at_most = 1e-4 })
if three then claim("volume of the profile, 94 by Evans and Fung [um^3]", volume, { equal = 94, tolerance = 0.5 }) end
claim("volume of the union over that of the profile", volume_of(balls) / volume, { at_least = 1 - 1.45 * args.error, at_most = 1 }) -- 135 um^2 / 94 um^3
if three then
  claim("moment of inertia about the axis over that of the profile", inertia[2] / (2 * math.pi * moment(3)), { equal = 1, tolerance = 0.5 * args.error })
else
  local polar = 0
  for k = 1, 4000 do
    local r = (k - 0.5) / 4000 * rim
    polar = polar + 2 * rim / 4000 * (2 * half_thickness(r) * r * r + 2 / 3 * half_thickness(r) ^ 3)
  end
  claim("moment of inertia over that of the profile", inertia / polar, { equal = 1, tolerance = 0.5 * args.error })
end
claim("period of one cell in shear over that of its orbit of Jeffery, " .. string.format("%.2f", jeffery), period / jeffery, { equal = 1, tolerance = 1e-3 })
local momentum, angular, met = collide()
claim("contacts of two cells that fly at each other", met, { at_least = 1 })
claim("change of their momentum, over that of one", momentum, { at_most = 1e-12 })
claim("change of their angular momentum, over that of one at the rim", angular, { at_most = 1e-12 })
local report = sim:report()
claim("greatest change of a distance within a cell, in its radius", deformed / rim, { at_most = 1e-10 })
claim("greatest number of contacts at a time", touched)
claim("greatest overlap, in radii of the smaller ball", report.greatest_overlap, { at_most = 1e-2 })
claim("steps that did not converge", report.unconverged_steps, { equal = 0 })
