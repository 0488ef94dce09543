-- floc.report: claims beside measured values. They are kept by the session, shown as a table at the end, and
-- written to <out>/result.json after each, so that a run that is cut short leaves what it has.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local json = require "floc.output.json"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"

local report = {}

local expectations = { "at_least", "at_most", "equal", "tolerance" }

local function check_expect(expect, value)
  for key, wanted in pairs(expect) do
    local is_known = false
    for _, name in ipairs(expectations) do is_known = is_known or name == key end
    if not is_known then
      check.fail("report", "unknown parameter expect.%s%s", tostring(key), check.suggestion(key, expectations))
    end
    if key ~= "equal" and (type(wanted) ~= "number" or wanted ~= wanted) then
      check.fail("report", "expect.%s is %s; it must be a number", key, check.show(wanted))
    end
    if key ~= "equal" and type(value) ~= "number" then
      check.fail("report", "value is %s; expect.%s needs a number", check.show(value), key)
    end
  end
  if expect.tolerance and expect.equal == nil then
    check.fail("report", "expect.tolerance is given without expect.equal")
  end
  if expect.tolerance and (expect.tolerance < 0 or type(expect.equal) ~= "number") then
    check.fail("report", "expect.tolerance is %s and expect.equal is %s; the first must be a number of at least 0, the second a "
      .. "number", check.show(expect.tolerance), check.show(expect.equal))
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
  return { script = self.script_name, version = core.version, arguments = arguments, results = results,
    passed = passed }
end

local function write_result(self)
  if sandbox.is_active() then return end
  local path = session.out_folder(self) .. "/result.json"
  local ok, message = session.make_folder_for(path)
  if ok then ok, message = session.write_text(path, json.encode(result(self))) end
  if not ok then check.fail("report", "%s", message) end
end

-- Returns whether the expectation is met; nil without one.
function report.add(given)
  local values = check.table(declarations.report, given)
  local self = session.current()
  if values.expect then check_expect(values.expect, values.value) end
  if self.replay then return nil end
  local one = { claim = values.claim, paper = values.paper, paper_value = values.paper_value, value = values.value, unit = values.unit }
  if values.expect then
    one.expect = {}
    for key, wanted in pairs(values.expect) do one.expect[key] = wanted end
    one.passed = passes(values.expect, values.value)
  end
  self.reports[#self.reports + 1] = one
  write_result(self)
  if self.shows_reports and not session.exit_guard then
    session.at_exit(function() io.stdout:write("\n", report.text(self)) end)
  end
  return one.passed
end

-- ---- the table at the end -----------------------------------------------------------------------

local function rows_of(self)
  local rows = { { "claim", "paper", "measured", "expected", "" } }
  for _, one in ipairs(self.reports) do
    local mark = one.passed == nil and "" or one.passed and "met" or "NOT MET"
    rows[#rows + 1] = { one.claim, one.paper or "", report.short(one.value) .. (one.unit and " " .. one.unit or ""),
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
