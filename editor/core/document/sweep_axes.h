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
/// Pointers in a sweep to objects whose keys are axes, and to texts that are an axis.
inline constexpr std::array kAxisKeys{"/vary", "/quick/vary", "/plot/against", "/plot/overlay/columns"};
inline constexpr std::array kAxisTexts{"/plot/x", "/plot/by"};

/// Return the axis key of the value at `place`: a project parameter, `deployment`, the name of a setting, or the
/// pointer itself. Empty: no sweep can vary it.
std::string axisKeyOf(const Json& project, const Pointer& place);
/// Return the pointers to what an axis sets, in the given deployment if it belongs to one. Only an axis of the project's
/// cases sets several places; an unknown one sets none.
std::vector<Pointer> placesOfAxis(const Json& project, const std::string& key, std::size_t deployment);
/// Return the axis in words, such as `gain · constant` for a parameter of a block.
QString axisTitle(const Json& project, const std::string& key);
/// Return how a form shows the setting with the sweep's name `key`; nothing if there is no such setting or form.
std::optional<Shown> shownSetting(const std::string& key);
/// Return the names of the settings that a sweep of any project can use.
std::vector<std::string> settingsByName();
/// Return the cases of the project that an axis chooses from: value -> pointer -> what it sets. Empty if it has none.
const Json& casesOf(const Json& project, const std::string& key);
/// Return whether the values of the axis are names, even if they look like numbers.
bool hasNames(const Json& project, const std::string& key);

/// Updates the axes of sweeps and the cases after an insertion or removal in the list at `array`: later indices move, and
/// places in a removed element are removed. A sweep is removed with its last axis, and a case with its last place.
void followRemoval(Transaction& transaction, const Pointer& array, std::size_t index);
void followInsertion(Transaction& transaction, const Pointer& array, std::size_t index);

}  // namespace weir::editor
