#pragma once

#include "core/sweeping/sweep_outline.h"
#include "features/plots/plots.h"

namespace weir::editor {

/// Picture of a sweep: a quantity over a numeric axis, with a line for each contender, or a row for each point.
struct SweepPicture {
    SweepOutline outline;
    int quantity = 0;
    int figure = 0;  ///< of those that what is varied besides has
    int chosen = -1;  ///< a point

    bool isEmpty() const { return outline.quantities.empty(); }
    const SweepQuantity& of() const { return outline.quantities[static_cast<std::size_t>(quantity)]; }
    /// The values of what has a figure each, as `pipes=2`; one that is empty where there is but one figure.
    QStringList figures() const;
    /// The points of the figure that have a value, along each line, which may have none yet; or the rows.
    std::vector<std::vector<int>> lines() const;
};

Drawing sweepPlot(const SweepPicture& picture, QSizeF size, const PlotStyle& style, const PlotOptions& options);
/// The point that is drawn nearest to there, as far as a finger is wide; -1: none is.
int pointAt(const SweepPicture& picture, QSizeF size, const PlotStyle& style, bool logarithmic, QPointF at);
/// The point that arrow keys lead to: `along` its line, or `across` to another one.
int pointBeside(const SweepPicture& picture, int along, int across);

}  // namespace weir::editor
