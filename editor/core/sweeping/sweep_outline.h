#pragma once

#include "core/json/json.h"

#include <QString>
#include <QStringList>

#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace weir::editor {

struct SweepEstimate {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::optional<std::pair<double, double>> interval = {};
    int rounds = 0;
};

/// Run behind a point. `values`: one for each quantity, NaN without one.
struct SweepRunFact {
    QString directory = {};
    QString runId = {};
    QString status = {};
    QString reasons = {};
    int round = 0; ///< counts up to the repetitions that each round may have, so it has gaps
    int repetition = 0; ///< requested round of which it is a part
    bool disturbed = false;
    std::vector<double> values = {};
};

struct SweepPoint {
    QString name = {}; ///< distinguishes it from the others
    QString deployment = {};
    std::vector<Json> values = {};            ///< of the axes, in their order
    std::vector<SweepEstimate> all = {};      ///< for each quantity; so are the next members
    std::vector<SweepEstimate> undisturbed = {};
    std::vector<SweepRunFact> runs = {};
};

struct SweepAxis {
    std::string key = {};
    QString column = {};
    std::vector<Json> values = {};

    /// Return the column without the prefix of an axis that has the name of another column.
    QString name() const {
        const QLatin1String varied("vary_");
        return column.startsWith(varied) ? column.sliced(varied.size()) : column;
    }
};

struct SweepQuantity {
    QString column = {};
    QString words = {};
    QString unit = {};

    /// Return true unless the quantity is a time.
    bool isMoreBetter() const { return unit != QLatin1String("ns") && unit != QLatin1String("s"); }
};

/// Content of `weir report DIR --json` for a sweep, as far as it is measured. Axes are given by index.
struct SweepOutline {
    QString id = {};
    QString directory = {};
    QString summary = {};
    QStringList remarks = {};
    QString essence = {}; ///< essence of its project
    bool complete = false;
    int roundsRequested = 0;
    int roundsMeasured = 0;
    int roundsDisturbed = 0;
    std::vector<SweepAxis> axes = {};
    int x = -1; ///< -1: no axis is numeric
    std::vector<int> lines = {};
    std::vector<int> figures = {};
    std::vector<SweepQuantity> quantities = {};
    std::vector<SweepPoint> points = {};
};

std::optional<SweepOutline> sweepOutlineFrom(const Json& answer);

/// Return `flow · stages=3`: the point's values of these axes.
QString labelOf(const SweepOutline& outline, const SweepPoint& point, const std::vector<int>& axes);
/// Return the index of the best point in a quantity: the highest rate or the lowest time. -1: no point has a value.
int bestPoint(const SweepOutline& outline, int quantity);
/// Return a value of the quantity for display: `86.3 Mitems/s`, `1.23 ms`.
QString quantityText(const SweepQuantity& quantity, double value);

} // namespace weir::editor
