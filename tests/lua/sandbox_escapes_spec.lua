-- What a script of a stranger can come to hold: sandbox_escapes.lua tries, in a plain Lua of the kind that runs this.

local support = require "support"

local module = package.searchpath and package.searchpath("floc", package.cpath)
local interpreter = rawget(_G, "jit") and "luajit" or "lua5.4"

describe("what a script in the sandbox tries", function()
  if not module then return end -- in the program, that carries the module (sanitizers): the sandbox needs the plain one

  local folder, lines = support.folder(), {}
  assert(support.core.make_folder(folder .. "/in"))
  support.write(folder .. "/in/own.lua", "return { name = 'own' }")
  support.write(folder .. "/secret.lua", "return debug, require 'ffi'")
  support.write(folder .. "/in/compiled.lua", "\27LJ\2")
  support.write(folder .. "/in/escape_c.so", "\127ELF")
  os.execute(string.format("ln -s ../secret.lua '%s/in/link.lua'", folder))
  local before = support.core.list_folder(folder .. "/in")
  local pipe = io.popen(string.format("cd '%s/in' && %s '%s/tests/lua/sandbox_escapes.lua' '%s' '%s/in' 2>&1; echo status $?", folder, interpreter,
    os.getenv "FLOC_SOURCE", module, folder))
  for line in pipe:lines() do lines[#lines + 1] = line end
  pipe:close()
  local after = support.core.list_folder(folder .. "/in")
  support.remove(folder)

  it("comes to an end", function() assert.are.equal("status 0", lines[#lines]) end)

  it("is more than 250 ways", function()
    local count = 0
    for _, line in ipairs(lines) do count = count + (line:find "^ok " and 1 or 0) end
    assert.is_true(count >= 250, tostring(count))
  end)

  it("gives it nothing", function()
    for _, line in ipairs(lines) do assert.is_nil(line:find "^ESCAPE", line) end
  end)

  it("would be seen, if it did", function()
    local found = 0
    for _, line in ipairs(lines) do
      assert.is_nil(line:find "^MISSED", line)
      if line:find "^found " then found = found + 1 end
    end
    assert.is_true(found >= 13, tostring(found))
  end)

  it("leaves no file", function()
    table.sort(before)
    table.sort(after)
    assert.are.same(before, after)
  end)
end)

-- Every parameter that names a file has the type that asks the sandbox.
describe("names of files", function()
  local declarations = require "floc.surface.declarations"
  local names_file = { path = true, paths = true, movie = true, file = true, folder = true, name_of_file = true }

  it("are of the type path wherever a call takes one", function()
    local found = 0
    local function look(call, fields)
      for _, field in ipairs(fields) do
        if type(field) == "table" and field.type then
          if names_file[field.name] and field.type:find "string" then error(call .. ": " .. field.name .. " is a text") end
          if field.type:find "path" and not field.type:find "paths" then found = found + 1 end
        end
      end
    end
    for call, fields in pairs(declarations) do
      if type(fields) == "table" then look(call, fields) end
    end
    assert.is_true(found >= 9, tostring(found)) -- mesh, checkpoint, observe, picture, plot, record, write_vtp, write_xyz, ...
  end)

  it("reach the C half through check_path alone", function()
    for _, folder in ipairs { "", "world/", "output/", "page/" } do
      folder = os.getenv "FLOC_SOURCE" .. "/bindings/lua/" .. folder
      for _, file in ipairs(support.core.list_folder(folder)) do
        if file:find "%.c$" and file ~= "gate.c" then
          for line in support.read(folder .. file):gmatch "[^\n]+" do
            local takes = not line:find "check_path" and (line:find "luaL_checkl?string" or line:find "luaL_optl?string" or line:find "FIELD_STRING")
            assert.is_falsy(takes and (line:find "path" or line:find "file" or line:find "folder") and file .. ": " .. line)
          end
        end
      end
    end
  end)
end)
