#pragma once

#include "core/json/json.h"

#include <QString>

#include <optional>
#include <variant>

namespace weir::editor {

/// The values of an axis as they are edited: `1, 2, 4`.
QString axisText(const Json& values);
/// The values that typed text stands for, `names`: whatever they could be read as. Or why it stands for none.
std::variant<Json, QString> axisValues(const QString& typed, bool names);

/// Shares of a load as they are edited: `10%, 50%`.
QString sharesText(const Json& shares);
/// The shares that typed text stands for, or why it stands for none; nothing where no value of it is a share.
std::optional<std::variant<Json, QString>> loadShares(const QString& typed);

/// Return the proposed values for a varied field with this value: doubled numbers, within its limits. Null values
/// are none.
Json proposedNumbers(const Json& value, const Json& minimum, const Json& maximum);

}  // namespace weir::editor
