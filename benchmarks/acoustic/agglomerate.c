/*
 * The bonded agglomerate under acoustic pulses (Zohdi 2016) once more, for a comparison with
 * examples/acoustic/bonded.lua: written from the equations, and sharing nothing with the engine. Plain C, one
 * thread, no library but the C library's:
 *
 *   cc -O2 -o agglomerate benchmarks/acoustic/agglomerate.c -lm
 *   ./agglomerate STATE [NAME=VALUE ...]
 *   ./agglomerate gather [NAME=VALUE ...]
 *
 * STATE is a file of lines: "particle x y z vx vy vz" for each particle, in the order of their numbers from 1, then
 * "bond i j area" for each bond, then, if the rays are given and not drawn, "ray y z" for each: where it crosses
 * the plane x = 0. With "gather" the program makes the state itself, as examples/acoustic/bonded.lua does: spheres
 * at random without overlap in a ball, pulled to its centre by the acceleration `pull` for the time `gather`,
 * slowed down by 5 / s times their velocity until 0.05 s before the first pulse, half a second without the pull.
 *
 * Model: all particles have radius R and mass m. Contact (13), (14), (68), (69), damping (19), friction (20)-(24)
 * with a time in place of the step, stiffness (35)-(37), drag (30). A bond forms at the overlap strain E*, keeps
 * the greatest contact area A_0 that it has had, pulls with K_nb E^2 A_0 in tension, and is gone at the tensile
 * strain E_b; its tangential part is (26). Time: the trapezoidal rule (31)-(34) by fixed-point iteration, the step
 * by (75), at most time_step. Rays: exact hits on all spheres by trial of each, reflectance (2) with Snell's law as
 * it should be, force (7) along the refracted direction for the pulse's duration.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---- parameters, by name ---- */

static struct {
  double stiffer, power, beam, rays, duration, pulses, period, end, time_step, first_step, tolerance, iterations;
  double radius, density, formation, breaking, fluid_density, fluid_speed, solid_speed, viscosity, seed, adaptive,
      print, particles, pull, gather, bond, tangential, damping, bond_damping, late, softening, over_distance;
} set = {10,   7.07e11, 1, 10000, 1e-5, 4, 0.5,  2, 2.5e-4, 1e-5, 5e-4, 10,  0.05, 6000, 0.01, 0.1, 1000,
         1500, 4500,    1, 1,     1,    0, 2000, 4, 2,      1e6,  1e3,  1e5, 0,    0,    1,    0};

static const struct {
  const char *name;
  double *value;
} names[] = {{"stiffer", &set.stiffer},
             {"power", &set.power},
             {"beam", &set.beam},
             {"rays", &set.rays},
             {"duration", &set.duration},
             {"pulses", &set.pulses},
             {"period", &set.period},
             {"end", &set.end},
             {"time_step", &set.time_step},
             {"first_step", &set.first_step},
             {"tolerance", &set.tolerance},
             {"iterations", &set.iterations},
             {"radius", &set.radius},
             {"density", &set.density},
             {"formation", &set.formation},
             {"breaking", &set.breaking},
             {"viscosity", &set.viscosity},
             {"seed", &set.seed},
             {"adaptive", &set.adaptive},
             {"print", &set.print},
             {"particles", &set.particles},
             {"pull", &set.pull},
             {"gather", &set.gather},
             {"bond", &set.bond},
             {"tangential", &set.tangential},
             {"damping", &set.damping},
             {"bond_damping", &set.bond_damping},
             {"late", &set.late},
             {"softening", &set.softening},
             {"over_distance", &set.over_distance}};

static void fail(const char *what, const char *which)
{
  fprintf(stderr, "agglomerate: %s %s\n", what, which);
  exit(1);
}

static void read_option(const char *text)
{
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    size_t length = strlen(names[k].name);
    if (strncmp(text, names[k].name, length) == 0 && text[length] == '=') {
      *names[k].value = atof(text + length + 1);
      return;
    }
  }
  fail("there is no option", text);
}

/* ---- state ---- */

enum { MOST = 4000, MOST_RAYS = 100000 };

typedef double vec[3];

static int count, given_rays;
static vec place[MOST], speed[MOST]; /* at the beginning of a step */
static struct {
  int i, j;
  double area;
} bond[20 * MOST]; /* as read; later those of the pairs (near) */
static int bonds;
static double ray_y[MOST_RAYS], ray_z[MOST_RAYS];
static double mass;

static double dot(const vec a, const vec b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalise(vec a)
{
  double length = sqrt(dot(a, a));
  for (int k = 0; k < 3; k++) a[k] /= length;
}

static void read_state(const char *path)
{
  FILE *file = fopen(path, "r");
  char line[512];
  if (!file) fail("cannot read", path);
  while (fgets(line, sizeof line, file)) {
    vec at, v;
    int i, j;
    double area;
    if (sscanf(line, "particle %lf %lf %lf %lf %lf %lf", &at[0], &at[1], &at[2], &v[0], &v[1], &v[2]) == 6) {
      if (count == MOST) fail("too many particles in", path);
      memcpy(place[count], at, sizeof at);
      memcpy(speed[count++], v, sizeof v);
    } else if (sscanf(line, "bond %d %d %lf", &i, &j, &area) == 3) {
      if (bonds == 20 * MOST) fail("too many bonds in", path);
      bond[bonds].i = i < j ? i - 1 : j - 1;
      bond[bonds].j = i < j ? j - 1 : i - 1;
      bond[bonds++].area = area;
    } else if (sscanf(line, "ray %lf %lf", &ray_y[given_rays], &ray_z[given_rays]) == 2) {
      given_rays++;
    } else {
      fail("cannot understand", line);
    }
  }
  fclose(file);
}

static uint64_t random_state;

/* splitmix64 */
static double uniform(void)
{
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

/* Centres wherever the whole sphere fits: 2000 of them in the unit ball, others in a ball of as much space for
 * each. */
static void scatter(void)
{
  double reach = pow(set.particles / 2000.0, 1.0 / 3.0) - set.radius;
  if (set.particles > MOST) fail("too many", "particles");
  while (count < (int)set.particles) {
    double square = 0.0;
    int alone = 1;
    for (int k = 0; k < 3; k++) {
      place[count][k] = reach * (2.0 * uniform() - 1.0);
      square += place[count][k] * place[count][k];
    }
    if (square > reach * reach) continue;
    for (int i = 0; i < count && alone; i++) {
      vec way = {place[i][0] - place[count][0], place[i][1] - place[count][1], place[i][2] - place[count][2]};
      alone = dot(way, way) >= 4.0 * set.radius * set.radius;
    }
    count += alone;
  }
}

/* ---- pairs that are near each other ---- */

static struct {
  int i, j;
  double held; /* A_0 of the bond; 0: none */
} * near;
static long near_count, near_room;
static vec listed[MOST];         /* places that the list was made for */
static const double SKIN = 0.25; /* of a diameter: bonds reach 0.1 of it, the rest is for the way */

static int along_x[MOST]; /* particles by x */

static int compare_x(const void *a, const void *b)
{
  double x = listed[*(const int *)a][0], y = listed[*(const int *)b][0];
  return (x > y) - (x < y);
}

static int compare_pairs(const void *a, const void *b)
{
  const int *one = a, *other = b;
  return one[0] != other[0] ? one[0] - other[0] : one[1] - other[1];
}

/* Both lists are in the order of i, then j. */
static void hand_on_bonds(void)
{
  long e = 0;
  for (int k = 0; k < bonds; k++) {
    int which[2] = {bond[k].i, bond[k].j};
    while (e < near_count && compare_pairs(&near[e], which) < 0) e++;
    if (e == near_count || near[e].i != which[0] || near[e].j != which[1]) fail("a bond's particles are", "apart");
    near[e].held = bond[k].area;
  }
}

static void list_pairs(vec *at)
{
  double greatest = 0.0, reach = 2.0 * set.radius * (1.0 + SKIN);
  for (int i = 0; i < count && near; i++) {
    vec way = {at[i][0] - listed[i][0], at[i][1] - listed[i][1], at[i][2] - listed[i][2]};
    greatest = fmax(greatest, sqrt(dot(way, way)));
  }
  if (near && 2.0 * greatest < 2.0 * set.radius * (SKIN - set.breaking) * 0.8) return;
  if (near) bonds = 0;
  for (long e = 0; e < near_count; e++) {
    if (near[e].held == 0.0) continue;
    bond[bonds].i = near[e].i;
    bond[bonds].j = near[e].j;
    bond[bonds++].area = near[e].held;
  }
  near_count = 0;
  memcpy(listed, at, sizeof(vec) * (size_t)count);
  for (int i = 0; i < count; i++) along_x[i] = i;
  qsort(along_x, (size_t)count, sizeof *along_x, compare_x);
  for (int a = 0; a < count; a++)
    for (int b = a + 1; b < count; b++) {
      int i = along_x[a], j = along_x[b];
      double x = at[j][0] - at[i][0], y = at[j][1] - at[i][1], z = at[j][2] - at[i][2];
      if (x >= reach) break;
      if (x * x + y * y + z * z >= reach * reach) continue;
      if (near_count == near_room) {
        near_room = near_room ? 2 * near_room : 1024;
        near = realloc(near, (size_t)near_room * sizeof *near);
        if (!near) fail("no memory for", "pairs");
      }
      near[near_count].i = i < j ? i : j;
      near[near_count].held = 0.0;
      near[near_count++].j = i < j ? j : i;
    }
  if (!near) fail("there are no", "pairs");
  qsort(near, (size_t)near_count, sizeof *near, compare_pairs);
  qsort(bond, (size_t)bonds, sizeof *bond, compare_pairs);
  hand_on_bonds();
}

/* ---- forces ---- */

/* (35), both particles alike, so (37) is the same. */
static double contact_stiffness(void)
{
  double softened = 1e7 * set.stiffer * (set.softening ? exp(-(300.0 / 500.0 - 1.0)) : 1.0),
         least = 1e6 * set.stiffer;
  return softened > least ? softened : least;
}

static long contacts;

/* Pull and drag of the gather stage, times before the first pulse. */
static double pulled, dragged;

static void choose_stage(double time)
{
  pulled = time < -0.5 - 1e-9 ? set.pull * mass : 0.0;
  dragged = time < -0.05 - 1e-9 ? 5.0 * mass : 0.0;
}

/* Of all but rays at the given places and velocities; keep: bonds take their new state. */
static void find_forces(vec *at, vec *v, vec *force, int keep)
{
  const double K = contact_stiffness(), Kn = set.bond * set.stiffer, Kr = set.tangential * set.stiffer, Kf = 1e7,
               still = 0.4, sliding = 0.3;
  const double damping = set.damping, friction_time = 1e-5, sum = 2.0 * set.radius;
  contacts = 0;
  for (int i = 0; i < count; i++) {
    double inward = pulled > 0.0 ? pulled / sqrt(dot(at[i], at[i]) + 1e-12) : 0.0;
    for (int k = 0; k < 3; k++)
      force[i][k] = -(6.0 * PI * set.viscosity * set.radius + dragged) * v[i][k] - inward * at[i][k];
  }
  for (long e = 0; e < near_count; e++) {
    int i = near[e].i, j = near[e].j;
    vec n, slip;
    for (int k = 0; k < 3; k++) n[k] = at[j][k] - at[i][k];
    double distance = sqrt(dot(n, n)), held = near[e].held;
    if (distance >= sum && held == 0.0) continue;
    double strain = fabs(distance - sum) / (set.over_distance && distance > sum ? distance : sum), push = 0.0,
           drag = 0.0; /* drag: tangential force over slip */
    for (int k = 0; k < 3; k++) n[k] /= distance;
    for (int k = 0; k < 3; k++) slip[k] = v[j][k] - v[i][k];
    double parting = dot(slip, n);
    for (int k = 0; k < 3; k++) slip[k] -= parting * n[k];
    if (distance < sum) {
      double area = PI * (set.radius * set.radius - 0.25 * distance * distance),
             elastic = K * strain * strain * area;
      double along = sqrt(dot(slip, slip));
      contacts++;
      push = elastic - damping * area * parting;
      drag = Kf * area * friction_time;
      if (drag * along >= still * elastic) drag = sliding * elastic / along;
      if (held > 0.0 || strain >= set.formation) held = fmax(held, area);
    } else if (strain >= set.breaking && (keep || !set.late)) {
      held = 0.0;
    } else {
      push = -Kn * strain * strain * held - set.bond_damping * held * parting;
    }
    drag += Kr * held * friction_time;
    if (keep) near[e].held = held;
    for (int k = 0; k < 3; k++) {
      double on_first = drag * slip[k] - push * n[k];
      force[i][k] += on_first;
      force[j][k] -= on_first;
    }
  }
}

/* ---- rays ---- */

static long reflections, absorbing;
static double absorbed, incident;
static vec ray_force[MOST];

/* The first sphere ahead but the one just left, -1 if there is none. */
static int first_hit(const vec from, const vec along, int left, double *way)
{
  int found = -1;
  *way = INFINITY;
  for (int i = 0; i < count; i++) {
    vec to = {place[i][0] - from[0], place[i][1] - from[1], place[i][2] - from[2]};
    double ahead = dot(to, along), off = dot(to, to) - ahead * ahead;
    if (i == left || off >= set.radius * set.radius) continue;
    double enters = ahead - sqrt(set.radius * set.radius - off);
    if (enters >= 0.0 && enters < *way) {
      *way = enters;
      found = i;
    }
  }
  return found;
}

static void trace(vec from, double power, double area)
{
  const double ratio = set.fluid_speed / set.solid_speed; /* c_i / c_t */
  const double impedance = set.density * set.solid_speed / (set.fluid_density * set.fluid_speed);
  vec along = {1.0, 0.0, 0.0}, normal;
  int left = -1;
  double way;
  for (;;) {
    int hit = first_hit(from, along, left, &way);
    if (hit < 0) return;
    for (int k = 0; k < 3; k++) from[k] += way * along[k];
    for (int k = 0; k < 3; k++) normal[k] = from[k] - place[hit][k];
    normalise(normal);
    double cosine = -dot(along, normal), sine = sqrt(fmax(0.0, 1.0 - cosine * cosine)) / ratio;
    double reflected = 1.0;
    reflections++;
    if (sine < 1.0) {
      double inner = sqrt(1.0 - sine * sine), root = (impedance * cosine - inner) / (impedance * cosine + inner);
      reflected = root * root;
      double size = sqrt(power * (1.0 - reflected) * set.density * set.solid_speed * area);
      for (int k = 0; k < 3; k++)
        ray_force[hit][k] += size * (along[k] / ratio + (cosine / ratio - inner) * normal[k]);
      absorbed += power * (1.0 - reflected);
      absorbing++;
    }
    power *= reflected;
    for (int k = 0; k < 3; k++) along[k] += 2.0 * cosine * normal[k];
    normalise(along); /* or the error of its length grows from hit to hit */
    left = hit;
  }
}

static void send_pulse(void)
{
  int rays = given_rays ? given_rays : (int)set.rays;
  double start = INFINITY;
  memset(ray_force, 0, sizeof ray_force);
  for (int i = 0; i < count; i++) start = fmin(start, place[i][0]);
  for (int k = 0; k < rays; k++) {
    double far = set.beam * sqrt(uniform()), angle = 2.0 * PI * uniform();
    vec from = {start - 2.0 * set.radius, given_rays ? ray_y[k] : far * cos(angle),
                given_rays ? ray_z[k] : far * sin(angle)};
    trace(from, set.power / rays, PI * set.beam * set.beam / rays);
  }
  incident += set.power;
}

/* ---- what is reported ---- */

static int root_of(int *parent, int i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void report(const char *when, double time)
{
  static int parent[MOST], size[MOST];
  int bonded = 0, largest = 0, clusters = 0;
  double areas = 0.0;
  vec middle = {0, 0, 0};
  double energy = 0.0, gyration = 0.0;
  for (int i = 0; i < count; i++) parent[i] = i, size[i] = 0;
  for (long e = 0; e < near_count; e++)
    if (near[e].held > 0.0)
      bonded++, areas += near[e].held, parent[root_of(parent, near[e].i)] = root_of(parent, near[e].j);
  for (int i = 0; i < count; i++) size[root_of(parent, i)]++;
  for (int i = 0; i < count; i++) {
    largest = size[i] > largest ? size[i] : largest;
    clusters += size[i] > 0;
    energy += 0.5 * mass * dot(speed[i], speed[i]);
    for (int k = 0; k < 3; k++) middle[k] += place[i][k] / count;
  }
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) gyration += (place[i][k] - middle[k]) * (place[i][k] - middle[k]) / count;
  printf("%s time %.17g bonds %d contacts %ld largest %d clusters %d energy %.10g gyration %.10g reflections %ld "
         "absorbed %.10g mean_area %.6g\n",
         when, time, bonded, contacts, largest, clusters, energy, sqrt(gyration), reflections,
         incident > 0.0 ? absorbed / incident : 0.0, bonded > 0 ? areas / bonded : 0.0);
}

/* ---- time ---- */

static double greater(double a, double b)
{
  return a > b ? a : b;
}
static double smaller(double a, double b)
{
  return a < b ? a : b;
}

/* A step of length h with the rays' mean force; whether it converged, and by which factor the next should be
 * longer. */
static int try_step(double h, double share, vec *new_place, vec *new_speed, double *factor)
{
  static vec first[MOST], last[MOST];
  double error = 1.0;
  int iteration = 1;
  list_pairs(place);
  find_forces(place, speed, first, 0);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) first[i][k] += share * ray_force[i][k];
  memcpy(last, first, sizeof(vec) * (size_t)count);
  for (;; iteration++) {
    double changed = 0.0, moved = 0.0;
    for (int i = 0; i < count; i++) {
      vec before, change, way;
      for (int k = 0; k < 3; k++) {
        before[k] = iteration == 1 ? place[i][k] : new_place[i][k];
        new_speed[i][k] = speed[i][k] + h / mass * 0.5 * (last[i][k] + first[i][k]);
        new_place[i][k] = place[i][k] + h * 0.5 * (new_speed[i][k] + speed[i][k]);
        change[k] = new_place[i][k] - before[k];
        way[k] = new_place[i][k] - place[i][k];
      }
      changed += sqrt(dot(change, change));
      moved += sqrt(dot(way, way));
    }
    if (iteration > 1) {
      error = moved > 0.0 ? changed / moved : 0.0;
      if (error <= set.tolerance || iteration > set.iterations) break;
    }
    find_forces(new_place, new_speed, last, 0);
    for (int i = 0; i < count; i++)
      for (int k = 0; k < 3; k++) last[i][k] += share * ray_force[i][k];
  }
  *factor = error == 0.0 ? 2.0 : pow(set.tolerance, 0.5 / set.iterations) / pow(error, 0.5 / (iteration - 1));
  *factor = greater(0.1, smaller(2.0, *factor));
  return error <= set.tolerance;
}

int main(int argc, char **argv)
{
  static vec new_place[MOST], new_speed[MOST], unused[MOST];
  if (argc < 2) fail("usage: agglomerate STATE [NAME=VALUE ...], no", "STATE");
  for (int k = 2; k < argc; k++) read_option(argv[k]);
  const int gathers = strcmp(argv[1], "gather") == 0;
  random_state = (uint64_t)set.seed * 1000003u;
  mass = set.density * 4.0 / 3.0 * PI * set.radius * set.radius * set.radius;
  if (gathers)
    scatter();
  else
    read_state(argv[1]);
  list_pairs(place);
  double time = gathers ? -set.gather - 0.5 : 0.0, h = set.adaptive ? set.first_step : set.time_step,
         began = -INFINITY;
  int sent = 0, shown = 0;
  long steps = 0;
  static const double looks[] = {0, 0.48, 0.5, 0.98, 1, 1.48, 1.5, 1.99, 2};
  for (;;) {
    while (shown < 9 && time >= looks[shown] - 1e-12) report("state", time), shown++;
    if (set.print > 0 && steps <= set.print)
      for (int i = 0; i < count; i++)
        printf("step %ld particle %d %.17g %.17g %.17g %.17g %.17g %.17g\n", steps, i + 1, place[i][0], place[i][1],
               place[i][2], speed[i][0], speed[i][1], speed[i][2]);
    if (time >= set.end || (set.print > 0 && steps >= set.print)) break;
    choose_stage(time);
    if (sent == 0 && time < 0.0 && time + h > 0.0) h = -time; /* a pulse begins with a step */
    if (sent < set.pulses && time >= -1e-12 && sent * set.period < time + h) {
      send_pulse();
      began = sent++ * set.period;
    }
    double factor = 1.0, taken = h;
    for (;;) {
      double from = greater(began, time), to = smaller(began + set.duration, time + taken);
      double share = to > from ? (to - from) / taken : 0.0;
      if (try_step(taken, share, new_place, new_speed, &factor) || !set.adaptive) break;
      taken *= smaller(factor, 0.9);
    }
    memcpy(place, new_place, sizeof(vec) * (size_t)count);
    memcpy(speed, new_speed, sizeof(vec) * (size_t)count);
    time += taken;
    steps++;
    list_pairs(place);
    find_forces(place, speed, unused, 1); /* bonds of the new state */
    if (set.adaptive) h = smaller(set.time_step, factor * taken);
  }
  printf("%ld steps, %ld hits that exert a force\n", steps, absorbing);
  return 0;
}
