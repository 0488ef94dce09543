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
    text = "Draw contacts as tubes, darker for larger values: gamma, the impulse of the last step, or that over the time step, the force." },
  { "rays", "boolean|paths", text = "Draw rays, coloured by their power: true for those in flight, as arrows; or paths of sim:trace." },
  { "ray_power", "number", above = 0, text = "Of the brightest colour and the longest arrow; default from the data." },
  { "ray_length", "number", above = 0, unit = "length", text = "Of an arrow at that power; default 0.1." },
  { "ray_width", "number", above = 0, unit = "pixels", text = "Of the lines of rays." },
  { "ray_unit", "string", text = "Of the power, in the legend." },
  { "range", "table", text = "Numbers { lowest, highest } at the ends of the colour scale; default: the range that the window shows. "
    .. "This and the next are of the particles where colour is given, otherwise of the tubes." },
  { "map", "string", text = "Colour map: viridis, magma, inferno, grey, diverging." },
  { "logarithmic", "boolean", default = false, text = "Colour by the logarithm." },
  { "legend", "boolean", default = true, text = "Draw the colour bar." },
  { "label", "string", text = "Of the colour bar; default the name of what colours." },
  { "unit", "string", text = "After the label." },
  { "lower", "vector", unit = "length", text = "Window: lower corner; default: everything." },
  { "upper", "vector", unit = "length", text = "Window: upper corner." },
  { "direction", "vector", text = "Three dimensions: viewing direction of the camera." },
  { "zoom", "number", above = 0, text = "2: twice as large, about the centre." },
  { "title", "string", text = "Above the panel." },
  { "note", "string", text = "Small text in the upper left corner." },
  { "length_unit", "string", text = "After the number of the scale bar." },
}

local page = {
  { "width", "integer", at_least = 64, at_most = 16384, unit = "pixels", text = "Default 1000." },
  { "height", "integer", at_least = 64, at_most = 16384, unit = "pixels", text = "Default from what is drawn." },
  { "background", "integer", at_least = 0, at_most = 0xffffff, text = "Colour 0xRRGGBB; default white." },
}

call "sim.picture" (with({
  summary = "Draws the present state of the simulation into a .png, .svg or .pdf file.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "caption", "string", text = "Below the picture; default step and time." },
}, seen, page))

call "panels.add" (with({ summary = "Adds the present state of a simulation to panels made by floc.panels.", optional = true }, seen))

call "floc.panels" (with({
  summary = "Several moments or simulations in one picture: panels:add(sim, {...}), panels:write(path).", returns = "floc.Panels", optional = true,
  { "columns", "integer", at_least = 1, text = "Panels per row; default: the best use of the area." },
  { "shared_scale", "boolean", default = true, text = "One range of colours, and one legend, for all." },
  { "title", "string", text = "Above everything." },
  { "caption", "string", text = "Below everything." },
}, page))

local legends = { "automatic", "none", "upper_right", "upper_left", "lower_right", "lower_left", "below" }

local graph = {
  { "x", "table", text = "The axis: { label =, unit =, lower =, upper =, logarithmic = }." },
  { "y", "table", text = "Likewise." },
  { "series", "table", text = "A list of { name =, x = {...}, y = {...}, style =, dash =, ... }; see floc help series." },
  { "references", "table", text = "Lines across: a list of { value =, second =, vertical =, label = }." },
  { "equal_scale", "boolean", default = false, text = "Equal scales in x and y." },
  { "legend", "choice", one_of = legends, default = "automatic", text = "Position of the legend." },
}

call "floc.plot" (with({
  summary = "Draws curves into a .png, .svg or .pdf file.",
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "title", "string", text = "Above everything." },
  { "caption", "string", text = "Below everything." },
  { "panels", "table", text = "Several graphs in one picture: a list of { title =, x =, y =, series =, ... }." },
  { "columns", "integer", default = 0, at_least = 0, text = "Panels per row; 0: chosen." },
}, graph, page))

call "plot.panel" (with({
  summary = "One graph of a plot.",
  { "title", "string", text = "Above it." },
}, graph))

call "plot.axis" {
  summary = "An axis of a plot.",
  { "label", "string", text = "What it shows." },
  { "unit", "string", text = "In brackets behind it." },
  { "lower", "number", text = "Default: from the data." },
  { "upper", "number", text = "Default: from the data." },
  { "logarithmic", "boolean", default = false, text = "To base 10." },
}

call "plot.series" {
  summary = "One curve of a plot.",
  { "y", "table", required = true, text = "The values; what is not finite leaves a gap." },
  { "x", "table", text = "Where they stand; default 1, 2, 3, ..." },
  { "name", "string", text = "In the legend." },
  { "style", "string", default = "line", text = "line, markers, steps, bars, or several: \"line markers\"." },
  { "dash", "choice", one_of = { "solid", "dashed", "dotted", "dash_dotted" }, default = "solid", text = "Of the line." },
  { "colour", "integer", at_least = 0, at_most = 0xffffff, instead_of = { "color" }, text = "0xRRGGBB; default in turn." },
  { "width", "number", default = 0, at_least = 0, unit = "pixels", text = "Of the line; 0: chosen." },
  { "marker_size", "number", default = 0, at_least = 0, unit = "pixels", text = "0: chosen." },
  { "error", "table", text = "Half lengths of error bars." },
  { "band_lower", "table", text = "With band_upper: a translucent band." },
  { "band_upper", "table", text = "See band_lower." },
}

call "plot.reference" {
  summary = "A line across a plot, or a band.",
  { "value", "number", required = true, text = "Where it stands." },
  { "second", "number", text = "A band from value to this." },
  { "vertical", "boolean", default = false, text = "At an x instead of at a y." },
  { "label", "string", text = "Beside it." },
}

call "sim.record" (with({
  summary = "Makes a movie, a frame at intervals. It keeps its place when a run is stopped and resumed.",
  { "movie", "path", required = true, instead_of = { "path", "file" },
    text = "Name of the movie, .mp4, .webm or .gif, made by ffmpeg; or a pattern like frames/%05d.png for a picture per frame. "
      .. "Without ffmpeg the frames become pictures in a folder with the movie's name. While it runs, the parts of a movie are "
      .. "in a folder NAME.parts; a part ends with each checkpoint, and they are joined at the end of the script." },
  { "every", "integer", default = 1, at_least = 1, instead_of = { "interval", "steps" }, text = "Steps between two frames." },
  { "frames_per_second", "number", default = 25, above = 0, at_most = 1000, instead_of = { "fps", "rate" },
    text = "Of the movie." },
  { "caption", "string", text = "Below the picture; default step and time." },
}, seen, page))

call "sim.write_vtp" {
  summary = "Writes files for ParaView, and for the page of floc view, at intervals: particles with all columns, bodies, "
    .. "contacts as lines with force, impulse and gamma, bonds and rays where there are any. They keep their place when a run is stopped "
    .. "and resumed.",
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
  { "length_unit", "string", text = "As in \"m\"; noted in every frame, as are" },
  { "time_unit", "string", text = "the unit of time, as in \"s\"," },
  { "mass_unit", "string", text = "and of mass, as in \"kg\"." },
}

return surface
