// Judges whether a run behaved correctly.
#pragma once

#include <optional>

#include "finding.hpp"
#include "reference.hpp"
#include "test_graph.hpp"

namespace weir::testing {

/// Compares counts, digests, tails and predicted counts. A run that was stopped (`told_to_stop`) may have finished
/// before.
std::optional<Finding> judge(const Graph& graph, const Reference& reference, const Outcome& outcome, bool told_to_stop);

}  // namespace weir::testing
