// A flowgraph for GNU Radio 4: tables that the generated main.cpp fills. This header includes nothing of GNU Radio, whose
// headers take minutes to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "weir_hosted.h"

namespace gr {
class BlockModel;
}

namespace weir::gnuradio4 {

/// Setting of a native block. `item`: one item, with both parts if it is complex; `items`: a list of real ones; `total`:
/// the number of items after which the block ends.
struct Setting {
    enum Kind : std::uint8_t { size, item, items, total };
    const char* name;
    Kind kind;
    std::span<const double> values;
};

/// Instance that is part of a fused block.
struct Member {
    std::size_t instance;
    std::span<const Setting> settings;
};

struct Block {
    using Make = std::shared_ptr<gr::BlockModel>(weir_run*, std::size_t instance, const Block&);

    const char* name;
    std::size_t instance;  ///< of the plan; for a fused block, its last member
    Make* make;  ///< makes the block of GNU Radio for an instance of the plan
    /// For a native block: makes a block that records an output of it.
    std::shared_ptr<gr::BlockModel> (*record)(weir_run*, std::size_t instance, std::size_t output) = nullptr;
    std::span<const Setting> settings = {};
    bool inputs_are_one_port = false;  ///< several inputs are one collection of ports
    /// For a native block that replaces Weir's only in runs that neither measure nor verify it: makes Weir's.
    Make* hosted = nullptr;
    std::span<const Member> members = {};  ///< of a fused block, upstream first
    /// For a fused block: makes a block that records the items between its members. It reads the same input.
    std::shared_ptr<gr::BlockModel> (*record_inside)(weir_run*, const Block&) = nullptr;
};

/// Connection between two blocks. `items`: least size of its buffer; 0: GNU Radio's default.
struct Edge {
    std::size_t source, output, sink, input, items;
};

struct Worker {
    std::span<const std::size_t> blocks;  ///< in the order in which the worker calls them; empty if GNU Radio chooses
    std::span<const std::size_t> cpus;  ///< empty: Linux places the worker
};

struct Graph {
    std::span<const Block> blocks;
    std::span<const Edge> edges;
    std::span<const Worker> workers;
    bool double_mapped;  ///< buffers are mapped twice in a row; otherwise GNU Radio copies items to a second half
};

/// Runs the flowgraph under the scheduler of the program.
void run(weir_run* it, const Graph& graph);

}  // namespace weir::gnuradio4
