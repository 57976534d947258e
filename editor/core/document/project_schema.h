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

/// Allowed values: some texts, or a number in a range. There is no range if an end of it is open, or
/// if an expression may stand instead.
struct Allowed {
    std::vector<std::string> choices;
    std::optional<std::pair<double, double>> range;
};
Allowed allowedAt(const Pointer& place);

/// Return whether the schema requires the value at `place`, if its parent is there.
bool isRequired(const Pointer& place);

/// Presentation of the value at a place in a form; its texts are translated. No `form`: no form shows it.
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

/// Return the named settings of the object at `place`: "/run", or a deployment.
std::vector<NamedSetting> namedSettings(const Pointer& place);

/// The schema is `schema` from here on, as tests have one with more options. It returns the one before.
Json exchangeProjectSchema(const Json& schema);

/// Return the position of a new member `key` of the object at `parent` among the members of `object`: in the
/// order of the project schema, or at the end if the schema has no such member.
std::size_t insertionPosition(const Json& object, const Pointer& parent, const std::string& key);

} // namespace weir::editor
