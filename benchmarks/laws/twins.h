/*
 * Laws of examples/laws in C, as somebody would write them who compiles a law: the twins of what law_benchmark.lua
 * traces, with the same options, inputs in the order of the law's parameters and outputs in that of its results.
 */
#ifndef FLOC_BENCHMARKS_LAW_TWINS_H
#define FLOC_BENCHMARKS_LAW_TWINS_H

#include <floc/floc.h>

#include <math.h>
#include <string.h>

#define TWIN(name)                                                                                                 \
  static floc_status name(void *context, int32_t count, const double *const *in, double *const *out)
#define ROWS(k)                                                                                                    \
  (void)context;                                                                                                   \
  for (int32_t k = 0; k < count; k++)

static const double TWIN_PI = 3.14159265358979323846;

static inline double reduced(double a, double b)
{
  return a * b / (a + b);
}

static inline double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Takes the part along n off; returns it. */
static inline double take_along(double v[3], const double n[3])
{
  double along = dot(v, n);
  for (int c = 0; c < 3; c++) v[c] -= along * n[c];
  return along;
}

static inline void load3(const double *const *in, int first, int32_t k, double v[3])
{
  for (int c = 0; c < 3; c++) v[c] = in[first + c][k];
}

static inline void store3(double *const *out, int first, int32_t k, const double v[3])
{
  for (int c = 0; c < 3; c++) out[first + c][k] = v[c];
}

/* Tangential spring u with dashpot, bounded by Coulomb's law; the force is what acts on i. */
static inline void slide(double u[3], const double slip[3], const double n[3], double step, double stiffness,
                         double damping, double limit, double force[3])
{
  for (int c = 0; c < 3; c++) u[c] += step * slip[c];
  take_along(u, n);
  for (int c = 0; c < 3; c++) force[c] = stiffness * u[c] + damping * slip[c];
  double square = dot(force, force);
  if (!(square > limit * limit)) return;
  double factor = limit / sqrt(square);
  for (int c = 0; c < 3; c++) {
    force[c] *= factor;
    u[c] = (force[c] - damping * slip[c]) / stiffness;
  }
}

/* overlap, normal_velocity, radius_i _j, mass_i _j, memory */

TWIN(hertz_dmt)
{
  const double stiffness = 1e7 / (2.0 * (1.0 - 0.3 * 0.3)), pull = 2.0 * TWIN_PI * 0.5, z0 = 1e-3,
               farthest = 30.0 * z0;
  const double logarithm = log(0.8),
               damping = -sqrt(5.0) * logarithm / sqrt(TWIN_PI * TWIN_PI + logarithm * logarithm);
  ROWS(k)
  {
    double overlap = in[0][k], R = reduced(in[2][k], in[3][k]);
    double mass = reduced(in[4][k], in[5][k]);
    if (overlap > 0.0) {
      double stiff = 4.0 / 3.0 * stiffness * sqrt(R * overlap), elastic = stiff * overlap;
      out[0][k] = elastic - pull * R - damping * sqrt(mass * stiff) * in[1][k];
      out[1][k] = 0.4 * elastic * overlap - pull * R * (overlap + z0);
    } else if (overlap < -farthest) {
      out[0][k] = out[1][k] = 0.0;
    } else {
      double x = 1.0 / (1.0 - overlap / z0);
      out[0][k] = -pull * R * x * x;
      out[1][k] = -pull * R * z0 * x;
    }
  }
  return FLOC_OK;
}

/* s of d = overlap R/a0^2, of the contact radius a0 s^2 */
static inline double jkr_scaled(double d)
{
  double u = pow(1.0 / 36.0 + sqrt(fmax(1.0 / 1296.0 + d * d * d / 27.0, 0.0)), 1.0 / 3.0);
  double m = fmax(u - d / (3.0 * u), 1e-30), root = sqrt(2.0 * m);
  double s = 0.5 * (root + sqrt(fmax(4.0 / (3.0 * root) - 2.0 * m, 0.0))), cube = s * s * s;
  return s - (cube * s - 2.0 / 3.0 * s - d) / fmax(4.0 * cube - 2.0 / 3.0, 1e-6);
}

TWIN(jkr)
{
  const double stiffness = 1e5 / (2.0 * (1.0 - 0.3 * 0.3)), work = 5.0, damping = 2.0 * sqrt(5.0 / 6.0) * 0.1;
  const double least = -0.5 * pow(6.0, -1.0 / 3.0);
  ROWS(k)
  {
    double overlap = in[0][k], R = reduced(in[2][k], in[3][k]);
    double mass = reduced(in[4][k], in[5][k]);
    double a0 = pow(4.5 * TWIN_PI * work * R * R / stiffness, 1.0 / 3.0), d = overlap * R / (a0 * a0);
    if (d < least || (overlap < 0.0 && in[6][k] < 0.5)) {
      out[0][k] = out[1][k] = out[2][k] = 0.0;
      continue;
    }
    double s = jkr_scaled(d), a = a0 * s * s, flat = a0 * a0 / R * (s * s * s * s), cube = s * s * s;
    out[0][k] =
        6.0 * TWIN_PI * work * R * (cube * cube - cube) - damping * sqrt(2.0 * stiffness * a * mass) * in[1][k];
    out[1][k] = stiffness * a * flat * (8.0 / 15.0 * flat - 4.0 / 3.0 * (flat - overlap)) + TWIN_PI * work * a * a;
    out[2][k] = 1.0;
  }
  return FLOC_OK;
}

static const double PLASTIC_STIFFNESS = 1e5 / (2.0 * (1.0 - 0.3 * 0.3)), PLASTIC_WORK = 2.0;

static inline double plastic_free(double R)
{
  return pow(4.5 * TWIN_PI * PLASTIC_WORK * R * R / PLASTIC_STIFFNESS, 1.0 / 3.0);
}

static inline double plastic_radius(double overlap, double R, double least)
{
  double a0 = plastic_free(R), s = jkr_scaled(fmax(overlap * R / (a0 * a0), least));
  return a0 * s * s;
}

static inline double plastic_tension(double a)
{
  return sqrt(8.0 * TWIN_PI * PLASTIC_WORK * PLASTIC_STIFFNESS * a * a * a);
}

/* overlap, radius_i _j, deepest, touching */
TWIN(plastic_adhesive)
{
  const double K = PLASTIC_STIFFNESS, w = PLASTIC_WORK, p = 5e3, least = -0.5 * pow(6.0, -1.0 / 3.0);
  ROWS(k)
  {
    double overlap = in[0][k], R = reduced(in[1][k], in[2][k]), deepest = fmax(in[3][k], overlap);
    double b = p * TWIN_PI * R / (2.0 * K), c = sqrt(2.0 * w * K / TWIN_PI) * TWIN_PI * R / (2.0 * K);
    double x = sqrt(b) + cbrt(c);
    for (int n = 0; n < 6; n++) x = (2.0 * x * x * x + c) / (3.0 * x * x - b);
    double yield = x * x, widest = plastic_radius(deepest, R, least), flat = R, rest = overlap;
    out[1][k] = deepest;
    if (widest > yield) {
      double most = 4.0 / 3.0 * K * yield * yield * yield / R - plastic_tension(yield) +
                    TWIN_PI * p * (widest * widest - yield * yield);
      flat = 4.0 / 3.0 * K * widest * widest * widest / (most + plastic_tension(widest));
      rest = overlap - deepest + widest * widest / flat - sqrt(2.0 * TWIN_PI * w * widest / K);
    }
    double free = plastic_free(flat);
    if (rest < least * free * free / flat || (rest < 0.0 && in[4][k] < 0.5)) {
      out[0][k] = out[2][k] = 0.0;
      continue;
    }
    double s = jkr_scaled(fmax(rest * flat / (free * free), least)), a = free * s * s;
    out[0][k] = 4.0 / 3.0 * K * a * a * a / flat - plastic_tension(a);
    out[2][k] = 1.0;
  }
  return FLOC_OK;
}

/* overlap, normal_velocity, radius_i _j, mass_i _j, deepest, held_i _j; each sphere against the flat between both
 */

static const double MDR_MODULUS = 1e5 / (1.0 - 0.3 * 0.3), MDR_YIELD_STRESS = 2e3,
                    MDR_STRETCH = 2.0 * 3.14159265358979323846 * 1.0 / (1e5 / (1.0 - 0.3 * 0.3));

static double mdr_yield(void)
{
  double low = 0.0, high = 3.75 * 3.0 * TWIN_PI * MDR_YIELD_STRESS / (4.0 * MDR_MODULUS);
  for (int k = 0; k < 100; k++) {
    double root = 0.5 * (low + high);
    if (4.0 * MDR_MODULUS * root / (3.0 * TWIN_PI) < MDR_YIELD_STRESS * (1.0 + 1.75 * exp(-4.4 * root * root)))
      low = root;
    else
      high = root;
  }
  return low * low;
}

/* A, B, the displacement without load, s */
static inline void mdr_dent(double yield, double D, double R, double dent[4])
{
  double x = D / R;
  if (x <= yield) {
    dent[0] = 4.0 * R, dent[1] = 2.0 * R, dent[2] = 0.0, dent[3] = 1.0;
    return;
  }
  double p = MDR_YIELD_STRESS * (1.0 + 1.75 * exp(-4.4 * x)), a = sqrt(2.0 * x - x * x + yield * yield - yield);
  double most = 2.0 * p * a / MDR_MODULUS, z = 1.0 - x + most, way = sqrt(a * a + z * z);
  double s = 1.0 - p * 1.3 / 1e5 * (1.4 * (way - z) + z - z * z / way) / most;
  dent[0] = 2.0 * most * R, dent[1] = 2.0 * a * R, dent[2] = (x - most * s) * R, dent[3] = s;
}

static inline double mdr_pressed(double y, double A, double B)
{
  return 0.5 * MDR_MODULUS * A * B * (asin(sqrt(y)) - (1.0 - 2.0 * y) * sqrt(y * (1.0 - y)));
}

static inline double mdr_contact(double d, double A, double B, double *held)
{
  double pushed = fmax(d / A, 0.0), touching = B * sqrt(pushed * (1.0 - pushed)), before = *held;
  if (touching >= before) {
    *held = touching;
    return mdr_pressed(pushed, A, B);
  }
  double edge = fmin(2.0 * before / B, 1.0), y = edge * edge / (2.0 + 2.0 * sqrt(1.0 - edge * edge));
  if (d >= A * y - sqrt(MDR_STRETCH * before))
    return mdr_pressed(y, A, B) - 2.0 * MDR_MODULUS * (A * y - d) * before;
  double e = 2.0 * A * A / (B * MDR_STRETCH), t = fmin(pow(e, -1.0 / 3.0), 1.0);
  for (int k = 0; k < 4; k++) t -= (e * t * t * t + t * t - 1.0) / (3.0 * e * t * t + 2.0 * t);
  double least = t * t / (2.0 + 2.0 * sqrt(fmax(1.0 - t * t, 0.0)));
  if (edge <= t || d / A <= least - sqrt(0.5 * MDR_STRETCH * B * t) / A) return *held = 0.0;
  for (int k = 0; k < 5; k++) {
    double square = y * (1.0 - y), l = sqrt(MDR_STRETCH * B * sqrt(square));
    y = fmax(y - (A * y - l - d) / (A - l * (1.0 - 2.0 * y) / (4.0 * square)), least);
  }
  *held = B * sqrt(y * (1.0 - y));
  return mdr_pressed(y, A, B) - 2.0 * MDR_MODULUS * (A * y - d) * *held;
}

TWIN(mdr)
{
  const double yield = mdr_yield(), damping = 2.0 * sqrt(5.0 / 6.0) * 0.1;
  ROWS(k)
  {
    double radius_i = in[2][k], radius_j = in[3][k], deepest = fmax(fmax(in[6][k], in[0][k]), 0.0);
    double deep = fmin(fmin(deepest, radius_i), radius_j), of_i[4], of_j[4], held_i = in[7][k], held_j = in[8][k];
    double deep_i = deep * (2.0 * radius_j - deep) / (2.0 * (radius_i + radius_j - deep)), deep_j = deep - deep_i;
    mdr_dent(yield, deep_i, radius_i, of_i);
    mdr_dent(yield, deep_j, radius_j, of_j);
    double way = fmin(in[0][k] - deep, 0.0) / fmax(deep - of_i[2] - of_j[2], 1e-200);
    double force = mdr_contact((deep_i - of_i[2]) * (1.0 + way) / of_i[3], of_i[0], of_i[1], &held_i) +
                   mdr_contact((deep_j - of_j[2]) * (1.0 + way) / of_j[3], of_j[0], of_j[1], &held_j);
    double drag = damping * sqrt(0.5 * MDR_MODULUS * (held_i + held_j) * reduced(in[4][k], in[5][k]));
    out[0][k] = 0.5 * force - drag * in[1][k];
    out[1][k] = deepest;
    out[2][k] = held_i;
    out[3][k] = held_j;
  }
  return FLOC_OK;
}

/* overlap, radius_i _j, bridge */
TWIN(capillary)
{
  const double volume = 1e-6, rupture = pow(volume, 1.0 / 3.0), pull = 2.0 * TWIN_PI * 0.07;
  const double root = sqrt(4.0 * 2.5 - 1.05 * 1.05);
  ROWS(k)
  {
    double overlap = in[0][k], R = 2.0 * reduced(in[1][k], in[2][k]);
    if (overlap <= -rupture || (overlap < 0.0 && in[3][k] < 0.5)) {
      out[0][k] = out[1][k] = out[2][k] = 0.0;
      continue;
    }
    double scale = sqrt(R / volume), x = fmax(-overlap, 0.0) * scale;
    double whole = 2.0 / root * (atan((5.0 * rupture * scale + 1.05) / root) - atan((5.0 * x + 1.05) / root));
    out[0][k] = -pull * R / (1.0 + 1.05 * x + 2.5 * x * x);
    out[1][k] = -pull * R * (whole / scale + fmax(overlap, 0.0));
    out[2][k] = 1.0;
  }
  return FLOC_OK;
}

/* overlap, normal_velocity, radius_i _j, mass_i _j, slip (6), normal (9), u (12), time_step (15) */
TWIN(hertz_mindlin)
{
  const double nu = 0.3, normal_modulus = 1e5 / (2.0 * (1.0 - nu * nu));
  const double shear_modulus = 1e5 / (4.0 * (1.0 + nu) * (2.0 - nu)), logarithm = log(0.8);
  const double damping = -2.0 * sqrt(5.0 / 6.0) * logarithm / sqrt(TWIN_PI * TWIN_PI + logarithm * logarithm);
  ROWS(k)
  {
    double slip[3], n[3], u[3], force[3];
    if (!(in[0][k] > 0.0)) {
      for (int c = 0; c < 7; c++) out[c][k] = 0.0;
      continue;
    }
    load3(in, 6, k, slip), load3(in, 9, k, n), load3(in, 12, k, u);
    double R = reduced(in[2][k], in[3][k]), mass = reduced(in[4][k], in[5][k]), a = sqrt(R * in[0][k]);
    double normal =
        4.0 / 3.0 * normal_modulus * a * in[0][k] - damping * sqrt(2.0 * normal_modulus * a * mass) * in[1][k];
    double stiffness = 8.0 * shear_modulus * a;
    slide(u, slip, n, in[15][k], stiffness, damping * sqrt(stiffness * mass), 0.5 * fmax(normal, 0.0), force);
    out[0][k] = normal;
    for (int c = 0; c < 3; c++) force[c] = -force[c];
    store3(out, 1, k, force), store3(out, 4, k, u);
  }
  return FLOC_OK;
}

static inline void cut_off(double distance, double cutoff, double shift, double *force, double *energy)
{
  *force = *energy = 0.0;
  if (distance >= cutoff) return;
  double square = 1.0 / (distance * distance), six = square * square * square;
  *force = 24.0 * (2.0 * six * six - six) / distance;
  *energy = 4.0 * (six * six - six) - shift;
}

TWIN(lennard_jones)
{
  const double six = pow(2.5, -6.0), shift = 4.0 * (six * six - six);
  ROWS(k) cut_off(in[0][k], 2.5, shift, &out[0][k], &out[1][k]);
  return FLOC_OK;
}

TWIN(wca)
{
  const double near = pow(2.0, 1.0 / 6.0);
  ROWS(k) cut_off(in[0][k], near, -1.0, &out[0][k], &out[1][k]);
  return FLOC_OK;
}

/* distance */
TWIN(fene_beads)
{
  const double near = pow(2.0, 1.0 / 6.0);
  ROWS(k) cut_off(in[0][k], near, -1.0, &out[0][k], &out[1][k]);
  return FLOC_OK;
}

/* distance, charge_i _j, radius_i _j */
TWIN(screened_charge)
{
  const double kappa = 2.0, cutoff = 2.4, last = exp(-kappa * cutoff) / cutoff;
  ROWS(k)
  {
    double r = in[0][k];
    out[0][k] = out[1][k] = 0.0;
    if (r >= cutoff) continue;
    double strength = 0.7 * in[1][k] * in[2][k], value = exp(-kappa * r) / r;
    out[0][k] = strength * value * (1.0 / r + kappa);
    out[1][k] = strength * (value - last);
  }
  return FLOC_OK;
}

/* distance, strength, longest */
TWIN(fene_bonds)
{
  ROWS(k)
  {
    double r = in[0][k], strength = in[1][k], longest = in[2][k];
    double rest = 1.0 - (r / longest) * (r / longest);
    out[0][k] = -strength * r / rest;
    out[1][k] = -0.5 * strength * longest * longest * log(rest);
  }
  return FLOC_OK;
}

/* Moment against the relative angular velocity w; angle: type C, the rolled one. */
static inline void resist(char type, double w[3], double angle[3], double limit, double R, double inertia,
                          double step, double moment[3])
{
  if (type != 'C') {
    double size = sqrt(dot(w, w)), factor = 0.0;
    if (size > 0.0) factor = type == 'A' ? -limit / size : -limit * R / 0.3;
    for (int c = 0; c < 3; c++) moment[c] = factor * w[c], angle[c] = 0.0;
    return;
  }
  double stiffness = 2.25 * 1e5 * 0.1 * 0.1 * R * R;
  for (int c = 0; c < 3; c++) angle[c] += step * w[c];
  double size = stiffness * sqrt(dot(angle, angle)), damping = 2.0 * 0.3 * sqrt(inertia * stiffness);
  if (size > limit) {
    double factor = limit / size;
    for (int c = 0; c < 3; c++) angle[c] *= factor;
    damping = 0.0;
  }
  for (int c = 0; c < 3; c++) moment[c] = -stiffness * angle[c] - damping * w[c];
}

/* overlap, normal_velocity, radius_i _j, mass_i _j, slip (6), normal (9), w_i (12), w_j (15), u (18), rolled (21),
 * time_step (24) */
static inline floc_status rolls(char type, int32_t count, const double *const *in, double *const *out)
{
  const double logarithm = log(0.5), spring = 2.0 / 7.0 * 1e5;
  const double ratio = -2.0 * logarithm / sqrt(TWIN_PI * TWIN_PI + logarithm * logarithm);
  for (int32_t k = 0; k < count; k++) {
    if (!(in[0][k] > 0.0)) {
      for (int c = 0; c < 13; c++) out[c][k] = 0.0;
      continue;
    }
    double slip[3], n[3], w[3], u[3], angle[3], force[3], moment[3];
    load3(in, 6, k, slip), load3(in, 9, k, n), load3(in, 18, k, u), load3(in, 21, k, angle);
    for (int c = 0; c < 3; c++) w[c] = in[12 + c][k] - in[15 + c][k];
    double R = reduced(in[2][k], in[3][k]), mass = reduced(in[4][k], in[5][k]), step = in[24][k];
    double inertia = reduced(1.4 * in[4][k] * in[2][k] * in[2][k], 1.4 * in[5][k] * in[3][k] * in[3][k]);
    double normal = 1e5 * in[0][k] - ratio * sqrt(1e5 * mass) * in[1][k], held = fmax(normal, 0.0);
    slide(u, slip, n, step, spring, ratio * sqrt(spring * mass), 0.6 * held, force);
    take_along(w, n), take_along(angle, n);
    resist(type, w, angle, 0.1 * R * held, R, inertia, step, moment);
    out[0][k] = normal;
    for (int c = 0; c < 3; c++) force[c] = -force[c];
    store3(out, 1, k, force), store3(out, 4, k, u), store3(out, 7, k, moment), store3(out, 10, k, angle);
  }
  return FLOC_OK;
}

TWIN(rolling_a)
{
  (void)context;
  return rolls('A', count, in, out);
}

TWIN(rolling_b)
{
  (void)context;
  return rolls('B', count, in, out);
}

TWIN(rolling_c)
{
  (void)context;
  return rolls('C', count, in, out);
}

/* overlap, radius_i _j, mass_i _j, heat_i _j */
TWIN(heat)
{
  ROWS(k)
  {
    double a = sqrt(fmax(in[0][k], 0.0) * reduced(in[1][k], in[2][k]));
    out[0][k] = 100.0 * a * (in[6][k] / in[4][k] - in[5][k] / in[3][k]) / 500.0;
  }
  return FLOC_OK;
}

static inline void cross(const double a[3], const double b[3], double result[3])
{
  result[0] = a[1] * b[2] - a[2] * b[1];
  result[1] = a[2] * b[0] - a[0] * b[2];
  result[2] = a[0] * b[1] - a[1] * b[0];
}

/* distance, normal (1), dipole_i (4), axis_i (5), dipole_j (8), axis_j (9) */
TWIN(dipoles)
{
  ROWS(k)
  {
    double n[3], a[3], b[3], at_i[3], at_j[3], force[3], on_i[3], on_j[3], r = in[0][k];
    if (r >= 2.4) {
      for (int c = 0; c < 10; c++) out[c][k] = 0.0;
      continue;
    }
    load3(in, 1, k, n), load3(in, 5, k, a), load3(in, 9, k, b);
    double s = 0.7 * in[4][k] * in[8][k], an = dot(a, n), bn = dot(b, n), ab = dot(a, b), cube = s / (r * r * r);
    for (int c = 0; c < 3; c++) {
      force[c] = -3.0 * cube / r * (an * b[c] + bn * a[c] + (ab - 5.0 * an * bn) * n[c]);
      at_i[c] = cube * (3.0 * bn * n[c] - b[c]);
      at_j[c] = cube * (3.0 * an * n[c] - a[c]);
    }
    cross(a, at_i, on_i), cross(b, at_j, on_j);
    store3(out, 0, k, force), store3(out, 3, k, on_i), store3(out, 6, k, on_j);
    out[9][k] = cube * (ab - 3.0 * an * bn);
  }
  return FLOC_OK;
}

/* X(c) of Gay and Berne; its derivatives by n.a, n.b and a.b */
static inline double gay_berne_x(double c, double an, double bn, double ab, double slopes[3])
{
  double sum = (an + bn) / (1.0 + c * ab), difference = (an - bn) / (1.0 - c * ab);
  slopes[0] = c * (sum + difference);
  slopes[1] = c * (sum - difference);
  slopes[2] = 0.5 * c * c * (difference * difference - sum * sum);
  return 0.5 * c * (sum * (an + bn) + difference * (an - bn));
}

/* distance, normal (1), axis_i (4), axis_j (7); force on i, torques on i and j, energy */
TWIN(gay_berne)
{
  const double chi = 0.8, flat = sqrt(5.0), of_depth = (flat - 1.0) / (flat + 1.0), cutoff = 5.0;
  ROWS(k)
  {
    double r = in[0][k], n[3], a[3], b[3], of_width[3], of_well[3], slope[3], on_i[3], on_j[3], force[3];
    if (r >= cutoff) {
      for (int c = 0; c < 10; c++) out[c][k] = 0.0;
      continue;
    }
    load3(in, 1, k, n), load3(in, 4, k, a), load3(in, 7, k, b);
    double an = dot(a, n), bn = dot(b, n), ab = dot(a, b);
    double narrow = 1.0 - gay_berne_x(chi, an, bn, ab, of_width), width = 1.0 / sqrt(narrow);
    double deep = 1.0 - gay_berne_x(of_depth, an, bn, ab, of_well), round = 1.0 - chi * chi * ab * ab;
    double well = 4.0 * deep * deep / sqrt(round), near = 1.0 / (r - width + 1.0),
           far = 1.0 / (cutoff - width + 1.0);
    double six = near * near * near, last = far * far * far;
    six *= six, last *= last;
    double energy = well * (six * (six - 1.0) - last * (last - 1.0));
    double along = -well * (12.0 * six - 6.0) * six * near, at_end = -well * (12.0 * last - 6.0) * last * far;
    double by_narrow = (along - at_end) * 0.5 * width / narrow, by_deep = 2.0 * energy / deep;
    for (int c = 0; c < 3; c++) slope[c] = -by_narrow * of_width[c] - by_deep * of_well[c];
    slope[2] += energy * chi * chi * ab / round;
    double inward = slope[0] * an + slope[1] * bn;
    for (int c = 0; c < 3; c++) {
      force[c] = along * n[c] + (slope[0] * a[c] + slope[1] * b[c] - inward * n[c]) / r;
      of_width[c] = slope[0] * n[c] + slope[2] * b[c];
      of_well[c] = slope[1] * n[c] + slope[2] * a[c];
    }
    cross(of_width, a, on_i), cross(of_well, b, on_j);
    store3(out, 0, k, force), store3(out, 3, k, on_i), store3(out, 6, k, on_j);
    out[9][k] = energy;
  }
  return FLOC_OK;
}

/* distance, overlap, normal (2), axis_i (5), axis_j (8); force on i, torques on i and j, energy */
TWIN(patchy)
{
  const double stiffness = 1e3, depth = 1.0, width = 0.2, c0 = cos(2.0);
  ROWS(k)
  {
    double r = in[0][k], d = in[1][k], n[3], a[3], b[3], force[3], turn[3];
    double along = d > 0.0 ? -stiffness * d : 0.0, energy = d > 0.0 ? 0.5 * stiffness * d * d : 0.0, x = d / width;
    load3(in, 2, k, n), load3(in, 5, k, a), load3(in, 8, k, b);
    double ci = dot(a, n), cj = -dot(b, n);
    for (int c = 3; c < 9; c++) out[c][k] = 0.0;
    for (int c = 0; c < 3; c++) force[c] = along * n[c];
    if (x * x < 1.0 && ci > c0 && cj > c0) {
      double well = 1.0 - x * x, A = (ci - c0) / (1.0 - c0), B = (cj - c0) / (1.0 - c0), S = depth * well * well;
      double ui = -2.0 * S * A * B * B / (1.0 - c0), uj = -2.0 * S * A * A * B / (1.0 - c0);
      along = -4.0 * depth * well * x / width * A * A * B * B - (ui * ci + uj * cj) / r;
      energy -= S * A * A * B * B;
      for (int c = 0; c < 3; c++) force[c] += along * n[c] + (ui * a[c] - uj * b[c]) / r;
      cross(a, n, turn);
      for (int c = 0; c < 3; c++) out[3 + c][k] = -ui * turn[c];
      cross(b, n, turn);
      for (int c = 0; c < 3; c++) out[6 + c][k] = uj * turn[c];
    }
    store3(out, 0, k, force);
    out[9][k] = energy;
  }
  return FLOC_OK;
}

/* overlap, normal_velocity, tangential_velocity, mass */
TWIN(archard)
{
  const double stiffness = 1e4, friction = 0.3, damping = 10.0, rate = 1e-3 / 50.0, logarithm = log(0.5);
  const double ratio = -2.0 * logarithm / sqrt(TWIN_PI * TWIN_PI + logarithm * logarithm);
  ROWS(k)
  {
    double normal = stiffness * in[0][k] - ratio * sqrt(stiffness * in[3][k]) * in[1][k];
    if (!(in[0][k] > 0.0) || normal <= 0.0) {
      out[0][k] = out[1][k] = out[2][k] = 0.0;
      continue;
    }
    double slip = fabs(in[2][k]), drag = fmin(friction * normal, damping * slip);
    out[0][k] = normal;
    out[1][k] = in[2][k] > 0.0 ? -drag : drag;
    out[2][k] = rate * normal * slip;
  }
  return FLOC_OK;
}

/* distance, overlap, normal_velocity, mass_i _j, radius_i _j, slip (7), normal (10), w_i (13), w_j (16), length
 * (19), shear (20), moment (23), time (26), time_step (27) */
TWIN(bonded)
{
  const double E = 1e6, b = 0.03, A = TWIN_PI * b * b, I = A * b * b / 4.0, J = 2.0 * I, G = E / 2.5;
  ROWS(k)
  {
    double slip[3], n[3], w[3], s[3], m[3], length = in[19][k], distance = in[0][k], overlap = in[1][k];
    double mass = reduced(in[3][k], in[4][k]), step = in[27][k];
    for (int c = 0; c < 14; c++) out[c][k] = 0.0;
    if (length == 0.0) length = in[26][k] <= 1.5 * step && -overlap <= 0.01 ? distance : -1.0;
    out[7][k] = -1.0;
    if (length > 0.0) {
      double kn = E * A / length, ks = 12.0 * E * I / (length * length * length), kb = E * I / length,
             kt = G * J / length;
      load3(in, 7, k, slip), load3(in, 10, k, n), load3(in, 20, k, s), load3(in, 23, k, m);
      double tension = kn * (distance - length), bend[3], turn[3];
      for (int c = 0; c < 3; c++) s[c] -= step * ks * slip[c], w[c] = in[13 + c][k] - in[16 + c][k];
      take_along(s, n);
      double spin = take_along(w, n);
      for (int c = 0; c < 3; c++) m[c] -= step * (kb * w[c] + kt * spin * n[c]), bend[c] = m[c];
      double twist = take_along(bend, n);
      if (tension / A + sqrt(dot(bend, bend)) * b / I <= 1e5 && sqrt(dot(s, s)) / A + fabs(twist) * b / J <= 1e5) {
        double inertia = 0.4 * reduced(in[3][k] * in[5][k] * in[5][k], in[4][k] * in[6][k] * in[6][k]);
        double cs = 0.1 * sqrt(ks * mass), cb = 0.1 * sqrt(kb * inertia), ct = 0.1 * sqrt(kt * inertia) * spin;
        for (int c = 0; c < 3; c++) turn[c] = m[c] - cb * w[c] - ct * n[c], slip[c] = s[c] - cs * slip[c];
        out[0][k] = -tension - 0.1 * sqrt(kn * mass) * in[2][k];
        store3(out, 1, k, slip), store3(out, 4, k, turn), store3(out, 8, k, s), store3(out, 11, k, m);
        out[7][k] = length;
        continue;
      }
    }
    if (overlap > 0.0) {
      double stiffness = E * A / (distance + overlap);
      out[0][k] = fmax(stiffness * overlap - 0.1 * sqrt(stiffness * mass) * in[2][k], 0.0);
    }
  }
  return FLOC_OK;
}

/* distance, heading_i _j */
TWIN(vicsek_sums)
{
  ROWS(k)
  {
    for (int c = 0; c < 4; c++) out[c][k] = 0.0;
    if (in[0][k] > 1.0) continue;
    out[0][k] = cos(in[2][k]), out[1][k] = sin(in[2][k]);
    out[2][k] = cos(in[1][k]), out[3][k] = sin(in[1][k]);
  }
  return FLOC_OK;
}

/* heading, sum_ahead_x, sum_ahead_y, uniform_random, time_step */
TWIN(vicsek_turn)
{
  ROWS(k)
  {
    double c = cos(in[0][k]), s = sin(in[0][k]), x = in[1][k] + c, y = in[2][k] + s;
    out[0][k] = (atan2(y * c - x * s, x * c + y * s) + 0.4 * (in[3][k] - 0.5)) / in[4][k];
  }
  return FLOC_OK;
}

/* distance: what a neighbour adds to a density of smoothed particles */
TWIN(density)
{
  ROWS(k)
  {
    const double q = in[0][k] / 2.2, edge = 1.0 - q * q;
    out[0][k] = edge * edge * edge;
  }
  return FLOC_OK;
}

/* Copper of Sutton and Chen: distance; distance, slopes of both atoms' energies in their sums */
TWIN(copper_sum)
{
  ROWS(k)
  {
    const double s = 3.61 / in[0][k], square = s * s;
    out[0][k] = square * square * square;
  }
  return FLOC_OK;
}

TWIN(copper_force)
{
  ROWS(k)
  {
    const double r = in[0][k], s = 3.61 / r, cube = s * s * s, six = cube * cube;
    out[0][k] = (9.0 * 1.2382e-2 * six * cube + 6.0 * (in[1][k] + in[2][k]) * six) / r;
  }
  return FLOC_OK;
}

#undef ROWS
#undef TWIN
#endif
