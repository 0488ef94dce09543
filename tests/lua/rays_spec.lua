-- Rays from Lua: sources, tracing, hooks, reports, pictures, checkpoints.

local support = require "support"

local folder

local function near(a, b, tolerance)
  if not (math.abs(a - b) <= tolerance * math.max(1, math.abs(b))) then error(a .. " is not " .. b, 2) end
end

-- A script with a sphere at the origin, R = 0.05, and what follows.
local function sphere(text)
  return [[
    local floc = require "floc"
    local sim = floc.simulation { dimension = 3, time_step = 1e-4, scheme = floc.discrete_element() }
    sim:add_particle { position = { 0, 0, 0 }, radius = 0.05, mass = math.pi }
    local function one(y, z, options)
      options = options or {}
      options.rays, options.power, options.emit = 1, 7.06e9, function()
        return { position = { -1, y, z }, direction = { 2, 0, 0 }, area = math.pi / 1e4 }
      end
      return floc.emitter(options)
    end
  ]] .. text
end

describe("rays", function()
  before_each(function() folder = support.folder() end)
  after_each(function() support.remove(folder) end)

  it("have the reference's reflectance", function()
    support.run [[
      local floc = require "floc"
      for line in io.lines(os.getenv "FLOC_SOURCE" .. "/tests/rays/reflectance.tsv") do
        local angle, water, ceramic = line:match "^(%S+)\t(%S+)\t(%S+)$"
        if tonumber(angle) then
          local cosine = math.cos(math.rad(tonumber(angle)))
          if tonumber(water) then assert(math.abs(floc.reflectance { cosine = cosine } - tonumber(water)) < 1e-12) end
          local back = floc.reflectance { cosine = cosine, media = { density = { 6000, 1000 }, sound_speed = { 4500, 1500 } } }
          if tonumber(ceramic) then assert(math.abs(back - tonumber(ceramic)) < 1e-12) end
        end
      end
      local share, refracted = floc.reflectance { cosine = 0.5 }
      assert(share == 1 and refracted == 0)
    ]]
  end)

  it("push a sphere along the refracted ray", function()
    local result = support.run(sphere [[
      return sim:trace { source = one(0.01, 0), by_particle = true, paths = true }
    ]])
    near(result.force[1][1], 2850058.77806215, 1e-12)
    near(result.force[1][2], 1349221.7233574, 1e-12)
    near(result.escaped, 5887766749.09745, 1e-12)
    near(result.absorbed_by[1], 7.06e9 - 5887766749.09745, 1e-12)
    near(result.retained[1], -0.92 * 5887766749.09745 / 7.06e9, 1e-12)
    assert.are.equal(1, result.reflections)
    assert.are.equal(2, #result.paths)
    near(result.paths[1].to[1], -0.0489897948556636, 1e-12)
    assert.are.equal(1, result.paths[2].ray)
    assert.is_nil(result.paths[3])
  end)

  it("kick a sphere by force times duration, whatever the step", function()
    for _, step in ipairs { 1e-6, 3e-5, 2e-4 } do
      local vx, report = support.run((sphere([[
        sim.time_step = STEP
        sim:add_ray_source(one(0, 0, { times = { 2e-4 }, duration = 1e-5 }))
        sim:run { until_time = 1e-3 }
        return sim.vx[1], sim:ray_report(1)
      ]]):gsub("STEP", tostring(step))))
      near(vx, 11.0007410935365, 1e-9)
      assert.are.equal(1, report.pulses)
      near(report.incident, report.absorbed + report.escaped, 1e-13)
    end
  end)

  it("obey the law of the mean number of reflections", function()
    local sum = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 1e-4, scheme = floc.discrete_element() }
      sim:add_particles { count = 300, radius = { 0.05, 0.1 }, region = floc.ball { center = { 0, 0, 0 }, radius = 1 } }
      local law, mean, beams = 0, 0, 60
      for id = 1, sim.count do law = law + sim.radius[id] ^ 2 end
      for k = 1, beams do
        local z = (2 * k - 1) / beams - 1
        local angle, r = 2.399963 * k, math.sqrt(1 - z * z)
        mean = mean + sim:trace { source = floc.plane_wave { direction = { r * math.cos(angle), r * math.sin(angle), z },
          rays = 2000, sampling = "even" } }.reflections / 2000 / beams
      end
      return mean / law
    ]]
    near(sum, 1, 0.01)
  end)

  it("spread from a point, and by the paper's discrete advance", function()
    local point, exact, advance = support.run(sphere [[
      local point = sim:trace { source = floc.point_source { position = { -0.2, 0, 0 }, direction = { 1, 0, 0 },
        half_angle = math.asin(0.25), rays = 500, sampling = "even" } }
      local beam = { radius = 0.05, rays = 2000 }
      local exact = sim:trace { source = floc.plane_wave(beam) }
      beam.method, beam.advance = "advance", 0.05
      return point, exact, sim:trace { source = floc.plane_wave(beam) }
    ]])
    assert.are.equal(500, point.reflections)
    assert.are.equal(2000, exact.reflections)
    assert.is_true(advance.reflections > 1990 and advance.reflections <= 2000)
    near(advance.absorbed, exact.absorbed, 0.1)
  end)

  it("do at a hit what a function says", function()
    support.run(sphere [[
      local function traced(hit) return sim:trace { source = one(0, 0, { hit = hit }), by_particle = true } end
      local plain, seen = traced(nil)
      local same = traced(function(hit) seen = hit end)
      assert(same.absorbed == plain.absorbed and same.force[1][1] == plain.force[1][1])
      assert(seen.id == 1 and seen.ray == 1 and seen.bounces == 0 and seen.inside == false and seen.power == 7.06e9)
      assert(seen.cosine == 1 and seen.normal[1] == -1 and seen.point[1] == -0.05 and seen.direction[1] == 1)
      assert(math.abs(seen.reflected_power / 5651911357.34072 - 1) < 1e-12 and seen.force[1] == plain.force[1][1])
      local all = traced(function() return "absorb" end)
      assert(all.absorbed == 7.06e9 and all.escaped == 0 and all.force[1][1] == 0)
      local through, inside = traced(function(hit) return "transmit" end)
      assert(through.escaped == 7.06e9 and through.reflections == 2 and through.retained[1] == 1)
      local laser = traced(function(hit) return "reflect", 0.5 * hit.power, { 0, 3, 0 }, { 7, 0, 0 } end)
      assert(laser.absorbed == 3.53e9 and laser.retained[2] == 0.5 and laser.force[1][1] == 7)
      local half = traced(function(hit) return "reflect", 0.25 * hit.power end)
      assert(half.retained[1] == -0.25 and half.force[1][1] == 0)
      local acoustic = traced(function(hit) return "reflect" end)
      assert(acoustic.absorbed == plain.absorbed and acoustic.force[1][1] == plain.force[1][1])
    ]])
  end)

  it("are reflected by bodies, and end at the cap between mirrors", function()
    local report, half = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 1e-4, scheme = floc.discrete_element() }
      sim:add_particle { position = { 0, 5, 0 }, radius = 0.1 }
      sim:add_body { shape = floc.plane { normal = { 1, 0, 0 }, point = { -1, 0, 0 } } }
      sim:add_body { shape = floc.plane { normal = { -1, 0, 0 }, point = { 1, 0, 0 } } }
      local source = floc.point_source { position = { 0, 0, 0 }, half_angle = 1e-9, rays = 10, max_bounces = 50 }
      return sim:trace { source = source }, sim:trace { source = source, media = { body_reflectance = 0.5 } }
    ]]
    assert.are.equal(500, report.body_reflections)
    assert.are.equal(10, report.ended_rays)
    near(report.residual, 1, 1e-14)
    near(half.body_absorbed, 1 - 0.5 ^ 50, 1e-14)
    near(half.residual, 0.5 ^ 50, 1e-12)
  end)

  it("do nothing where there is nothing to do", function()
    support.run(sphere [[
      local none = sim:trace { source = floc.plane_wave { rays = 0, power = 5 } }
      assert(none.incident == 0 and none.reflections == 0 and none.retained[1] == 0)
      local miss = sim:trace { source = floc.plane_wave { aim = { 0, 3, 0 }, rays = 100, power = 5 } }
      assert(miss.reflections == 0 and math.abs(miss.escaped - 5) < 1e-14 and math.abs(miss.retained[1] - 1) < 1e-14)
      local inside = sim:trace { source = floc.point_source { position = { 0.01, 0, 0 }, rays = 100, power = 5 } }
      assert(inside.reflections == 0 and math.abs(inside.escaped - 5) < 1e-14)
    ]])
  end)

  it("in two dimensions start on a line", function()
    local result = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-4, scheme = floc.discrete_element() }
      sim:add_particle { position = { 0, 0 }, radius = 0.5 }
      return sim:trace { source = floc.plane_wave { direction = { 0, -1 }, rays = 1000, sampling = "even" } }
    ]]
    assert.are.equal(500, result.reflections)
    assert.are.equal(2, #result.retained)
  end)

  it("fade on their way through the surroundings and through particles", function()
    local found = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 1e-4, scheme = floc.discrete_element {} }
      sim:add_particle { position = { 0, 0, 0 }, radius = 0.5, mass = 1 }
      sim:add_body { shape = floc.plane { point = { 3, 0, 0 }, normal = { -1, 0, 0 } } }
      local function trace(attenuation, hit) -- one ray through the middle from x = -2, and it goes into the wall at x = 3
        return sim:trace { by_particle = true, media = { density = { 1, 1 }, sound_speed = { 1, 1 }, body_reflectance = 0, attenuation = attenuation },
          source = floc.emitter { rays = 1, power = 8, hit = hit, emit = function() return { position = { -2, 0, 0 }, direction = { 1, 0, 0 }, area = 1 } end } }
      end
      local through = function(hit) if hit.id then return "transmit", hit.power end end
      local clear, outside, both = trace(nil, through), trace(0.3, through), trace({ 0.3, 0.7 }, through)
      sim:run { steps = 1 } -- nothing is changed by traces
      return { clear = clear, outside = outside, both = both, reflected = sim:trace { media = { attenuation = 0.3 },
        source = floc.emitter { rays = 1, power = 8, emit = function() return { position = { -2, 0, 0 }, direction = { 1, 0, 0 }, area = 1 } end } } }
    ]]
    local function near(value, expected) assert.is_true(math.abs(value / expected - 1) < 1e-14, value .. " " .. expected) end
    near(found.clear.body_absorbed, 8)
    assert.are.equal(0, found.clear.attenuated)
    near(found.outside.body_absorbed, 8 * math.exp(-0.3 * 4)) -- 1.5 before the particle, 2.5 behind it
    near(found.outside.attenuated, 8 * (1 - math.exp(-0.3 * 4)))
    near(found.both.body_absorbed, 8 * math.exp(-0.3 * 4 - 0.7))
    near(found.both.absorbed, 8 * math.exp(-0.3 * 1.5) * (1 - math.exp(-0.7)))
    near(found.both.absorbed_by[1], found.both.absorbed)
    near(found.both.attenuated + found.both.absorbed + found.both.body_absorbed, 8)
    assert.are.same({ 0, 0, 0 }, { found.both.force[1][1], found.both.force[1][2], found.both.force[1][3] })
    -- there and back: behind the box around the particle, which it has left at once, an escaping ray keeps its power
    assert.is_true(math.abs(found.reflected.escaped / (8 * math.exp(-0.3 * 1.5) * (17 / 19) ^ 2) - 1) < 1e-8) -- the box is a little wider
  end)

  it("fade alike in flight and at once, and go on from a checkpoint", function()
    local scenario = [[
      local floc = require "floc"
      local function run(in_flight, middle)
        local sim = floc.simulation { dimension = 3, time_step = 1e-4, seed = 3, scheme = floc.discrete_element {} }
        sim:add_particles { count = 100, radius = 0.1, mass = 1e9, region = floc.ball { center = { 0, 0, 0 }, radius = 1 } }
        sim:set_media { attenuation = 0.8 }
        sim:add_ray_source(floc.plane_wave { rays = 500, power = 1, in_flight = in_flight, distance = 1.2 })
        if middle then middle(sim) end
        sim:run { steps = 150, progress = false }
        return sim:ray_report()
      end
      local once, flown = run(false), run(true, function(sim) FIRST end)
      return { once = once.attenuated, flown = flown.attenuated, rest = flown.rays_in_flight, escaped = once.escaped / flown.escaped - 1,
        balance = flown.attenuated + flown.absorbed + flown.body_absorbed + flown.escaped + flown.residual + flown.in_flight - flown.incident }
    ]]
    local whole = support.run((scenario:gsub("FIRST", "")))
    assert.are.equal(0, whole.rest)
    assert.is_true(whole.once > 0.3 and math.abs(whole.flown / whole.once - 1) < 1e-11 and math.abs(whole.escaped) < 1e-11)
    assert.is_true(math.abs(whole.balance) < 1e-14)
    local path = folder .. "/fade.state"
    support.run((scenario:gsub("FIRST", function() return string.format("sim:checkpoint { path = %q, every = 11 }", path) end)))
    assert.are.same(whole, (support.resume(path)))
  end)

  it("refuse attenuation that cannot act", function()
    assert.matches("attenuation has 3 numbers; it must have 1, of the surroundings, or 2", support.failure(sphere "sim:set_media { attenuation = { 1, 2, 3 } }"))
    assert.matches("attenuation%[1%] is %-1", support.failure(sphere "sim:set_media { attenuation = -1 }"))
    assert.matches("reflectance: media has attenuation",
      support.failure 'require "floc".reflectance { cosine = 1, media = { attenuation = 1 } }')
    assert.matches("attenuation of particles is 2, but rays of this source never fly in one",
      support.failure(sphere "sim:trace { media = { attenuation = { 0, 2 } }, source = floc.plane_wave { rays = 1 } }"))
  end)

  it("in flight and with pushes that last go on bit for bit from a checkpoint", function()
    local scenario = [[
      local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 1e-4, seed = 3,
        scheme = floc.discrete_element { first_time_step = 2e-5, bonds = "persistent", bond_formation = 0 } }
      sim:add_attribute("absorbed_energy")
      sim:add_attribute("temperature", 300)
      sim:add_attribute("material")
      sim:add_particles { count = 200, radius = 0.08, density = 6000, region = floc.ball { center = { 0, 0, 0 }, radius = 1 } }
      for id = 1, 200, 3 do sim.material[id] = 1 end
      sim:set_media { body_reflectance = 0.9, density = { 1000, 6000, 2700 }, sound_speed = { 1500, 4500, 6300 }, heat_capacity = { 800, 900 } }
      sim:add_body { shape = floc.plane { normal = { -1, 0, 0 }, point = { 1.5, 0, 0 } } }
      sim:add_ray_source(floc.plane_wave { rays = 500, power = 7e11, period = 5e-4, pulses = 3, duration = 3e-4, in_flight = true })
      sim:add_ray_source(floc.emitter { rays = 20, power = 1e10, start = 2e-4, in_flight = true,
        emit = function(k, t) return { position = { -2, 0.05 * k - 0.5, t }, direction = { 1, 0, 0 }, area = 1e-3 } end,
        hit = function(hit) if hit.bounces > 3 then return "absorb" end end })
      FIRST
      sim:run { steps = 30 }
      local flying = #sim:rays()
      local report = sim:ray_report()
      sim:run { steps = 10 }
      local warm, taken = 0, 0
      for id = 1, 200 do
        warm = warm + (sim.temperature[id] - 300) * sim.mass[id] * (sim.material[id] == 1 and 900 or 800)
        taken = taken + sim.absorbed_energy[id]
      end
      assert(taken > 0 and math.abs(warm / taken - 1) < 1e-11, warm / taken - 1)
      return sim:hash(), flying, { report, sim:ray_report(2) }
    ]]
    local hash, flying, reports = support.run((scenario:gsub("FIRST", "")))
    local report, of_emitter = reports[1], reports[2]
    assert.are.equal(flying, report.rays_in_flight)
    assert.is_true(flying > 100 and report.pulses == 4 and of_emitter.rays == 20)
    near(report.absorbed + report.body_absorbed + report.escaped + report.residual + report.in_flight, report.incident, 1e-13)
    local path = folder .. "/rays.floc"
    support.run((scenario:gsub("FIRST", function() return string.format("sim:checkpoint { path = %q, every = 12, keep = 3 }", path) end)))
    for _, name in ipairs { "", ".1", ".2" } do
      local again, same_flying, same_reports = support.resume(path .. name)
      assert.are.equal(hash, again)
      assert.are.equal(flying, same_flying)
      assert.are.same(reports, same_reports)
    end
  end)

  it("are drawn, as paths and in flight", function()
    support.run(sphere(string.format([[
      local folder = %q
      local paths = sim:trace { source = floc.plane_wave { radius = 0.1, rays = 50 }, paths = 30 }.paths
      assert(#paths == 30 and paths[30].power > 0 and paths[31] == nil and paths.count == nil)
      sim:picture { path = folder .. "/paths.png", rays = paths, width = 200 }
      sim:add_ray_source(floc.plane_wave { radius = 0.03, rays = 50, distance = 0.5, in_flight = true })
      sim:run { steps = 2 }
      assert(#sim:rays() == 50)
      sim:picture { path = folder .. "/flight.svg", rays = true, ray_length = 0.05, ray_power = 0.02, ray_unit = "W" }
      local panels = floc.panels { columns = 2 }
      panels:add(sim, { rays = true })
      panels:add(sim, { rays = paths })
      panels:write(folder .. "/panels.png")
    ]], folder)))
    for _, name in ipairs { "paths.png", "flight.svg", "panels.png" } do
      assert.is_true(#support.read(folder .. "/" .. name) > 1000)
    end
  end)

  it("refuse wrong sources and say where", function()
    local function failure(text) return support.failure('local floc = require "floc"\nlocal s = floc.' .. text) end
    assert.matches("^script.lua:2: plane_wave: power is %-1; it must be a finite number at least 0", failure "plane_wave { power = -1 }")
    assert.matches("plane_wave: unknown parameter ray; did you mean rays%?", failure "plane_wave { ray = 5 }")
    assert.matches("plane_wave: direction is 0", failure "plane_wave { direction = { 0, 0, 0 } }")
    assert.matches("plane_wave: times%[2%] is 1; times must be finite and ascending", failure "plane_wave { times = { 1, 1 } }")
    assert.matches("plane_wave: period is missing", failure "plane_wave { pulses = 4 }")
    assert.matches("plane_wave: times and pulses are both given", failure "plane_wave { times = { 1 }, pulses = 1 }")
    assert.matches("point_source: position is missing", failure "point_source {}")
    assert.matches("point_source: half_angle is 4", failure "point_source { position = { 0, 0, 0 }, half_angle = 4 }")
    assert.matches("emitter: emit is missing", failure "emitter { rays = 1 }")
    assert.matches("reflectance: cosine is 2", failure "reflectance { cosine = 2 }")
    assert.matches("reflectance: density%[2%] is %-6", failure "reflectance { cosine = 1, media = { density = { 1, -6 } } }")
    assert.matches("add_ray_source: source is a table; it must be floc.plane_wave",
      support.failure(sphere "sim:add_ray_source { rays = 1 }"))
    assert.matches("trace: floc.plane_wave has vectors of 2 numbers; the simulation has 3 dimensions",
      support.failure(sphere "sim:trace { source = floc.plane_wave { direction = { 1, 0 } } }"))
    assert.matches("set_media: density has 1 numbers", support.failure(sphere "sim:set_media { density = { 1 } }"))
    assert.matches("density has 3 numbers and sound_speed 2", support.failure(sphere "sim:set_media { density = { 1, 2, 3 } }"))
    assert.matches("sound_speed%[3%] is 0", support.failure(sphere "sim:set_media { density = { 1, 2, 3 }, sound_speed = { 1, 2, 0 } }"))
    assert.matches("heat_capacity has 3 numbers; there are 1 materials", support.failure(sphere "sim:set_media { heat_capacity = { 1, 2, 3 } }"))
    assert.matches("heat_capacity%[1%] is %-1", support.failure(sphere "sim:set_media { heat_capacity = -1 }"))
    assert.matches("reflectance: media has 2 materials",
      failure "reflectance { cosine = 1, media = { density = { 1, 2, 3 }, sound_speed = { 1, 2, 3 } } }")
    assert.matches("ray_report: source is 2; there are 0 sources",
      support.failure(sphere "sim:ray_report(2)"))
  end)

  it("name script and line when a function of a source fails", function()
    local function with(fields)
      return support.failure(([[
        local floc = require "floc"
        local sim = floc.simulation { dimension = 3, time_step = 1e-4, scheme = floc.discrete_element() }
        sim:add_particle { position = { 0, 0, 0 }, radius = 0.5 }
        sim:add_ray_source(floc.%s)
        sim:run { steps = 1 }
      ]]):format(fields))
    end
    assert.matches("^script.lua:4: boom %(in hit of floc.plane_wave at script.lua:4%), in step 1",
      with "plane_wave { hit = function() error 'boom' end }")
    assert.matches('^script.lua:4: plane_wave: hit returned "bounce"; its first result must be nil, "reflect", "absorb" or "transmit"',
      with "plane_wave { hit = function() return 'bounce' end }")
    assert.matches("plane_wave: hit returned power = 3; it must be a number from 0 to 0.0001, the power of the ray",
      with "plane_wave { hit = function() return 'reflect', 3 end }")
    assert.matches("plane_wave: hit returned direction = a table; it must be a list",
      with "plane_wave { hit = function() return 'reflect', nil, { 0, 0, 0 } end }")
    assert.matches("plane_wave: hit returned force = 5", with "plane_wave { hit = function() return 'absorb', nil, nil, 5 end }")
    assert.matches("^script.lua:4: emitter: emit returned nil; it must be a table", with "emitter { emit = function() end }")
    assert.matches("emitter: emit returned position = nil; it must be a list of finite numbers",
      with "emitter { emit = function() return {} end }")
    assert.matches("emitter: emit returned direction = 0; its length must be above 0",
      with "emitter { emit = function() return { position = { 0, 0, 0 }, direction = { 0, 0, 0 } } end }")
    assert.matches("emitter: emit returned power = %-1; it must be a finite number of at least 0",
      with "emitter { emit = function() return { position = { 0, 0, 0 }, direction = { 1, 0, 0 }, power = -1 } end }")
    assert.matches("script.lua:4: step: this call is not allowed inside a law",
      with "plane_wave { hit = function() sim:hash() end }" :gsub("script.lua:4: this", "script.lua:4: step: this"))
  end)
end)
