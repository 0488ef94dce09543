-- Does the compiler of LuaJIT round as its interpreter does? On arm64 it makes one instruction of a product and a sum, which
-- rounds once: that of Debian 12 always, later ones where their option fma is on. The value of a callback would depend on
-- how often it ran, and would not be that of other machines. Only trying it out tells.

local rounding = { fused = false }

-- The product is 1 - 2^-60, which rounds to 1. The numbers are in a table, so that no compiler computes with them itself.
local function is_fused()
  local numbers, different = { 1 + 2 ^ -30, 1 - 2 ^ -30, -1 }, 0
  for _ = 1, 400 do
    if numbers[1] * numbers[2] + numbers[3] ~= 0 then different = different + 1 end
  end
  return different > 0
end

-- For the program, which decides about its Lua; a host's is not ours to change.
function rounding.settle()
  local jit = rawget(_G, "jit")
  if not jit then return end
  local fused = is_fused()
  jit.flush() -- what was compiled for trying
  if not fused then return end
  pcall(function() require("jit.opt").start "-fma" end)
  if is_fused() then
    jit.off()
    rounding.fused = true
  end
  jit.flush()
end

return rounding
