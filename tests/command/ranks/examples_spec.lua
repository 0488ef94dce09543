-- Every example at its small size over three ranks: it does what it does in one process, bit for bit, or is refused by name.
-- In scripts/test.sh --long. FLOC_MPIEXEC says what starts several processes.

local shell = require "shell"
assert(shell.program and shell.source, "FLOC_PROGRAM or FLOC_SOURCE is not set")
local mpirun = assert(os.getenv "FLOC_MPIEXEC", "FLOC_MPIEXEC is not set")

-- The table of the spec that types all commands.
local function small_sizes()
  local file = assert(io.open(os.getenv "FLOC_SOURCE" .. "/tests/command/commands_spec.lua"))
  local text = file:read "*a"
  file:close()
  return assert((loadstring or load)("return " .. text:match "\nlocal small = (%b{})"))()
end

local small, names = small_sizes(), {}
for name in pairs(small) do names[#names + 1] = name end
table.sort(names)
-- What runs: a scheme that ranks share, and those that make no step. Each other one must be refused.
local runs = { ["recipes/settling.lua"] = true, ["recipes/lennard_jones_liquid.lua"] = true, ["recipes/lennard_jones_state.lua"] = true, ["acoustic/convergence.lua"] = true, ["aggregation/noise.lua"] = true, ["ballistic/calibration.lua"] = true,
  ["laws/curves.lua"] = true, ["recipes/dense_packing.lua"] = true }

describe("an example over three ranks", function()
  setup(function() shell.open() end)
  teardown(function() shell.close() end)

  for _, name in ipairs(names) do
    local words = ("'%s' run '%s/examples/%s' %s --hash --quiet"):format(shell.program, shell.source, name, small[name])
    it(name .. (runs[name] and " has the hash of one process" or " is refused by name"), function()
      local text, status = shell.run(("rm -rf out; timeout 300 '%s' --oversubscribe -n 3 %s"):format(mpirun, words))
      if not runs[name] then
        assert.are.equal(1, status, text)
        assert.matches("%.lua:%d+: [^\n]*not supported over several ranks, of which there are 3", text)
        return
      end
      assert.are.equal(0, status, text)
      shell.run "mv out three"
      local alone, ended = shell.run(words)
      assert.are.equal(0, ended, alone)
      assert.are.equal(alone, text)
      local differ = shell.run "test -d out || mkdir out; test -d three || mkdir three; diff -rq -x '*.floc' out three; rm -rf out three"
      assert.are.equal("", differ)
    end)
  end
end)
