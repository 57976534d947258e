// Runs one random graph under one scheduler with random settings, and judges the result.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "fuzz_shapes.hpp"
#include "judgement.hpp"
#include "scheduler_row.hpp"
#include "test_graph.hpp"

namespace weir::testing {

/// Random settings besides the graph.
struct Conditions {
    Settings settings;
    Placement placement;
    bool unmirrored = false;
    std::uint64_t parameters = 0;  ///< of the scheduler, see SchedulerRow::run
};

Conditions draw_conditions(const Graph& graph, const SchedulerRow& scheduler, std::uint64_t seed);
std::string text_of(const Conditions& conditions);

/// Run the graph and judge the result.
std::optional<Finding> try_graph(const Graph& graph, const Reference& reference, const SchedulerRow& scheduler,
                                 const Conditions& conditions);

/// Remove ops while the graph still fails in some tries; `seed` draws the conditions of each try.
Graph shrink(Graph graph, const SchedulerRow& scheduler, std::uint64_t seed,
             std::chrono::seconds most = std::chrono::seconds(60));

}  // namespace weir::testing
