/*
 * Fuzz target of the VTP reader: any bytes at all must be read or refused with a message that names the file, take
 * memory in proportion to their length, leave none, and give finite corners only.
 *
 * Build with clang and -DFLOC_FUZZ=ON, then: fuzz_vtp tests/corpus/vtp
 */
#include "fuzz_support.h"

#include "geometry/meshes/mesh.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  count counter = {0};
  environment env = {.allocate = counting_allocate, .allocate_context = &counter, .threads = 1};
  triangle_mesh mesh;
  floc_status status = triangle_mesh_read(&env, "fuzzed.vtp", bytes, size, 0.001, &mesh);
  if (status != FLOC_OK) {
    demand(status == FLOC_DAMAGED_FILE, "only damage is a reason");
    demand(strstr(env.message, "fuzzed.vtp") != NULL, "the message names the file");
  }
  for (int32_t k = 0; k < mesh.count; k++)
    for (int value = 0; value < 9; value++)
      demand(isfinite(mesh.triangle[k].points[value / 3][value % 3]), "corners are finite");
  /* A byte can be one of the corners that another byte of zlib's makes 1032 of. */
  size_t triangles = 2 * sizeof(floc_shape) * ((size_t)mesh.count + 1);
  triangle_mesh_free(&env, &mesh);
  demand(counter.held == 0, "all memory comes back");
  demand(counter.greatest <= 100000 + 8000 * size + triangles, "memory is bounded by the length");
  return 0;
}
