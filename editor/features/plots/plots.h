#pragma once

#include "core/runs/run_record.h"
#include "features/plots/drawing.h"

#include <optional>

namespace weir::editor {

struct PlotStyle {
    QColor background, ink, muted, grid, axis, good, bad;
    QList<QColor> series;
    QString sans, mono;

    QColor colour(int index) const { return series.isEmpty() ? ink : series[index % series.size()]; }
};

struct PlotOptions {
    bool logarithmic = false;
    /// Position of the pointer. The plot shows the values there.
    std::optional<QPointF> pointer;
};

/// Return the plot of latency over 1/(1-p), with one line for each curve.
Drawing percentilePlot(const std::vector<Curve>& curves, QSizeF size, const PlotStyle& style,
                       const PlotOptions& options);
/// Return the histogram of latency on a logarithmic axis, for the first curve (the pooled one).
Drawing histogramPlot(const std::vector<Curve>& curves, QSizeF size, const PlotStyle& style,
                      const PlotOptions& options);

/// A relative difference in percent, with its interval.
struct Interval {
    QString name;
    QString note;
    double estimate = 0;
    std::optional<std::pair<double, double>> range;
    int tone = 0; ///< 1 better, -1 worse
};

/// Return the plot of differences: dots and intervals around 0 %.
Drawing intervalPlot(const std::vector<Interval>& intervals, double threshold, QSizeF size, const PlotStyle& style,
                     bool isWorking = false);

/// Return the median curve of several repetitions, at the percentiles that all of them have.
Curve medianCurve(const QString& name, const std::vector<Curve>& curves, int colour);

} // namespace weir::editor
