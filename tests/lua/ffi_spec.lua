-- floc.h through LuaJIT's FFI: every function, structs in place, errors; on Lua 5.4 a message.

local support = require "support"

if not rawget(_G, "jit") then
  describe("floc.ffi", function()
    it("says that it needs LuaJIT", function()
      local ok, message = pcall(require, "floc.ffi")
      assert.is_false(ok)
      assert.matches("floc.ffi needs LuaJIT", message)
    end)
  end)
  return
end

local ffi = require "ffi"
local c = require "floc.ffi"

local function two_particles()
  return support.run [[
    local floc = require "floc"
    local sim = floc.simulation { time_step = 0.01 }
    sim:add_particle { position = { 1, 2 }, radius = 0.5 }
    sim:add_particle { position = { 5, 2 }, radius = 0.5, velocity = { 1, 0 } }
    return sim ]]
end

describe("floc.ffi", function()
  it("finds every function of the header", function()
    local names = c.function_names()
    assert.is_true(#names > 80)
    for _, name in ipairs(names) do assert.is_true(c.lib[name] ~= nil, name) end
    assert.has_error(function() return c.lib.floc_no_such_thing end)
    assert.are.equal(support.core.version, ffi.string(c.lib.floc_version()))
  end)

  it("reads and steps the simulation's world", function()
    local sim = two_particles()
    local world, info = c.world(sim), c.new "floc_world_info"
    c.check(c.lib.floc_world_get_info(world, info), world)
    assert.are.equal(2, tonumber(info.particle_count))
    c.check(c.lib.floc_world_step(world), world)
    assert.are.equal(1, sim.step)
    assert.near(5.01, sim.x[2], 1e-12)
    local x, count = c.column(sim, "x")
    assert.are.equal(2, count)
    x[0] = 0.25
    assert.are.equal(0.25, sim.x[1])
  end)

  it("raises the world's message", function()
    local sim = two_particles()
    local world = c.world(sim)
    local ok, message = pcall(function() c.check(c.lib.floc_world_set_time_step(world, -1), world) end)
    assert.is_false(ok)
    assert.matches("time_step is %-1; it must be a finite number above 0", message)
  end)

  it("lets no step call back into Lua", function()
    local sim = two_particles()
    local n = 0
    sim:add_field { law = function(x) n = n + 1 return 0, 0 end }
    local world = c.world(sim)
    assert.are.equal("callback failed", ffi.string(c.lib.floc_status_name(c.lib.floc_world_step(world))))
    assert.are.equal(0, n)
    sim:run { steps = 1 }
    assert.are.equal(2, n)
  end)

  it("adds a law program made of arrays", function()
    local sim = two_particles()
    local world = c.world(sim)
    local program, law = ffi.new "floc_program_options", ffi.new "floc_law_options"
    c.check(c.lib.floc_program_options_init(program))
    c.check(c.lib.floc_law_options_init(law))
    local code = ffi.new("floc_instruction[1]", { { ffi.C.FLOC_OPERATION_NEGATE, 0, -1, -1 } })
    local outputs, inputs = ffi.new("int32_t[2]", { 1, 0 }), ffi.new("const char *[1]", { "x" })
    program.input_count, program.code_count, program.code = 1, 1, code
    program.output_count, program.outputs = 2, outputs
    law.inputs, law.input_count, law.output_count, law.program = inputs, 1, 2, program
    c.check(c.lib.floc_field_add(world, law, nil), world)
    sim:run { steps = 1 }
    assert.are.equal(-5, sim.fx[2])
    assert.are.equal(5, sim.fy[2])
  end)

  it("draws shapes of any kind: pictures, .vtp files", function()
    local sim = support.run [[
      local floc = require "floc"
      local sim = floc.simulation { dimension = 3, time_step = 0.01 }
      sim:add_body { shape = floc.sphere { center = { 3, 0, 0 }, radius = 0.3 } }
      sim:add_particle { position = { 0, 0, 0 }, radius = 0.5 }
      return sim ]]
    local world, shape, kind = c.world(sim), c.new "floc_shape", ffi.new "int32_t[1]"
    c.check(c.lib.floc_shape_type_find(world, "torus", kind), world)
    shape.kind, shape.parameters[0], shape.parameters[1] = kind[0], 1, 0.4
    c.check(c.lib.floc_body_add_shape(world, 0, shape), world)
    local parts = ffi.new "int64_t[1]"
    c.check(c.lib.floc_body_get_drawing(world, 0, 1, nil, 0, parts), world)
    assert.is_true(parts[0] > 1000)
    local folder = os.tmpname()
    os.remove(folder)
    sim:write_vtp { path = folder .. "-run", every = 1 }
    sim:run { steps = 1 }
    sim:picture { path = folder .. ".png" }
    local file = assert(io.open(folder .. "-run/bodies_000001.vtp", "rb"))
    local polygons = tonumber(file:read "*a":match 'NumberOfPolys="(%d+)"')
    file:close()
    local sphere = 32 * 15 -- rings of quadrangles
    assert.are.equal(tonumber(parts[0]) + sphere, polygons)
    assert(io.open(folder .. ".png", "rb")):close()
    os.remove(folder .. ".png")
    os.execute("rm -r '" .. folder .. "-run'*")
  end)

  it("adds a measure, which sim:measure and sim:observe know", function()
    local sim = two_particles()
    local world, options = c.world(sim), c.new "floc_measure_options"
    local square = ffi.cast("floc_measure_function", function(_, _, value)
      value[0] = 49
      return 0
    end)
    local name = "seven_squared" -- kept until the call has copied it
    options.name, options["function"] = name, square
    c.check(c.lib.floc_measure_add(world, options), world)
    assert.are.equal(49, sim:measure "seven_squared")
    assert.has_error(function() sim:measure "seven_square" end)
    square:free()
  end)
end)
