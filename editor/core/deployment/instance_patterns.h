#pragma once

#include "core/deployment/plan_view.h"

#include <QString>

#include <map>
#include <utility>
#include <vector>

namespace weir::editor {

/// Return few patterns over instance names (stage, stage[0..2], *@p1) that give each instance its value and never
/// overlap. No pattern matches an instance without a value or with an empty one.
std::vector<std::pair<QString, QString>> patternsFor(const std::vector<PlannedInstance>& instances,
                                                     const std::map<QString, QString>& values);

} // namespace weir::editor
