# Debian packages: `cpack -G DEB` in the build folder, or scripts/package.sh. One holds the program, the library, the
# header and the Lua modules: they are few and small, and belong to one version. The other, floc-mpi, is for several
# ranks, so that floc does not depend on MPI.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME floc)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The floc developers <floc@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# cpack writes scripts that call ldconfig; Debian's own way, a trigger, is added.
file(WRITE ${CMAKE_BINARY_DIR}/generated/shlibs "libfloc ${PROJECT_VERSION_MAJOR} floc (>= ${PROJECT_VERSION})\n")
file(WRITE ${CMAKE_BINARY_DIR}/generated/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/generated/shlibs ${CMAKE_BINARY_DIR}/generated/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
# ffmpeg makes movies; the two Luas are other ways to run scripts; the header's users link zlib and libdeflate when
# they take the static library.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS fonts-dejavu-core)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, luajit, lua5.4, zlib1g-dev, libdeflate-dev, gcc, pkg-config")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"floc simulates many particles that must not overlap: grains, gluey particles
in a viscous fluid, ballistic aggregation, discrete elements hit by acoustic
pulses. Lua scripts set up geometry, forcing and force laws; runs can be
stopped and go on bit for bit.

The package has the program, the Lua module for LuaJIT and Lua 5.4, the C
library with its header, and examples.")
if(TARGET floc_mpi)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_ALL Unspecified mpi)
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME floc)
  set(CPACK_DEBIAN_UNSPECIFIED_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME floc-mpi)
  set(CPACK_DEBIAN_MPI_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS openmpi-bin)
  set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "floc (= ${PROJECT_VERSION}-1)")
  set(CPACK_DEBIAN_MPI_PACKAGE_SUGGESTS slurm-client)
  set(CPACK_DEBIAN_MPI_PACKAGE_CONTROL_EXTRA "")
  set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION "${CPACK_DEBIAN_PACKAGE_DESCRIPTION}")
  set(CPACK_COMPONENT_MPI_DESCRIPTION "Several ranks over OpenMPI for floc
The package has the module by which programs that use floc tell each other
what belongs to which of them, and its header.")
endif()
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_BINARY_DIR}/generated/debian.cmake)
configure_file(cmake/debian.cmake.in ${CMAKE_BINARY_DIR}/generated/debian.cmake @ONLY)
include(CPack)
