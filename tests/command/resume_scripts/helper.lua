local helper = { seen = { sum = 0 } }
local calls, drag = 0, 0.1
function helper.watch(sim)
  calls, drag = calls + 1, drag + 0.01
  helper.seen.sum = helper.seen.sum + sim.x[1]
end
function helper.law(vx) return -drag * vx, 0 end
function helper.calls() return calls end
return helper
