#pragma once

#include "core/json/json.h"

#include <QString>

#include <map>
#include <set>
#include <string>

namespace weir::editor {

/// Values that `weir validate --json --values` computed for one revision of the document.
struct CheckedValues {
    struct Port {
        std::string itemType;
        std::int64_t rate = 0; ///< items per firing

        bool operator==(const Port&) const = default;
    };
    struct Block {
        std::string itemType;
        std::map<std::string, Port> inputs;
        std::map<std::string, Port> outputs;

        bool operator==(const Block&) const = default;
    };

    std::map<std::string, double> values; ///< by JSON pointer of the expression
    std::map<std::string, Block> blocks;
    std::map<std::string, std::string> refusedSchedulers; ///< schedulers that cannot run the graph, with the reason

    /// Parameters of blocks of GNU Radio that their other parameters make meaningless.
    std::map<std::string, std::set<std::string>> hidden;

    static CheckedValues from(const Json& answer);
    bool operator==(const CheckedValues&) const = default;

    const double* value(const Pointer& pointer) const;
    const Block* block(const std::string& id) const;
};

} // namespace weir::editor
