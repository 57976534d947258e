#pragma once

#include "core/json/json.h"

#include <QByteArray>

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace weir::editor {

struct ReadError {
    std::string message;
    std::size_t line = 0;   ///< from 1; 0: the error has no position
    std::size_t column = 0; ///< in bytes, from 1
};

inline constexpr std::size_t kMaximumDepth = 64;
inline constexpr std::size_t kMaximumBytes = std::size_t{16} << 20;

/// Reads JSON as strictly as the command line does: UTF-8, no duplicate keys, no NaN or infinity, bounded depth and size.
std::variant<Json, ReadError> readJson(std::string_view text);
/// Return the JSON of a text; null if it is invalid.
Json jsonFrom(const QByteArray& text);

}  // namespace weir::editor
