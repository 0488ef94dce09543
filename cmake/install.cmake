# Install rules: headers, libraries, the program, the Lua modules; find_package(floc) and pkg-config. Lua looks for
# modules in /usr/local/lib/lua/5.x but in /usr/lib/<architecture>/lua/5.x; the package (packaging.cmake) moves them.
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
# The prefix is told from where the file is, so that a tree may be moved or packed for another place.
file(RELATIVE_PATH FLOC_PREFIX_FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/floc.pc.in ${CMAKE_BINARY_DIR}/generated/floc.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/floc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The examples, which `floc reproduce` runs; the documents; declarations for editors; the man page.
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/floc/examples)
install(FILES scripts/floc.d.lua DESTINATION ${CMAKE_INSTALL_DATADIR}/floc)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN "*.png"
        PATTERN gallery EXCLUDE PATTERN gallery.md EXCLUDE) # floc reproduce makes them
install(FILES scripts/floc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# The program and the Lua modules, where they are built (see bindings.cmake).
# What a program loads where it is one of several ranks: a package of its own, as nothing else needs MPI.
if(TARGET floc_mpi)
  install(TARGETS floc_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/floc COMPONENT mpi)
  install(FILES bindings/mpi/floc_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/floc COMPONENT mpi)
endif()

if(TARGET floc_program)
  install(TARGETS floc_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
foreach(version 5.1 5.4)
  if(TARGET floc_lua_${version})
    install(TARGETS floc_lua_${version} LIBRARY DESTINATION lib/lua/${version})
  endif()
endforeach()
