# libfloc for WebAssembly, by Emscripten (preset web; scripts/web.sh does all of it): the engine alone, in one archive
# without threads, and two programs that node runs. Included in the place of the searches for libraries, because what
# the machine has is compiled for the machine.
foreach(option FLOC_PROGRAM FLOC_LUA_MODULE FLOC_PICTURE FLOC_THREADS)
  if(${option})
    message(FATAL_ERROR "${option} is on, and with Emscripten floc builds the engine alone: use the preset web, or -D${option}=OFF")
  endif()
endforeach()

# zlib, from its own source: Emscripten's copy of it would be fetched from the net while compiling. Its names have a
# prefix and its objects are in libfloc.a, so that a host may link another zlib beside it.
set(FLOC_ZLIB_SOURCE "" CACHE PATH "With Emscripten: folder with the source of zlib")
if(NOT EXISTS "${FLOC_ZLIB_SOURCE}/deflate.c")
  message(FATAL_ERROR "FLOC_ZLIB_SOURCE is \"${FLOC_ZLIB_SOURCE}\", which has no deflate.c: it must be a folder with the source of "
                      "zlib (apt-get source zlib; scripts/web.sh gets it)")
endif()
set(zlib_sources "")
foreach(name adler32 crc32 deflate inffast inflate inftrees trees zutil)
  list(APPEND zlib_sources ${FLOC_ZLIB_SOURCE}/${name}.c)
endforeach()
set_source_files_properties(${zlib_sources} PROPERTIES COMPILE_OPTIONS -w)

# A header that holds all of its library, copied: its folder, /usr/include, has the machine's C library as well.
find_path(xxhash_folder xxhash.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
set(web_headers ${CMAKE_BINARY_DIR}/generated/web)
file(COPY ${xxhash_folder}/xxhash.h DESTINATION ${web_headers})
set(XXHASH_INCLUDE_DIR ${web_headers})

include(cmake/engine.cmake)
target_sources(floc_objects PRIVATE ${zlib_sources})
target_include_directories(floc_objects SYSTEM PUBLIC ${FLOC_ZLIB_SOURCE})
target_compile_definitions(floc_objects PRIVATE Z_PREFIX)

if(FLOC_TESTS)
  enable_testing()
  find_program(NODE node nodejs REQUIRED)
  foreach(name smoke golden)
    add_executable(web_${name} ${CMAKE_SOURCE_DIR}/tests/web/${name}.c)
    target_include_directories(web_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/world)
    target_link_libraries(web_${name} PRIVATE floc_static)
    # One file: Emscripten 3.1.6 takes a .wasm beside it by fetch, which node 18 and later have, but not for files.
    target_link_options(web_${name} PRIVATE -sSINGLE_FILE=1 -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=4194304 -sEXIT_RUNTIME=1
                        -sENVIRONMENT=node)
    add_test(NAME web_${name} COMMAND ${NODE} $<TARGET_FILE:web_${name}> WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(web_${name} PROPERTIES LABELS web)
  endforeach()
endif()
