/*
 * The border of plots: settings are looked at before anything is drawn. Values of the data need no
 * check: what cannot be placed leaves a gap.
 */
#include "draw/options.h"
#include "plot/axes.h"

#include <stdio.h>

static floc_status check_axis(const picture_report *report, const plot_axis *axis, const char *where,
                              const char *name)
{
  char prefix[64];
  snprintf(prefix, sizeof prefix, "%s%s.", where, name);
  floc_status status = options_check(report, prefix, &options_of_plot_axis, axis);
  if (status != FLOC_OK) return status;
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
  char prefix[64];
  snprintf(prefix, sizeof prefix, "%sseries %d: ", where, number);
  floc_status status = options_check(report, prefix, &options_of_plot_series, series);
  if (status != FLOC_OK) return status;
  if (series->count > 0 && !series->y)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%sy is NULL; it must point at count numbers", prefix);
  if (!series->band_lower != !series->band_upper)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%sit has only one of band_lower and band_upper", prefix);
  return FLOC_OK;
}

static floc_status check_reference(const picture_report *report, const plot_reference *reference, const char *where,
                                   int32_t number)
{
  char prefix[64];
  snprintf(prefix, sizeof prefix, "%sreference %d: ", where, number);
  return options_check(report, prefix, &options_of_plot_reference, reference);
}

floc_status plot_check(const picture_report *report, const plot_panel *panel, int32_t number)
{
  char where[32] = "";
  if (number > 0) snprintf(where, sizeof where, "panel %d: ", number);
  floc_status status = options_check(report, where, &options_of_plot_panel, panel);
  if (status != FLOC_OK) return status;
  if ((panel->series_count > 0 && !panel->series) || (panel->reference_count > 0 && !panel->references))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%s%s is NULL; it must point at %s_count of them", where,
                          panel->series_count > 0 && !panel->series ? "series" : "references",
                          panel->series_count > 0 && !panel->series ? "series" : "reference");
  if (panel->equal_scale && (panel->x.logarithmic || panel->y.logarithmic))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%sequal_scale is not possible with a logarithmic axis",
                          where);
  status = check_axis(report, &panel->x, where, "x");
  if (status == FLOC_OK) status = check_axis(report, &panel->y, where, "y");
  for (int32_t k = 0; k < panel->series_count && status == FLOC_OK; k++)
    status = check_series(report, &panel->series[k], where, k + 1);
  for (int32_t k = 0; k < panel->reference_count && status == FLOC_OK; k++)
    status = check_reference(report, &panel->references[k], where, k + 1);
  return status;
}
