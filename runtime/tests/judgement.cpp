#include "judgement.hpp"

namespace weir::testing {
namespace {

std::string not_whole(const Outcome& outcome) {
    if (outcome.unfinished.empty())
        return "all tasks are done, but Run::task_done was not called exactly once for each";
    std::string text = "the run ended before these tasks were done:";
    for (const std::string& name : outcome.unfinished) text += " " + name;
    return text;
}

}  // namespace

std::optional<Finding> judge(const Graph& graph, const Reference& reference, const Outcome& outcome,
                             bool told_to_stop) {
    if (outcome.stuck) return Finding{outcome.stuck->claim, outcome.stuck->text};
    if (const auto& failure = outcome.run.failure)
        return Finding{Claim::errors, failure->instance + " failed: " + failure->message};
    if (outcome.run.stopped && told_to_stop) return std::nullopt;
    if (outcome.run.stopped) return Finding{Claim::ending, "the run was stopped without a request"};
    if (!outcome.run.complete) return Finding{Claim::ending, not_whole(outcome)};

    std::string wrong;
    const auto compare = [&](std::size_t op, const char* what, std::uint64_t is, std::uint64_t least,
                             std::uint64_t most) {
        if (is >= least && is <= most) return;
        wrong +=
            "op" + std::to_string(op) + ": " + what + " " + std::to_string(is) + ", must be " + std::to_string(least);
        if (most != least) wrong += " to " + std::to_string(most);
        wrong += "\n";
    };
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Reference::Tail& tail = reference.tails[i];
        compare(i, "tail items", outcome.tails[i], tail.least, tail.most);
        if (graph[i].kind != Kind::sink) continue;
        const auto& items = reference.first_inputs[i];
        const std::uint64_t digest = reference_digest(items);
        compare(i, "items", outcome.items[i], items.size(), items.size());
        compare(i, "digest", outcome.digests[i], digest, digest);
        if (!outcome.expected[i]) {
            wrong += "op" + std::to_string(i) + ": no item count was predicted\n";
        } else {
            compare(i, "predicted items", *outcome.expected[i], items.size(), items.size());
        }
    }
    if (wrong.empty()) return std::nullopt;
    return Finding{Claim::answers, wrong};
}

}  // namespace weir::testing
