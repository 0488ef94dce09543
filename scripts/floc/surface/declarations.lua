-- What every call takes that is given a table, by its name and in the order of the manual: of these come the checking of scripts,
-- the defaults, `floc help <call>`, docs/lua.md and the annotations for editors. They are made of the calls in this folder
-- (structs.lua names the files, reader.lua their form).
--
-- A declaration is a list of fields with the call's name, owner ("floc" or "sim": floc.name{...} or sim:name{...}), summary
-- and what it returns. A field has
--   name, type      see check.lua for the types; "a|b" means either
--   required        no default exists
--   default         used when the field is not given
--   above, at_least, below, at_most, infinite   allowed numbers
--   one_of          allowed words
--   unit            dimension of the number
--   may_lack        a list that need not be given
--   instead_of      other words that people try
--   text            one sentence for the reader

local surface = require "floc.surface.structs"

local declarations = {}

for _, call in ipairs(surface.order) do
  if call.kind == "call" then
    local fields = surface.fields(call.name)
    fields.owner, fields.name = call.name:match "^(%w+)%.([%w_]+)$"
    fields.summary = call.summary
    for _, field in ipairs(fields) do
      field.name, field.type = field[1], field[2]
      field[1], field[2] = nil, nil
      if field.positional then fields.positional = field end
    end
    declarations[fields.name] = fields
    declarations[#declarations + 1] = fields
  end
end

return declarations
