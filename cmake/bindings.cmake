# The Lua modules, the picture code and the floc program.
