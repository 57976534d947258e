#pragma once

#include "core/json/json.h"

#include <QString>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::editor {

/// Return the whole schema, with its references resolved.
const Json& projectSchemaRoot();

/// Return the properties of the object at `place`, in the order of the project schema; empty if any name is allowed.
/// The command line checks projects by the same schema.
const Json& schemaProperties(const Pointer& place);

/// Allowed values: a set of texts, or a range of numbers. There is no range if one end is open, or if an expression is
/// allowed.
struct Allowed {
    std::vector<std::string> choices;
    std::optional<std::pair<double, double>> range;
};
Allowed allowedAt(const Pointer& place);

/// Return whether the schema requires the value at `place` whenever its parent exists.
bool isRequired(const Pointer& place);

/// Presentation of a value in a form, with translated texts. Without `form`, no form shows it.
struct Shown {
    std::string form, name;
    std::string type; ///< type of a `ParameterRow`; `switches`: a list of words with one switch each
    QString title, help;
    QString unit = {};
    Json byDefault = {}; ///< value in effect if the file has none; null: described by `unset`
    QString unset = {};
    Json with = {}; ///< {"policy": ["fifo", "rr"]}: needed if its neighbour has one of these values
};
Shown shownAt(const Pointer& place);
/// Return the words that the list at `place` may hold, and how a form shows one of them.
std::vector<std::string> switchesAt(const Pointer& place);
Shown shownOf(const Pointer& place, const std::string& word);

/// Return the proposed values if the value at `place` is varied; null: the schema proposes none.
Json proposedAt(const Pointer& place);

/// Setting that a sweep names, and its pointer below the run or the deployment, such as "/interference/loops". `hasNames`:
/// its values are names, even if they look like numbers.
struct NamedSetting {
    std::string name;
    std::string place;
    bool hasNames;
};

/// Return the named settings of the object at `place`: "/run", or a deployment.
std::vector<NamedSetting> namedSettings(const Pointer& place);

/// Replaces the schema, for tests with more options. Returns the previous one.
Json exchangeProjectSchema(const Json& schema);

/// Return the position of a new member `key` of the object at `parent` among the members of `object`: in the order of
/// the project schema, or at the end if the schema has no such member.
std::size_t insertionPosition(const Json& object, const Pointer& parent, const std::string& key);

}  // namespace weir::editor
