-- Compares floc.h as the C compiler sees it with what LuaJIT reads from floc_cdef(): sizes and offsets of all structs,
-- values of all enumerators, presence of all functions in libfloc.so.

--
--   luajit header.lua HEADER_TEXT C_ANSWERS libfloc.so      compares
--   luajit header.lua --c HEADER_TEXT                       writes the C program that gives the answers
--
-- The text is taken apart here with patterns that know only what floc.h consists of, and the counts are printed, so that
-- a struct which the patterns miss is seen.

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function parts_of(text)
  local parts = { structs = {}, enumerators = {}, functions = {} }
  text = text:gsub("/%*.-%*/", "")
  for name, body in text:gmatch("typedef%s+struct%s+([%w_]+)%s*(%b{})") do
    local fields = {}
    for declaration in body:sub(2, -2):gmatch("([^;]+);") do
      for field in declaration:gsub("%b[]", ""):gmatch("([%w_]+)%s*%f[,%z]") do fields[#fields + 1] = field end
    end
    parts.structs[#parts.structs + 1] = { name = name, fields = fields }
  end
  for body in text:gmatch("typedef%s+enum%s+[%w_]+%s*(%b{})") do
    for name in body:gmatch("(FLOC_[%w_]+)") do parts.enumerators[#parts.enumerators + 1] = name end
  end
  for name in text:gsub("%b{}", ""):gmatch("(floc_[%w_]+)%(") do parts.functions[#parts.functions + 1] = name end
  return parts
end

local function write_program(parts)
  local out = { "#include \"floc/floc.h\"\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{" }
  for _, struct in ipairs(parts.structs) do
    out[#out + 1] = string.format('  printf("size %s %%zu\\n", sizeof(%s));', struct.name, struct.name)
    for _, field in ipairs(struct.fields) do
      out[#out + 1] = string.format('  printf("offset %s.%s %%zu\\n", offsetof(%s, %s));', struct.name, field, struct.name, field)
    end
  end
  for _, name in ipairs(parts.enumerators) do
    out[#out + 1] = string.format('  printf("enum %s %%d\\n", (int)%s);', name, name)
  end
  for _, name in ipairs(parts.functions) do out[#out + 1] = string.format('  printf("function %s %%d\\n", %s != NULL);', name, name) end
  out[#out + 1] = "  return 0;\n}"
  print(table.concat(out, "\n"))
end

if arg[1] == "--c" then
  write_program(parts_of(read(arg[2])))
  os.exit(0)
end

local ffi = require "ffi"
local text = read(arg[1])
ffi.cdef(text)
assert(not pcall(ffi.cdef, text:gsub("floc_version%(void%);", "floc_version(void);\nthis line is no C;", 1):gsub("floc_", "again_")),
  "a line that is no C goes unnoticed")
local library = ffi.load(arg[3])
local kinds = { size = 0, offset = 0, enum = 0, ["function"] = 0 }
local wrong = 0
for kind, name, value in read(arg[2]):gmatch("(%a+) (%S+) (%-?%d+)\n") do
  local found
  if kind == "size" then
    found = ffi.sizeof(name)
  elseif kind == "offset" then
    found = ffi.offsetof(name:match("^(.-)%."), name:match("%.(.*)$"))
  elseif kind == "enum" then
    found = tonumber(ffi.C[name])
  else
    found = library[name] ~= nil and 1 or 0
  end
  kinds[kind] = kinds[kind] + 1
  if found ~= tonumber(value) then
    wrong = wrong + 1
    print(string.format("%s %s: C has %s, LuaJIT %s", kind, name, value, tostring(found)))
  end
end
print(string.format("%d structs, %d fields, %d enumerators, %d functions", kinds.size, kinds.offset, kinds.enum, kinds["function"]))
assert(kinds.size > 40 and kinds.offset > 300 and kinds.enum > 100 and kinds["function"] > 80, "the patterns miss parts of the header")
os.exit(wrong == 0 and 0 or 1)
