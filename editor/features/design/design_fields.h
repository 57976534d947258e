#pragma once

#include "shell/fields/parameter_model.h"

#include <QString>

#include <string>
#include <vector>

namespace weir::editor {

/// Place of a design in a project, and the taps that it is for.
struct DesignPlace {
    std::string block;
    std::string parameter;

    std::string name() const { return block + '.' + parameter; }
    bool operator==(const DesignPlace&) const = default;
};

/// The fields of a design, in the order of the pane; `entry` is what stands in the project or will.
std::vector<ParameterRow> designRows(const Json& entry);

/// `entry` with the field `key` as typed: a choice by its title. What another kind or window had goes, what the new one
/// needs comes. Unchanged where the field cannot be empty.
Json withField(const Json& entry, const std::string& key, const QString& typed);

/// A low pass to begin with, at that sample rate; null: at one that is common.
Json proposedDesign(const Json& rate);

/// `low pass`, `root raised cosine`; empty for what is none.
QString kindTitle(const std::string& kind);

}  // namespace weir::editor
