// Random valid flowgraphs: their rates agree, every source ends, and no input of a join accumulates items without
// bound.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph_shape.hpp"

namespace weir::testing {

/// Stream of random numbers, the same on every machine.
class Random {
  public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}
    std::uint64_t next() noexcept;
    std::uint64_t below(std::uint64_t n) noexcept { return (next() >> 8U) % n; }
    std::uint64_t between(std::uint64_t least, std::uint64_t most) noexcept { return least + below(most - least + 1); }
    bool one_in(std::uint64_t n) noexcept { return below(n) == 0; }

  private:
    std::uint64_t state_;
};

struct Shape {
    Graph graph;
    std::uint64_t repeats = 0;  ///< copies of a group in series
    std::uint64_t pipes = 1;  ///< copies of the whole graph side by side
};

Shape random_shape(std::uint64_t seed);

/// Return the features of a graph under the names of the histogram.
std::vector<std::string> features_of(const Shape& shape);
std::size_t edges_of(const Graph& graph);
std::size_t rate_changes_of(const Graph& graph);

}  // namespace weir::testing
