-- The reader of JSON: what our writer wrote, what others write, and what is none.

local support = require "support"
local json = require "floc.output.json"

describe("json.decode", function()
  it("reads back what was written", function()
    local value = { a = 1 / 3, b = { 1, 2, { c = "x\n\"\\\t\1ü" } }, d = true, e = false, f = -1e300, ["ü"] = "" }
    assert.are.same(value, (json.decode(json.encode(value))))
    assert.are.equal(support.core and 0, #json.decode(json.encode(setmetatable({}, json.list))))
  end)
  it("reads what others write", function()
    assert.are.same({ a = { 1, "é€", "\\u0041", "A/" }, b = {} },
      (json.decode ' {"a":[1 ,"\\u00e9\\u20ac","\\\\u0041", "\\u0041\\/"],\t"b":{ } }\r\n'))
    assert.are.equal("\\", (json.decode '"\\u005c"'))
    assert.is_nil((json.decode "null"))
  end)
  it("knows the numbers that JSON cannot write", function()
    assert.are.equal(math.huge, json.number(json.decode(json.encode(math.huge))))
    assert.are.equal(-math.huge, json.number(json.decode(json.encode(-math.huge))))
    assert.are.equal(2.5, json.number(2.5))
  end)
  for _, text in ipairs { "", "{", "[1", "[1 2]", '{"a" 1}', "{a:1}", '"abc', "tru", "1 2", "[1,]", '"\\' } do
    it("refuses " .. text, function()
      local value, message = json.decode(text)
      assert.is_nil(value)
      assert.matches("at byte %d+", message)
    end)
  end
end)
