-- pairs and next as the Lua half uses them under LuaJIT.
--
-- LuaJIT runs a loop over pairs or next by an instruction of its own (ITERN) that keeps a place in the table where other
-- loops keep the key. Compiled, this instruction has had faults that end a loop early or leave an entry out, without an
-- error: https://github.com/LuaJIT/LuaJIT/issues/827 (the LuaJIT of Debian 12 has it), dad04f17 and 119fd1fa of 2022 and 2023,
-- issue 1510 of August 2026. LuaJIT takes the instruction only while the iterator is its own `next`; with the function
-- of Lua below it uses the same instruction as for any other iterator.
--
-- The chunks of the Lua half have an environment of their own (module.c), so that nothing of a host's changes. It reads
-- and writes the global variables, but for the two names that are set here. In Lua 5.4 there is nothing to do.

local traversal = {}

local real_next, real_pairs, type, rawset = next, pairs, type, rawset
local environment = rawget(_G, "getfenv") and getfenv(1)

local function step(t, key) return real_next(t, key) end

local function own_pairs(t)
  if type(t) ~= "table" then return real_pairs(t) end
  return step, t, nil
end

-- What an iterator of pairs is to be instead of Lua's next.
traversal.step = environment and step or real_next

-- Other functions under the two names, for the Lua half as well.
function traversal.replace(pairs_function, next_function)
  if not environment then return end
  rawset(environment, "pairs", pairs_function)
  rawset(environment, "next", next_function)
end

traversal.replace(own_pairs, step)

return traversal
