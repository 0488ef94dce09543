# libfloc: shared and static, without any Lua. Both are made from the same objects.
set(embedded_header ${CMAKE_BINARY_DIR}/generated/floc_header.c)
add_custom_command(OUTPUT ${embedded_header}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_SOURCE_DIR}/include/floc/floc.h -DNAME_OF_INPUT=include/floc/floc.h
          -DOUTPUT=${embedded_header} -DNAME=floc_header_text -DSTRIP_DIRECTIVES=ON
          -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${CMAKE_SOURCE_DIR}/include/floc/floc.h ${CMAKE_SOURCE_DIR}/cmake/embed.cmake VERBATIM)

file(GLOB_RECURSE engine_sources ${FLOC_GLOB} ${CMAKE_SOURCE_DIR}/engine/*.c)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set_source_files_properties(${CMAKE_SOURCE_DIR}/engine/laws/program/fast.c PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma")
endif()
add_library(floc_objects OBJECT ${engine_sources} ${embedded_header})
target_include_directories(floc_objects
  PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/engine
  PRIVATE ${XXHASH_INCLUDE_DIR})
target_compile_definitions(floc_objects PRIVATE FLOC_VERSION="${PROJECT_VERSION}")
target_link_libraries(floc_objects PUBLIC m)
if(WIN32)
  target_compile_definitions(floc_objects PUBLIC _FILE_OFFSET_BITS=64 _CRT_RAND_S __USE_MINGW_ANSI_STDIO=1 _WIN32_WINNT=0x0602)
endif()
# Only ELF has an objcopy that makes hidden names local; elsewhere the static library is an ordinary archive, in which the
# engine's internal names can be seen.
if(EMSCRIPTEN) # no shared libraries either: see web.cmake
  add_library(floc_static STATIC)
  set_target_properties(floc_static PROPERTIES OUTPUT_NAME floc)
  target_link_libraries(floc_static PRIVATE floc_objects)
  target_include_directories(floc_static INTERFACE ${CMAKE_SOURCE_DIR}/include)
  return()
endif()
target_link_libraries(floc_objects PUBLIC ZLIB::ZLIB)
# One file asks for each of these two, so that a build with another answer compiles no other.
if(FLOC_HAS_LIBDEFLATE)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/engine/files/checkpoint/format.c PROPERTIES COMPILE_DEFINITIONS FLOC_HAS_LIBDEFLATE)
  target_link_libraries(floc_objects PUBLIC PkgConfig::LIBDEFLATE)
endif()
if(FLOC_THREADS)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/engine/base/threads/team.c PROPERTIES COMPILE_DEFINITIONS FLOC_HAS_THREADS)
  target_link_libraries(floc_objects PUBLIC Threads::Threads)
endif()

add_library(floc_shared SHARED)
set_target_properties(floc_shared PROPERTIES OUTPUT_NAME floc VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                      EXPORT_NAME shared)
target_link_libraries(floc_shared PRIVATE floc_objects)
target_include_directories(floc_shared INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)

# The static library holds one object in which everything but the public names is local, so that the
# engine's plain internal names cannot meet a host's.
if(WIN32 OR APPLE)
  add_library(floc_static STATIC $<TARGET_OBJECTS:floc_objects>)
else()
  set(static_object ${CMAKE_BINARY_DIR}/generated/floc_static.o)
  add_custom_command(OUTPUT ${static_object}
    COMMAND ${CMAKE_LINKER} -r -o ${static_object}.all $<TARGET_OBJECTS:floc_objects>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${static_object}.all ${static_object}
    DEPENDS floc_objects $<TARGET_OBJECTS:floc_objects>
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${static_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_library(floc_static STATIC ${static_object})
endif()
set_target_properties(floc_static PROPERTIES OUTPUT_NAME floc LINKER_LANGUAGE C EXPORT_NAME static)
target_include_directories(floc_static INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_link_libraries(floc_static INTERFACE ZLIB::ZLIB m)
if(FLOC_HAS_LIBDEFLATE)
  target_link_libraries(floc_static INTERFACE PkgConfig::LIBDEFLATE)
  set(FLOC_LIBDEFLATE_LINK -ldeflate) # for floc.pc
endif()
if(FLOC_THREADS)
  target_link_libraries(floc_static INTERFACE Threads::Threads)
  set(FLOC_THREADS_LINK ${CMAKE_THREAD_LIBS_INIT}) # for floc.pc
endif()
