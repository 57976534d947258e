#include "scheduler_shapes.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::testing {

Graph chain_of(std::uint64_t items, std::size_t stages) {
    Graph graph{{Kind::source, {}, items}};
    for (std::size_t i = 0; i < stages; ++i) graph.push_back({Kind::affine, {{graph.size() - 1}}});
    graph.push_back({Kind::sink, {{graph.size() - 1}}});
    return graph;
}

std::span<const NamedShape> scheduler_shapes() {
    static const std::vector<NamedShape> kShapes = {
        {"chain", chain_of(5'000, 3)},
        {"one item", chain_of(1, 2)},
        {"more blocks than cores", chain_of(2'000, 24)},
        {"no items", {{Kind::source, {}, 0}, {Kind::head, {{0}}, 0}, {Kind::affine, {{1}}}, {Kind::sink, {{2}}}}},
        {"fork", {{Kind::source, {}, 4'000}, {Kind::affine, {{0}}}, {Kind::sink, {{0}}}, {Kind::sink, {{1}}}}},
        {"diamond",
         {{Kind::source, {}, 4'000},
          {Kind::affine, {{0}}},
          {Kind::affine, {{0}}},
          {Kind::affine, {{2}}},
          {Kind::join, {{1}, {3}}},
          {Kind::sink, {{4}}}}},
        {"diamond of two outputs",
         {{Kind::source, {}, 3'000},
          {Kind::split, {{0}}},
          {Kind::affine, {{1, 0}}},
          {Kind::join, {{2}, {1, 1}}},
          {Kind::sink, {{3}}}}},
        {"join of one stream with itself", {{Kind::source, {}, 3'000}, {Kind::join, {{0}, {0}}}, {Kind::sink, {{1}}}}},
        {"rates change",
         {{Kind::source, {}, 3'001},
          {Kind::decimate, {{0}}, 7},
          {Kind::interpolate, {{1}}, 5},
          {Kind::decimate, {{2}}, 3},
          {Kind::sink, {{3}}},
          {Kind::sink, {{1}}}}},
        // One branch holds whole groups back, so the items of the other branch wait in the stream that both read.
        {"rates change within a diamond",
         {{Kind::source, {}, 3'001},
          {Kind::decimate, {{0}}, 25},
          {Kind::interpolate, {{1}}, 25},
          {Kind::join, {{2}, {0}}},
          {Kind::sink, {{3}}}},
         64},
        {"join ends at its shortest input",
         {{Kind::source, {}, 5'000},
          {Kind::source, {}, 700},
          {Kind::join, {{0}, {1}}},
          {Kind::sink, {{2}}},
          {Kind::sink, {{0}}}}},
        {"head stops a source that never ends",
         {{Kind::source, {}, 0}, {Kind::affine, {{0}}}, {Kind::head, {{1}}, 1'234}, {Kind::sink, {{2}}}}},
        {"finished reader does not block its siblings",
         {{Kind::source, {}, 6'000},
          {Kind::head, {{0}}, 10},
          {Kind::sink, {{1}}},
          {Kind::sink, {{0}}},
          {Kind::sink, {{0}}, 100}}},
        {"done travels up through forks",
         {{Kind::source, {}, 0},
          {Kind::affine, {{0}}},
          {Kind::head, {{1}}, 900},
          {Kind::head, {{0}}, 2'100},
          {Kind::sink, {{2}}},
          {Kind::sink, {{3}}},
          {Kind::sink, {{2}}, 5}}},
        {"open output", {{Kind::source, {}, 2'000}, {Kind::split, {{0}}}, {Kind::sink, {{1, 1}}}}},
        {"timed waits", {{Kind::source, {}, 3'000}, {Kind::pacer, {{0}}}, {Kind::pacer, {{1}}}, {Kind::sink, {{2}}}}},
    };
    return kShapes;
}

const NamedShape& shape_named(std::string_view name) {
    const auto shapes = scheduler_shapes();
    const auto found = std::ranges::find(shapes, name, &NamedShape::name);
    if (found == shapes.end()) throw std::out_of_range("no shape " + std::string(name));
    return *found;
}

}  // namespace weir::testing
