# Install rules: headers, libraries, the program, the Lua modules; find_package(floc) and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(FILES include/floc/floc.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/floc)
install(TARGETS floc_shared floc_static EXPORT flocTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT flocTargets NAMESPACE floc:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/floc)
configure_package_config_file(cmake/flocConfig.cmake.in ${CMAKE_BINARY_DIR}/generated/flocConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/floc)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/flocConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/flocConfig.cmake ${CMAKE_BINARY_DIR}/generated/flocConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/floc)
configure_file(cmake/floc.pc.in ${CMAKE_BINARY_DIR}/generated/floc.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/floc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The examples, which `floc reproduce` runs.
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/floc/examples)

# The program and the Lua modules, where they are built (see bindings.cmake).
if(TARGET floc_program)
  install(TARGETS floc_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
foreach(version 5.1 5.4)
  if(TARGET floc_lua_${version})
    install(TARGETS floc_lua_${version} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lua/${version})
  endif()
endforeach()
