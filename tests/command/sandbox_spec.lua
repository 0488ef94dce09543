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
  stops("compiled chunks", 'assert(load "\\27Lua")', "only source text")
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
    "the sandbox accepts only traced laws, and this one cannot be traced: it calls math.random")
  stops("objects from being taken apart", head .. "print(getmetatable(sim).inner)", "attempt to index a nil value")
  stops("the metatable of texts from being taken", 'print(getmetatable("").__index)', "attempt to index a nil value")
  stops("an endless loop", "while true do end", "the sandbox's time of 1 s is used up", "--time=1")
  stops("an endless loop that catches errors", "while true do pcall(function() while true do end end) end",
    "the sandbox's time of 1 s is used up", "--time=1")
  stops("an endless loop in a coroutine", "coroutine.wrap(function() while true do end end)()",
    "the sandbox's time of 1 s is used up", "--time=1")
  stops("an endless run", head .. "sim:run { until_ = function() return false end, progress = false }",
    "the sandbox's time of 1 s is used up", "--time=1")
  stops("a pattern that never ends, in C", '(("x"):rep(200)):find((".-"):rep(30) .. "b")', "the sandbox's time of 1 s is used up", "--time=1")
  stops("a flood of output", 'while true do print(("x"):rep(1000)) end', "the sandbox's output of 1 MB is used up", "--print=1")
  stops("a flood of explanations", head .. "local law = sim:add_field { law = function(x) return 1, 2 * x end } while true do sim:explain(law) end",
    "the sandbox's output of 1 MB is used up", "--print=1")
  stops("a memory hog", 'local t = {} for k = 1, 1e9 do t[k] = ("x"):rep(1e6) .. k end', "the sandbox's memory of 200 MB is used up", "--memory=200")

  it("counts what is written to the byte", function()
    local output, status = run('for k = 1, 1024 do print(("x"):rep(1023)) end', "--print=1")
    assert.are.equal(0, status, output:sub(-200))
    output, status = run('for k = 1, 1024 do print(("x"):rep(1023)) end print ""', "--print=1")
    assert.are.equal(1, status, output:sub(-200))
  end)

  -- A folder with a scenario and its modules.
  local function with_folder(files, act)
    local folder = os.tmpname()
    os.remove(folder)
    assert(os.execute("mkdir -p " .. folder .. "/in/deep/down"))
    for name, text in pairs(files) do
      local file = assert(io.open(folder .. "/" .. name, "wb"))
      file:write(text)
      file:close()
    end
    act(folder, function(options)
      local pipe = io.popen(string.format("%s run %s %s/in/main.lua 2>&1; echo status $?", program, options, folder))
      local output = pipe:read "*a"
      pipe:close()
      return output, tonumber(output:match "status (%d+)%s*$")
    end)
    os.execute("rm -r " .. folder)
  end

  it("requires modules of the scenario's folder, once, in the same environment", function()
    with_folder({ ["in/main.lua"] = 'print(require "one", require "one", require "deep.two", require "deep.down", type(package))',
      ["in/one.lua"] = 'print "once" return type(io) .. type(os) .. require "deep.two"', ["in/deep/two.lua"] = "return 2",
      ["in/deep/down/init.lua"] = "return ..." },
      function(_, execute)
        local output, status = execute "--sandbox"
        assert.are.equal("once\nnilnil2\tnilnil2\t2\tdeep.down\tnil\nstatus 0\n", output)
        assert.are.equal(0, status)
      end)
  end)

  for _, case in ipairs { { "a name above the folder", "..outside", "not a name" }, { "a path", "../outside", "not a name" },
    { "an absolute path", "/etc/passwd", "not a name" }, { "a link that leads out", "link", "a symbolic link leads outside" },
    { "a folder that leads out", "way.outside", "a symbolic link leads outside" }, { "a pipe", "pipe", "it is not a file" },
    { "a compiled chunk", "compiled", "only source text" }, { "a compiled chunk behind #!", "behind", "only source text" },
    { "itself", "round", "requires itself" } } do
    it("does not require " .. case[1], function()
      with_folder({ ["in/main.lua"] = string.format("print(pcall(require, %q))", case[2]), ["outside.lua"] = "return 'got out'",
        ["in/compiled.lua"] = "\27LJ\2", ["in/behind.lua"] = "#!/usr/bin/floc\n\27Lua", ["in/round.lua"] = 'return require "round"' },
        function(folder, execute)
          assert(os.execute(string.format("cd %s/in && ln -s ../outside.lua link.lua && ln -s .. way && mkfifo pipe.lua", folder)))
          local output = execute "--sandbox"
          assert.matches("^false\t.*" .. case[3], output)
          assert.is_nil(output:find("got out", 1, true), output)
        end)
    end)
  end

  for name, bytes in pairs { ["of LuaJIT"] = "\27LJ\2", ["of Lua 5.4"] = "\27Lua", ["behind #!"] = "#!/usr/bin/floc\n\27LJ\2", ["behind a mark of UTF-8"] = "\239\187\191\27LJ\2" } do
    stops("a compiled script " .. name, bytes, "compiled chunk; the sandbox loads only source text")
  end
  stops("a compiled chunk from a reader of single bytes", [[local bytes, k = "\27LJ\2", 0
    assert(load(function() k = k + 1 return k <= #bytes and bytes:sub(k, k) or nil end))]], "only source text")
  it("stops numbers that are cdata", function()
    local output, status = run "local function f() return function() return 1LL end end"
    assert.are.equal(1, status, output)
    assert.is_truthy(output:find("the sandbox has no numbers such as 1LL", 1, true) or output:find("malformed number", 1, true), output) -- Lua 5.4
  end)

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
