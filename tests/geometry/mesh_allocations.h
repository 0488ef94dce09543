/*
 * Reading of a mesh from text while each allocation in turn is refused: nothing is left behind.
 */
#ifndef FLOC_TESTS_MESH_ALLOCATIONS_H
#define FLOC_TESTS_MESH_ALLOCATIONS_H

#include "geometry/meshes/mesh.h"

#include "failing_allocator.h"

#include <string.h>

static void read_with_failing_allocations(const char *name, const char *text)
{
  for (int64_t n = 1;; n++) {
    failing_allocator counter;
    environment env = failing_environment(&counter, n);
    triangle_mesh mesh;
    floc_status status = triangle_mesh_read(&env, name, (const unsigned char *)text, strlen(text), 1.0, &mesh);
    triangle_mesh_free(&env, &mesh);
    assert_int_equal(counter.bytes, 0);
    if (status == FLOC_OK) break;
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    assert_in_range(n, 1, 100);
  }
}

#endif
