-- Every declaration of structs and enums, one file per area. See reader.lua.
require "floc.surface.projection"
require "floc.surface.world"
require "floc.surface.particles"
require "floc.surface.bodies"
require "floc.surface.laws"
require "floc.surface.ballistic"
require "floc.surface.event_driven"
require "floc.surface.discrete_element"
require "floc.surface.rays"
require "floc.surface.clusters"
require "floc.surface.files"

return require "floc.surface.reader"
