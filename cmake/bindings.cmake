# The Lua modules and the floc program.
#
# One set of sources is compiled once per Lua: build/lua/5.1/floc.so for LuaJIT (and the 5.1 ABI),
# build/lua/5.4/floc.so for Lua 5.4, and the program (program.cmake). All contain
# libfloc, with its names hidden: two of them, or one and a libfloc.so, can be in one process.

# ---- the Lua half, compiled in as text ----
# scripts/floc/trace/graph.lua is the module floc.trace.graph, and trace_graph in C.
file(GLOB_RECURSE lua_scripts ${FLOC_GLOB} ${CMAKE_SOURCE_DIR}/scripts/floc/*.lua)
set(script_declarations "")
set(script_rows "")
set(script_sources "")
foreach(script ${lua_scripts})
  file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/scripts/floc ${script})
  string(REGEX REPLACE "[.]lua$" "" path ${path})
  string(REPLACE "/" "_" name ${path})
  string(REPLACE "/" "." module ${path})
  set(output ${CMAKE_BINARY_DIR}/generated/script_${name}.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${script} -DNAME_OF_INPUT=scripts/floc/${path}.lua -DOUTPUT=${output}
            -DNAME=script_${name} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${script} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
  list(APPEND script_sources ${output})
  string(APPEND script_declarations "extern const char script_${name}[];\nextern const size_t script_${name}_size;\n")
  string(APPEND script_rows "    {\"floc.${module}\", \"floc/${path}.lua\", script_${name}, &script_${name}_size},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/scripts.c CONTENT
"/* Made by cmake/bindings.cmake: the list of scripts/floc. */
#include \"scripts.h\"

@script_declarations@
const embedded_script embedded_scripts[] = {
@script_rows@    {NULL, NULL, NULL, NULL}};
" @ONLY)
add_library(floc_scripts OBJECT ${script_sources} ${CMAKE_BINARY_DIR}/generated/scripts.c)
target_include_directories(floc_scripts PRIVATE ${CMAKE_SOURCE_DIR}/bindings/lua)

# ---- the public functions by name, for FFI ----
set(symbol_table ${CMAKE_BINARY_DIR}/generated/symbols.c)
add_custom_command(OUTPUT ${symbol_table}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_SOURCE_DIR}/include/floc/floc.h -DNAME_OF_INPUT=include/floc/floc.h
          -DOUTPUT=${symbol_table} -P ${CMAKE_SOURCE_DIR}/cmake/symbols.cmake
  DEPENDS ${CMAKE_SOURCE_DIR}/include/floc/floc.h ${CMAKE_SOURCE_DIR}/cmake/symbols.cmake VERBATIM)

# ---- the C half, once per Lua ----
file(GLOB_RECURSE lua_sources ${FLOC_GLOB} ${CMAKE_SOURCE_DIR}/bindings/lua/*.c)
set(lua_drawing ${CMAKE_SOURCE_DIR}/bindings/lua/output/picture.c ${CMAKE_SOURCE_DIR}/bindings/lua/output/plot.c)
set(lua_no_drawing ${CMAKE_SOURCE_DIR}/bindings/lua/output/no_picture.c)
if(FLOC_PICTURE)
  list(REMOVE_ITEM lua_sources ${lua_no_drawing})
else()
  list(REMOVE_ITEM lua_sources ${lua_drawing})
endif()
pkg_check_modules(LUAJIT IMPORTED_TARGET luajit)
pkg_check_modules(LUA54 IMPORTED_TARGET lua5.4)
if(NOT LUA54_FOUND)
  pkg_check_modules(LUA54 IMPORTED_TARGET lua-5.4)
endif()

# The binding's objects for one Lua. Names of libfloc's archive stay hidden in whatever is linked.
function(floc_add_lua_objects name headers)
  add_library(${name} OBJECT ${lua_sources} ${symbol_table})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/bindings ${CMAKE_SOURCE_DIR}/bindings/lua
                             ${CMAKE_SOURCE_DIR}/bindings/picture
                             PUBLIC ${headers})
  target_link_libraries(${name} PUBLIC floc_static)
  if(FLOC_PICTURE)
    target_link_libraries(${name} PUBLIC PkgConfig::CAIRO)
  endif()
  target_sources(${name} INTERFACE $<TARGET_OBJECTS:floc_scripts> $<TARGET_OBJECTS:floc_picture>)
  if(NOT APPLE) # whose linker has lists of what a module exports instead
    target_link_options(${name} INTERFACE LINKER:--exclude-libs,ALL)
  endif()
endfunction()

# The module does not link a Lua: the host that loads it has one already.
function(floc_add_lua_module abi headers)
  floc_add_lua_objects(floc_lua_objects_${abi} "${headers}")
  if(NOT FLOC_LUA_MODULE)
    return()
  endif()
  add_library(floc_lua_${abi} MODULE $<TARGET_OBJECTS:floc_lua_objects_${abi}>)
  target_link_libraries(floc_lua_${abi} PRIVATE floc_lua_objects_${abi})
  if(APPLE) # Lua's functions are found when the host loads the module
    target_link_options(floc_lua_${abi} PRIVATE LINKER:-undefined,dynamic_lookup "LINKER:-exported_symbol,_luaopen_*")
  endif()
  set_target_properties(floc_lua_${abi} PROPERTIES PREFIX "" OUTPUT_NAME floc
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lua/${abi})
endfunction()

if(LUAJIT_FOUND)
  floc_add_lua_module(5.1 "${LUAJIT_INCLUDE_DIRS}")
endif()
if(LUA54_FOUND)
  floc_add_lua_module(5.4 "${LUA54_INCLUDE_DIRS}")
endif()

