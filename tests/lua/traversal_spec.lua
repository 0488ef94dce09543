-- No loop of the Lua half, in a host or in the program, and none of a script that the program runs takes the instruction of
-- LuaJIT that ends loops early: LuaJIT takes it where the iterator is its own next. See traversal.lua.

require "support"
local traversal = require "floc.session.traversal"

local jit, getfenv = rawget(_G, "jit"), rawget(_G, "getfenv")
local environment = getfenv and getfenv(traversal.replace) or _G
local in_program = require("floc.session.standard").is_installed()

local function kind(fn) return debug.getinfo(fn, "S").what end

describe("the iterator of pairs", function()
  it("is a function of Lua under LuaJIT", function()
    if not jit then return end
    for _, given in ipairs { {}, { 1, 2, 3 }, { a = 1 }, { a = 1, b = 2 }, { 1, a = 2 } } do
      assert.are.equal("Lua", kind((environment.pairs(given))))
      if in_program then assert.are.equal("Lua", kind((pairs(given)))) end
    end
    assert.are.equal("Lua", kind(environment.next))
    assert.are.equal(in_program and "Lua" or "C", kind(next))
  end)

  it("is the host's in scripts of a host", function()
    if in_program then return end
    assert.are.equal("C", kind(pairs))
    assert.are.equal("C", kind((pairs {})))
  end)

  it("refuses what is not a table", function()
    local ok, message = pcall(function() for _ in environment.pairs(3) do end end)
    assert.is_false(ok)
    assert.matches("table expected, got number", message)
  end)
end)

describe("the environment of the Lua half", function()
  it("reads and writes global variables", function()
    assert.are.equal(type, environment.type)
    environment.set_by_the_test = 7
    assert.are.equal(7, rawget(_G, "set_by_the_test"))
    environment.set_by_the_test = nil
    assert.is_nil(rawget(_G, "set_by_the_test"))
  end)
end)
