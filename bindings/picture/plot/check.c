/*
 * The border of plots: settings are looked at before anything is drawn. Values of the data need no
 * check: what cannot be placed leaves a gap.
 */
#include "plot/axes.h"

#include <math.h>

static floc_status check_axis(const picture_report *report, const plot_axis *axis, const char *where,
                              const char *name)
{
  if (isinf(axis->lower) || isinf(axis->upper))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%s%s.%s is infinite; it must be a number or NaN", where,
                          name, isinf(axis->lower) ? "lower" : "upper");
  if (axis->lower >= axis->upper)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%s%s.lower is %g; it must be below upper, which is %g",
                          where, name, axis->lower, axis->upper);
  if (axis->logarithmic && (axis->lower <= 0.0 || axis->upper <= 0.0))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%s%s.%s is %g; it must be above 0 on a logarithmic axis",
                          where, name, axis->lower <= 0.0 ? "lower" : "upper",
                          axis->lower <= 0.0 ? axis->lower : axis->upper);
  return FLOC_OK;
}

static floc_status check_series(const picture_report *report, const plot_series *series, const char *where,
                                int32_t number)
{
  if (series->count < 0 || (series->count > 0 && !series->y))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                          "%scount of series %d is %lld with y %s; it must be 0 or more", where, number,
                          (long long)series->count, series->y ? "given" : "NULL");
  if (series->style < 1 || series->style > (PLOT_LINE | PLOT_MARKERS | PLOT_STEPS | PLOT_BARS))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                          "%sstyle of series %d is %d; it must be a sum of plot_style values", where, number,
                          series->style);
  if (!series->band_lower != !series->band_upper)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%sseries %d has only one of band_lower and band_upper",
                          where, number);
  const double sizes[3] = {series->width, series->marker_size, series->bar_width};
  static const char *const names[3] = {"width", "marker_size", "bar_width"};
  for (int k = 0; k < 3; k++)
    if (!(sizes[k] >= 0.0) || isinf(sizes[k]))
      return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                            "%s%s of series %d is %g; it must be 0 (automatic) or more", where, names[k], number,
                            sizes[k]);
  return FLOC_OK;
}

floc_status plot_check(const picture_report *report, const plot_panel *panel, int32_t number)
{
  char where[32] = "";
  if (number > 0) snprintf(where, sizeof where, "panel %d: ", number);
  if (panel->series_count < 0 || (panel->series_count > 0 && !panel->series))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                          "%sseries_count is %d with series %s; it must be 0 or more", where, panel->series_count,
                          panel->series ? "given" : "NULL");
  if (panel->reference_count < 0 || (panel->reference_count > 0 && !panel->references))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                          "%sreference_count is %d with references %s; it must be 0 or more", where,
                          panel->reference_count, panel->references ? "given" : "NULL");
  if (panel->legend < PLOT_LEGEND_AUTOMATIC || panel->legend > PLOT_LEGEND_BELOW)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%slegend is %d; it must be a plot_legend", where,
                          panel->legend);
  if (panel->equal_scale && (panel->x.logarithmic || panel->y.logarithmic))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%sequal_scale is not possible with a logarithmic axis",
                          where);
  floc_status status = check_axis(report, &panel->x, where, "x");
  if (status == FLOC_OK) status = check_axis(report, &panel->y, where, "y");
  for (int32_t k = 0; k < panel->series_count && status == FLOC_OK; k++)
    status = check_series(report, &panel->series[k], where, k + 1);
  for (int32_t k = 0; k < panel->reference_count && status == FLOC_OK; k++)
    if (!isfinite(panel->references[k].value) || isinf(panel->references[k].second))
      status = picture_refuse(report, FLOC_INVALID_ARGUMENT, "%sreference %d is at %g; it must be finite", where,
                              k + 1, panel->references[k].value);
  return status;
}
