-- floc.plot: line plots of what a script has measured, drawn by the same code as pictures.

local check = require "floc.surface.check"
local core = require "floc.core"
local declarations = require "floc.surface.declarations"
local drawing = require "floc.output.drawing"
local sandbox = require "floc.session.sandbox"
local session = require "floc.session.session"
local surface = require "floc.surface.structs"

local enums = surface.enums

-- The sum of the numbers of several words: "line markers".
local function style_of(text)
  local sum, styles = 0, enums.plot_style
  for word in text:gmatch "%a+" do
    if not styles.value[word] then
      local words = {}
      for k, style in ipairs(styles) do words[k] = style[1] end
      check.fail("series", "style is %s; it must be made of %s", check.show(text), table.concat(words, ", "))
    end
    sum = sum + styles.value[word]
  end
  return sum
end

local function check_numbers(name, list, count)
  if count and #list ~= count then
    check.fail("series", "%s has %d values and y has %d; their lengths must be equal", name, #list, count)
  end
  for k, value in ipairs(list) do
    if type(value) ~= "number" then
      check.fail("series", "%s[%d] is %s; it must be a number", name, k, check.show(value))
    end
  end
end

local function series_of(given)
  local values = check.table(declarations.series, given)
  check_numbers("y", values.y)
  for _, name in ipairs { "x", "error", "band_lower", "band_upper" } do
    if values[name] then check_numbers(name, values[name], #values.y) end
  end
  values.style, values.dash = style_of(values.style), enums.plot_dash.value[values.dash]
  return values
end

local function panel_of(declaration, given)
  local values = check.table(declaration, given)
  for _, axis in ipairs { "x", "y" } do
    if values[axis] then values[axis] = check.table(declarations.axis, values[axis]) end
  end
  local list = {}
  for key in pairs(values.series) do
    if type(key) ~= "number" then check.fail("plot", "series has the key %s; it must be a list of series: series = { { %s = ... } }", check.show(key), tostring(key)) end
  end
  for k, one in ipairs(values.series) do list[k] = series_of(one) end
  values.series = list
  if values.references then
    local lines = {}
    for k, one in ipairs(values.references) do lines[k] = check.table(declarations.reference, one) end
    values.references = lines
  end
  values.legend = enums.plot_legend.value[values.legend]
  return values
end

return check.strict("plot", function(given)
  drawing.need "plot"
  local page, panels = check.table(declarations.plot, given), {}
  if page.panels then
    for _, name in ipairs { "series", "x", "y", "references", "equal_scale" } do
      if given[name] ~= nil then check.fail("plot", "panels and %s are both given; only one of them may be", name) end
    end
    for k, one in ipairs(page.panels) do panels[k] = panel_of(declarations.panel, one) end
  else
    if not page.series then check.fail("plot", "series is missing; it must be a list of series, or give panels") end
    panels[1] = panel_of(declarations.panel, { series = page.series, x = page.x, y = page.y,
      references = page.references, equal_scale = page.equal_scale, legend = page.legend })
  end
  if session.current().replay or sandbox.leaves_out "plot" then return end
  local options = { title = page.title, caption_left = page.caption, columns = page.columns, width = page.width,
    height = page.height, background = page.background }
  local ok, message = session.make_folder_for(page.path)
  if ok then ok, message = core.plot(page.path, options, panels) end
  if not ok then check.fail("plot", "%s", message) end
end, 0)
