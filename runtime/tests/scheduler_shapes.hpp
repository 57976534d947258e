// Small graphs that every scheduler must run correctly, each of which tests a different property.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "graph_shape.hpp"

namespace weir::testing {

struct NamedShape {
    std::string_view name;
    Graph graph;
    std::size_t least_buffer = 1;
};

std::span<const NamedShape> scheduler_shapes();
/// Throws std::out_of_range if no shape has that name.
const NamedShape& shape_named(std::string_view name);

/// source -> stages of affine -> sink
Graph chain_of(std::uint64_t items, std::size_t stages);

}  // namespace weir::testing
