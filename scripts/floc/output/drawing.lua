-- Whether this floc draws: Cairo is left out of builds with -DFLOC_PICTURE=OFF.

local check = require "floc.surface.check"
local core = require "floc.core"

local drawing = {}

function drawing.need(call)
  if not core.picture then
    check.fail(call, "this floc was built without pictures, plots and movies (configure it with -DFLOC_PICTURE=ON)")
  end
end

return drawing
