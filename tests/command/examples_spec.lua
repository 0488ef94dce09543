-- Every example, at a small size: run whole; run again, stopped by SIGTERM at about a third; resumed at another number of
-- threads. Every simulation in it must come to the same state, bit for bit. FLOC_PROGRAM and FLOC_SOURCE name the
-- program and the repository.

local shell = require "shell"
local program = assert(shell.program, "FLOC_PROGRAM is not set")
local source = assert(shell.source, "FLOC_SOURCE is not set")

local examples = {
  { "first/falling_grains", "" },
  { "first/moving_wall", "" },
  { "first/new_law", "" },
  { "gluey/plane", "" },
  { "gluey/billiard", "" },
  { "gluey/lotto", "" },
  { "gluey/red_cells", "" },
  { "gluey/sedimentation", "--steps=150" },
  { "gluey/sedimentation", "--model=gluey --steps=150" },
  { "friction/tilting_plane", "" },
  { "friction/sandpile", "--particles=60" },
  { "aggregation/shear", "--particles=200" },
  { "aggregation/noise", "--particles=200" },
  { "aggregation/size_distribution", "--particles=100 --seeds=2" },
  { "acoustic/agglomeration", "--particles=300 --rays=1000" },
  { "acoustic/agglomeration", "--preset=cohesive --in_flight=true --particles=200 --rays=1000 --seeds=2" },
  { "shapes/rod_colony", "--generations=8" },
  { "acoustic/rays_only", "--directions=0 --rays=5000 --shown=100" },
  { "ballistic/million", "--particles=20000 --method=projection --pictures=false" },
}

local run = shell.run

local function hashes(text)
  local found = {}
  for line in text:gmatch("simulation %d+: step %d+, hash %x+") do found[#found + 1] = line end
  return table.concat(found, "\n")
end

local function start(example, out, more)
  return string.format("'%s' run '%s/examples/%s.lua' %s --out=%s --hash --quiet %s", program, source, example[1], example[2],
    out, more or "")
end

-- Runs the example until it is stopped on its way; returns what it said. Too late: again, a little sooner.
local function stopped(example, out, seconds)
  for _ = 1, 12 do
    local text, status = run(string.format("rm -rf %s; timeout --preserve-status -s TERM %.3f %s", out, seconds,
      start(example, out, "--threads=1")))
    if status == 143 and text:match "continue with: %S*floc resume" then return text end
    if status ~= 0 and status ~= 143 then return text end
    seconds = seconds * (status == 0 and 0.7 or 1.3)
  end
end

describe("stopped at a third and resumed,", function()
  setup(function()
    shell.open()
  end)
  teardown(function() shell.close() end)

  for number, example in ipairs(examples) do
    it(example[1] .. " " .. example[2] .. " comes to the same states", function()
      local from, whole, status = os.time(), run(start(example, "whole" .. number))
      assert.are.equal(0, status, whole)
      local seconds = tonumber((run(string.format("/usr/bin/env bash -c 'TIMEFORMAT=%%R; time %s > /dev/null'",
        start(example, "timed" .. number):gsub("'", "\"")))):match "([%d.]+)\n") or os.time() - from
      local text = stopped(example, "stopped" .. number, seconds / 3)
      local file = text and text:match "continue with: %S*floc resume (%S+)"
      assert.is_truthy(file, text)
      text, status = run(string.format("'%s' resume %s --hash --quiet --threads=3", program, file))
      assert.are.equal(0, status, text)
      assert.are.equal(hashes(whole), hashes(text))
    end)
  end
end)
