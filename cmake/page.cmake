# The browser page of `floc view` and `floc run --live`: bindings/page, bundled by esbuild into one HTML text and
# compiled into the program.
#
# npm fetches three.js and esbuild into the build folder. Where npm or the network is missing the page is left
# empty: everything else is built, the build says what is missing, floc view says so too, and the next build tries
# again. The server of --live needs libmicrohttpd.
find_program(NPM npm)
find_program(NODE node)
set(page_folder ${CMAKE_BINARY_DIR}/page)
set(page_source ${CMAKE_BINARY_DIR}/generated/page.c)
file(GLOB page_files ${FLOC_GLOB} ${CMAKE_SOURCE_DIR}/bindings/page/*.js ${CMAKE_SOURCE_DIR}/bindings/page/*.mjs
     ${CMAKE_SOURCE_DIR}/bindings/page/*.css ${CMAKE_SOURCE_DIR}/bindings/page/*.html ${CMAKE_SOURCE_DIR}/bindings/page/*.json)

set(FLOC_HAS_PAGE OFF)
if(NPM AND NODE)
  set(FLOC_HAS_PAGE ON)
else()
  message(WARNING "npm and node were not found: floc is built without its browser page (floc view, floc run --live). "
                  "Install the Debian packages nodejs and npm and configure again.")
endif()
# The stamp is made only when the page was: without it, the next build tries again.
add_custom_command(OUTPUT ${page_source} ${page_folder}/made
  COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DNODE=${NODE} -DSOURCE=${CMAKE_SOURCE_DIR} -DFOLDER=${page_folder} -DOUTPUT=${page_source}
          -P ${CMAKE_SOURCE_DIR}/cmake/page_build.cmake
  DEPENDS ${page_files} ${CMAKE_SOURCE_DIR}/cmake/page_build.cmake ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "The browser page" VERBATIM)

pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd>=0.9.70)
if(NOT MICROHTTPD_FOUND)
  message(WARNING "libmicrohttpd was not found: floc is built without floc run --live. Install the Debian package "
                  "libmicrohttpd-dev and configure again.")
endif()
