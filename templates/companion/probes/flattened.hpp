// The flowgraph as GNU Radio runs it: without hierarchical blocks.
#pragma once

#include <string>

#include <gnuradio/flowgraph.h>

namespace weir {
class JsonWriter;
}

namespace weir::companion {

struct Session;

/// Flatten the block with this symbol name. Throws std::runtime_error if it is no hierarchical block.
gr::flowgraph_sptr flattened(const std::string& symbol);

/// Make a row for each block of the flowgraph, in the order of their construction.
void make_rows(Session& session, gr::flowgraph& graph);

/// Write `blocks`, `edges` and `message_edges` of the flowgraph. Blocks are numbered as their rows.
void describe(const Session& session, const gr::flowgraph& graph, JsonWriter& json);

/// Write the counts of every row, with GNU Radio's own beside them.
void write_counts(const Session& session, JsonWriter& json);

}  // namespace weir::companion
