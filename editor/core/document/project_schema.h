#pragma once

#include "core/json/json.h"

#include <QString>

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

/// Whether the schema asks for the value at `place`, where what it belongs to is there.
bool isRequired(const Pointer& place);

/// How a form shows the value at a place; its texts are translated. No `form`: none does.
struct Shown {
    std::string form, name;
    std::string type; ///< as of a `ParameterRow`; `switches`: a list of words, each of which is switched
    QString title, help;
    QString unit = {};
    Json byDefault = {}; ///< what holds where the file says nothing; null: what `unset` says
    QString unset = {};
    Json with = {}; ///< {"policy": ["fifo", "rr"]}: it is needed where its neighbour has one of these values
};
Shown shownAt(const Pointer& place);
/// The words that the list at `place` may hold, and how a form shows one of them.
std::vector<std::string> switchesAt(const Pointer& place);
Shown shownOf(const Pointer& place, const std::string& word);

/// Values to begin with where the one at `place` is varied; null: the schema proposes none.
Json proposedAt(const Pointer& place);

/// A setting that a sweep knows by its name, and its place below the run or the deployment, as in "/disturb/loops".
/// `hasNames`: its values are names, whatever else they could be read as.
struct NamedSetting {
    std::string name;
    std::string place;
    bool hasNames;
};

/// Those of the object at `place`: "/run", or a deployment.
std::vector<NamedSetting> namedSettings(const Pointer& place);

/// The schema is `schema` from here on, as tests have one with more options. It returns the one before.
Json exchangeProjectSchema(const Json& schema);

/// Where a new member `key` of the object at `parent` belongs among the members that `object` has already: in the
/// order of the project schema, or at the end where that has no such member.
std::size_t insertionPosition(const Json& object, const Pointer& parent, const std::string& key);

} // namespace weir::editor
