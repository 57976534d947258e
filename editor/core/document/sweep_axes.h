#pragma once

#include "core/document/project_schema.h"
#include "core/json/json.h"

#include <QString>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace weir::editor {

class Transaction;

inline const Pointer kSweeps{"/sweeps"};
/// Objects of a sweep whose keys are axes, and texts of it that are one.
inline constexpr std::array kAxisKeys{"/vary", "/quick/vary", "/plot/against", "/plot/overlay/columns"};
inline constexpr std::array kAxisTexts{"/plot/x", "/plot/by"};

/// What a sweep calls the axis of the value at `place`: a project parameter, `deployment`, a setting by its name, or the
/// place itself. Empty: no sweep varies it.
std::string axisKeyOf(const Json& project, const Pointer& place);
/// Where the value of an axis stands, in the deployment of that number where it is one's; nothing: it has no place.
std::optional<Pointer> placeOfAxis(const Json& project, const std::string& key, std::size_t deployment);
/// The axis in words, as `gain · constant` for a parameter of a block.
QString axisTitle(const Json& project, const std::string& key);
/// Return how a form shows the setting that sweeps call `key`; nothing if it is no setting or no form shows it.
std::optional<Shown> shownSetting(const std::string& key);
/// What a sweep of any project knows by its name.
std::vector<std::string> settingsByName();
/// Whether its values are names, whatever else they could be read as.
bool hasNames(const Json& project, const std::string& key);

/// Places in lists that follow when a member of the list at `array` is taken away or put in: what stands behind it in a
/// sweep's axes moves along, and an axis of what is gone goes too. A sweep without axes goes with its last one.
void followRemoval(Transaction& transaction, const Pointer& array, std::size_t index);
void followInsertion(Transaction& transaction, const Pointer& array, std::size_t index);

}  // namespace weir::editor
