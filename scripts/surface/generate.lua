-- generate.lua ROOT [--check]: what is made from scripts/floc/surface; see scripts/surface.sh. Runs under every Lua.
local root = arg[1]
package.path = root .. "/scripts/?.lua;" .. root .. "/scripts/surface/?.lua;" .. package.path

require "floc.surface.structs" -- every declaration

require "structs"
require "results"
require "statuses"
require "operations"
require "measures"
require "columns"

require("files").report()
