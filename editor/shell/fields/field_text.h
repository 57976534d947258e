#pragma once

#include "core/json/json.h"

#include <QString>

#include <optional>

namespace weir::editor {

// Values that are typed otherwise than the file has them, by the type of their row: `words` as `-g2 -Wall`, `cpus` as
// `0, 2-3`, and a `share` as `10 %` or `none`.

/// Nothing: the value, or its type, is as any other.
std::optional<QString> ownText(const QString& type, const Json& value);
/// What was typed. Discarded where it is no such value; nothing: the type is as any other.
std::optional<Json> ownValue(const QString& type, const QString& typed);
/// What is taken there, for whoever typed something else.
QString ownForm(const QString& type);

} // namespace weir::editor
