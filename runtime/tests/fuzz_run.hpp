// One random graph under one scheduler, with everything else drawn too, and its judgement.
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

/// Runs it and judges.
std::optional<Finding> try_graph(const Graph& graph, const Reference& reference, const SchedulerRow& scheduler,
                                 const Conditions& conditions);

/// Leaves ops out for as long as the graph still fails now and then; `seed` draws the conditions of each try.
Graph shrink(Graph graph, const SchedulerRow& scheduler, std::uint64_t seed,
             std::chrono::seconds most = std::chrono::seconds(60));

}  // namespace weir::testing
