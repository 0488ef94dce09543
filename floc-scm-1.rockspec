rockspec_format = "3.0"
package = "floc"
version = "scm-1"
source = { url = "git+file://." }
description = {
  summary = "Particles, non-overlap constraints, force fields and rays, driven by Lua",
  detailed = "An embeddable C engine with exact, compressed checkpoints. The module is `floc`.",
  license = "MIT",
}
dependencies = { "lua >= 5.1, < 5.5" }
external_dependencies = { ZLIB = { header = "zlib.h" }, CAIRO = { header = "cairo/cairo.h" } }
build = {
  type = "command",
  build_command = "cmake -S . -B build-rock -DCMAKE_BUILD_TYPE=Release -DFLOC_TESTS=OFF && cmake --build build-rock",
  install_command = "mkdir -p \"$(LIBDIR)\" && cp build-rock/lua/$(LUA_VERSION)/floc.so \"$(LIBDIR)/floc.so\"",
}
