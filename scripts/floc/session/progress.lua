-- What a run shows while it runs: one line that is rewritten on a terminal, plain lines elsewhere.

local core = require "floc.core"

local progress = {}

local terminal_interval, plain_interval = 0.2, 10

local function duration(seconds)
  if seconds < 100 then return string.format("%.0f s", seconds) end
  if seconds < 5940 then return string.format("%.0f min", seconds / 60) end
  return string.format("%.1f h", seconds / 3600)
end

local function rate_text(rate)
  return string.format(rate < 10 and "%.1f steps/s" or "%.0f steps/s", rate)
end

-- goal: { step = } or { time = } or {}; begin: the step at which this run starts.
function progress.start(world, goal, step, time)
  local now = core.now()
  return {
    world = world, goal = goal, left_out = core.report(world).total_left_out, terminal = core.is_terminal(), begin = now, first_step = step, first_time = time,
    shown = now, shown_step = step, lines = 0,
    interval = core.is_terminal() and terminal_interval or plain_interval,
  }
end

-- Steps per second, smoothed over the last few lines.
local function measure_rate(self, step, now)
  local fresh = (step - self.shown_step) / math.max(now - self.shown, 1e-9)
  self.rate = self.rate and 0.7 * self.rate + 0.3 * fresh or fresh
  self.shown, self.shown_step = now, step
end

local function time_left(self, step, time, now)
  local goal = self.goal
  if goal.step then return (goal.step - step) / math.max(self.rate, 1e-9) end
  if goal.time and time > self.first_time then
    return (goal.time - time) * (now - self.begin) / (time - self.first_time)
  end
end

local function line(self, step, time, now)
  local report = core.report(self.world)
  local parts = {
    self.goal.step and string.format("step %d of %d", step, self.goal.step) or string.format("step %d", step),
    string.format("t = %.4g", time),
    string.format("%d contacts", report.contacts),
    string.format("residual %.1e", report.residual),
    rate_text(self.rate),
  }
  if report.pairs_left_out > 0 then parts[#parts + 1] = string.format("%d pairs omitted", report.pairs_left_out) end
  local left = time_left(self, step, time, now)
  if left then parts[#parts + 1] = duration(left) .. " left" end
  return table.concat(parts, ", ")
end

-- What soft contacts let a step be; nil where nothing limits it.
local function critical_text(world)
  local report = core.element_report(world)
  if not report or report.critical_time_step == math.huge then return nil end
  return string.format("critical time step of the contacts %.4g (particle %d), the last step was %.3g of it",
    report.critical_time_step, report.critical_id, report.time_step / report.critical_time_step)
end

-- Called after every step; writes when it is time to.
function progress.tick(self, step, time)
  local now = core.now()
  if now - self.shown < self.interval then return end
  measure_rate(self, step, now)
  local critical = self.lines == 0 and critical_text(self.world)
  if critical then io.stderr:write(critical, "\n") end
  local text = line(self, step, time, now)
  if self.terminal then text = text:sub(1, (core.terminal_width() or 80) - 1) end -- a wrapped line is not rewritten
  -- The cursor waits at the line's beginning: where a terminal that was made narrower wraps the line, all of it lies below. It does
  -- not wrap while the line is written, so that one that becomes narrower meanwhile cuts it.
  io.stderr:write(self.terminal and "\r\27[J\27[?7l" .. text .. "\27[?7h\r" or text .. "\n")
  io.stderr:flush()
  self.lines = self.lines + 1
end

-- Takes the rewritten line away, so that other text can be written.
function progress.clear(self)
  if self.terminal and self.lines > 0 then io.stderr:write("\r\27[J") end
end

-- Pairs that steps of this run left out of their problems.
local function left_out_text(self)
  local count = core.report(self.world).total_left_out - self.left_out
  return count > 0 and string.format("; %d pairs omitted from contact problems, because they pass each other", count) or ""
end

-- How far the last step's contact problem was from settled, where it was not: with a budget, or a loose tolerance.
local function unsettled_text(self)
  local report = core.report(self.world)
  if not report.energy_fall or report.energy_fall == 0 then return "" end
  return string.format("; in the last step energy still fell by %.2g of itself over the last half of the sweeps, overlap %.2g radii", report.energy_fall,
    report.overlap)
end

-- The end of a run that lasted long enough to be worth a line.
function progress.finish(self, step, time)
  progress.clear(self)
  local seconds = core.now() - self.begin
  local steps = step - self.first_step
  if self.lines == 0 and seconds < 1 then return end
  local critical = critical_text(self.world)
  io.stderr:write(string.format("%d steps to t = %.6g in %s (%s)%s\n", steps, time, duration(seconds),
    rate_text(steps / math.max(seconds, 1e-9)), (critical and "; " .. critical or "") .. left_out_text(self) .. unsettled_text(self)))
end

return progress
