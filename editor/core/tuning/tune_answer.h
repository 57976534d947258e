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

/// The least and the most.
using ItemSpan = std::pair<qint64, qint64>;

/// Assignment of blocks to workers, with their sizes.
struct TunedPlan {
    QString scheduler = {};
    QString wait = {};
    std::vector<PlannedWorker> workers = {};
    std::optional<ItemSpan> chunkItems = {};
    std::optional<ItemSpan> ringItems = {}; ///< nothing where no ring is between workers

    /// Return whether blocks move between the workers at run time.
    bool isDynamic() const;
};

/// A deployment that was measured, and is one to choose from.
struct TunedCandidate {
    static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

    QString name = {}; ///< of it among all of the search
    QString origin = {};
    Json deployment = {}; ///< as a project has it, without its name
    double predicted = kUnknown; ///< items/s, as is what was measured
    double measured = kUnknown;
    double p99 = kUnknown; ///< ns
    bool isFront = false; ///< no other one is better in both throughput and p99
    QStringList bestFor = {}; ///< goals
    std::optional<TunedPlan> plan = {};
};

/// Answer of `weir tune --json`, as far as the editor shows it.
struct TuneAnswer {
    QString goal = {};
    bool interrupted = false;
    QString startName = {}; ///< the deployment that the search started from
    std::optional<TunedPlan> start = {};
    std::optional<TunedCandidate> measuredStart = {};
    std::vector<TunedCandidate> candidates = {}; ///< the front and what was measured to the end, the fastest first
    int tried = 0;
    int leftOut = 0;
    double predictionError = TunedCandidate::kUnknown;
};

std::optional<TuneAnswer> tuneAnswerFrom(const Json& answer);

} // namespace weir::editor
