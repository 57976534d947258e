#pragma once

#include "core/deployment/plan_view.h"
#include "core/json/json.h"

#include <QString>
#include <QStringList>

#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace weir::editor {

/// Minimum and maximum.
using ItemSpan = std::pair<qint64, qint64>;

/// Blocks of each worker, and buffer sizes.
struct TunedPlan {
    QString scheduler = {};
    QString wait = {};
    std::vector<PlannedWorker> workers = {};
    std::optional<ItemSpan> chunkItems = {};
    std::optional<ItemSpan> ringItems = {}; ///< nothing: no ring is between workers

    /// Return whether blocks move between the workers at run time.
    bool isDynamic() const;
};

/// Measured deployment that the user can choose.
struct TunedCandidate {
    static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

    QString name = {}; ///< identifies it in the search
    QString origin = {};
    Json deployment = {}; ///< as in a project, without its name
    double predicted = kUnknown; ///< items/s; so are the measured values
    double measured = kUnknown;
    double p99 = kUnknown; ///< ns
    bool isFront = false; ///< on the Pareto front: no other candidate is better in both throughput and p99
    QStringList bestFor = {}; ///< goals that it reaches best
    std::optional<TunedPlan> plan = {};
};

/// Answer of `weir tune --json`, as far as the editor shows it.
struct TuneAnswer {
    QString goal = {};
    bool interrupted = false;
    QString startName = {}; ///< deployment that the search started from
    std::optional<TunedPlan> start = {};
    std::optional<TunedCandidate> measuredStart = {};
    std::vector<TunedCandidate> candidates = {}; ///< the front and all fully measured candidates, the fastest first
    int tried = 0;
    int leftOut = 0;
    double predictionError = TunedCandidate::kUnknown;
};

std::optional<TuneAnswer> tuneAnswerFrom(const Json& answer);

} // namespace weir::editor
