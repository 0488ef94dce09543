-- Pictures, plots and movies, and files for other programs. See reader.lua for the form.

local surface = require "floc.surface.reader"
local call = surface.call

-- A call's own fields, and those of lists that calls share.
local function with(fields, ...)
  for _, list in ipairs { ... } do
    for _, entry in ipairs(list) do fields[#fields + 1] = entry end
  end
  return fields
end

local seen = {
  { "colour", "string|function", signature = "of the id that returns a number", instead_of = { "color" },
    text = "What colours the particles: a column, an attribute, \"speed\", or a function." },
  { "group", "string|function", signature = "of the id that returns an integer",
    text = "Colour by group instead: an attribute, or a function." },
  { "tubes", "choice", one_of = { "gamma", "impulse", "force" },
    text = "Draw contacts as tubes, darker for larger values of gamma, of the impulse of the last step, or of the force (the "
      .. "impulse divided by the time step)." },
  { "rays", "boolean|paths", text = "Draw rays, coloured by their power: true for those in flight, as arrows; or paths of sim:trace." },
  { "ray_power", "number", above = 0, text = "Power that has the brightest colour and the longest arrow; by default the largest one." },
  { "ray_length", "number", above = 0, unit = "length", text = "Length of an arrow at that power; default 0.1." },
  { "ray_width", "number", above = 0, unit = "pixels", text = "Width of the lines of rays." },
  { "ray_unit", "string", text = "Unit of the power, for the legend." },
  { "range", "table", text = "Values { lowest, highest } at the ends of the colour scale; default: those of what the window shows. range, map, "
    .. "logarithmic, label and unit apply to the particles if colour is given, otherwise to the tubes." },
  { "map", "string", text = "Colour map: viridis, magma, inferno, grey, diverging." },
  { "logarithmic", "boolean", default = false, text = "Colour by the logarithm." },
  { "legend", "boolean", default = true, text = "Draw the colour bar." },
  { "label", "string", text = "Label of the colour bar; default: the name of the column." },
  { "unit", "string", text = "Unit, written after the label." },
  { "lower", "vector", unit = "length", text = "Window: lower corner; default: everything." },
  { "upper", "vector", unit = "length", text = "Window: upper corner." },
  { "direction", "vector", text = "Three dimensions: viewing direction of the camera." },
  { "zoom", "number", above = 0, text = "Magnification about the centre." },
  { "title", "string", text = "Title above the panel." },
  { "note", "string", text = "Small text in the upper left corner." },
  { "length_unit", "string", text = "Unit of length, written after the number of the scale bar." },
}

local page = {
  { "width", "integer", at_least = 64, at_most = 16384, unit = "pixels", text = "Width; default 1000, of plots 800." },
  { "height", "integer", at_least = 64, at_most = 16384, unit = "pixels", text = "Height; default: from what is drawn." },
  { "background", "integer", at_least = 0, at_most = 0xffffff, text = "Colour of the background, 0xRRGGBB; default white." },
}

call "sim.picture" (with({
  summary = "Draws the present state of the simulation into a .png, .svg or .pdf file.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "caption", "string", text = "Caption below the picture; default: step and time." },
}, seen, page))

call "panels.add" (with({ summary = "Adds the present state of a simulation to panels made by floc.panels.", optional = true }, seen))

call "floc.panels" (with({
  summary = "Several moments or simulations in one picture: panels:add(sim, {...}), panels:write(path).", returns = "floc.Panels", optional = true,
  { "columns", "integer", at_least = 1, text = "Panels per row; default: the number that uses the area best." },
  { "shared_scale", "boolean", default = true, text = "One range of colours, and one legend, for all." },
  { "title", "string", text = "Above everything." },
  { "caption", "string", text = "Below everything." },
}, page))

local legends = { "automatic", "none", "upper_right", "upper_left", "lower_right", "lower_left", "below" }

local graph = {
  { "x", "table", text = "The horizontal axis: { label =, unit =, lower =, upper =, logarithmic = }." },
  { "y", "table", text = "The vertical axis, likewise." },
  { "series", "table", text = "A list of { name =, x = {...}, y = {...}, style =, dash =, ... }; see floc help series." },
  { "references", "table", text = "Reference lines and bands: a list of { value =, second =, vertical =, label = }." },
  { "equal_scale", "boolean", default = false, text = "Equal scales in x and y." },
  { "legend", "choice", one_of = legends, default = "automatic", text = "Position of the legend." },
}

call "floc.plot" (with({
  summary = "Draws curves into a .png, .svg or .pdf file.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "title", "string", text = "Above everything." },
  { "caption", "string", text = "Below everything." },
  { "panels", "table", text = "Several graphs in one picture: a list of { title =, x =, y =, series =, ... }." },
  { "columns", "integer", default = 0, at_least = 0, text = "Panels per row; 0: chosen automatically." },
}, graph, page))

call "plot.panel" (with({
  summary = "One graph of a plot.",
  { "title", "string", text = "Above it." },
}, graph))

call "plot.axis" {
  summary = "An axis of a plot.",
  { "label", "string", text = "Name of the quantity." },
  { "unit", "string", text = "Unit, written in brackets after the label." },
  { "lower", "number", text = "Lower end; default: from the data." },
  { "upper", "number", text = "Upper end; default: from the data." },
  { "logarithmic", "boolean", default = false, text = "Logarithmic, to base 10." },
}

call "plot.series" {
  summary = "One curve of a plot.",
  { "y", "table", required = true, text = "The values; a value that is not finite leaves a gap." },
  { "x", "table", text = "Positions of the values; default 1, 2, 3, ..." },
  { "name", "string", text = "Name in the legend." },
  { "style", "string", default = "line", text = "line, markers, steps, bars, or several: \"line markers\"." },
  { "dash", "choice", one_of = { "solid", "dashed", "dotted", "dash_dotted" }, default = "solid", text = "Kind of line." },
  { "colour", "integer", at_least = 0, at_most = 0xffffff, instead_of = { "color" }, text = "Colour 0xRRGGBB; by default each curve gets another one." },
  { "width", "number", default = 0, at_least = 0, unit = "pixels", text = "Width of the line; 0: chosen automatically." },
  { "marker_size", "number", default = 0, at_least = 0, unit = "pixels", text = "Size of markers; 0: chosen automatically." },
  { "error", "table", text = "Half lengths of error bars." },
  { "band_lower", "table", text = "With band_upper: a translucent band." },
  { "band_upper", "table", text = "See band_lower." },
}

call "plot.reference" {
  summary = "A line across a plot, or a band.",
  { "value", "number", required = true, text = "Position of the line." },
  { "second", "number", text = "With this, a band from value to second." },
  { "vertical", "boolean", default = false, text = "The line is vertical, at an x." },
  { "label", "string", text = "Label next to the line." },
}

call "sim.record" (with({
  summary = "Makes a movie, a frame at intervals. It continues correctly when a run is stopped and resumed.",
  { "movie", "path", required = true, instead_of = { "path", "file" },
    text = "Name of the movie, .mp4, .webm or .gif, made by ffmpeg; or a pattern like frames/%05d.png for a picture per frame. "
      .. "Without ffmpeg the frames become pictures in a folder with the movie's name. While it runs, the parts of a movie are "
      .. "in a folder NAME.parts; a part ends with each checkpoint, and they are joined at the end of the script." },
  { "every", "integer", default = 1, at_least = 1, instead_of = { "interval", "steps" }, text = "Steps between two frames." },
  { "frames_per_second", "number", default = 25, above = 0, at_most = 1000, instead_of = { "fps", "rate" },
    text = "Frames per second of the movie." },
  { "caption", "string", text = "Caption below the picture; default: step and time." },
}, seen, page))

call "sim.write_vtp" {
  summary = "Writes files for ParaView, and for the page of floc view, at intervals: particles with all columns, bodies, "
    .. "contacts as lines with force, impulse and gamma, bonds and rays where there are any. They continue correctly when a run is "
    .. "stopped and resumed.",
  { "path", "path", required = true, instead_of = { "file", "folder" },
    text = "NAME or NAME.pvd: particles are in NAME.pvd, bodies in NAME_bodies.pvd, contacts in NAME_contacts.pvd; the .vtp "
      .. "files of all steps are in the folder NAME." },
  { "every", "integer", default = 1, at_least = 1, instead_of = { "interval", "steps" }, text = "Steps between two frames." },
  { "bodies", "boolean", default = true, text = "Write bodies as well." },
  { "contacts", "boolean", default = true,
    text = "Write contacts as well. The force is the impulse of the last step over the time step." },
  { "bonds", "boolean", default = true, text = "Write bonds as well, from the first frame that has any." },
  { "rays", "boolean", default = true, text = "Write rays in flight as well, from the first frame that has any." },
  { "ray_paths", "function", signature = "of the simulation that returns paths of sim:trace",
    text = "Instead of the rays in flight, these paths: function(sim) return sim:trace { source = wave, paths = true }.paths end." },
}

call "sim.write_xyz" {
  summary = "Writes extended XYZ for OVITO at intervals, all frames in one file, with box and units. It keeps its "
    .. "place when a run is stopped and resumed.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "every", "integer", default = 1, at_least = 1, instead_of = { "interval", "steps" }, text = "Steps between two frames." },
  { "columns", "table",
    text = "Names of columns and attributes behind id, position, velocity, radius and mass; default all attributes." },
  { "length_unit", "string", text = "Unit of length, such as \"m\"; it is written into every frame." },
  { "time_unit", "string", text = "Unit of time, likewise." },
  { "mass_unit", "string", text = "Unit of mass, likewise." },
}

return surface
