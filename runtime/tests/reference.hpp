// Reference result of a graph: plain loops over whole vectors, without code of streams, nodes or schedulers.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_shape.hpp"

namespace weir::testing {

struct Reference {
    /// Items that arrive at the first input of each op (at a source: items that it emits).
    std::vector<std::vector<std::uint32_t>> first_inputs;
    /// Items that each op drops at its ends, as a range: an op whose readers leave before its input ends may never see
    /// the tail. If two inputs end at the same firing, it may see either end first.
    struct Tail {
        std::uint64_t least = 0, most = 0;
    };
    std::vector<Tail> tails;
};

/// Throws std::logic_error for a graph that never ends.
Reference evaluate(const Graph& graph);

std::uint64_t reference_digest(const std::vector<std::uint32_t>& items);

}  // namespace weir::testing
