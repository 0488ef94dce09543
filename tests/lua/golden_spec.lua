-- Golden hashes through Lua: LuaJIT and Lua 5.4, whatever compiled the engine, come to the same state, with laws, motions,
-- gravity and callbacks written in Lua. What is called from Lua uses no function of math: the interpreters of these tests take them
-- from the C library, the program from the engine (tests/command/mathematics_spec.lua).


describe("the same bits on every Lua:", function()
  it("a scenario with laws, motions and callbacks in Lua", function()
    local floc = require "floc"
    for _, threads in ipairs { 1, 2, 3, 8 } do
      local sim = floc.simulation { time_step = 0.005, seed = 3, threads = threads, scheme = floc.gluey { gamma_min = -0.5 },
        gravity = function(t) return 3 * t / (1 + 9 * t * t), -10 end }
      sim:add_body { shape = floc.container { width = 2, height = 2 } }
      sim:add_body { shape = floc.wheel { radius = 0.3 }, position = { 0, 0.5 }, angular_velocity = function(t) return 2 / (1 + t * t) end }
      sim:add_particles { count = 120, radius = { 0.03, 0.05 }, region = floc.box { lower = { -1, 0 }, upper = { 1, 2 } } }
      sim:add_field { law = function(vx, vy, t) return -0.2 * vx + 0.1 * math.exp(-t), -0.2 * vy end }
      sim:add_force { range = 0.05, law = function(distance) return -0.5 * (0.05 - distance) end }
      sim.state.sum = 0
      sim:every(10, function(sim) sim.state.sum = sim.state.sum + sim.x[1] end)
      sim:run { steps = 150 }
      assert.are.equal("562828558725bd42", sim:hash())
    end
  end)
end)
