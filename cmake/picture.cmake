# Pictures and plots by Cairo, for the Lua module and the floc program. libfloc does not link them: they
# stand on the types of floc.h alone. Without FLOC_PICTURE only the surfaces of bodies are left, which other outputs
# have as well.
file(GLOB_RECURSE picture_sources ${FLOC_GLOB} ${CMAKE_SOURCE_DIR}/bindings/picture/*.c)
if(FLOC_PICTURE)
  pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo>=1.16 cairo-svg cairo-pdf cairo-png)
else()
  set(picture_sources ${CMAKE_SOURCE_DIR}/bindings/picture/draw/mesh.c ${CMAKE_SOURCE_DIR}/bindings/picture/draw/report.c)
endif()
add_library(floc_picture OBJECT ${picture_sources})
target_include_directories(floc_picture PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/bindings/picture)
target_link_libraries(floc_picture PUBLIC m)
if(FLOC_PICTURE)
  target_link_libraries(floc_picture PUBLIC PkgConfig::CAIRO)
endif()
