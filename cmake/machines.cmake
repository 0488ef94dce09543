# The golden scenarios as a program of its own, for machines that run neither the tests nor cmocka: scripts/cross.sh.
add_executable(machines_states ${CMAKE_SOURCE_DIR}/tests/machines/states.c)
set_target_properties(machines_states PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_include_directories(machines_states PRIVATE ${CMAKE_SOURCE_DIR}/tests/world)
target_link_libraries(machines_states PRIVATE floc_objects)
