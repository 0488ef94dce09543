-- Runs busted inside the program: `floc run run_specs.lua [busted's arguments]`. A build with sanitizers cannot
-- be loaded into a plain luajit, but the program carries them.
require("floc.session.session").current().arguments_used = true -- they are busted's, not a scenario's
require "busted.runner" { standalone = false }
