// One random graph under one scheduler, with everything else drawn too, and its judgement.
#pragma once

#include <string>

#include "all_schedulers.hpp"
#include "fuzz_shapes.hpp"
#include "reference.hpp"
#include "test_graph.hpp"

namespace weir::testing {

/// What is drawn besides the graph.
struct Conditions {
    Settings settings;
    Placement placement;
    bool unmirrored = false;
};

Conditions draw_conditions(const Graph& graph, const SchedulerRow& scheduler, std::uint64_t seed);
std::string text_of(const Conditions& conditions);

/// Runs and compares counts, digests, tails and the foretold counts; returns what is wrong ("": nothing).
std::string try_graph(const Graph& graph, const Reference& reference, const SchedulerRow& scheduler, const Conditions& conditions);

/// Leaves ops out for as long as the graph still fails now and then; `seed` draws the conditions of each try.
Graph shrink(Graph graph, const SchedulerRow& scheduler, std::uint64_t seed);

}  // namespace weir::testing
