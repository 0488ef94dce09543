# Benchmark programs; they link the engine's objects like the tests, so that single rooms can be measured.
# benchmarks/run.sh builds them and the scenes' tools, and runs the same scenes in other codes.
option(FLOC_BENCHMARKS "Build the benchmark programs" OFF)
if(FLOC_BENCHMARKS)
  file(GLOB benchmark_sources ${FLOC_GLOB} ${CMAKE_SOURCE_DIR}/benchmarks/*_benchmark.c
       ${CMAKE_SOURCE_DIR}/benchmarks/falling/*_benchmark.c
       ${CMAKE_SOURCE_DIR}/benchmarks/mathematics/*_benchmark.c
       ${CMAKE_SOURCE_DIR}/benchmarks/polygons/*_benchmark.c)
  list(APPEND benchmark_sources ${CMAKE_SOURCE_DIR}/benchmarks/write_scene.c ${CMAKE_SOURCE_DIR}/benchmarks/measure_state.c)
  foreach(source ${benchmark_sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source} ${CMAKE_SOURCE_DIR}/benchmarks/scenes.c)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks)
    target_link_libraries(${name} PRIVATE floc_objects)
  endforeach()
endif()
