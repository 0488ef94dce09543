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
external_dependencies = {
  ZLIB = { header = "zlib.h" },
  CAIRO = { header = "cairo/cairo.h" },
  XXHASH = { header = "xxhash.h" },
}
-- The module's folder is named by the version that the interpreter itself tells.
build = {
  type = "command",
  build_command = [[cmake -S . -B build-rock -DCMAKE_BUILD_TYPE=Release -DFLOC_TESTS=OFF && cmake --build build-rock --parallel 2 ]]
    .. [[--target floc_lua_`"$(LUA)" -e "io.write((_VERSION:match('%d.%d')))"`]],
  install_command = [[mkdir -p "$(LIBDIR)" && cp build-rock/lua/`"$(LUA)" -e "io.write((_VERSION:match('%d.%d')))"`/floc.so "$(LIBDIR)/floc.so"]],
}
