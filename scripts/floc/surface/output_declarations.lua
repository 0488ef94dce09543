-- What the calls take that write movies and files for other programs; the form of these declarations is explained
-- in declarations.lua, which calls this with its own `declare`, and with the fields of pictures.

return function(declare, copies, seen, page)

declare("record", "sim", "Makes a movie, a frame at intervals. It keeps its place when a run is stopped and resumed.", copies({
  { "movie", "path", required = true, instead_of = { "path", "file" },
    text = "Name of the movie, .mp4, .webm or .gif, made by ffmpeg; or a pattern like frames/%05d.png for a picture per frame. "
      .. "Without ffmpeg the frames become pictures in a folder with the movie's name. While it runs, the parts of a movie are "
      .. "in a folder NAME.parts; a part ends with each checkpoint, and they are joined at the end of the script." },
  { "every", "integer", default = 1, at_least = 1, instead_of = { "interval", "steps" }, text = "Steps between two frames." },
  { "frames_per_second", "number", default = 25, above = 0, at_most = 1000, instead_of = { "fps", "rate" },
    text = "Of the movie." },
  { "caption", "string", text = "Below the picture; default step and time." },
}, seen, page))

declare("write_vtp", "sim", "Writes files for ParaView, and for the page of floc view, at intervals: particles with all columns, bodies, "
  .. "contacts as lines with force, impulse and gamma, bonds and rays where there are any. They keep their place when a run is stopped "
  .. "and resumed.", {
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
})

declare("write_xyz", "sim", "Writes extended XYZ for OVITO at intervals, all frames in one file, with box and units. It keeps its "
  .. "place when a run is stopped and resumed.", {
  { "path", "path", required = true, instead_of = { "file" }, text = "Name of the file." },
  { "every", "integer", default = 1, at_least = 1, instead_of = { "interval", "steps" }, text = "Steps between two frames." },
  { "columns", "table",
    text = "Names of columns and attributes behind id, position, velocity, radius and mass; default all attributes." },
  { "length_unit", "string", text = "As in \"m\"; noted in every frame, as are" },
  { "time_unit", "string", text = "the unit of time, as in \"s\"," },
  { "mass_unit", "string", text = "and of mass, as in \"kg\"." },
})

end
