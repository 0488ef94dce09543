/*
 * Rays on frozen spheres (rays_benchmark.c) in Embree 3: the same spheres, beams and reflection at the nearest
 * sphere until the ray leaves; geometry alone, without power, absorption and forces. Sphere points are Embree's own
 * primitive. Embree works in single precision: positions are rounded to 6e-8, and a reflected ray begins a
 * ten-thousandth of a radius away from the sphere it left, so that it does not hit it again.
 *
 *   embree_rays spheres=FILE [rays=10000] [directions=400] [packets=0|1]
 *
 * packets=1 follows 16 rays at a time through rtcIntersect16, refilling those that left; 0: one by one. The
 * structure is built again for each beam, as floc does (the spheres of an example move between two beams), and is
 * part of the time. One thread. Prints "name value" lines.
 */
#include "../../state_file.h"
#include "../../usage.h"

#include <embree3/rtcore.h>
#include <math.h>
#include <stdint.h>

typedef struct beam {
  double direction[3], u[3], v[3];
  uint64_t random;
} beam;

typedef struct ray_state {
  double origin[3], direction[3];
} ray_state;

static float (*spheres)[4]; /* x y z radius */
static long sphere_count, reflections;

static double uniform(uint64_t *state) /* splitmix64 */
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void read_spheres(const char *path)
{
  FILE *file = must_open(path, "r");
  state_header head = read_state_header(file);
  sphere_count = head.count;
  spheres = malloc((size_t)sphere_count * sizeof *spheres);
  for (long k = 0; k < sphere_count; k++) {
    double row[STATE_COLUMNS];
    if (!spheres || !read_state_row(file, row)) exit(1);
    for (int axis = 0; axis < 3; axis++) spheres[k][axis] = (float)row[axis];
    spheres[k][3] = (float)row[6];
  }
  fclose(file);
}

static RTCScene build(RTCDevice device)
{
  RTCScene scene = rtcNewScene(device);
  RTCGeometry points = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  rtcSetSharedGeometryBuffer(points, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, spheres, 0, sizeof *spheres,
                             (size_t)sphere_count);
  rtcCommitGeometry(points);
  rtcAttachGeometry(scene, points);
  rtcReleaseGeometry(points);
  rtcCommitScene(scene);
  return scene;
}

static beam make_beam(int k, int directions)
{
  beam it = {.random = (uint64_t)k + 1};
  double z = 1.0 - 2.0 * (k + 0.5) / directions, angle = 2.399963229728653 * k, w = sqrt(1.0 - z * z);
  double *d = it.direction;
  d[0] = w * cos(angle), d[1] = w * sin(angle), d[2] = z;
  double a[3] = {fabs(d[0]) < 0.5, fabs(d[0]) >= 0.5, 0.0}, along = a[0] * d[0] + a[1] * d[1], length = 0.0;
  for (int n = 0; n < 3; n++) it.u[n] = a[n] - along * d[n], length += it.u[n] * it.u[n];
  for (int n = 0; n < 3; n++) it.u[n] /= sqrt(length);
  for (int n = 0; n < 3; n++) it.v[n] = d[(n + 1) % 3] * it.u[(n + 2) % 3] - d[(n + 2) % 3] * it.u[(n + 1) % 3];
  return it;
}

/* A ray of the beam, uniform over the disc of radius 1, starting at distance 2. */
static ray_state start_ray(beam *from)
{
  double r = sqrt(uniform(&from->random)), angle = 6.283185307179586 * uniform(&from->random);
  ray_state ray;
  for (int n = 0; n < 3; n++) {
    ray.origin[n] = r * (cos(angle) * from->u[n] + sin(angle) * from->v[n]) - 2.0 * from->direction[n];
    ray.direction[n] = from->direction[n];
  }
  return ray;
}

/* Reflects at sphere number `hit`, at distance t. */
static void reflect(ray_state *ray, unsigned hit, double t)
{
  double normal[3], along = 0.0, length = 0.0;
  const float *s = spheres[hit];
  for (int n = 0; n < 3; n++) {
    normal[n] = ray->origin[n] + t * ray->direction[n] - (double)s[n];
    length += normal[n] * normal[n];
  }
  for (int n = 0; n < 3; n++) along += (normal[n] /= sqrt(length)) * ray->direction[n];
  for (int n = 0; n < 3; n++) {
    ray->origin[n] = (double)s[n] + 1.0001 * (double)s[3] * normal[n];
    ray->direction[n] -= 2.0 * along * normal[n];
  }
  reflections++;
}

static void trace_singly(RTCScene scene, beam *from, long rays)
{
  struct RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  for (long k = 0; k < rays; k++) {
    ray_state ray = start_ray(from);
    for (;;) {
      struct RTCRayHit query = {0};
      query.ray.org_x = (float)ray.origin[0], query.ray.org_y = (float)ray.origin[1];
      query.ray.org_z = (float)ray.origin[2];
      query.ray.dir_x = (float)ray.direction[0], query.ray.dir_y = (float)ray.direction[1];
      query.ray.dir_z = (float)ray.direction[2];
      query.ray.tfar = INFINITY;
      query.ray.mask = ~0u;
      query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      rtcIntersect1(scene, &context, &query);
      if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) break;
      reflect(&ray, query.hit.primID, (double)query.ray.tfar);
    }
  }
}

static void trace_in_packets(RTCScene scene, beam *from, long rays)
{
  enum { WIDE = 16 };
  struct RTCIntersectContext context;
  ray_state ray[WIDE];
  int32_t valid[WIDE] __attribute__((aligned(64))) = {0};
  long started = 0, running = 0;
  rtcInitIntersectContext(&context);
  do {
    struct RTCRayHit16 query = {0}; /* aligned by its type */
    for (int k = 0; k < WIDE; k++) {
      if (!valid[k] && started < rays) ray[k] = start_ray(from), valid[k] = -1, started++, running++;
      if (!valid[k]) continue;
      query.ray.org_x[k] = (float)ray[k].origin[0], query.ray.org_y[k] = (float)ray[k].origin[1];
      query.ray.org_z[k] = (float)ray[k].origin[2];
      query.ray.dir_x[k] = (float)ray[k].direction[0], query.ray.dir_y[k] = (float)ray[k].direction[1];
      query.ray.dir_z[k] = (float)ray[k].direction[2];
      query.ray.tfar[k] = INFINITY;
      query.ray.mask[k] = ~0u;
      query.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
    }
    if (running == 0) return;
    rtcIntersect16(valid, scene, &context, &query);
    for (int k = 0; k < WIDE; k++) {
      if (!valid[k]) continue;
      if (query.hit.geomID[k] == RTC_INVALID_GEOMETRY_ID)
        valid[k] = 0, running--;
      else
        reflect(&ray[k], query.hit.primID[k], (double)query.ray.tfar[k]);
    }
  } while (running > 0 || started < rays);
}

int main(int argc, char **argv)
{
  long rays = (long)number_option(argc, argv, "rays", 10000);
  int directions = (int)number_option(argc, argv, "directions", 400);
  bool packets = number_option(argc, argv, "packets", 0) != 0;
  read_spheres(text_option(argc, argv, "spheres", NULL));
  RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
  double expected = 0.0, building = 0.0, start = user_seconds(), began = wall_seconds();
  for (int k = 0; k < directions; k++) {
    double before = user_seconds();
    RTCScene scene = build(device);
    building += user_seconds() - before;
    beam from = make_beam(k, directions);
    (packets ? trace_in_packets : trace_singly)(scene, &from, rays);
    rtcReleaseScene(scene);
  }
  double seconds = user_seconds() - start, wall = wall_seconds() - began;
  for (long k = 0; k < sphere_count; k++) expected += (double)spheres[k][3] * (double)spheres[k][3];
  printf(
      "cpu_seconds %.6f\nwall_seconds %.6f\nbuild_seconds %.6f\nreflections %ld\nrays_traced %ld\nmean_reflections "
      "%.6f\nlaw %.6f\npeak_bytes %ld\n",
      seconds, wall, building, reflections, rays * directions, (double)reflections / ((double)rays * directions),
      expected, peak_kilobytes() * 1024);
  rtcReleaseDevice(device);
  free(spheres);
  return 0;
}
