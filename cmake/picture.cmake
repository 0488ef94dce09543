# Pictures and plots by Cairo, for the Lua module and the floc program. libfloc does not link them: they
# stand on the types of floc.h alone.
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo>=1.16 cairo-svg cairo-pdf cairo-png)
file(GLOB_RECURSE picture_sources ${FLOC_GLOB} ${CMAKE_SOURCE_DIR}/bindings/picture/*.c)
add_library(floc_picture OBJECT ${picture_sources})
target_include_directories(floc_picture PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/bindings/picture)
target_link_libraries(floc_picture PUBLIC PkgConfig::CAIRO m)
