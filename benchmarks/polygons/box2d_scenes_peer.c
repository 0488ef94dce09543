/*
 * Large pyramid, many pyramids and tumbler (box2d_scenes.h) in Box2D 3, on one thread, without sleeping, as its own
 * benchmarks are; box2d_scenes_benchmark.c is the same in floc. The tumbler's walls are boxes on a kinematic body.
 *
 *   box2d_scenes_peer SCENE [frames] [sub-steps] [steps per frame]
 */
#include "../usage.h"
#include "box2d_scenes.h"

#include <box2d/box2d.h>

static void add_lines(b2WorldId world, const box2d_scene *scene)
{
  b2BodyDef motion = b2DefaultBodyDef();
  if (scene->turning > 0.0) motion.type = b2_kinematicBody;
  motion.position.y = (float)scene->center_y;
  motion.angularVelocity = (float)scene->turning;
  const b2BodyId body = b2CreateBody(world, &motion);
  const b2ShapeDef def = b2DefaultShapeDef();
  for (long k = 0; k < scene->lines; k++) {
    const double *line = scene->line[k];
    if (scene->turning > 0.0) { /* a wall of width 1, whose inner side is the line */
      const float x = 0.5f * (float)(line[0] + line[2]), y = 0.5f * (float)(line[1] + line[3]);
      const b2Polygon wall = b2MakeOffsetBox(x == 0.0f ? 10.0f : 0.5f, x == 0.0f ? 0.5f : 10.0f,
                                             (b2Vec2){x * 10.0f / 9.5f, y * 10.0f / 9.5f}, b2Rot_identity);
      b2CreatePolygonShape(body, &def, &wall);
    } else {
      const b2Segment segment = {{(float)line[0], (float)line[1]}, {(float)line[2], (float)line[3]}};
      b2CreateSegmentShape(body, &def, &segment);
    }
  }
}

int main(int argc, char **argv)
{
  static b2BodyId body[BOX2D_MOST];
  static box2d_square now[BOX2D_MOST];
  box2d_scene *scene = box2d_scene_make(argc > 1 ? argv[1] : "large_pyramid");
  const int frames = argc > 2 ? atoi(argv[2]) : 200, steps = argc > 3 ? atoi(argv[3]) : 4,
            calls = argc > 4 ? atoi(argv[4]) : 1; /* contacts are found once in each */
  b2WorldDef options = b2DefaultWorldDef();
  options.enableSleep = false;
  const b2WorldId world = b2CreateWorld(&options);
  add_lines(world, scene);
  const b2Polygon square = b2MakeSquare((float)scene->half);
  const b2ShapeDef def = b2DefaultShapeDef();
  b2BodyDef motion = b2DefaultBodyDef();
  motion.type = b2_dynamicBody;
  for (long k = 0; k < scene->count; k++) {
    motion.position.x = (float)scene->at[k].x;
    motion.position.y = (float)scene->at[k].y;
    body[k] = b2CreateBody(world, &motion);
    b2CreatePolygonShape(body[k], &def, &square);
  }
  const double before = user_seconds();
  for (int k = 0; k < frames * calls; k++) b2World_Step(world, 1.0f / 60.0f / (float)calls, steps);
  const b2Version version = b2GetVersion();
  printf("Box2D %d.%d.%d %s, %ld squares, %d frames of %d x %d sub-steps: %.2f ms user CPU a frame; ",
         version.major, version.minor, version.revision, argc > 1 ? argv[1] : "large_pyramid", scene->count, frames,
         calls, steps, 1e3 * (user_seconds() - before) / frames);
  for (long k = 0; k < scene->count; k++) {
    now[k].x = b2Body_GetPosition(body[k]).x;
    now[k].y = b2Body_GetPosition(body[k]).y;
    now[k].angle = b2Rot_GetAngle(b2Body_GetRotation(body[k]));
    now[k].vx = b2Body_GetLinearVelocity(body[k]).x;
    now[k].vy = b2Body_GetLinearVelocity(body[k]).y;
    now[k].spin = b2Body_GetAngularVelocity(body[k]);
  }
  box2d_measure(scene, now);
  printf("\n");
  b2DestroyWorld(world);
  free(scene);
  return 0;
}
