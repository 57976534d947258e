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

/// Return the key of the axis for the value at `place`: a project parameter, `deployment`, the name of a setting, or
/// the place itself. Empty: no sweep varies it.
std::string axisKeyOf(const Json& project, const Pointer& place);
/// Return the place of the value of an axis, in the given deployment if it belongs to one; nothing if it has no place.
std::optional<Pointer> placeOfAxis(const Json& project, const std::string& key, std::size_t deployment);
/// The axis in words, as `gain · constant` for a parameter of a block.
QString axisTitle(const Json& project, const std::string& key);
/// Return how a form shows the setting that sweeps call `key`; nothing if it is no setting or no form shows it.
std::optional<Shown> shownSetting(const std::string& key);
/// Return the names of the settings that a sweep of any project knows.
std::vector<std::string> settingsByName();
/// Return whether the values of the axis are names, whatever else they could be read as.
bool hasNames(const Json& project, const std::string& key);

/// Places in lists that follow when a member of the list at `array` is taken away or put in: what stands behind it in a
/// sweep's axes moves along, and an axis of what is gone goes too. A sweep without axes goes with its last one.
void followRemoval(Transaction& transaction, const Pointer& array, std::size_t index);
void followInsertion(Transaction& transaction, const Pointer& array, std::size_t index);

}  // namespace weir::editor
