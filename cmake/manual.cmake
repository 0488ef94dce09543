# The manual as HTML: cmake --build build --target manual. Needs Sphinx with MyST and KaTeX from Debian's packages;
# scripts/manual.sh installs them. Nothing else depends on it.
find_program(FLOC_MANUAL_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
add_custom_target(manual
  COMMAND ${FLOC_MANUAL_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/manual/build.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/manual ${PROJECT_VERSION}
  VERBATIM)
