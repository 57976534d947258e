#pragma once

#include "shell/fields/parameter_model.h"

#include <QString>

#include <string>
#include <vector>

namespace weir::editor {

/// Block and parameter of a design.
struct DesignPlace {
    std::string block;
    std::string parameter;

    std::string name() const { return block + '.' + parameter; }
    bool operator==(const DesignPlace&) const = default;
};

/// Return the fields of a design in the order of the pane. `entry` is the design, stored or proposed.
std::vector<ParameterRow> designRows(const Json& entry);

/// Return `entry` with `typed` in the field `key`; a choice is typed by its title. Another kind or window removes the
/// fields that it does not use, and adds those that it needs. An empty text leaves a required field unchanged.
Json withField(const Json& entry, const std::string& key, const QString& typed);

/// Return a low-pass design to start from, for that sample rate; a common rate if it is null.
Json proposedDesign(const Json& rate);

/// `low pass`, `root raised cosine`; empty for no kind.
QString kindTitle(const std::string& kind);

}  // namespace weir::editor
