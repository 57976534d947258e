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

/// A run behind a point. `values` of the quantities, NaN where it has none.
struct SweepRunFact {
    QString directory = {};
    QString runId = {};
    QString status = {};
    QString reasons = {};
    int round = 0;
    bool disturbed = false;
    std::vector<double> values = {};
};

struct SweepPoint {
    QString name = {}; ///< what tells it from the others
    QString deployment = {};
    std::vector<Json> values = {};            ///< of the axes, in their order
    std::vector<SweepEstimate> all = {};      ///< of the quantities, in their order, as what follows
    std::vector<SweepEstimate> undisturbed = {};
    std::vector<SweepRunFact> runs = {};
};

struct SweepAxis {
    std::string key = {};
    QString column = {};
    std::vector<Json> values = {};
};

struct SweepQuantity {
    QString column = {};
    QString words = {};
    QString unit = {};

    /// Return true unless the quantity is a time.
    bool isMoreBetter() const { return unit != QLatin1String("ns") && unit != QLatin1String("s"); }
};

/// Content of `weir report DIR --json` for a sweep as far as it is measured. Axes by their numbers.
struct SweepOutline {
    QString id = {};
    QString directory = {};
    QString summary = {};
    QStringList remarks = {};
    QString essence = {}; ///< of the project that it is of
    bool complete = false;
    int roundsRequested = 0;
    int roundsMeasured = 0;
    int roundsDisturbed = 0;
    std::vector<SweepAxis> axes = {};
    int x = -1; ///< -1: no axis is of numbers
    std::vector<int> lines = {};
    std::vector<int> figures = {};
    std::vector<SweepQuantity> quantities = {};
    std::vector<SweepPoint> points = {};
};

std::optional<SweepOutline> sweepOutlineFrom(const Json& answer);

/// `flow · stages=3`, of the values that these axes have at the point.
QString labelOf(const SweepOutline& outline, const SweepPoint& point, const std::vector<int>& axes);
/// The point that is best in a quantity: the most items a second, the least time. -1: none has it.
int bestPoint(const SweepOutline& outline, int quantity);
/// A value of the quantity for people: `86.3 Mitems/s`, `1.23 ms`.
QString quantityText(const SweepQuantity& quantity, double value);

} // namespace weir::editor
