-- Every declaration of options, one file per area, in the order of floc.h. See reader.lua.
require "floc.surface.projection"

return require "floc.surface.reader"
