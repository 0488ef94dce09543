-- Algorithm 3.3 of Lefebvre (2009) in plain Lua, with gamma as the bound of the impulse, for discs of a free plane: all pairs,
-- and the dual problem by one coordinate after the other until nothing changes. Slow, and has no line in common with the
-- engine: examples compare a few discs with it.
local algorithm = {}

-- discs: a list of { x, y, vx, vy, r, m }, whose velocities hold the force of the step already. gammas: by pair, kept between steps.
function algorithm.step(discs, gammas, h)
  local rows = {}
  for i = 1, #discs do
    for j = i + 1, #discs do
      local a, b = discs[i], discs[j]
      local x, y = b.x - a.x, b.y - a.y
      local length = math.sqrt(x * x + y * y)
      rows[#rows + 1] = { a = a, b = b, x = x / length, y = y / length, gap = length - a.r - b.r, p = 0, key = i * 100 + j }
    end
  end
  for _ = 1, 20000 do
    local change = 0
    for _, row in ipairs(rows) do
      local a, b = row.a, row.b
      local closing = row.gap / h + row.x * (b.vx - a.vx) + row.y * (b.vy - a.vy)
      local p = math.max(row.p - closing / (1 / a.m + 1 / b.m), gammas[row.key] or 0)
      local step = p - row.p
      a.vx, a.vy = a.vx - step * row.x / a.m, a.vy - step * row.y / a.m
      b.vx, b.vy = b.vx + step * row.x / b.m, b.vy + step * row.y / b.m
      row.p, change = p, math.max(change, math.abs(step))
    end
    if change < 1e-15 then break end
  end
  for _, row in ipairs(rows) do gammas[row.key] = math.min((gammas[row.key] or 0) - row.p, 0) end
  for _, d in ipairs(discs) do d.x, d.y = d.x + h * d.vx, d.y + h * d.vy end
end

return algorithm
