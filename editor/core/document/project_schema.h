#pragma once

#include "json.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::editor {

/// The properties, in order, that the project schema gives the object at `place`; empty where names are free. The
/// command line checks projects by that schema.
const Json& schemaProperties(const Pointer& place);

/// What a value may be: one of some texts, or a number in a range. There is no range where an end of it is open, or
/// where an expression may stand instead.
struct Allowed {
    std::vector<std::string> choices;
    std::optional<std::pair<double, double>> range;
};
Allowed allowedAt(const Pointer& place);

/// A setting that a sweep knows by its name, and its place below the run or the deployment, as in "/disturb/loops".
/// `hasNames`: its values are names, whatever else they could be read as.
struct NamedSetting {
    std::string name;
    std::string place;
    bool hasNames;
};

/// Those of the object at `place`: "/run", or a deployment.
std::vector<NamedSetting> namedSettings(const Pointer& place);

}  // namespace weir::editor
