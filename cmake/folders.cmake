# Where things are installed; before all that asks for it.
# On Debian libraries go to lib/<architecture> under every prefix, because the loader, pkg-config and CMake look
# there under /usr/local as under /usr.
if(CMAKE_LIBRARY_ARCHITECTURE AND EXISTS /etc/debian_version)
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE} CACHE STRING "Libraries, under the prefix")
endif()
include(GNUInstallDirs)
