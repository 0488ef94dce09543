// The pile of hard discs (pile_benchmark.c) in Box2D 2.4: the same start, box, slopes and slowly turning cross.
//
//   box2d_pile start=FILE [substeps=1] [velocity_iterations=8] [position_iterations=3] [frames=90] [turning=0.2]
//              [scale=25] [end=FILE]
//
// Box2D's tolerances are lengths (linear slop 0.005, speed of restitution 1), made for bodies of 0.1 to 10; lengths
// are therefore multiplied by `scale`, which makes radii 0.375 to 0.625 and gravity 250. A frame of 1/60 s is cut
// into `substeps` calls of b2World::Step. No friction, no restitution, no sleeping, as in floc's pile. Single
// precision is Box2D's own. Prints user CPU per frame, mean over the last third, and writes the end for
// measure_state.
#include <algorithm>
#include <box2d/box2d.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../../usage.h"

struct disc {
  double x, y, z, vx, vy, vz, radius, mass;
};

static const char *option(int count, char **text, const char *name, const char *otherwise)
{
  size_t length = std::strlen(name);
  for (int k = 1; k < count; k++)
    if (std::strncmp(text[k], name, length) == 0 && text[k][length] == '=') return text[k] + length + 1;
  return otherwise;
}

static std::vector<disc> read_state(const char *path, double *time, std::vector<char> *head)
{
  FILE *file = std::fopen(path, "r");
  long count = 0;
  char line[512];
  if (!file) std::exit((std::fprintf(stderr, "%s cannot be opened\n", path), 1));
  for (int k = 0; k < 6 && std::fgets(line, sizeof line, file); k++) {
    std::sscanf(line, "time %lf", time);
    std::sscanf(line, "count %ld", &count);
    head->insert(head->end(), line, line + std::strlen(line));
  }
  std::vector<disc> all(count);
  for (disc &d : all)
    if (std::fscanf(file, "%lf %lf %lf %lf %lf %lf %lf %lf", &d.x, &d.y, &d.z, &d.vx, &d.vy, &d.vz, &d.radius,
                    &d.mass) != 8)
      std::exit((std::fprintf(stderr, "%s ends too early\n", path), 1));
  std::fclose(file);
  return all;
}

static void add_line(b2Body *body, double scale, double x0, double y0, double x1, double y1)
{
  b2EdgeShape edge;
  b2FixtureDef fixture;
  edge.SetTwoSided(b2Vec2(scale * x0, scale * y0), b2Vec2(scale * x1, scale * y1));
  fixture.shape = &edge;
  fixture.friction = 0.0f;
  body->CreateFixture(&fixture);
}

static void add_walls(b2World &world, double scale, double width, double turning, double time)
{
  b2BodyDef fixed, cross;
  b2Body *box = world.CreateBody(&fixed);
  double w = width, height = 3.0 * width;
  add_line(box, scale, 0, 0, w, 0);
  add_line(box, scale, 0, 0, 0, height);
  add_line(box, scale, w, 0, w, height);
  add_line(box, scale, 0, 0.35 * w, 0.25 * w, 0.12 * w);
  add_line(box, scale, w, 0.35 * w, 0.75 * w, 0.12 * w);
  cross.type = b2_kinematicBody;
  cross.position.Set(scale * 0.5 * w, scale * 0.4 * w);
  cross.angle = turning * time;
  cross.angularVelocity = turning;
  b2Body *turner = world.CreateBody(&cross);
  add_line(turner, scale, -0.15 * w, 0, 0.15 * w, 0);
  add_line(turner, scale, 0, -0.15 * w, 0, 0.15 * w);
}

static b2Body *add_disc(b2World &world, double scale, const disc &d)
{
  b2BodyDef body;
  b2CircleShape circle;
  b2FixtureDef fixture;
  body.type = b2_dynamicBody;
  body.allowSleep = false;
  body.position.Set(scale * d.x, scale * d.y);
  body.linearVelocity.Set(scale * d.vx, scale * d.vy);
  circle.m_radius = scale * d.radius;
  fixture.shape = &circle;
  fixture.friction = 0.0f;
  fixture.restitution = 0.0f;
  fixture.density = d.mass / (b2_pi * circle.m_radius * circle.m_radius);
  b2Body *made = world.CreateBody(&body);
  made->CreateFixture(&fixture);
  return made;
}

static void write_end(const char *path, double scale, const std::vector<char> &head, const std::vector<disc> &start,
                      const std::vector<b2Body *> &bodies)
{
  FILE *file = std::fopen(path, "w");
  if (!file) std::exit((std::fprintf(stderr, "%s cannot be written\n", path), 1));
  std::fwrite(head.data(), 1, head.size(), file);
  for (size_t k = 0; k < bodies.size(); k++) {
    b2Vec2 x = bodies[k]->GetPosition(), v = bodies[k]->GetLinearVelocity();
    std::fprintf(file, "%.9g %.9g 0 %.9g %.9g 0 %.17g %.17g\n", x.x / scale, x.y / scale, v.x / scale, v.y / scale,
                 start[k].radius, start[k].mass);
  }
  std::fclose(file);
}

int main(int argc, char **argv)
{
  int substeps = std::atoi(option(argc, argv, "substeps", "1")),
      frames = std::atoi(option(argc, argv, "frames", "90"));
  int velocity_iterations = std::atoi(option(argc, argv, "velocity_iterations", "8"));
  int position_iterations = std::atoi(option(argc, argv, "position_iterations", "3"));
  double scale = std::atof(option(argc, argv, "scale", "25")),
         turning = std::atof(option(argc, argv, "turning", "0.2"));
  double time = 0.0;
  std::vector<char> head;
  std::vector<disc> start = read_state(option(argc, argv, "start", ""), &time, &head);
  b2World world(b2Vec2(0.0f, -10.0 * scale));
  world.SetAllowSleeping(false);
  add_walls(world, scale, std::sqrt(start.size() * 0.001283 / 0.656), turning, time);
  std::vector<b2Body *> bodies;
  for (const disc &d : start) bodies.push_back(add_disc(world, scale, d));
  double cpu = 0.0, slowest = 0.0;
  int kept = frames < 3 ? frames : frames / 3;
  double began = wall_seconds();
  for (int frame = 0; frame < frames; frame++) {
    double before = user_seconds();
    for (int k = 0; k < substeps; k++)
      world.Step(1.0f / 60.0f / substeps, velocity_iterations, position_iterations);
    double taken = user_seconds() - before;
    if (frame < frames - kept) continue;
    cpu += taken / kept;
    slowest = std::max(slowest, taken);
  }
  double wall = wall_seconds() - began;
  std::printf("ms_per_frame %.4f\nslowest_ms %.4f\nwall_ms_per_frame %.4f\ncontacts %d\n", 1e3 * cpu, 1e3 * slowest,
              1e3 * wall / frames, world.GetContactCount());
  if (const char *end = option(argc, argv, "end", nullptr)) write_end(end, scale, head, start, bodies);
  return 0;
}
