-- pairs and next as the program gives them to scripts: an order that is the same in every process.

require "support"
local standard = require "floc.session.standard"
local pairs, next = standard.pairs, standard.next -- luacheck: ignore

local function keys_by_pairs(t)
  local keys = {}
  for key, value in pairs(t) do
    assert(t[key] == value)
    keys[#keys + 1] = tostring(key)
  end
  return table.concat(keys, " ")
end

local function keys_by_next(t)
  local keys = {}
  for key, value in next, t do
    assert(t[key] == value)
    keys[#keys + 1] = tostring(key)
  end
  return table.concat(keys, " ")
end

describe("pairs and next of the program", function()
  it("give numbers, then texts, then booleans, each in order", function()
    local t = { [true] = 1, [false] = 2, b = 3, a = 4, Z = 5, [3] = 6, [-1] = 7, [2.5] = 8, [10] = 9 }
    assert.are.equal("-1 2.5 3 10 Z a b false true", keys_by_pairs(t))
    assert.are.equal("-1 2.5 3 10 Z a b false true", keys_by_next(t))
    assert.are.equal("1 2 3", keys_by_pairs { 5, 6, 7 })
    assert.are.equal("1 2 3 n", keys_by_pairs { 5, 6, 7, n = 3 })
    assert.are.equal("", keys_by_pairs {})
    assert.is_nil(next {})
    assert.are.equal("a", (next { a = 1 }))
    assert.are.equal("a", (next { b = 1, a = 2, c = 3 }))
    assert.are.equal("1 2 4 5", keys_by_pairs { 1, 2, nil, 4, 5 })
  end)

  it("see what is assigned and leave out what is taken away", function()
    local t, seen = { a = 1, b = 2, c = 3, d = 4 }, {}
    for key, value in pairs(t) do
      if key == "a" then t.b, t.c = nil, 30 end
      t[key] = nil
      seen[#seen + 1] = key .. value
    end
    assert.are.equal("a1 c30 d4", table.concat(seen, " "))
    assert.is_nil(next(t))
    t, seen = { a = 1, b = 2, c = 3 }, {}
    local key, value = next(t)
    while key do
      seen[#seen + 1] = key .. value
      t[key] = nil
      key, value = next(t, key)
    end
    assert.are.equal("a1 b2 c3", table.concat(seen, " "))
  end)

  it("may be nested over one table, and mixed", function()
    local t, pairs_seen = { x = 1, y = 2, z = 3 }, 0
    for a in next, t do
      for b in next, t do
        for c in pairs(t) do pairs_seen = pairs_seen + (a .. b .. c == "yyy" and 100 or 1) end
      end
    end
    assert.are.equal(26 + 100, pairs_seen)
  end)

  it("refuse what Lua refuses", function()
    assert.has_error(function() for _ in pairs(nil) do break end end) -- luacheck: ignore 512
    assert.has_error(function() pairs() end)
    assert.has_error(function() next({ a = 1, b = 2 }, "c") end)
  end)

  if _VERSION ~= "Lua 5.1" then
    it("leave __pairs to the object", function()
      local object = setmetatable({}, { __pairs = function() return function(_, k) return not k and 1 or nil end, nil, nil end })
      assert.are.equal(1, (pairs(object)(nil, nil)))
    end)
  end
end)
