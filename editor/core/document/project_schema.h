#pragma once

#include "json.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::editor {

/// The properties of the object at `place` of a project, as the schema has them that the command line checks projects by,
/// and in its order. Empty where names are free.
const Json& schemaProperties(const Pointer& place);

/// What a value may be: one of some texts, or a number in a range.
struct Allowed {
    std::vector<std::string> choices;
    std::optional<std::pair<double, double>> range;  ///< nothing where an end is open, or expressions are taken as well
};
Allowed allowedAt(const Pointer& place);

/// A setting that a sweep knows by its name, and its place below the run or the deployment.
struct NamedSetting {
    std::string name;
    std::string place;  ///< as in "/disturb/loops"
    bool hasNames;  ///< its values are names, whatever else they could be read as
};

/// Those of the object at `place`: "/run", or a deployment.
std::vector<NamedSetting> namedSettings(const Pointer& place);

}  // namespace weir::editor
