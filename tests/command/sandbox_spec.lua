-- floc run --sandbox: what a stranger's script cannot do.

local program = os.getenv "FLOC_PROGRAM"

local function run(text, options)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(text)
  file:close()
  local pipe = io.popen(string.format("%s run --sandbox %s %s 2>&1; echo status $?", program, options or "", name))
  local output = pipe:read "*a"
  pipe:close()
  os.remove(name)
  return output, tonumber(output:match "status (%d+)%s*$")
end

local function stops(name, text, pattern, options)
  it("stops " .. name, function()
    local output, status = run(text, options)
    assert.are.equal(1, status, output)
    assert.matches(pattern, output)
  end)
end

local head = [[ local floc = require "floc" local sim = floc.simulation { time_step = 0.01 }
sim:add_particle { position = { 0, 0 }, radius = 1 } ]]

describe("the sandbox", function()
  it("runs a scenario with a traced law", function()
    local output, status = run(head .. [[ sim:add_field { law = function(x) return 1, 2 * x end }
      sim:run { steps = 10 } print("moved", sim.x[1] > 0) floc.report { claim = "it moves", value = sim.x[1], expect = { at_least = 0 } } ]])
    assert.are.equal(0, status, output)
    assert.matches("moved%s+true", output)
  end)

  for _, name in ipairs { "io", "os", "debug", "package", "jit", "ffi", "dofile", "loadfile", "setfenv", "getfenv", "newproxy" } do
    it("has no " .. name, function()
      local output = run(string.format("print(type(%s))", name))
      assert.matches("^nil\n", output)
    end)
  end

  stops("other modules", 'require "ffi"', "the sandbox has no module ffi")
  stops("the module's inside", 'require "floc.core"', "the sandbox has no module floc.core")
  stops("the C interface", 'require "floc.ffi"', "the sandbox has no module floc.ffi")
  stops("compiled chunks", 'assert(load "\\27Lua")', "text chunks only")
  stops("dumping", 'print(("x").dump(print))', "attempt to call")
  stops("a checkpoint", head .. 'sim:checkpoint "x.floc"', "the sandbox has no files")
  stops("a table on disk", head .. 'sim:observe { path = "x.tsv", columns = { "time" } } sim:run { steps = 1 }', "the sandbox has no files")
  stops("a film, and the search for ffmpeg", head .. 'sim:record { movie = "x.mp4" }', "record: the sandbox has no files")
  stops("pictures of a movie, and removing old ones", head .. 'sim:record { movie = "x%d.png" }', "record: the sandbox has no files")
  stops("files for ParaView", head .. 'sim:write_vtp { path = "x" }', "write_vtp: the sandbox has no files")
  stops("files for OVITO", head .. 'sim:write_xyz { path = "x.xyz" }', "write_xyz: the sandbox has no files")
  stops("a picture", head .. 'sim:picture "x.png"', "the sandbox has no files")
  stops("reading a checkpoint", 'require "floc".resume "x.floc"', "the sandbox has no files")
  stops("a law that is called", head .. "sim:add_field { law = function() return math.random(), 0 end }",
    "in the sandbox it must be: it calls math.random")
  stops("objects from being taken apart", head .. "print(getmetatable(sim).inner)", "attempt to index a nil value")
  stops("the metatable of texts from being taken", 'print(getmetatable("").__index)', "attempt to index a nil value")
  stops("an endless loop", "while true do end", "the sandbox's time of 1 s is over", "--time=1")
  stops("an endless loop that catches errors", "while true do pcall(function() while true do end end) end",
    "the sandbox's time of 1 s is over", "--time=1")
  stops("an endless loop in a coroutine", "coroutine.wrap(function() while true do end end)()",
    "the sandbox's time of 1 s is over", "--time=1")
  stops("an endless run", head .. "sim:run { until_ = function() return false end, progress = false }",
    "the sandbox's time of 1 s is over", "--time=1")
  stops("a memory hog", 'local t = {} for k = 1, 1e9 do t[k] = ("x"):rep(1e6) .. k end', "not enough memory", "--memory=200")

  it("leaves --time and --memory to scripts when it is off", function()
    local name = os.tmpname()
    local file = assert(io.open(name, "w"))
    file:write 'local args = require "floc".args { time = 1, memory = 2 } print(args.time + args.memory)'
    file:close()
    local pipe = io.popen(program .. " run " .. name .. " --time=30 --memory=4")
    local output = pipe:read "*a"
    pipe:close()
    os.remove(name)
    assert.matches("^34\n", output)
  end)
end)
