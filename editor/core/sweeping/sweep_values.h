#pragma once

#include "core/json/json.h"

#include <QString>

#include <optional>
#include <variant>

namespace weir::editor {

/// Return the values of an axis as editable text: `1, 2, 4`.
QString axisText(const Json& values);
/// Return the values of typed text, or why it is invalid. `names`: never read a value as a number.
std::variant<Json, QString> axisValues(const QString& typed, bool names);

/// Return shares of a load as editable text: `10%, 50%`.
QString sharesText(const Json& shares);
/// Return the shares of typed text, or why it is invalid; nothing if no value is a share.
std::optional<std::variant<Json, QString>> loadShares(const QString& typed);

/// Return proposed values for varying a field with this value: doubled numbers within its limits. A null `minimum` or
/// `maximum` is no limit.
Json proposedNumbers(const Json& value, const Json& minimum, const Json& maximum);

}  // namespace weir::editor
