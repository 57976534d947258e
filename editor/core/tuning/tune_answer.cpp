#include "core/tuning/tune_answer.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

std::optional<ItemSpan> spanFrom(const Json* ends) {
    const Json& both = list(ends);
    if (both.size() != 2 || !both[0].is_number_integer() || !both[1].is_number_integer()) return std::nullopt;
    return ItemSpan{both[0].get<qint64>(), both[1].get<qint64>()};
}

std::optional<TunedPlan> planOf(const Json& entry) {
    const Json* plan = member(entry, "plan");
    if (!plan || !plan->is_object()) return std::nullopt;
    TunedPlan found{.scheduler = string(*plan, "scheduler"),
                    .wait = string(*plan, "wait"),
                    .chunkItems = spanFrom(member(*plan, "chunk_items")),
                    .ringItems = spanFrom(member(*plan, "ring_items"))};
    for (const Json& worker : list(member(*plan, "workers"))) {
        found.workers.push_back({.name = string(worker, "name"), .instances = strings(member(worker, "instances"))});
    }
    return found;
}

TunedCandidate candidateFrom(const Json& row, const Json& best) {
    TunedCandidate found{.name = string(row, "name"),
                         .origin = string(row, "origin"),
                         .deployment = object(member(row, "deployment")),
                         .predicted = numberIn(row, "predicted_items_per_s"),
                         .measured = numberIn(row, "items_per_s"),
                         .p99 = numberIn(object(member(row, "latency")), "p99_ns"),
                         .isFront = isTrue(row, "front"),
                         .plan = planOf(row)};
    for (const auto& goal : best.items())
        if (string(goal.value(), "name") == found.name) found.bestFor.append(QString::fromStdString(goal.key()));
    return found;
}

} // namespace

bool TunedPlan::isDynamic() const {
    return std::all_of(workers.begin(), workers.end(),
                       [](const PlannedWorker& worker) { return worker.instances.isEmpty(); });
}

std::optional<TuneAnswer> tuneAnswerFrom(const Json& answer) {
    const Json* tried = member(answer, "tried");
    if (!tried || !tried->is_array()) return std::nullopt;
    const Json &start = object(member(answer, "start")), &best = object(member(answer, "best"));
    TuneAnswer found{.goal = string(answer, "goal"),
                     .interrupted = isTrue(answer, "interrupted"),
                     .startName = string(start, "name"),
                     .start = planOf(start),
                     .tried = static_cast<int>(tried->size()),
                     .leftOut = static_cast<int>(list(member(answer, "left_out")).size()),
                     .predictionError = numberIn(answer, "prediction_error")};
    for (const Json& row : *tried) {
        TunedCandidate candidate = candidateFrom(row, best);
        if (candidate.name == found.startName) found.measuredStart = candidate;
        if (candidate.isFront || isTrue(row, "finalist")) found.candidates.push_back(std::move(candidate));
    }
    const auto rate = [](const TunedCandidate& of) { return std::isnan(of.measured) ? 0 : of.measured; };
    std::stable_sort(found.candidates.begin(), found.candidates.end(),
                     [&](const TunedCandidate& a, const TunedCandidate& b) { return rate(a) > rate(b); });
    return found;
}

} // namespace weir::editor
