#pragma once

#include "core/json/json.h"

#include <string>

namespace weir::editor {

/// Makes a flowgraph of this size in rows of forty blocks. Every other block adds its left neighbour and a block of the
/// row above, so there are three wires per two blocks.
inline Json bigProject(int blockCount) {
    constexpr int kColumns = 40;
    Json blocks = Json::array();
    Json connections = Json::array();
    Json positions = Json::object();
    const auto name = [](int index) { return "b" + std::to_string(index); };
    for (int index = 0; index < blockCount; ++index) {
        const int column = index % kColumns;
        const int row = index / kColumns;
        positions[name(index)] = Json::array({column * 280, row * 200});
        if (column == 0) {
            blocks.push_back({{"id", name(index)}, {"type", "null_source"}, {"parameters", {{"item_type", "f32"}}}});
            continue;
        }
        const bool last = column == kColumns - 1 || index == blockCount - 1;
        const bool adds = row > 0 && !last && (index % 2 == 0 || column == 1 || column == 3 || column == 5);
        blocks.push_back({{"id", name(index)}, {"type", last ? "null_sink" : adds ? "add" : "saxpy"}});
        connections.push_back(Json::array({name(index - 1), "out", name(index), adds ? "in0" : "in"}));
        if (adds) connections.push_back(Json::array({name(index - kColumns - 1), "out", name(index), "in1"}));
    }
    return {{"schema_version", 1},
            {"name", "big"},
            {"graph", {{"blocks", std::move(blocks)}, {"connections", std::move(connections)}}},
            {"deployments", Json::array({{{"name", "single"}, {"scheduler", "single_thread"}}})},
            {"ui", {{"positions", std::move(positions)}}}};
}

}  // namespace weir::editor
