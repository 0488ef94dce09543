/*
 * Colour maps. Anchor colours are published tables:
 *   viridis, magma, inferno: Smith and van der Walt 2015 (matplotlib, dedicated to the public domain),
 *     taken at ten equal steps;
 *   diverging: Moreland 2009, "Diverging color maps for scientific visualization", cool to warm, computed
 *     by his formula (Msh space) at eleven equal steps; its middle is a grey that shows on white paper;
 *   groups: the eight colours of Okabe and Ito 2008, told apart by colour-blind readers too; after them
 *     hues that continue by the golden angle in Oklab (Ottosson 2020), which never repeat.
 */
#include "draw/colour.h"
#include "draw/options.h"

#include <floc/floc.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const int32_t colour_missing = 0xb4b4b4;

typedef struct colour_map {
  const char *name;
  int count;
  int32_t anchor[11];
} colour_map;

static const colour_map maps[] = {
    {"viridis",
     10,
     {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725}},
    {"magma",
     10,
     {0x000004, 0x180f3d, 0x440f76, 0x721f81, 0x9e2f7f, 0xcd4071, 0xf1605d, 0xfd9668, 0xfeca8d, 0xfcfdbf}},
    {"inferno",
     10,
     {0x000004, 0x1b0c41, 0x4a0c6b, 0x781c6d, 0xa52c60, 0xcf4446, 0xed6925, 0xfb9b06, 0xf7d13d, 0xfcffa4}},
    {"grey", 2, {0x101010, 0xe6e6e6}},
    {"diverging",
     11,
     {0x3b4cc0, 0x5a77e3, 0x7b9ff9, 0x9fbeff, 0xc0d4f5, 0xdddddd, 0xf2cbb7, 0xf7ad8f, 0xee8568, 0xd75344,
      0xb40426}},
};
enum { MAPS = sizeof maps / sizeof maps[0] };

static const int32_t okabe_ito[] = {0x0072b2, 0xe69f00, 0x009e73, 0xd55e00, 0x56b4e9, 0xcc79a7, 0xf0e442};
enum { LISTED = sizeof okabe_ito / sizeof okabe_ito[0] };

int32_t colour_mix(int32_t first, int32_t second, double part)
{
  int32_t mixed = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    double a = first >> shift & 255, b = second >> shift & 255;
    mixed |= (int32_t)(a + (b - a) * part + 0.5) << shift;
  }
  return mixed;
}

/* The linear light of an sRGB component, IEC 61966-2-1. */
static double linear_light(double component)
{
  return component <= 0.04045 ? component / 12.92 : floc_pow((component + 0.055) / 1.055, 2.4);
}

double colour_luminance(int32_t colour)
{
  return 0.2126 * linear_light((colour >> 16 & 255) / 255.0) + 0.7152 * linear_light((colour >> 8 & 255) / 255.0) +
         0.0722 * linear_light((colour & 255) / 255.0);
}

/* ---- maps ------------------------------------------------------------------------------------------ */

const char *picture_map_name(int32_t index)
{
  return index >= 0 && index < (int32_t)MAPS ? maps[index].name : NULL;
}

static const colour_map *find_map(const char *name)
{
  for (size_t k = 0; k < MAPS; k++)
    if (strcmp(maps[k].name, name) == 0) return &maps[k];
  return NULL;
}

static int32_t map_at(const colour_map *map, double position)
{
  if (isnan(position)) return colour_missing;
  double place = fmin(fmax(position, 0.0), 1.0) * (map->count - 1);
  int below = (int)place;
  if (below >= map->count - 1) return map->anchor[map->count - 1];
  return colour_mix(map->anchor[below], map->anchor[below + 1], place - below);
}

int32_t picture_map_colour(const char *map, double position)
{
  const colour_map *found = map ? find_map(map) : NULL;
  return found ? map_at(found, position) : -1;
}

/* ---- groups and series ----------------------------------------------------------------------------- */

static int32_t component_of_light(double light)
{
  double limited = fmin(fmax(light, 0.0), 1.0);
  double component = limited <= 0.0031308 ? 12.92 * limited : 1.055 * floc_pow(limited, 1.0 / 2.4) - 0.055;
  return (int32_t)(255.0 * component + 0.5);
}

/* Oklab to sRGB with the published matrices. */
static int32_t colour_of_oklab(double lightness, double a, double b)
{
  double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
  double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
  double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
  l = l * l * l;
  m = m * m * m;
  s = s * s * s;
  return component_of_light(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) << 16 |
         component_of_light(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) << 8 |
         component_of_light(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

int32_t picture_group_colour(int32_t group)
{
  if (group < 0) return colour_missing;
  if (group < (int32_t)LISTED) return okabe_ito[group];
  static const double lightness[3] = {0.62, 0.78, 0.5};
  int32_t beyond = group - (int32_t)LISTED;
  double hue = 2.399963229728653 * (beyond % 1000003 + 1); /* the golden angle */
  double chroma = beyond % 3 == 2 ? 0.11 : 0.13;
  return colour_of_oklab(lightness[beyond % 3], chroma * floc_cos(hue), chroma * floc_sin(hue));
}

int32_t colour_of_series(int32_t index)
{
  static const int32_t list[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x555555};
  int32_t listed = (int32_t)(sizeof list / sizeof list[0]);
  return index < listed ? list[index] : picture_group_colour(LISTED + 3 * (index - listed));
}

/* ---- scales ---------------------------------------------------------------------------------------- */

static floc_status refuse_map(const picture_report *report, const char *where, const char *name)
{
  char list[128] = "";
  for (int32_t k = 0, length = 0; k < (int32_t)MAPS; k++)
    length += snprintf(list + length, sizeof list - (size_t)length, "%s%s",
                       k == 0                  ? ""
                       : k + 1 < (int32_t)MAPS ? ", "
                                               : " or ",
                       maps[k].name);
  return picture_refuse(report, FLOC_NOT_FOUND, "%smap is \"%s\"; it must be %s", where, name, list);
}

floc_status scale_check(const picture_report *report, const picture_scale *scale, const char *what)
{
  char where[80];
  snprintf(where, sizeof where, "%s.", what);
  if (scale->map && !find_map(scale->map)) return refuse_map(report, where, scale->map);
  floc_status status = options_check(report, where, &options_of_picture_scale, scale);
  if (status != FLOC_OK) return status;
  if (scale->lower >= scale->upper)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%s.lower is %g; it must be below upper, which is %g",
                          what, scale->lower, scale->upper);
  if (scale->logarithmic && (scale->lower <= 0.0 || scale->upper <= 0.0))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%s.%s is %g; it must be above 0 on a logarithmic scale",
                          what, scale->lower <= 0.0 ? "lower" : "upper",
                          scale->lower <= 0.0 ? scale->lower : scale->upper);
  return FLOC_OK;
}

void scale_include(const picture_scale *scale, double value, double *lower, double *upper)
{
  double floor_value = scale->logarithmic ? 0.0 : -INFINITY;
  if (!(value > floor_value) || value == INFINITY) return;
  if (value < *lower) *lower = value;
  if (value > *upper) *upper = value;
}

static const double almost_zero = 0.01; /* of the greatest value */

/* The range that the settings and the data give; always lower < upper, finite, above 0 for a logarithm. */
static void scale_range(resolved_scale *resolved, const picture_scale *scale, bool symmetric, double data_lower,
                        double data_upper)
{
  bool empty = !(data_lower <= data_upper);
  double lower = empty ? (scale->logarithmic ? 1.0 : 0.0) : data_lower;
  double upper = empty ? (scale->logarithmic ? 10.0 : 1.0) : data_upper;
  if (symmetric && lower < 0.0 && upper > 0.0 && isnan(scale->lower) && isnan(scale->upper)) {
    upper = fmax(-lower, upper);
    lower = -upper;
  }
  /* a quantity that is nowhere negative and almost 0 somewhere begins at 0 */
  if (!scale->logarithmic && lower > 0.0 && lower < almost_zero * upper) lower = 0.0;
  if (!isnan(scale->lower)) lower = scale->lower;
  if (!isnan(scale->upper)) upper = scale->upper;
  if (!(lower < upper)) { /* all values alike, or all beyond the one end that is given */
    double middle = !isnan(scale->lower) ? lower : upper;
    double half = scale->logarithmic ? 0.5 * middle : middle == 0.0 ? 0.5 : fmax(0.05 * fabs(middle), DBL_MIN);
    lower = isnan(scale->lower) ? fmax(middle - half, -DBL_MAX) : middle;
    upper = isnan(scale->upper) ? fmin(middle + half, DBL_MAX) : middle;
  }
  resolved->lower = lower;
  resolved->upper = upper;
}

void scale_resolve(resolved_scale *resolved, const picture_scale *scale, const char *default_map, double data_lower,
                   double data_upper)
{
  const char *name = scale->map ? scale->map : default_map;
  const colour_map *map = find_map(name);
  resolved->logarithmic = scale->logarithmic;
  scale_range(resolved, scale, strcmp(name, "diverging") == 0 && !scale->logarithmic, data_lower, data_upper);
  for (int k = 0; k < SCALE_COLOURS; k++) {
    double position = k / (SCALE_COLOURS - 1.0);
    resolved->colour[k] = map_at(map, scale->reversed ? 1.0 - position : position);
  }
}

double scale_position(const resolved_scale *resolved, double value)
{
  double lower = resolved->lower, upper = resolved->upper;
  if (isnan(value) || (resolved->logarithmic && value <= 0.0)) return NAN;
  if (value <= lower) return 0.0;
  if (value >= upper) return 1.0;
  if (resolved->logarithmic) return floc_log(value / lower) / floc_log(upper / lower);
  return (0.5 * value - 0.5 * lower) / (0.5 * upper - 0.5 * lower); /* halves: no overflow */
}

int32_t scale_colour(const resolved_scale *resolved, double value)
{
  double position = scale_position(resolved, value);
  return isnan(position) ? colour_missing : resolved->colour[(int)(position * (SCALE_COLOURS - 1) + 0.5)];
}
