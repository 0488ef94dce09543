-- What `luacheck scripts examples benchmarks tests` holds our Lua against (the test structure_luacheck).
std = "max" -- LuaJIT and Lua 5.4
max_line_length = false
ignore = {
  "212", -- arguments that a callback gets and does not need: they say what it gets
  "43.", -- a callback's own sim hides the script's, which is the same
  "581", -- not (a < b) is true for NaN, which is why it is written so
}
exclude_files = { "scripts/floc.d.lua" } -- made; declares what editors know
files["scripts/floc/session/sandbox.lua"] = { globals = { "string.dump" } }
files["tests"] = { read_globals = { "describe", "it", "setup", "teardown", "before_each", "after_each", assert = { other_fields = true } } }
files["tests/lua/coverage.lua"] = { globals = { "coroutine.create", "os.exit" } }
files["tests/lua/law_kinds_spec.lua"] = { globals = { "io.stderr" } }
files["tests/command/resume_scripts"] = { read_globals = { "TICK" } } -- called by the test that runs them
files["tests/command/resume_scripts/globals.lua"] = { globals = { "count", "names", "note", "fresh" } } -- what it is about
files["tests/command/resume_scripts/refused_function.lua"] = { ignore = { "231" } } -- a variable that only its callback sets
