-- A host that has set a locale with decimal commas (any GTK or Qt program does, at its start): the files are the same,
-- byte by byte, as without, and a checkpoint that was written in one locale is read in the other. locale_script.lua is
-- the host, a plain Lua of the kind that runs this. The locale is made here, because a machine may have none.

local support = require "support"

local module = package.searchpath and package.searchpath("floc", package.cpath)
local interpreter = rawget(_G, "jit") and "luajit" or "lua5.4"
local locales = { "C", "de_DE.UTF-8" }

describe("a locale with decimal commas", function()
  if not module then return end -- in the program, which sets no locale

  local folder = support.folder()
  teardown(function() support.remove(folder) end)
  local places = folder .. "/locales"
  assert(support.core.make_folder(places))
  local made = os.execute(string.format("localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' > '%s/localedef.txt' 2>&1", places, folder))
  assert(made == true or made == 0, "localedef failed; the Debian package locales has what it reads")

  local function host(locale, where, argument)
    assert(support.core.make_folder(folder .. "/" .. where))
    local pipe = io.popen(string.format("cd '%s/%s' && LOCPATH='%s' FLOC_LOCALE=%s FLOC_CPATH='%s' %s '%s/tests/lua/locale_script.lua' %s 2> errors.txt",
      folder, where, places, locale, module, interpreter, os.getenv "FLOC_SOURCE", argument or ""))
    local last
    for line in pipe:lines() do last = line end
    pipe:close()
    return last or "nothing: " .. tostring(support.read(folder .. "/" .. where .. "/errors.txt"))
  end

  local told = {}
  for _, locale in ipairs(locales) do told[locale] = host(locale, locale) end

  it("writes the same files", function()
    assert.matches("^%x+ 0.33333333333333331 2.75 %-0.0625 1,5$", told.C)
    assert.are.equal(told.C, told[locales[2]])
    local pipe = io.popen(string.format("cd '%s' && diff -r -q -x run.floc C %s && ls C | wc -l", folder, locales[2]))
    local said = pipe:read "*a"
    pipe:close()
    assert.are.equal("12", (said:gsub("%s", "")))
    local table_text = support.read(folder .. "/C/table.txt")
    assert.matches("\t0%.5\n", table_text)
  end)

  it("reads checkpoints of both in both", function()
    for _, reader in ipairs(locales) do
      for _, writer in ipairs(locales) do
        assert.are.equal(told.C, host(reader, reader .. "-" .. writer, "'" .. folder .. "/" .. writer .. "/run.floc'"))
      end
    end
  end)
end)
