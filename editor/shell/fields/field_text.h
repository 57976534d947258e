#pragma once

#include "core/json/json.h"

#include <QString>

#include <optional>

namespace weir::editor {

// Values whose typed form differs from the file, by the type of their row: `words` as `-g2 -Wall`, `cpus` as `0, 2-3`,
// a `share` as `10 %` or `none`, and a `portion`, which may exceed 1, as `150 %` or `none`.

/// Return the text of a value whose type has its own form; nothing for any other type.
std::optional<QString> ownText(const QString& type, const Json& value);
/// Return the value of typed text. Discarded if it is not of that form; nothing if the type has no form of its own.
std::optional<Json> ownValue(const QString& type, const QString& typed);
/// Return the message about the form that the field takes.
QString ownForm(const QString& type);

} // namespace weir::editor
