-- floc.report: claims beside measured values. They are kept by the session, shown as a table at the end, and
-- written to <out>/result.json after each, so that a run that is cut short leaves what it has.
--
-- A claim has two bands. `expect`, or that of an ensemble, is ours: what the value must be for the run to be right. What the
-- paper claims is `paper_band`; without it, where the paper's words or value are given, it is `expect`. The value in or out
-- of the paper's band makes the verdict, "agrees" or "differs"; without words of a paper it is "open". A claim that differs
-- must have been announced with the reason (`differs`), and one that was announced and agrees is as wrong as the other way
-- round.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local ensembles = require "floc.output.ensembles"
local json = require "floc.output.json"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"

local report = {}

local expectations = { "at_least", "at_most", "equal", "tolerance" }

-- name: of the argument, expect or paper_band.
local function check_band(name, band, value)
  for key, wanted in pairs(band) do
    local is_known = false
    for _, known in ipairs(expectations) do is_known = is_known or known == key end
    if not is_known then
      check.fail("report", "unknown parameter %s.%s%s", name, tostring(key), check.suggestion(key, expectations))
    end
    if key ~= "equal" and (type(wanted) ~= "number" or wanted ~= wanted) then
      check.fail("report", "%s.%s is %s; it must be a number", name, key, check.show(wanted))
    end
    if key ~= "equal" and type(value) ~= "number" then
      check.fail("report", "value is %s; %s.%s needs a number", check.show(value), name, key)
    end
  end
  if next(band) == nil then check.fail("report", "%s is empty; it takes at_least, at_most, equal, tolerance", name) end
  if band.tolerance and band.equal == nil then
    check.fail("report", "%s.tolerance is given without %s.equal", name, name)
  end
  if band.tolerance and (band.tolerance < 0 or type(band.equal) ~= "number") then
    check.fail("report", "%s.tolerance is %s and %s.equal is %s; the first must be a number of at least 0, the second a "
      .. "number", name, check.show(band.tolerance), name, check.show(band.equal))
  end
end

-- Arguments that need, or exclude, one another.
local function check_given(values)
  local function fail(...) check.fail("report", ...) end
  if values.value == nil and not values.absent then fail("value is missing; or absent, which tells why there is none") end
  if values.value ~= nil and values.absent then
    fail("value is %s and absent is %s; it must be one of them", check.show(values.value), check.show(values.absent))
  end
  if values.ensemble and values.expect then fail("ensemble is %d and expect is given; the ensemble is the band", values.ensemble) end
  if values.ensemble and not values.absent and type(values.value) ~= "number" then
    fail("value is %s; the band of an ensemble needs a number", check.show(values.value))
  end
  if values.band_from and not values.expect then fail("band_from is %s, but there is no expect", check.show(values.band_from)) end
  if values.paper_band and not (values.paper_says or values.paper_value) then
    fail("paper_band is given without what the paper says: paper_says or paper_value")
  end
  if values.differs and not values.paper_band then
    fail("differs is given without paper_band, the range in which the value would agree with the paper")
  end
end

local function passes(expect, value)
  if expect.at_least and not (value >= expect.at_least) then return false end
  if expect.at_most and not (value <= expect.at_most) then return false end
  if expect.equal == nil then return true end
  if not expect.tolerance then return value == expect.equal end
  return math.abs(value - expect.equal) <= expect.tolerance
end

-- A number as people write it: 6 digits are enough beside a claim; the file has them all.
function report.short(value)
  return type(value) == "number" and core.number_format("%.6g", value) or tostring(value)
end

function report.expected_text(expect)
  local parts = {}
  if expect.at_least then parts[#parts + 1] = ">= " .. report.short(expect.at_least) end
  if expect.at_most then parts[#parts + 1] = "<= " .. report.short(expect.at_most) end
  if expect.equal ~= nil then
    parts[#parts + 1] = report.short(expect.equal) .. (expect.tolerance and " +- " .. report.short(expect.tolerance) or "")
  end
  return table.concat(parts, ", ")
end

local function result(self)
  local passed = true
  local results = setmetatable({}, json.list)
  for k, one in ipairs(self.reports) do
    results[k] = one
    if one.passed == false then passed = false end
  end
  local arguments = setmetatable({}, json.list)
  for k, argument in ipairs(self.arguments) do arguments[k] = argument end
  return { script = self.script_name, version = core.version, arguments = arguments, parameters = ensembles.arguments(self),
    results = results, passed = passed }
end

local function write_result(self)
  if sandbox.is_active() then return end
  local path = session.out_folder(self) .. "/result.json"
  local ok, message = session.make_folder_for(path)
  if ok then ok, message = session.write_text(path, json.encode(result(self))) end
  if not ok then check.fail("report", "%s", message) end
end

-- "agrees", "differs", "open", or "not applicable"; and whether the claim holds, nil where nothing tells.
local function judge(one)
  if one.absent then return "not applicable" end
  local passed
  if one.expect then passed = passes(one.expect, one.value) end
  local verdict, band = "open", one.paper_band
  if band then
    verdict = passes(band, one.value) and "agrees" or "differs"
  elseif one.ensemble then -- a band around our own mean says nothing of the paper, unless its number lies there
    if one.expect and type(one.paper_value) == "number" then verdict = passes(one.expect, one.paper_value) and "agrees" or "differs" end
  elseif one.expect and (one.paper_says or one.paper_value) then
    verdict = passed and "agrees" or "differs"
  end
  if verdict ~= "open" and (verdict == "differs") ~= (one.differs ~= nil) then passed = false end
  if passed == nil and verdict ~= "open" then passed = true end
  return verdict, passed
end

local kept = { "claim", "item", "paper", "paper_says", "paper_value", "paper_band", "value", "unit", "standard_error", "absent", "expect", "band_from",
  "ensemble", "differs" }

-- The claim as it is kept, with its band and verdict.
local function claim_of(self, values)
  local one = {}
  for _, key in ipairs(kept) do
    local value = values[key]
    if type(value) == "table" then
      local copy = {}
      for name, wanted in pairs(value) do copy[name] = wanted end
      value = copy
    end
    one[key] = value
  end
  local is_lost
  if one.ensemble and not one.absent then
    local band, from, should_be = ensembles.band(self, one.claim, one.ensemble)
    is_lost = should_be
    one.expect, one.band_from = band, from
    if not band then one.band_from, one.absent = nil, from end
  end
  one.verdict, one.passed = judge(one)
  if is_lost then one.passed = false end
  return one
end

-- Returns whether the claim holds; nil where there is nothing to hold it against.
function report.add(given)
  local values = check.table(declarations.report, given)
  local self = session.current()
  check_given(values)
  for _, name in ipairs { "expect", "paper_band" } do
    if values[name] and values.value ~= nil then check_band(name, values[name], values.value) end
  end
  if self.replay then return nil end
  local one = claim_of(self, values)
  self.reports[#self.reports + 1] = one
  write_result(self)
  if self.shows_reports and not session.exit_guard then
    session.at_exit(function() io.stdout:write("\n", report.text(self)) end)
  end
  return one.passed
end

-- The value with its standard error and unit; "" without one.
function report.value_text(one)
  if one.value == nil then return "" end
  return report.short(one.value) .. (one.standard_error and " +- " .. report.short(one.standard_error) or "") .. (one.unit and " " .. one.unit or "")
end

-- ---- the table at the end -----------------------------------------------------------------------

local function rows_of(self)
  local rows = { { "claim", "paper", "measured", "expected", "" } }
  for _, one in ipairs(self.reports) do
    local mark = one.passed == nil and "" or one.passed and (one.verdict == "open" and "met" or one.verdict) or "NOT MET"
    if one.absent then mark = one.passed == false and "NOT MET: " .. one.absent or "not applicable: " .. one.absent end
    rows[#rows + 1] = { one.claim, one.paper or "", report.value_text(one),
      one.expect and report.expected_text(one.expect) or "", mark }
  end
  return rows
end

-- Characters, not bytes: claims may hold letters beyond ASCII.
local function width(text)
  return select(2, text:gsub("[^\128-\191]", ""))
end

-- The reports of a session as lines of text; "" without any.
function report.text(self)
  if #self.reports == 0 then return "" end
  local rows, widths, lines = rows_of(self), {}, {}
  for _, row in ipairs(rows) do
    for k, cell in ipairs(row) do widths[k] = math.max(widths[k] or 0, width(cell)) end
  end
  for r, row in ipairs(rows) do
    local cells = {}
    for k, cell in ipairs(row) do cells[k] = cell .. string.rep(" ", widths[k] - width(cell)) end
    lines[#lines + 1] = (table.concat(cells, "  "):gsub("%s+$", ""))
    if r == 1 then
      local rule = {}
      for k = 1, 4 do rule[k] = string.rep("-", widths[k]) end
      lines[#lines + 1] = table.concat(rule, "  ")
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Number of claims that are not met.
function report.failures(self)
  local count = 0
  for _, one in ipairs(self.reports) do
    if one.passed == false then count = count + 1 end
  end
  return count
end

return report
