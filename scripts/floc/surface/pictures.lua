-- Pictures, plots and movies, and files for other programs. See reader.lua for the form. The structs here are those of bindings/picture.

local surface = require "floc.surface.reader"
local enum, struct, call = surface.enum, surface.struct, surface.call

local PICTURE, PLOT = "bindings/picture/picture.h", "bindings/picture/plot/plot.h"
local nan, automatic = 0 / 0, -1

-- A call's own fields, and those of lists that calls share.
local function with(fields, ...)
  for _, list in ipairs { ... } do
    for _, entry in ipairs(list) do fields[#fields + 1] = entry end
  end
  return fields
end

struct "picture_scale" {
  file = PICTURE,
  { "map", "string", c = 'Name of a colour map, see picture_map_name; NULL: the default of its use: particles "viridis", tubes "grey", lines "inferno".' },
  { "reversed", "boolean", default = false, c = "Takes the map from its other end." },
  { "logarithmic", "boolean", default = false, text = "Colour by the logarithm.", c = "Colour by the logarithm; values <= 0 are grey." },
  { "lower", "number", default = nan, automatic = true, c = "Value at the map's lower end; NaN: from what the window shows (in all panels "
      .. 'if shared_scale). The map "diverging" is then symmetric about 0 when the data have both signs.' },
  { "upper", "number", default = nan, automatic = true, c = "At its upper end." },
  { "legend", "boolean", default = true, text = "Draw the colour bar.", c = "Draw the colour bar, where values are given." },
  { "label", "string", c = 'Of the legend: "speed"; NULL: none.' },
  { "unit", "string", text = "Unit, written after the label.", c = 'Written after the label in brackets: "m s^{-1}"; NULL: none.' },
}

struct "picture_lines" {
  file = PICTURE,
  { "count", "integer64", default = 0, at_least = 0, c = "Of lines." },
  { "points", "const double *", c = "6 per line: x, y, z of both ends; z is ignored in 2-D." },
  { "value", "const double *", c = "NULL: all in `colour`." },
  { "scale", "picture_scale" },
  { "colour", "colour", default = automatic, at_least = 0, at_most = 0xffffff, automatic = true, c = "Without value." },
  { "width", "number", default = 0, at_least = 0, text = "Width of the lines of rays; 0: chosen automatically.",
    c = "Of tubes: the diameter [length]; 0: 0.6 of the median particle radius. Of lines: in pixels; 0: 1.2." },
  { "arrows", "boolean", default = false, c = "Lines have an arrow head at the second end." },
}

struct "picture_field" {
  file = PICTURE,
  { "cells_x", "integer", default = 0, at_least = 0, at_most = 10000000, c = "Of the grid along x; 0: there is no field." },
  { "cells_y", "integer", default = 0, at_least = 0, at_most = 10000000, c = "Along y." },
  { "lower", "vector", default = { 0, 0, 0 }, free = true, unit = "length", c = "Where the grid begins." },
  { "spacing", "vector", default = { 1, 1, 1 }, free = true, unit = "length", c = "Sides of a cell, above 0." },
  { "value", "const double *", c = "cells_x times cells_y, x runs fastest. What the scale has no place for (NaN, on a logarithmic one also values <= 0) stays empty." },
  { "scale", "picture_scale" },
}

struct "picture_view" {
  file = PICTURE,
  { "lower", "vector", default = { nan, nan, nan }, automatic = true, unit = "length", text = "Window: lower corner; default: everything.",
    c = "Window, in 2-D x and y; NaN: all bodies and all particles. If single particles are so far off that all others would become dots, the "
      .. "window covers 99 % of them and the picture says how many are outside. In 3-D the box that the picture must show; particles whose "
      .. "centre is outside of a given box are left out. Single components may be NaN." },
  { "upper", "vector", default = { nan, nan, nan }, automatic = true, unit = "length", text = "Window: upper corner." },
  { "direction", "vector", default = { -0.45, -0.4, -1 }, text = "Three dimensions: viewing direction of the camera; default: from the front, a little from the right and above.",
    c = "3-D: the viewing direction; by default from the front, a little from the right and above." },
  { "up", "vector", default = { 0, 1, 0 }, c = "3-D: upwards in the picture; not parallel to direction." },
  { "zoom", "number", default = 1, above = 0, text = "Magnification about the centre." },
}

struct "picture_scene" {
  file = PICTURE,
  { "title", "string", text = "Title above the panel.", c = "Above the panel; NULL: none." },
  { "dimension", "integer", default = 2, at_least = 2, at_most = 3, c = "Of the scene." },
  { "view", "picture_view" },
  { "particle_count", "integer64", default = 0, at_least = 0, before = "particles", c = "Number of particles: the length of the arrays that follow." },
  { "x", "const double *", c = "[length]" },
  { "y", "const double *", c = "[length]" },
  { "z", "const double *", c = "[length]; needed in 3-D, ignored in 2-D." },
  { "radius", "const double *", c = ">= 0 [length]" },
  { "value", "const double *", c = "Colour by scale; NULL: not." },
  { "scale", "picture_scale" },
  { "group", "const int32_t *", c = "Colour by group number from the qualitative list (any number; negative: grey); goes before value; NULL: not." },
  { "group_names", "const char *const *", c = "For a legend of groups 0 .. group_name_count-1; NULL: no legend." },
  { "group_name_count", "integer", default = 0, at_least = 0, c = "Length of group_names." },
  { "colour", "const int32_t *", c = "Colour of each particle, 0xRRGGBB; goes before group and value where it is not PICTURE_AUTOMATIC; NULL: not." },
  { "particle_colour", "colour", default = automatic, at_least = 0, at_most = 0xffffff, automatic = true,
    c = "Of particles without value, group and colour; automatic: blue." },
  { "particle_opacity", "number", default = 1, at_least = 0, at_most = 1, c = "In 2-D and vector files only. Lower it to see tubes." },
  { "outline", "boolean", default = true, c = "Thin dark rim around each particle; left out where particles are smaller than about 2 pixels." },
  { "shape_count", "integer64", default = 0, at_least = 0, before = "bodies", c = "Length of the arrays." },
  { "shapes", "const floc_shape *", c = "In world coordinates, as floc_body_get_shape gives them." },
  { "shape_moves", "const bool *", c = "Per shape: one that moves and is far from everything else does not make the automatic window; NULL: none does." },
  { "shape_colour", "const int32_t *", c = "Per shape, may be PICTURE_AUTOMATIC; NULL: all in body_colour." },
  { "body_colour", "colour", default = automatic, at_least = 0, at_most = 0xffffff, automatic = true, c = "Automatic: dark grey." },
  { "body_opacity", "number", default = 0.28, at_least = 0, at_most = 1, c = "Of faces in 3-D." },
  { "boundary", "boundary[3]", default = "open", before = "domain: walls are drawn like bodies, periodic faces dashed, open ones not", c = "Of each axis." },
  { "domain_lower", "vector", default = { 0, 0, 0 }, free = true, unit = "length", c = "Read on axes that are not open." },
  { "domain_upper", "vector", default = { 0, 0, 0 }, free = true, unit = "length", c = "Likewise." },
  { "tubes", "picture_lines", before = "contacts, bonds, forces: drawn over the particles in 2-D; width in [length]" },
  { "lines", "picture_lines", before = "rays, trajectories, axes: drawn over everything in 2-D; width in pixels" },
  { "scale_bar", "boolean", default = true, c = "Bar of a round length at the lower left." },
  { "length_unit", "string", text = "Unit of length, written after the number of the scale bar.", c = 'Written after the scale bar\'s number: "m"; NULL: none.' },
  { "axes", "boolean", default = true, c = "3-D: small cross of the three axes at the lower right." },
  { "note", "string", text = "Small text in the upper left corner.", c = "Small text at the panel's upper left; NULL: none." },
  { "field", "picture_field", before = "a field on a grid, in 2-D, under everything else" },
  { "corner_begin", "const int64_t *", before = "particles that are not round; NULL: all are",
    c = "[particle_count + 1] particle k has the corners corner_begin[k] .. corner_begin[k+1]-1; one: a disc or ball of its radius." },
  { "corners", "const double *", c = "x, y from the particle's centre, counterclockwise; in 3-D x, y, z of the two ends of a capsule's axis; two in 2-D, or three in 3-D, with a rounding of 0 are the semi-axes of an ellipse or ellipsoid [length]" },
  { "rounding", "const double *", c = "Of the corners >= 0 [length]" },
  { "plane_count", "const int32_t *", c = "[particle_count] in 3-D: of the faces of a convex body, whose corners are for each face its outward unit normal x, y, z, and behind it, as x, its distance from the centre [length]; 0: none. NULL: of all" },
  { "domain_offset", "number", default = 0, unit = "length", before = "a periodic cell that is skew",
    c = "The image above the domain along the second axis of shear_plane is shifted by this along its first one; the outline is that of the skew cell." },
  { "shear_plane", "integer", default = 0, at_least = 0, at_most = 5, c = "floc_shear_plane. Read where domain_offset is not 0." },
}

local function sheet(width, height, columns)
  return {
    { "width", "integer", default = width, at_least = 64, at_most = 16384, unit = "pixels", text = "Width.", c = "SVG: px, PDF: 1/96 inch." },
    { "height", "integer", default = 0, at_least = 64, at_most = 16384, zero = true, unit = "pixels", text = "Height; default: from what is drawn.",
      c = "The same; 0: " .. height },
    { "text_size", "number", default = 0, at_least = 0, at_most = 1000, unit = "pixels", c = "Of captions and legends; 0: from the size." },
    { "background", "colour", default = 0xffffff, at_least = 0, at_most = 0xffffff, text = "Colour of the background, 0xRRGGBB; default white.",
      c = "Text turns white on a dark one." },
    { "transparent", "boolean", default = false, c = "No background at all." },
    { "columns", "integer", default = 0, at_least = 0, text = "Panels per row; 0: " .. columns },
  }
end

local texts = {
  { "title", "string", text = "Above everything.", c = "Above everything; NULL: none." },
  { "caption_left", "string", text = "Below everything.", c = 'Below everything: "step 14226, t = 71.13"; NULL: none.' },
  { "caption_right", "string", c = "Below, at the right: file, parameters; NULL: none." },
}

struct "picture_options" (with({ file = PICTURE }, sheet(1000, "from the shape of what is drawn.", "the number that uses the area best."), {
  { "shared_scale", "boolean", default = true, text = "One range of colours, and one legend, for all.",
    c = "Panels share automatic colour ranges, and one legend." } }, texts))

surface.arguments "picture_movie" {
  file = PICTURE,
  { "width", "integer", required = true, at_least = 64, at_most = 16384, unit = "pixels", text = "Width." },
  { "height", "integer", required = true, at_least = 64, at_most = 16384, unit = "pixels", text = "Height." },
  { "frames_per_second", "number", default = 25, above = 0, at_most = 1000, text = "Frames per second of the movie." },
}

enum "plot_style" {
  file = PLOT, prefix = "PLOT_",
  { "line", 1, "straight lines from point to point" },
  { "markers", 2, "a marker at each point" },
  { "steps", 4, "level from each x to the next (a count over time)" },
  { "bars", 8, "a bar from the axis (0, or the lower end) to y at each x: histograms" },
}

enum "plot_dash" { file = PLOT, prefix = "PLOT_", { "solid", 0 }, { "dashed", 1 }, { "dotted", 2 }, { "dash_dotted", 3 } }

enum "plot_marker" {
  file = PLOT,
  prefix = "PLOT_MARKER_",
  { "automatic", 0, "circle, square, triangle, ... in turn" }, { "circle", 1 }, { "square", 2 }, { "triangle", 3 }, { "diamond", 4 }, { "cross", 5, "x" },
  { "plus", 6 }, { "dot", 7, "small and full" },
}

struct "plot_series" {
  file = PLOT,
  { "name", "string", text = "Name in the legend.", c = "In the legend; NULL: not there." },
  { "count", "integer64", default = 0, at_least = 0, c = "Points." },
  { "x", "const double *", c = "NULL: 1, 2, 3, ..." },
  { "y", "const double *", c = "NaN, infinite and (on a logarithmic axis) values <= 0 leave a gap." },
  { "error", "const double *", c = "Half length of the error bar in y, >= 0; NaN: none; NULL: none at all." },
  { "band_lower", "const double *", c = "With band_upper: a translucent band, for a spread around y; NULL: none." },
  { "band_upper", "const double *" },
  { "style", "integer", default = 1, at_least = 1, at_most = 15, c = "plot_style, added; by default PLOT_LINE." },
  { "dash", "plot_dash", default = "solid", text = "Kind of line." },
  { "marker", "plot_marker", default = "automatic", c = "Of PLOT_MARKERS." },
  { "colour", "colour", default = automatic, at_least = 0, at_most = 0xffffff, automatic = true, instead_of = { "color" },
    text = "Colour 0xRRGGBB; by default each curve gets another one.", c = "Automatic: the qualitative list in turn." },
  { "width", "number", default = 0, at_least = 0, unit = "pixels", text = "Width of the line; 0: chosen automatically." },
  { "marker_size", "number", default = 0, at_least = 0, unit = "pixels", text = "Size of markers; 0: chosen automatically.", c = "Diameter; 0: from the picture's size." },
  { "bar_width", "number", default = 0, at_least = 0, c = "In units of x; 0: the smallest distance of two x." },
}

struct "plot_reference" {
  file = PLOT,
  { "vertical", "boolean", default = false, text = "The line is vertical, at an x.", c = "At an x instead of at a y." },
  { "value", "number", required = true, text = "Position of the line." },
  { "second", "number", default = nan, automatic = true, text = "With this, a band from value to second.", c = "Not NaN: a band from value to second." },
  { "label", "string", text = "Label next to the line.", c = "Next to the line; NULL: none." },
  { "colour", "colour", default = automatic, at_least = 0, at_most = 0xffffff, automatic = true, c = "Automatic: grey." },
  { "dash", "plot_dash", default = "dashed", c = "Kind of line." },
}

struct "plot_axis" {
  file = PLOT,
  { "label", "string", text = "Name of the quantity.", c = '"kinetic energy"; NULL: none.' },
  { "unit", "string", text = "Unit, written in brackets after the label.", c = "Written in brackets after it; NULL: none." },
  { "lower", "number", default = nan, automatic = true, text = "Lower end; default: from the data.", c = "From the data, with a margin." },
  { "upper", "number", default = nan, automatic = true, text = "Upper end; default: from the data.", c = "Likewise." },
  { "logarithmic", "boolean", default = false, text = "Logarithmic, to base 10." },
  { "grid", "boolean", default = true, c = "Thin lines at the ticks." },
}

enum "plot_legend" {
  file = PLOT,
  prefix = "PLOT_LEGEND_",
  { "automatic", 0, "in the corner with the fewest points; none if no series has a name" }, { "none", 1 }, { "upper_right", 2 }, { "upper_left", 3 },
  { "lower_right", 4 }, { "lower_left", 5 }, { "below", 6, "under the axis, in a row" },
}

struct "plot_panel" {
  file = PLOT,
  { "title", "string", text = "Above it.", c = "NULL: none." },
  { "x", "plot_axis" },
  { "y", "plot_axis" },
  { "series", "const plot_series *" },
  { "series_count", "integer", default = 0, at_least = 0, c = "Length of series." },
  { "references", "const plot_reference *" },
  { "reference_count", "integer", default = 0, at_least = 0, c = "Length of references." },
  { "legend", "plot_legend", default = "automatic", text = "Position of the legend." },
  { "equal_scale", "boolean", default = false, text = "Equal scales in x and y.", c = "One unit is as long in x as in y (trajectories)." },
}

struct "plot_options" (with({ file = PLOT }, sheet(800, "from the width and the number of panels.", "chosen automatically."), texts))

local seen = {
  { "colour", "string|function", signature = "of the id that returns a number", instead_of = { "color" },
    text = "What colours the particles: a column, an attribute, \"speed\", or a function." },
  { "group", "string|function", signature = "of the id that returns an integer",
    text = "Colour by group instead: an attribute, or a function." },
  { "field", "table|function", signature = "of the simulation that returns such a table",
    text = "Two dimensions: draw a field, cell by cell, under everything else: what sim:coarse_grain returned, or a table like it (cells, lower, "
      .. "spacing, and lists in which x runs fastest); for movies a function. Without colour, group and tubes particles are left out." },
  { "quantity", "string", text = "Which list of the field; default: density." },
  { "tubes", "choice", one_of = { "gamma", "impulse", "force" },
    text = "Draw contacts as tubes, darker for larger values of gamma, of the impulse of the last step, or of the force (the "
      .. "impulse divided by the time step)." },
  { "rays", "boolean|paths", text = "Draw rays, coloured by their power: true for those in flight, as arrows; or paths of sim:trace." },
  { "ray_power", "number", above = 0, text = "Power that has the brightest colour and the longest arrow; by default the largest one." },
  { "ray_length", "number", above = 0, unit = "length", text = "Length of an arrow at that power; default 0.1." },
  { "ray_width", from = "picture_lines", member = "width", unit = "pixels" },
  { "ray_unit", "string", text = "Unit of the power, for the legend." },
  { "range", "table", text = "Values { lowest, highest } at the ends of the colour scale; default: those of what the window shows. range, map, "
    .. "logarithmic, label and unit apply to the field if there is one, else to the particles if colour is given, otherwise to the tubes." },
  { "map", "choice", one_of = { "viridis", "magma", "inferno", "grey", "diverging" }, text = "Colour map." },
  { "logarithmic", from = "picture_scale" }, { "legend", from = "picture_scale" },
  { "label", "string", text = "Label of the colour bar; default: the name of the column." },
  { "unit", from = "picture_scale" },
  { "lower", from = "picture_view" }, { "upper", from = "picture_view" }, { "direction", from = "picture_view", optional = true },
  { "up", from = "picture_view", optional = true, text = "Three dimensions: upwards in the picture; default: up of the simulation." }, { "zoom", from = "picture_view" }, { "title", from = "picture_scene" }, { "note", from = "picture_scene" },
  { "length_unit", from = "picture_scene" },
}

local function page(struct) return { { "width", from = struct }, { "height", from = struct, optional = true }, { "background", from = struct, optional = true } } end

call "sim.picture" (with({
  summary = "Draws the present state of the simulation into a .png, .svg or .pdf file.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "caption", "string", text = "Caption below the picture; default: step and time." },
}, seen, page "picture_options"))

call "panels.add" (with({ summary = "Adds the present state of a simulation to panels made by floc.panels.", optional = true }, seen))

call "floc.panels" (with({
  summary = "Several moments or simulations in one picture: panels:add(sim, {...}), panels:write(path).", returns = "floc.Panels", optional = true,
  of = "picture_options",
  "columns", "shared_scale", "title", { "caption", member = "caption_left" },
}, page "picture_options"))

local graph = {
  { "x", "table", text = "The horizontal axis: { label =, unit =, lower =, upper =, logarithmic = }." },
  { "y", "table", text = "The vertical axis, likewise." },
  { "series", "table", text = "A list of { name =, x = {...}, y = {...}, style =, dash =, ... }; see floc help series." },
  { "references", "table", text = "Reference lines and bands: a list of { value =, second =, vertical =, label = }." },
  { "equal_scale", from = "plot_panel" }, { "legend", from = "plot_panel" },
}

call "floc.plot" (with({
  of = "plot_options",
  summary = "Draws curves into a .png, .svg or .pdf file.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  "title", { "caption", member = "caption_left" },
  { "panels", "table", text = "Several graphs in one picture: a list of { title =, x =, y =, series =, ... }." },
  "columns",
}, graph, page "plot_options"))

call "plot.panel" (with({
  summary = "One graph of a plot.", of = "plot_panel",
  "title",
}, graph))

call "plot.axis" {
  summary = "An axis of a plot.", of = "plot_axis",
  "label", "unit", { "lower", optional = true }, { "upper", optional = true }, "logarithmic",
}

call "plot.series" {
  summary = "One curve of a plot.", of = "plot_series",
  { "y", "table", required = true, text = "The values; a value that is not finite leaves a gap." },
  { "x", "table", text = "Positions of the values; default 1, 2, 3, ..." },
  "name",
  { "style", "string", default = "line", text = "line, markers, steps, bars, or several: \"line markers\"." },
  "dash", { "colour", optional = true }, "width", "marker_size",
  { "error", "table", text = "Half lengths of error bars." },
  { "band_lower", "table", text = "With band_upper: a translucent band." },
  { "band_upper", "table", text = "See band_lower." },
}

call "plot.reference" {
  summary = "A line across a plot, or a band.", of = "plot_reference",
  "value", { "second", optional = true }, "vertical", "label",
}

call "sim.record" (with({
  summary = "Makes a movie, a frame at intervals. It continues correctly when a run is stopped and resumed.",
  { "movie", "path", required = true, instead_of = { "path", "file" },
    text = "Name of the movie, .mp4, .webm or .gif, made by ffmpeg; or a pattern like frames/%05d.png for a picture per frame. "
      .. "Without ffmpeg the frames become pictures in a folder with the movie's name. While it runs, the parts of a movie are "
      .. "in a folder NAME.parts; a part ends with each checkpoint, and they are joined at the end of the script." },
  { "every", "integer|table", default = 1, at_least = 1, instead_of = { "interval", "steps" }, text = "Steps between two frames, or { time = }." },
  { "frames_per_second", from = "picture_movie", instead_of = { "fps", "rate" } },
  { "caption", "string", text = "Caption below the picture; default: step and time." },
}, seen, page "picture_options"))

call "sim.write_vtp" {
  summary = "Writes files for ParaView, and for the page of floc view, at intervals: particles with all columns, bodies, "
    .. "contacts as lines with force, impulse and gamma, outlines of grains that are not round, bonds and rays where there are any. They continue correctly when a run is "
    .. "stopped and resumed.",
  { "path", "path", required = true, instead_of = { "file", "folder" },
    text = "NAME or NAME.pvd: particles are in NAME.pvd, bodies in NAME_bodies.pvd, contacts in NAME_contacts.pvd; the .vtp "
      .. "files of all steps are in the folder NAME." },
  { "every", "integer|table", default = 1, at_least = 1, instead_of = { "interval", "steps" }, text = "Steps between two frames, or { time = }." },
  { "bodies", "boolean", default = true, text = "Write bodies as well." },
  { "contacts", "boolean", default = true,
    text = "Write contacts as well. The force is the impulse of the last step over the time step." },
  { "grains", "boolean", default = true, text = "Write the outlines of grains that are not round as well, in NAME_grains.pvd, from the first frame that has any." },
  { "bonds", "boolean", default = true, text = "Write bonds as well, from the first frame that has any." },
  { "rays", "boolean", default = true, text = "Write rays in flight as well, from the first frame that has any." },
  { "ray_paths", "function", signature = "of the simulation that returns paths of sim:trace",
    text = "Instead of the rays in flight, these paths: function(sim) return sim:trace { source = wave, paths = true }.paths end." },
}

call "sim.write_xyz" {
  summary = "Writes extended XYZ for OVITO at intervals, all frames in one file, with box and units. It keeps its "
    .. "place when a run is stopped and resumed.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "every", "integer|table", default = 1, at_least = 1, instead_of = { "interval", "steps" }, text = "Steps between two frames, or { time = }." },
  { "columns", "table",
    text = "Names of columns and attributes behind id, position, velocity, radius and mass; default all attributes." },
  { "length_unit", "string", text = "Unit of length, such as \"m\"; it is written into every frame." },
  { "time_unit", "string", text = "Unit of time, likewise." },
  { "mass_unit", "string", text = "Unit of mass, likewise." },
}

return surface
