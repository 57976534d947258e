#pragma once

#include "core/sweeping/sweep_outline.h"
#include "features/plots/plots.h"

namespace weir::editor {

/// Figure of a sweep: a quantity over a numeric axis, with a line for each contender, or a row for each point.
struct SweepPicture {
    SweepOutline outline;
    int quantity = 0;
    int figure = 0;  ///< index among `figures()`
    int chosen = -1;  ///< index of a point; -1: none

    bool isEmpty() const { return outline.quantities.empty(); }
    const SweepQuantity& of() const { return outline.quantities[static_cast<std::size_t>(quantity)]; }
    /// Return the labels of the figures, such as `pipes=2`; one empty label if there is only one figure.
    QStringList figures() const;
    /// Return the figure's points with a value: those of each line (a line may have none), or of each row.
    std::vector<std::vector<int>> lines() const;
};

Drawing sweepPlot(const SweepPicture& picture, QSizeF size, const PlotStyle& style, const PlotOptions& options);
/// Return the point drawn nearest to the pointer, within the width of a finger; -1: none.
int pointAt(const SweepPicture& picture, QSizeF size, const PlotStyle& style, bool logarithmic, QPointF at);
/// Return the point that arrow keys go to: `along` its line, or `across` to another one.
int pointBeside(const SweepPicture& picture, int along, int across);

}  // namespace weir::editor
